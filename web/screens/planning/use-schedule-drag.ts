// Dragging a task on a calendar or timeline: to other days, longer or shorter at an edge, into or out of the unscheduled tasks. A mouse starts as it
// moves, a finger after a rest; Escape cancels. The target is shown; nothing changes before the end.

import { type PointerEvent, useCallback, useState } from 'react';
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
import { usePointerDrag } from '../../ui/use-pointer-drag.ts';

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
  take(task: TaskRow, handle: Handle): (press: PointerEvent) => void;
  /** Aims again at what is under the pointer, after what is under it has moved. */
  again(): void;
}

const slack = 5;
const rest = 260;

interface Ports {
  readonly mayTake: (task: TaskRow) => boolean;
  /** The day at a place of the window; null: none is there. */
  readonly dayAt: (x: number, y: number) => number | null;
  readonly overUnscheduled: (x: number, y: number) => boolean;
  readonly onDrop: (task: TaskRow, dates: Dates | null) => void;
  /** A finger rested on it and went away again. */
  readonly onRested?: (task: TaskRow) => void;
}

export function useScheduleDrag(ports: Ports): ScheduleDrag {
  const [held, setHeld] = useState<Held | null>(null);
  const latest = useLatest(ports);
  const drag = usePointerDrag({ slack, rest });
  // The same one always: what is drawn in its hundreds is not drawn again for it.
  const take = useCallback(
    (task: TaskRow, handle: Handle) => (press: PointerEvent) => {
      const { mayTake, dayAt } = latest.current;
      if (!mayTake(task) || press.button !== 0 || press.ctrlKey || press.metaKey || press.shiftKey) return;
      press.stopPropagation();
      const { clientX, clientY, pointerType } = press;
      const from = dayAt(clientX, clientY);
      let aimed: Held | null = null;

      const datesAt = (x: number, y: number): Dates | null => {
        if (handle === 'whole' && latest.current.overUnscheduled(x, y)) return withoutDates(task);
        const day = latest.current.dayAt(x, y);
        if (day === null) return null;
        if (handle === 'start') return startedOn(task, day);
        if (handle === 'end') return endedOn(task, day);
        if (task.start_date === null && task.due_date === null) return dueOn(task, day);
        return from === null ? null : moved(task, day - from);
      };
      drag.start(press, {
        move(x, y) {
          const dates = datesAt(x, y);
          const span = spanWith(task, dates);
          if (aimed !== null && aimed.span?.from === span?.from && aimed.span?.to === span?.to) return;
          aimed = { task, dates, span };
          setHeld(aimed);
        },
        drop(x, y) {
          const dates = datesAt(x, y);
          const stayed = Math.hypot(x - clientX, y - clientY) <= slack;
          if (dates !== null) latest.current.onDrop(task, dates);
          else if (stayed && pointerType !== 'mouse') latest.current.onRested?.(task);
        },
        end: () => setHeld(null),
      });
    },
    [latest, drag],
  );
  return { held, take, again: drag.again };
}
