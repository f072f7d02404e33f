// Target of a key: the selected tasks, else the focused one, else the one under the pointer, else the open one.

import { useEffect } from 'react';

export interface KeyTarget {
  readonly taskIds: readonly string[];
  /** Where a picker opens. */
  readonly there: HTMLElement;
  /** What gets the focus back, if that is something else. */
  readonly back?: HTMLElement;
}

let selected: readonly string[] = [];
let named: KeyTarget | null = null;

/** Said by a list in which tasks can be selected. */
export function useSelectedForKeys(taskIds: readonly string[]): void {
  useEffect(() => {
    selected = taskIds;
    return () => {
      selected = [];
    };
  }, [taskIds]);
}

const taskLine = (element: Element | null | undefined): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-task-id]') ??
  element?.closest('[data-row], [data-line]')?.querySelector<HTMLElement>('[data-task-id]') ??
  null;

/** What is done meanwhile means this, wherever the focus and the pointer are. */
export function withTarget(target: KeyTarget, act: () => void): void {
  named = target;
  try {
    act();
  } finally {
    named = null;
  }
}

/** What somebody means who rests a finger on this line: all that is selected, where it is one of them. */
export function targetAt(line: HTMLElement): KeyTarget | undefined {
  const taskId = line.dataset.taskId;
  if (taskId === undefined) return undefined;
  return { taskIds: selected.includes(taskId) ? selected : [taskId], there: line };
}

export function keyTarget(): KeyTarget | undefined {
  if (named !== null) return named;
  const focused = document.activeElement;
  const inFocus = taskLine(focused);
  const panel = document.querySelector<HTMLElement>('[data-open-task]');
  if (selected.length > 0) {
    const there = inFocus ?? taskLine(hovered()) ?? document.querySelector<HTMLElement>('[data-bulk-bar]');
    if (there !== null) return { taskIds: selected, there };
  }
  // The focus that a click left behind is not seen; what is pointed at is.
  const line =
    (inFocus?.matches(':focus-visible') ? inFocus : null) ?? (panel?.contains(focused) ? null : taskLine(hovered()));
  const found = line ?? (panel?.contains(focused) ? null : inFocus);
  if (found?.dataset.taskId) return { taskIds: [found.dataset.taskId], there: found };
  if (panel?.dataset.openTask) {
    const there = panel.querySelector<HTMLElement>('[data-properties]') ?? panel;
    const back = focused instanceof HTMLElement && panel.contains(focused) ? focused : panel;
    return { taskIds: [panel.dataset.openTask], there, back };
  }
  return undefined;
}

/** The one line that has the focus or is pointed at, whatever is selected. */
export function pointedTask(): string | undefined {
  const inFocus = taskLine(document.activeElement);
  const line = (inFocus?.matches(':focus-visible') ? inFocus : null) ?? taskLine(hovered()) ?? inFocus;
  return line?.dataset.taskId;
}

function hovered(): Element | undefined {
  return [...document.querySelectorAll(':hover')].at(-1);
}
