// While something is in the hand at an edge of the chart, the chart scrolls that way, and what is aimed at goes along.

import { type RefObject, useEffect, useRef } from 'react';
import { useLatest } from '../../ui/use-latest.ts';

/** In pixels, from an edge and at most a frame. */
const near = 48;
const fastest = 18;

interface Holding {
  readonly held: object | null;
  /** Aims at what is under the pointer now. */
  again(): void;
}

export function useEdgeScroll(frame: RefObject<HTMLElement | null>, side: number, drag: Holding): void {
  const holding = drag.held !== null;
  const at = useRef({ x: 0, y: 0 });
  const latest = useLatest(drag);
  useEffect(() => {
    if (!holding) return;
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      at.current = { x: clientX, y: clientY };
    };
    at.current = { x: Number.NaN, y: Number.NaN };
    addEventListener('pointermove', follow);
    let next = requestAnimationFrame(function turn() {
      next = requestAnimationFrame(turn);
      const room = frame.current;
      if (room === null || Number.isNaN(at.current.x)) return;
      const { left, right, top, bottom } = room.getBoundingClientRect();
      const { x, y } = at.current;
      // Beside the chart is the unscheduled, which is no edge of it.
      if (x > right || y > bottom) return;
      const across = speed(x, left + side, right);
      const down = speed(y, top, bottom);
      if (across === 0 && down === 0) return;
      const before = [room.scrollLeft, room.scrollTop];
      room.scrollLeft += across;
      room.scrollTop += down;
      if (before[0] !== room.scrollLeft || before[1] !== room.scrollTop) latest.current.again();
    });
    return () => {
      cancelAnimationFrame(next);
      removeEventListener('pointermove', follow);
    };
  }, [holding, frame, side, latest]);
}

function speed(at: number, low: number, high: number): number {
  const [ahead, behind] = [low + near - at, at - (high - near)];
  const deep = Math.min(Math.max(ahead, behind, 0), near) / near;
  return (ahead > behind ? -1 : 1) * Math.round(deep * fastest);
}
