// A card in the hand of the pointer: follows it over the columns, also where a list scrolls under a pointer that rests.

import type { DragState } from './drag-state.ts';

export interface DragPointer {
  follow(): void;
  /** Aims at what is under the pointer now: its last move may not have been drawn yet. */
  aim(): void;
  stop(): void;
}

/** So long a card rests on the head of a folded lane before it opens. */
const rest = 500;

export function createDragPointer(state: () => DragState): DragPointer {
  let pointer: { x: number; y: number } | null = null;
  let ticking = 0;
  let resting: { readonly lane: string; readonly since: number } | null = null;

  const follow = (event: Event): void => {
    // Firefox and Safari on a desk have no TouchEvent to compare with.
    const at = 'touches' in event ? (event as TouchEvent).touches[0] : event instanceof MouseEvent ? event : undefined;
    if (at) pointer = { x: at.clientX, y: at.clientY };
  };

  /** The nearest: side by side first, then, of lanes, one above the other. */
  function columnAt(x: number, y: number): string | null {
    let nearest: string | null = null;
    let [besides, above] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const [columnId, { element }] of state().columns) {
      const box = element.current?.closest('[data-column]')?.getBoundingClientRect();
      if (box === undefined) continue;
      const beside = away(x, box.left, box.right);
      const over = away(y, box.top, box.bottom);
      if (beside > besides || (beside === besides && over >= above)) continue;
      nearest = columnId;
      [besides, above] = [beside, over];
    }
    return nearest;
  }

  function aim(): void {
    const moving = state().get();
    if (moving === null || pointer === null) return;
    const columnId = columnAt(pointer.x, pointer.y);
    const column = columnId === null ? undefined : state().columns.get(columnId);
    if (columnId !== null && column) state().aim({ columnId, index: column.indexAt(pointer.y, moving.taskId) });
  }

  function openRestedOn(): void {
    const { x, y } = pointer ?? { x: -1, y: -1 };
    const [lane, folded] = [...state().folded].find(([, { head }]) => isIn(head.current, x, y)) ?? [];
    if (lane === undefined || folded === undefined) resting = null;
    else if (resting?.lane !== lane) resting = { lane, since: performance.now() };
    else if (performance.now() - resting.since >= rest) {
      resting = null;
      folded.open();
    }
  }

  function tick(): void {
    if (state().get() === null) return;
    aim();
    openRestedOn();
    ticking = requestAnimationFrame(tick);
  }

  return {
    follow() {
      window.addEventListener('pointermove', follow, true);
      window.addEventListener('mousemove', follow, true);
      window.addEventListener('touchmove', follow, { capture: true, passive: true });
      ticking = requestAnimationFrame(tick);
    },
    aim,
    stop() {
      cancelAnimationFrame(ticking);
      window.removeEventListener('pointermove', follow, true);
      window.removeEventListener('mousemove', follow, true);
      window.removeEventListener('touchmove', follow, true);
      pointer = null;
      resting = null;
    },
  };
}

function isIn(element: HTMLElement | null, x: number, y: number): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

const away = (at: number, from: number, to: number): number => (at < from ? from - at : at > to ? at - to : 0);
