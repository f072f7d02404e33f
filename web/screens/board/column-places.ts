// Heights in a column and the places among its cards that they mean, both ways.

import type { Virtualizer } from '@tanstack/react-virtual';
import type { TaskRow } from '../../queries.ts';

/** Between cards; and where things stand closer. */
export const gap = 8;
export const compactGap = 4;

export type CardVirtualizer = Virtualizer<HTMLUListElement, Element>;

/** The place among the other cards that a height on the screen means. */
export function indexAt(
  virtualizer: CardVirtualizer,
  tasks: readonly TaskRow[],
  element: HTMLElement | null,
  clientY: number,
  movingId: string,
): number {
  // Collapsed: at the end.
  if (element === null) return tasks.filter((task) => task.id !== movingId).length;
  const y = clientY - element.getBoundingClientRect().top + element.scrollTop;
  let index = 0;
  for (const item of virtualizer.measurementsCache) {
    if (tasks[item.index]?.id === movingId) continue;
    if (item.start + item.size / 2 > y) break;
    index++;
  }
  return index;
}

/** The height at which the line stands that shows where a card would land. */
export function landingTop(
  virtualizer: CardVirtualizer,
  tasks: readonly TaskRow[],
  landing: number,
  movingId: string | null,
): number {
  let index = -1;
  for (const item of virtualizer.measurementsCache) {
    if (tasks[item.index]?.id === movingId) continue;
    index++;
    if (index === landing) return Math.max(0, item.start - gap / 2 - 1);
  }
  return Math.max(0, virtualizer.getTotalSize() - 2);
}
