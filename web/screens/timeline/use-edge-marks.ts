// Lines whose bar lies outside the days one sees say on which side, for the mark at that edge (edge-mark.tsx).

import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** For the element of a line. */
export type WatchBar = (line: HTMLElement | null) => (() => void) | undefined;

/** `side` is beside the days, in pixels. */
export function useEdgeMarks(frame: RefObject<HTMLElement | null>, side: number): WatchBar {
  const bars = useRef(new Set<Element>());
  const observer = useRef<IntersectionObserver>(null);
  useEffect(() => {
    const made = new IntersectionObserver((entries) => entries.forEach(tellSide), {
      root: frame.current,
      // A line that is scrolled into sight has its mark.
      rootMargin: `100000px 0px 100000px -${side}px`,
    });
    observer.current = made;
    for (const bar of bars.current) made.observe(bar);
    return () => made.disconnect();
  }, [frame, side]);
  return useCallback((line) => {
    const bar = line?.querySelector('[data-task-id]');
    if (!bar) return;
    bars.current.add(bar);
    observer.current?.observe(bar);
    return () => {
      bars.current.delete(bar);
      observer.current?.unobserve(bar);
    };
  }, []);
}

function tellSide({ target, isIntersecting, boundingClientRect, rootBounds }: IntersectionObserverEntry): void {
  const line = target.closest<HTMLElement>('[data-line]');
  if (line === null || rootBounds === null) return;
  if (isIntersecting) delete line.dataset.beyond;
  else line.dataset.beyond = boundingClientRect.right <= rootBounds.left ? 'before' : 'after';
}
