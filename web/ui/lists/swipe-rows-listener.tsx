// A row that is drawn aside follows the finger, and what is under it says what will happen; a finger that rests on it opens its menu.
// Up and down is scrolling, whatever else the finger does. Nothing is done by fingers alone: keys and buttons do the same.

import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import shapes from '../../styles/shapes.module.css';
import { useLatest } from '../use-latest.ts';
import styles from './swipe-rows-listener.module.css';

export interface Swipe {
  readonly label: string;
  readonly icon: ReactNode;
  /** What is finished is green. */
  readonly good?: boolean;
  /** The row goes out of sight by it; otherwise it comes back first. */
  readonly leaves?: boolean;
  readonly run: () => void;
}

export interface SwipeProps {
  /** Where the rows are. */
  readonly room: RefObject<HTMLElement | null>;
  /** Which of the elements in it are rows. */
  readonly rows: string;
  /** What drawing it to that side does. */
  readonly swipes: (row: HTMLElement) => { readonly right?: Swipe | undefined; readonly left?: Swipe | undefined };
  readonly onRest: (row: HTMLElement) => void;
}

/** Before it has gone so far nobody knows where a finger is going. */
const decided = 8;
/** From there on the browser goes back a page, or the phone an app. */
const edge = 16;
const rests = 450;
/** Drawn less than this, or this slowly, it springs back. */
const far = 120;
const flung = { far: 56, fast: 0.6 };

interface Drawn {
  readonly row: HTMLElement;
  readonly side: 'left' | 'right';
  readonly swipe: Swipe;
  /** Let go of now, it is done. */
  readonly armed: boolean;
}

export default function SwipeRowsListener(props: SwipeProps) {
  const held = useLatest(props);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  useEffect(() => {
    const room = held.current.room.current;
    return room === null ? undefined : listen(room, held, setDrawn);
  }, [held]);
  return (
    drawn &&
    createPortal(
      <span
        className={`${shapes.rowS3} ${shapes.strong} ${shapes.over} ${shapes.clipped} ${styles.sign}`}
        data-side={drawn.side}
        data-good={drawn.swipe.good}
        data-armed={drawn.armed}
        aria-hidden
      >
        {drawn.swipe.icon}
        {drawn.swipe.label}
      </span>,
      drawn.row,
    )
  );
}

interface Finger {
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly resting: ReturnType<typeof setTimeout> | undefined;
  going: 'nowhere' | 'aside';
}

function listen(
  room: HTMLElement,
  held: { readonly current: SwipeProps },
  show: (drawn: Drawn | null) => void,
): () => void {
  let finger: Finger | null = null;
  /** It rested: what it does when it lifts is no tap. */
  let rested = false;

  const leave = (): void => {
    clearTimeout(finger?.resting);
    finger = null;
  };

  function drawnTo({ row }: Finger, x: number): Drawn | null {
    const side = x > 0 ? 'right' : 'left';
    const swipe = held.current.swipes(row)[side];
    return swipe === undefined ? null : { row, side, swipe, armed: Math.abs(x) > reach(row) };
  }

  function start(event: TouchEvent): void {
    leave();
    rested = false;
    const [touch, another] = event.touches;
    const target = event.target as Element;
    const row = target.closest<HTMLElement>(held.current.rows);
    if (row === null || touch === undefined || another !== undefined) return;
    if (touch.clientX < edge || touch.clientX > innerWidth - edge) return;
    // Buttons in the row have a finger of their own.
    const resting = target.closest('button, input')
      ? undefined
      : setTimeout(() => {
          leave();
          rested = true;
          if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8);
          held.current.onRest(row);
        }, rests);
    finger = { row, x: touch.clientX, y: touch.clientY, at: event.timeStamp, resting, going: 'nowhere' };
  }

  function move(event: TouchEvent): void {
    const [touch] = event.touches;
    if (finger === null || touch === undefined) return;
    const [x, y] = [touch.clientX - finger.x, touch.clientY - finger.y];
    if (finger.going === 'nowhere') {
      if (Math.hypot(x, y) < decided) return;
      if (Math.abs(y) >= Math.abs(x)) {
        leave();
        return;
      }
      clearTimeout(finger.resting);
      finger.going = 'aside';
    }
    event.preventDefault();
    const drawn = drawnTo(finger, x);
    // Where nothing is, it gives way a little.
    place(finger.row, drawn ? x : Math.sign(x) * Math.min(24, Math.abs(x) / 5));
    show(drawn);
  }

  function end(event: TouchEvent): void {
    if (rested) event.preventDefault();
    const last = finger;
    leave();
    if (last === null || last.going === 'nowhere') return;
    const { row, at } = last;
    const x = (event.changedTouches[0]?.clientX ?? last.x) - last.x;
    const drawn = event.type === 'touchend' ? drawnTo(last, x) : null;
    const isFlung = Math.abs(x) > flung.far && Math.abs(x) / (event.timeStamp - at) > flung.fast;
    const swipe = drawn && (drawn.armed || isFlung) ? drawn.swipe : null;
    const goal = swipe?.leaves ? Math.sign(x) * row.offsetWidth : 0;
    void glide(row, goal).then(() => {
      show(null);
      swipe?.run();
      // It may stand there still, in another group say.
      requestAnimationFrame(() => place(row, 0));
    });
  }

  /** A phone's own menu of a link. */
  const refuse = (event: MouseEvent): void => {
    if ((event as PointerEvent).pointerType === 'touch') event.preventDefault();
  };

  const listeners = { touchstart: start, touchmove: move, touchend: end, touchcancel: end, contextmenu: refuse };
  for (const [kind, one] of Object.entries(listeners))
    room.addEventListener(kind, one as EventListener, { passive: false });
  room.dataset.swipes = '';
  return () => {
    leave();
    delete room.dataset.swipes;
    for (const [kind, one] of Object.entries(listeners)) room.removeEventListener(kind, one as EventListener);
  };
}

const reach = (row: HTMLElement): number => Math.min(far, row.offsetWidth * 0.4);

function place(row: HTMLElement, x: number): void {
  row.style.translate = x === 0 ? '' : `${x}px 0`;
  row.style.setProperty('--drawn', `${Math.abs(x)}px`);
}

/** Without motion it is there at once. */
async function glide(row: HTMLElement, x: number): Promise<void> {
  const from = row.style.translate || '0px 0';
  const wide = row.style.getPropertyValue('--drawn');
  place(row, x);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still) return;
  const motion = row.animate(
    [
      { translate: from, '--drawn': wide },
      { translate: x === 0 ? '0px 0' : `${x}px 0`, '--drawn': `${Math.abs(x)}px` },
    ],
    { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
  );
  await motion.finished.catch(() => undefined);
}
