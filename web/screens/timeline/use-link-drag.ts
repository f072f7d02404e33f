// Drawing a dependency from an end of a bar to another bar; the end decides which one waits. A target that would close a circle or is linked already
// is refused while it is aimed at. Escape cancels. On touch screens a long press on the bar shows its ends, until another place is touched.

import { type PointerEvent, type RefObject, useCallback, useEffect, useState } from 'react';
import { leadsTo, type Reader, useReader } from '../../queries.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { usePointerDrag } from '../../ui/use-pointer-drag.ts';
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
  take(taskId: string, end: End): (press: PointerEvent) => void;
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
  const drag = usePointerDrag();
  const [offered, setOffered] = useState<string | null>(null);
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
      (press: PointerEvent): void => {
        if (press.button !== 0) return;
        press.preventDefault();
        press.stopPropagation();
        // A finger belongs to what it was put on, unless it is let go.
        (press.target as HTMLElement).releasePointerCapture?.(press.pointerId);
        const place = (x: number, y: number): Point => {
          const box = latest.current.body.current?.getBoundingClientRect();
          return { x: x - (box?.left ?? 0) - latest.current.side, y: y - (box?.top ?? 0) };
        };
        const from = place(press.clientX, press.clientY);
        const overAt = (x: number, y: number): string | null => {
          const line = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-timeline] [data-row]');
          const over = line?.querySelector<HTMLElement>('[data-task-id]')?.dataset.taskId ?? null;
          return over === taskId ? null : over;
        };
        const refused = (over: string): boolean => refuses(latest.current.store, inOrder(taskId, end, over));
        drag.start(press, {
          move(x, y) {
            const over = overAt(x, y);
            setDrawing({ taskId, end, from, to: place(x, y), over, refused: over !== null && refused(over) });
          },
          drop(x, y) {
            const over = overAt(x, y);
            if (over !== null && !refused(over)) latest.current.onLink(...inOrder(taskId, end, over));
          },
          end() {
            setDrawing(null);
            setOffered(null);
          },
        });
      },
    [latest, drag],
  );
  return { drawing, held: drawing, offered, offer: setOffered, again: drag.again, take };
}
