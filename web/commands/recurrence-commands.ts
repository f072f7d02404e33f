// Commands on the recurrence rule of a task.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { RecurrenceRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, list, number, oneOf, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';

const mode = oneOf<RecurrenceRow['mode']>('calendar', 'after_completion');
const patch = some({
  rule: text,
  mode,
  copies: list(text),
  column_id: orNull(text),
  lead_days: number,
  paused_at: orNull(text),
  starts_on: text,
});

const repeat = define(
  'repeatTasks',
  record({
    ...{ rule: text, mode, zone: text },
    begun: list(record({ id: text, taskId: text, projectId: text, startsOn: text })),
    changed: list(text),
  }),
  {
    changes: ({ rule, mode, zone, begun, changed }) => [
      insertRows(
        'task_recurrences',
        begun.map(({ id, taskId, projectId, startsOn }) => ({
          ...{ id, task_id: taskId, project_id: projectId, rule, mode },
          ...{ time_zone: zone, starts_on: startsOn, copies: [...usualCopies] },
        })),
      ),
      updateRows(
        'task_recurrences',
        changed.map((id) => ({ id, rule, mode })),
      ),
    ],
  },
);

const change = define('editRepeat', record({ id: text, patch }), {
  changes: ({ id, patch }) => [
    updateRows('task_recurrences', [{ id, ...(patch as Partial<RecurrenceRow>) } as { id: string }]),
  ],
});

const end = define('stopRepeating', record({ id: text }), {
  changes: ({ id }) => [deleteRows('task_recurrences', [{ id }])],
});

export const everyCopy = ['checklist', 'labels', 'assignees', 'fields', 'subtasks', 'attachments'] as const;
const usualCopies: readonly string[] = ['assignees', 'checklist', 'fields', 'labels', 'subtasks'];

export interface RepeatPatch {
  readonly rule?: string;
  readonly mode?: RecurrenceRow['mode'];
  readonly copies?: readonly string[];
  readonly column_id?: string | null;
  /** So many days before its day the next one appears. */
  readonly lead_days?: number;
  readonly paused_at?: string | null;
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/**
 * The same rule for each, in the zone of whoever sets it, counted from the day the task has, or from today: those that repeat keep the rest of
 * theirs, the others begin.
 */
export function repeatTasks(
  store: Reader,
  taskIds: readonly string[],
  rule: string,
  mode: RecurrenceRow['mode'],
  today: string,
): Mutation {
  const tasks = taskIds.map((id) => store.get('tasks', id)).filter((task) => task !== undefined);
  const seriesOf = (taskId: string) => store.where('task_recurrences', 'task_id', taskId)[0];
  const begun = tasks
    .filter(({ id }) => seriesOf(id) === undefined)
    .map((task) => ({
      ...{ id: newId(), taskId: task.id, projectId: task.project_id },
      startsOn: task.due_date ?? task.start_date ?? today,
    }));
  const changed = tasks.map(({ id }) => seriesOf(id)?.id).filter((id) => id !== undefined);
  const [first] = tasks;
  const label =
    first && tasks.length === 1
      ? t('task.did.repeats', { key: keyIn(store, first) })
      : t('task.did.repeatsMany', { n: tasks.length });
  return repeat({ rule, mode, zone: zoneHere(), begun, changed }, label);
}

export function editRepeat(store: Reader, id: string, patch: RepeatPatch): Mutation {
  const task = store.get('tasks', store.get('task_recurrences', id)?.task_id ?? '');
  return change({ id, patch }, t('task.did.repeats', { key: task ? keyIn(store, task) : '' }));
}

export function stopRepeating(store: Reader, id: string): Mutation {
  const task = store.get('tasks', store.get('task_recurrences', id)?.task_id ?? '');
  return end({ id }, t('task.did.repeatsNoMore', { key: task ? keyIn(store, task) : '' }));
}
