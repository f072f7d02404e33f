// Commands on dates: moving several tasks to other days at once, and the lag of a dependency.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { update } from '../sync/rows/diff.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Checked, define, list, number, orNull, record, some, text } from './define-command.ts';
import { updateRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';

const planned = record({ id: text, dates: some({ start_date: orNull(text), due_date: orNull(text) }) });

const plan = define('planTasks', record({ tasks: list(planned) }), {
  changes: ({ tasks }) => [
    updateRows(
      'tasks',
      tasks.map(({ id, dates }) => ({ id, ...dates })),
    ),
  ],
});

/** Each to days of its own; one step to take back. */
export function planTasks(store: Reader, chosen: readonly Checked<typeof planned>[]): Mutation {
  const tasks = chosen.filter(({ id, dates }) => {
    const task = store.get('tasks', id);
    return task !== undefined && update('tasks', task, dates) !== null;
  });
  const only = tasks.length === 1 ? store.get('tasks', tasks[0]?.id ?? '') : undefined;
  return plan(
    { tasks },
    only ? t('task.did.edited', { key: keyIn(store, only) }) : t('task.did.editedMany', { n: tasks.length }),
  );
}

/** Ten years, as the database has it. */
export const mostLag = 3650;

const lag = define('setLag', record({ id: text, days: number }), {
  changes: ({ id, days }) => [updateRows('task_dependencies', [{ id, lag_days: days }])],
});

/** So many days between the end of a task and the begin of the one that waits for it; fewer than none: they may overlap. */
export function setLag(store: Reader, id: string, days: number): Mutation {
  const task = store.get('tasks', store.get('task_dependencies', id)?.successor_id ?? '');
  return lag({ id, days }, t('task.did.edited', { key: task ? keyIn(store, task) : '' }));
}
