// Rows of tasks under a finger: drawn to the right a task is done, to the left its day is chosen; resting on it opens its menu.

import { CalendarDays, Check } from 'lucide-react';
import type { RefObject } from 'react';
import { perform } from '../../actions/registry.tsx';
import { targetAt, withTarget } from '../../actions/target.ts';
import { completeTasks, useAct } from '../../commands.ts';
import { columnsOf, rightsOn, useReader, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { SwipeRows } from '../../ui/lists/swipe-rows.tsx';

const lineIn = (row: HTMLElement): HTMLElement | null => row.querySelector<HTMLElement>('[data-task-id]');

/** Does to this task what the action of that name does to the one that is meant. */
export function performOn(line: HTMLElement | null, action: string): void {
  const target = line === null ? undefined : targetAt(line);
  if (target !== undefined) withTarget(target, () => perform(action));
}

export function SwipeTasks({ room, rows }: { room: RefObject<HTMLElement | null>; rows: string }) {
  const store = useReader();
  const userId = useUserId();
  const act = useAct();
  return (
    <SwipeRows
      room={room}
      rows={rows}
      onRest={(row) => performOn(lineIn(row), 'task-menu')}
      swipes={(row) => {
        const line = lineIn(row);
        const task = store.get('tasks', line?.dataset.taskId ?? '');
        if (task === undefined || !rightsOn.read(store, task.id, userId).edits) return {};
        const done = columnsOf.read(store, task.project_id).find((column) => column.kind === 'done');
        return {
          right:
            done && task.completed_at === null
              ? {
                  label: t('property.completed_at'),
                  icon: <Check size={20} />,
                  good: true,
                  leaves: true,
                  run: () => void act(completeTasks, [task.id], done.id),
                }
              : undefined,
          left: {
            label: t('property.due_date'),
            icon: <CalendarDays size={20} />,
            run: () => performOn(line, 'task-due_date'),
          },
        };
      }}
    />
  );
}
