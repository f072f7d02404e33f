// A task in the hand goes to another month or week: it rests on one of the buttons that turn the page, or at a side of the calendar, and
// the page turns for as long as it rests there.

import { type RefObject, useEffect } from 'react';
import { useLatest } from '../../ui/use-latest.ts';

const restMs = 700;
/** So near to a side of the calendar. */
const edge = 14;

export function usePageTurning(
  holding: boolean,
  frame: RefObject<HTMLElement | null>,
  onTurn: (by: 1 | -1) => void,
): void {
  const turn = useLatest(onTurn);
  useEffect(() => {
    if (!holding) return;
    let aimed: 1 | -1 | null = null;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      rest = setTimeout(() => {
        if (aimed !== null) turn.current(aimed);
        wait();
      }, restMs);
    };
    const follow = ({ clientX, clientY }: PointerEvent): void => {
      const by = turnAt(frame.current, clientX, clientY);
      if (by === aimed) return;
      aimed = by;
      clearTimeout(rest);
      if (by !== null) wait();
    };
    addEventListener('pointermove', follow);
    return () => {
      clearTimeout(rest);
      removeEventListener('pointermove', follow);
    };
  }, [holding, frame, turn]);
}

function turnAt(frame: HTMLElement | null, x: number, y: number): 1 | -1 | null {
  const button = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-turn]');
  if (button) return button.dataset.turn === '1' ? 1 : -1;
  const box = frame?.getBoundingClientRect();
  if (box === undefined || y < box.top || y > box.bottom) return null;
  return x < box.left + edge ? -1 : x > box.right - edge ? 1 : null;
}
