// A dependency in the hand: drawn out from an end of a bar to another bar. Which of both waits, the end says; what would close a circle
// or is there already is refused while it is aimed at. Escape lets it be. A finger, which points at nothing, rests on the bar first: its ends
// are offered then, until another place is touched.

import { type PointerEvent as ReactPointerEvent, type RefObject, useCallback, useEffect, useState } from 'react';
import { leadsTo, type Reader, useReader } from '../../queries.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { Point } from './arrows.tsx';

export type End = 'start' | 'end';

export interface Drawing {
  readonly taskId: string;
  readonly end: End;
  /** On the days, as bars have it. */
  readonly from: Point;
  readonly to: Point;
  /** What is aimed at. */
  readonly over: string | null;
  readonly refused: boolean;
}

export interface LinkDrag {
  readonly drawing: Drawing | null;
  readonly held: Drawing | null;
  /** The task whose ends a finger finds. */
  readonly offered: string | null;
  offer(taskId: string): void;
  /** Aims again at what is under the pointer, after what is under it has moved. */
  again(): void;
  take(taskId: string, end: End): (event: ReactPointerEvent) => void;
}

interface Ports {
  readonly body: RefObject<HTMLElement | null>;
  readonly side: number;
  readonly onLink: (predecessorId: string, successorId: string) => void;
}

/** The predecessor first. */
const inOrder = (taskId: string, end: End, other: string): readonly [string, string] =>
  end === 'end' ? [taskId, other] : [other, taskId];

function refuses(store: Reader, [before, after]: readonly [string, string]): boolean {
  const there = store.where('task_dependencies', 'successor_id', after);
  const apart = store.get('tasks', before)?.project_id !== store.get('tasks', after)?.project_id;
  return (
    apart || before === after || there.some((one) => one.predecessor_id === before) || leadsTo(store, after, before)
  );
}

export function useLinkDrag(ports: Ports): LinkDrag {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const store = useReader();
  const latest = useLatest({ ...ports, store });
  const [hand] = useState(() => ({ stop: (): void => undefined, again: (): void => undefined }));
  const [offered, setOffered] = useState<string | null>(null);
  useEffect(() => () => hand.stop(), [hand]);
  useEffect(() => {
    if (offered === null) return;
    const touched = ({ target }: Event): void => {
      if (!(target instanceof Element && target.closest('[data-link-end]'))) setOffered(null);
    };
    addEventListener('pointerdown', touched, true);
    return () => removeEventListener('pointerdown', touched, true);
  }, [offered]);

  const take = useCallback(
    (taskId: string, end: End) =>
      (event: ReactPointerEvent): void => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.stopPropagation();
        const { pointerId } = event;
        // A finger belongs to what it was put on, unless it is let go.
        (event.target as HTMLElement).releasePointerCapture?.(pointerId);
        const place = (x: number, y: number): Point => {
          const box = latest.current.body.current?.getBoundingClientRect();
          return { x: x - (box?.left ?? 0) - latest.current.side, y: y - (box?.top ?? 0) };
        };
        const from = place(event.clientX, event.clientY);
        const overAt = (x: number, y: number): string | null => {
          const line = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-timeline] [data-row]');
          return line?.querySelector<HTMLElement>('[data-task-id]')?.dataset.taskId ?? null;
        };
        const aim = (x: number, y: number): void => {
          hand.again = () => aim(x, y);
          const over = overAt(x, y);
          const aimed = over === taskId ? null : over;
          const refused = aimed !== null && refuses(latest.current.store, inOrder(taskId, end, aimed));
          setDrawing({ taskId, end, from, to: place(x, y), over: aimed, refused });
        };
        const follow = (move: PointerEvent): void => {
          if (move.pointerId === pointerId) aim(move.clientX, move.clientY);
        };
        const drop = (up: PointerEvent): void => {
          if (up.pointerId !== pointerId) return;
          const over = overAt(up.clientX, up.clientY);
          finish();
          if (over === null || over === taskId) return;
          const [before, after] = inOrder(taskId, end, over);
          if (!refuses(latest.current.store, [before, after])) latest.current.onLink(before, after);
        };
        const hear = (key: KeyboardEvent): void => {
          if (key.key !== 'Escape') return;
          key.preventDefault();
          key.stopPropagation();
          finish();
        };
        const finish = (): void => {
          setDrawing(null);
          setOffered(null);
          hand.again = () => undefined;
          removeEventListener('pointermove', follow);
          removeEventListener('pointerup', drop);
          removeEventListener('pointercancel', finish);
          removeEventListener('keydown', hear, true);
        };
        hand.stop();
        hand.stop = finish;
        addEventListener('pointermove', follow);
        addEventListener('pointerup', drop);
        addEventListener('pointercancel', finish);
        addEventListener('keydown', hear, true);
      },
    [latest, hand],
  );
  return { drawing, held: drawing, offered, offer: setOffered, again: useCallback(() => hand.again(), [hand]), take };
}
