// A task in the hand of the pointer: moved to other days, made longer or shorter at an edge, taken out of the tray or put back there.
// A mouse takes it up as it moves, a finger after it rested; Escape lets it be. What is aimed at is shown; nothing changes before the end.

import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useState } from 'react';
import {
  type Dates,
  dueOn,
  endedOn,
  moved,
  type Span,
  spanWith,
  startedOn,
  withoutDates,
} from '../../queries/views/spans.ts';
import type { TaskRow } from '../../queries.ts';
import { useLatest } from '../../ui/use-latest.ts';

export type Handle = 'whole' | 'start' | 'end';

export interface Held {
  readonly task: TaskRow;
  readonly dates: Dates | null;
  /** Where it would lie; null: on no day. */
  readonly span: Span | null;
}

export interface ScheduleDrag {
  readonly held: Held | null;
  /** For what can be taken up. */
  take(task: TaskRow, handle: Handle): (event: ReactPointerEvent) => void;
  /** Aims again at what is under the pointer, after what is under it has moved. */
  again(): void;
  /** A press that ended a drag opens nothing. */
  onClickCapture(event: { preventDefault(): void; stopPropagation(): void }): void;
}

const slack = 5;
const restMs = 260;

interface Ports {
  readonly mayTake: (task: TaskRow) => boolean;
  /** The day at a place of the window; null: none is there. */
  readonly dayAt: (x: number, y: number) => number | null;
  readonly overTray: (x: number, y: number) => boolean;
  readonly onDrop: (task: TaskRow, dates: Dates | null) => void;
  /** A finger rested on it and went away again. */
  readonly onRested?: (task: TaskRow) => void;
}

/** What is the same from press to press. */
interface Hand {
  readonly ports: () => Ports;
  readonly show: (held: Held | null) => void;
  holds: boolean;
  ended: boolean;
  stop: () => void;
  again: () => void;
}

export function useScheduleDrag(ports: Ports): ScheduleDrag {
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useLatest(ports);
  const [hand] = useState<Hand>(() => ({
    ports: () => latest.current,
    show: setHeld,
    holds: false,
    ended: false,
    stop: () => undefined,
    again: () => undefined,
  }));
  useEffect(() => () => hand.stop(), [hand]);
  // A finger that holds a task does not scroll: heard from the start, since a listener that comes later is not asked.
  useEffect(() => {
    const hold = (event: TouchEvent): void => {
      if (hand.holds) event.preventDefault();
    };
    document.addEventListener('touchmove', hold, { passive: false });
    return () => document.removeEventListener('touchmove', hold);
  }, [hand]);

  return {
    held,
    // The same one always: what is drawn in its hundreds is not drawn again for it.
    take: useCallback((task, handle) => (event) => press(hand, task, handle, event), [hand]),
    again: useCallback(() => {
      if (hand.holds) hand.again();
    }, [hand]),
    onClickCapture(event) {
      if (!hand.ended) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

function press(hand: Hand, task: TaskRow, handle: Handle, event: ReactPointerEvent): void {
  const { ports } = hand;
  if (!ports().mayTake(task) || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.stopPropagation();
  const { clientX, clientY, pointerType, pointerId } = event;
  const from = ports().dayAt(clientX, clientY);
  let aimed: Held | null = null;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let letBe = false;
  // What was taken up may go while it is held, as when the page of a calendar turns: its touches are heard nowhere else then.
  const { target } = event;
  const still = (move: Event): void => {
    if (hand.holds) move.preventDefault();
  };

  const datesAt = (x: number, y: number): Dates | null => {
    if (handle === 'whole' && ports().overTray(x, y)) return withoutDates(task);
    const day = ports().dayAt(x, y);
    if (day === null) return null;
    if (handle === 'start') return startedOn(task, day);
    if (handle === 'end') return endedOn(task, day);
    if (task.start_date === null && task.due_date === null) return dueOn(task, day);
    return from === null ? null : moved(task, day - from);
  };
  const aim = (x: number, y: number): void => {
    hand.again = () => aim(x, y);
    const dates = datesAt(x, y);
    const span = spanWith(task, dates);
    const same = aimed !== null && aimed.span?.from === span?.from && aimed.span?.to === span?.to;
    if (same) return;
    aimed = { task, dates, span };
    hand.show(aimed);
  };
  const begin = (x: number, y: number): void => {
    hand.holds = true;
    getSelection()?.removeAllRanges();
    aim(x, y);
  };
  const follow = (move: PointerEvent): void => {
    if (move.pointerId !== pointerId || letBe) return;
    const far = Math.hypot(move.clientX - clientX, move.clientY - clientY) > slack;
    if (hand.holds) aim(move.clientX, move.clientY);
    else if (pointerType === 'mouse' && far) begin(move.clientX, move.clientY);
    else if (far) finish();
  };
  const drop = (up: PointerEvent): void => {
    if (up.pointerId !== pointerId) return;
    if (letBe || hand.holds) {
      // The click of this press comes at once, if there is one.
      hand.ended = true;
      setTimeout(() => {
        hand.ended = false;
      });
    }
    if (hand.holds) {
      const dates = datesAt(up.clientX, up.clientY);
      const stayed = Math.hypot(up.clientX - clientX, up.clientY - clientY) <= slack;
      if (dates !== null) ports().onDrop(task, dates);
      else if (stayed && pointerType !== 'mouse') ports().onRested?.(task);
    }
    finish();
  };
  const hear = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape' || !hand.holds) return;
    key.preventDefault();
    key.stopPropagation();
    letBe = true;
    hand.holds = false;
    hand.show(null);
  };
  const noMenu = (menu: Event): void => menu.preventDefault();
  const finish = (): void => {
    clearTimeout(rest);
    hand.holds = false;
    hand.show(null);
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', drop);
    removeEventListener('pointercancel', finish);
    removeEventListener('keydown', hear, true);
    removeEventListener('contextmenu', noMenu);
    target.removeEventListener('touchmove', still);
  };
  hand.stop();
  hand.stop = finish;
  if (pointerType !== 'mouse') {
    rest = setTimeout(() => begin(clientX, clientY), restMs);
    // A finger that rests on a link would be offered what browsers offer for links.
    addEventListener('contextmenu', noMenu);
    target.addEventListener('touchmove', still, { passive: false });
  }
  addEventListener('pointermove', follow);
  addEventListener('pointerup', drop);
  addEventListener('pointercancel', finish);
  addEventListener('keydown', hear, true);
}
