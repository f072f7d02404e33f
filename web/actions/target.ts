// Target of keys, menus and the palette: the selected tasks, else the focused one, else the one under the pointer, else the open one.
// Events of the page and the parts that select and open tasks keep it here, so that nobody searches the page for it.

import { type RefObject, useLayoutEffect } from 'react';
import { useLatest } from '../ui/use-latest.ts';

export interface Target {
  readonly taskIds: readonly string[];
  /** Where a picker opens. */
  readonly there: HTMLElement;
  /** What gets the focus back, if that is something else: so it is for the open task. */
  readonly back?: HTMLElement;
}

interface SelectedTasks {
  readonly taskIds: readonly string[];
  /** Their bar, where no line of theirs is seen. */
  readonly bar: RefObject<HTMLElement | null>;
  clear(): void;
}

interface OpenTask {
  readonly taskId: string;
  readonly panel: RefObject<HTMLElement | null>;
  /** It is going: what stands beside it opens no other. */
  leave(): void;
  /** Another one instead, where that can be. */
  show(taskId: string): void;
}

let selected: SelectedTasks | null = null;
let opened: OpenTask | null = null;
let named: Target | null = null;
let focused: Element | null = null;
/** The line under the pointer, not the part of it: that may be drawn anew. */
let pointed: Element | null = null;

const lines = '[data-task-id],[data-row],[data-line]';
/** They come and go over what is meant. */
const overlays = '[role="dialog"],[role="menu"],[role="listbox"]';

/** Follows focus and pointer from now on. */
export function followTarget(page: Document): void {
  const passive = { passive: true };
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(overlays) === null) focused = target;
  });
  page.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget === null) focused = null;
  });
  page.addEventListener(
    'pointerover',
    ({ target }) => {
      pointed = target instanceof Element ? target.closest(lines) : null;
    },
    passive,
  );
  page.documentElement.addEventListener(
    'pointerleave',
    () => {
      pointed = null;
    },
    passive,
  );
}

/** Kept by the bar of a selection while there is one. */
export function useSelectedTasks({ taskIds, bar, clear }: SelectedTasks): void {
  const latest = useLatest(clear);
  useLayoutEffect(() => {
    const own = { taskIds, bar, clear: () => latest.current() };
    selected = own;
    return () => {
      if (selected === own) selected = null;
    };
  }, [taskIds, bar, latest]);
}

/** Kept by the panel of a task. */
export function useOpenTask({ taskId, panel, leave, show }: OpenTask): void {
  const latest = useLatest({ leave, show });
  useLayoutEffect(() => {
    const own: OpenTask = {
      taskId,
      panel,
      leave: () => latest.current.leave(),
      show: (next) => latest.current.show(next),
    };
    opened = own;
    return () => {
      if (opened === own) opened = null;
    };
  }, [taskId, panel, latest]);
}

export const openTask = (): OpenTask | null => opened;

/** Before tasks go: their selection ends, and so does the panel of one of them. */
export function leaveTasks(taskIds: readonly string[]): void {
  if (opened !== null && taskIds.includes(opened.taskId)) opened.leave();
  if (selected?.taskIds.some((id) => taskIds.includes(id))) selected.clear();
}

/** What is done meanwhile means this, wherever the focus and the pointer are. */
export function withTarget(target: Target | undefined, act: () => void): void {
  const before = named;
  named = target ?? null;
  try {
    act();
  } finally {
    named = before;
  }
}

/** Meant by a finger or a pointer on this line: all that is selected, where it is one of them. */
export function targetAt(line: HTMLElement): Target | undefined {
  const taskId = line.dataset.taskId;
  if (taskId === undefined) return undefined;
  return { taskIds: selected?.taskIds.includes(taskId) ? selected.taskIds : [taskId], there: line };
}

/** The open task, whatever else is selected, focused or pointed at. */
export function openTarget(): Target | undefined {
  const panel = opened?.panel.current;
  if (!opened || !panel) return undefined;
  const there = panel.querySelector<HTMLElement>('[data-properties]') ?? panel;
  const back = focused instanceof HTMLElement && panel.contains(focused) ? focused : panel;
  return { taskIds: [opened.taskId], there, back };
}

export function target(): Target | undefined {
  if (named !== null) return named;
  const inFocus = focusedLine();
  if (selected !== null) {
    const there = inFocus ?? pointedLine() ?? selected.bar.current;
    if (there !== null) return { taskIds: selected.taskIds, there };
  }
  // The focus that a click left behind is not seen; what is pointed at is.
  const inPanel = opened?.panel.current?.contains(focused) === true;
  const line = seen(inFocus) ?? (inPanel ? null : (pointedLine() ?? inFocus));
  if (line?.dataset.taskId) return { taskIds: [line.dataset.taskId], there: line };
  return openTarget();
}

/** The one task that has the focus or is pointed at, whatever is selected. */
export function pointedTask(): string | undefined {
  const inFocus = focusedLine();
  return (seen(inFocus) ?? pointedLine() ?? inFocus)?.dataset.taskId;
}

/** The line of a task that has the focus. */
export const focusedLine = (): HTMLElement | null => taskLine(focused);

/** The line of a task that the pointer is on. */
export const pointedLine = (): HTMLElement | null => taskLine(pointed);

const seen = (line: HTMLElement | null): HTMLElement | null => (line?.matches(':focus-visible') ? line : null);

function taskLine(element: Element | null): HTMLElement | null {
  if (!element?.isConnected) return null;
  return (
    element.closest<HTMLElement>('[data-task-id]') ??
    element.closest('[data-row], [data-line]')?.querySelector<HTMLElement>('[data-task-id]') ??
    null
  );
}
