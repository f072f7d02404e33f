// Long lists draw what is near the screen. What has the focus is drawn too, however far away one scrolls: otherwise the focus
// would end, and the next key go nowhere.

import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';

/** The places of the lines to draw: those near the screen, and `also`; places that are not there are passed over. */
export function virtualLines(range: Range, also: readonly number[]): number[] {
  const places = new Set(defaultRangeExtractor(range));
  for (const place of also) if (place >= 0 && place < range.count) places.add(place);
  return [...places].sort((one, other) => one - other);
}

/** The place of the line in `frame` that holds the focus, as the line's own data attribute tells; -1 when none does. */
export function focusedLine(frame: Element | null, attribute: 'index' | 'row'): number {
  const line = document.activeElement?.closest<HTMLElement>(`[data-${attribute}]`);
  return line && frame?.contains(line) ? Number(line.dataset[attribute]) : -1;
}
