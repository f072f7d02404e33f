// Row that scrolls sideways: marks the ends beyond which there is more (`data-before`, `data-after`), follows what is added at its end, and takes
// a wheel that turns up and down.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

export function useHiddenEnds(row: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useLayoutEffect(() => {
    const { current: line } = row;
    if (line !== null && count > before.current) line.scrollLeft = line.scrollWidth;
    before.current = count;
  }, [row, count]);
  // With every drawing: what stands in it may be wider than before.
  useEffect(() => {
    const { current: line } = row;
    if (line === null) return;
    const look = (): void => {
      const { scrollLeft, scrollWidth, clientWidth } = line;
      line.toggleAttribute('data-before', scrollLeft > 1);
      line.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 1);
    };
    const turn = ({ deltaX, deltaY, deltaMode }: WheelEvent): void => {
      if (deltaX === 0) line.scrollLeft += deltaMode === WheelEvent.DOM_DELTA_PIXEL ? deltaY : 24 * deltaY;
    };
    const observer = new ResizeObserver(look);
    for (const one of [line, ...line.children]) observer.observe(one);
    line.addEventListener('scroll', look);
    line.addEventListener('wheel', turn, { passive: true });
    return () => {
      observer.disconnect();
      line.removeEventListener('scroll', look);
      line.removeEventListener('wheel', turn);
    };
  });
}
