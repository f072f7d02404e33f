// A drag by the pointer, from the press to its end: a mouse picks up as it moves, a finger after it rested where that is asked for. Escape,
// another press and leaving the page cancel it; the click of a press that dragged opens nothing. The caller says what is dragged where.

import { type PointerEvent as ReactPointerEvent, useEffect, useMemo, useState } from 'react';

export interface Drag {
  /** Picked up or moved. */
  move(x: number, y: number): void;
  drop(x: number, y: number): void;
  /** Dropped or cancelled; may be called twice. */
  end(): void;
}

interface Options {
  /** So many pixels a pointer moves before it is a drag; 0: a press is one. */
  readonly slack?: number;
  /** So many milliseconds a finger rests before it is a drag; moved earlier, it scrolls. */
  readonly rest?: number;
}

export interface PointerDrag {
  start(press: ReactPointerEvent, drag: Drag): void;
  /** Moves to where the pointer is, after what is under it has moved. */
  again(): void;
}

interface Hand {
  holds: boolean;
  stop: () => void;
  again: () => void;
}

export function usePointerDrag({ slack = 0, rest }: Options = {}): PointerDrag {
  const [hand] = useState<Hand>(() => ({ holds: false, stop: () => undefined, again: () => undefined }));
  useEffect(() => () => hand.stop(), [hand]);
  // A finger that holds something does not scroll: listened to from the start, since a listener that comes later is not asked.
  useEffect(() => {
    if (rest === undefined) return;
    const hold = (event: TouchEvent): void => {
      if (hand.holds) event.preventDefault();
    };
    document.addEventListener('touchmove', hold, { passive: false });
    return () => document.removeEventListener('touchmove', hold);
  }, [hand, rest]);
  return useMemo(
    () => ({
      start: (press, drag) => follow(hand, press, drag, slack, rest),
      again: () => {
        if (hand.holds) hand.again();
      },
    }),
    [hand, slack, rest],
  );
}

function follow(hand: Hand, press: ReactPointerEvent, drag: Drag, slack: number, rest: number | undefined): void {
  const { clientX, clientY, pointerId, target } = press;
  const rests = rest !== undefined && press.pointerType !== 'mouse';
  let [x, y] = [clientX, clientY];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let cancelled = false;

  const begin = (): void => {
    hand.holds = true;
    getSelection()?.removeAllRanges();
    drag.move(x, y);
  };
  const onMove = (move: PointerEvent): void => {
    if (move.pointerId !== pointerId || cancelled) return;
    [x, y] = [move.clientX, move.clientY];
    if (hand.holds) drag.move(x, y);
    else if (Math.hypot(x - clientX, y - clientY) <= slack) return;
    else if (rests) finish();
    else begin();
  };
  const onUp = (up: PointerEvent): void => {
    if (up.pointerId !== pointerId) return;
    if (hand.holds || cancelled) swallowClick();
    if (hand.holds) drag.drop(up.clientX, up.clientY);
    finish();
  };
  const onKey = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape' || !hand.holds) return;
    key.preventDefault();
    key.stopPropagation();
    cancelled = true;
    hand.holds = false;
    drag.end();
  };
  // What was picked up may go while it is held, as when the page of a calendar turns: its touches are heard nowhere else then.
  const onTouch = (move: Event): void => {
    if (hand.holds) move.preventDefault();
  };
  // A finger that rests on a link would be offered what browsers offer for links.
  const noMenu = (menu: Event): void => menu.preventDefault();
  const finish = (): void => {
    clearTimeout(resting);
    hand.holds = false;
    hand.stop = () => undefined;
    drag.end();
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', finish);
    removeEventListener('keydown', onKey, true);
    removeEventListener('contextmenu', noMenu);
    target.removeEventListener('touchmove', onTouch);
  };

  hand.stop();
  hand.stop = finish;
  hand.again = () => drag.move(x, y);
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', finish);
  addEventListener('keydown', onKey, true);
  if (rests) {
    resting = setTimeout(begin, rest);
    addEventListener('contextmenu', noMenu);
    target.addEventListener('touchmove', onTouch, { passive: false });
  } else if (slack === 0) begin();
}

/** That of a finger may come a while later. Keys click, too, and those are meant. */
function swallowClick(): void {
  const stop = (): void => {
    removeEventListener('click', swallow, true);
    removeEventListener('pointerdown', stop, true);
  };
  const swallow = (click: MouseEvent): void => {
    if (click.detail === 0) return;
    click.preventDefault();
    click.stopPropagation();
    stop();
  };
  addEventListener('click', swallow, true);
  addEventListener('pointerdown', stop, true);
}

/** For the line at an edge, which goes along and has to say `touch-action: none`; `onWiden`: by so many pixels of the screen. */
export function useEdgeDrag(onWiden: (by: number) => void) {
  const [by, setBy] = useState<number | null>(null);
  const drag = usePointerDrag();
  return {
    style: by === null ? undefined : { transform: `translateX(${by}px)` },
    'data-held': by !== null || undefined,
    onPointerDown(press: ReactPointerEvent) {
      if (press.button !== 0) return;
      press.preventDefault();
      press.currentTarget.setPointerCapture(press.pointerId);
      const from = press.clientX;
      drag.start(press, {
        move: (x) => setBy(x - from),
        drop: (x) => {
          if (x !== from) onWiden(x - from);
        },
        end: () => setBy(null),
      });
    },
  };
}
