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

const begin = define(
  'repeatTask',
  record({ id: text, taskId: text, projectId: text, rule: text, mode, zone: text, startsOn: text }),
  {
    changes: ({ id, taskId, projectId, rule, mode, zone, startsOn }) => [
      insertRows('task_recurrences', [
        {
          ...{ id, task_id: taskId, project_id: projectId, rule, mode },
          ...{ time_zone: zone, starts_on: startsOn, copies: [...usualCopies] },
        },
      ]),
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

/** By a rule, in the zone of whoever sets it; counted from the day the task has, or from today. */
export function repeatTask(
  store: Reader,
  taskId: string,
  rule: string,
  mode: RecurrenceRow['mode'],
  today: string,
  id = newId(),
): Mutation {
  const task = store.get('tasks', taskId);
  const label = t('task.did.repeats', { key: task ? keyIn(store, task) : '' });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  const startsOn = task?.due_date ?? task?.start_date ?? today;
  return begin({ id, taskId, projectId: task?.project_id ?? '', rule, mode, zone, startsOn }, label);
}

export function editRepeat(store: Reader, id: string, patch: RepeatPatch): Mutation {
  const task = store.get('tasks', store.get('task_recurrences', id)?.task_id ?? '');
  return change({ id, patch }, t('task.did.repeats', { key: task ? keyIn(store, task) : '' }));
}

export function stopRepeating(store: Reader, id: string): Mutation {
  const task = store.get('tasks', store.get('task_recurrences', id)?.task_id ?? '');
  return end({ id }, t('task.did.repeatsNoMore', { key: task ? keyIn(store, task) : '' }));
}
