// Marks the ends of a list beyond which there is more (`data-before`, `data-after`). A row that scrolls sideways also follows what is added at its
// end, and takes a wheel that turns up and down.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Of a list that scrolls up and down. */
export function useHiddenEnds(list: RefObject<HTMLElement | null>): void {
  useMarks(list, ({ scrollTop, scrollHeight, clientHeight }) => [scrollTop, scrollHeight - clientHeight]);
}

/** Of a row. */
export function useHiddenSides(row: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useLayoutEffect(() => {
    const { current: line } = row;
    if (line !== null && count > before.current) line.scrollLeft = line.scrollWidth;
    before.current = count;
  }, [row, count]);
  useMarks(row, ({ scrollLeft, scrollWidth, clientWidth }) => [scrollLeft, scrollWidth - clientWidth]);
  useEffect(() => {
    const { current: line } = row;
    const turn = ({ deltaX, deltaY, deltaMode }: WheelEvent): void => {
      if (line && deltaX === 0) line.scrollLeft += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : 24 * deltaY;
    };
    line?.addEventListener('wheel', turn, { passive: true });
    return () => line?.removeEventListener('wheel', turn);
  });
}

/** `placeOf`: how far it is scrolled, and can be. */
function useMarks(list: RefObject<HTMLElement | null>, placeOf: (of: HTMLElement) => readonly [number, number]): void {
  // With every drawing: what stands in it may be larger than before.
  useEffect(() => {
    const { current: box } = list;
    if (box === null) return;
    const look = (): void => {
      const [at, most] = placeOf(box);
      box.toggleAttribute('data-before', at > 1);
      box.toggleAttribute('data-after', at < most - 1);
    };
    const observer = new ResizeObserver(look);
    for (const one of [box, ...box.children]) observer.observe(one);
    box.addEventListener('scroll', look);
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  });
}
