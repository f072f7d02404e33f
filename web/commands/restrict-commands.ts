// Commands that restrict a task to named people, and let everyone in the project see it again.

import { readWithSubtasks } from '../queries/tasks/subtasks.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, list, record, text } from './define-command.ts';
import { deleteRows, putRows, updateRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';

const sayTask = (store: Reader, taskId: string): string => {
  const task = store.get('tasks', taskId);
  return task ? keyIn(store, task) : '';
};

/** `links`: dependencies that would lead out of it. */
const restricted = record({ taskId: text, projectId: text, userId: text, is: flag, links: list(text) });

// Whoever restricts it names themselves first: else they would not see it any more.
const restrict = define('restrictTask', restricted, {
  changes: ({ taskId, projectId, userId, is, links }) => [
    ...(is ? putRows('task_grants', [grantOf(projectId, taskId, userId)], ['is_named']) : []),
    ...(links.length > 0
      ? [
          deleteRows(
            'task_dependencies',
            links.map((id) => ({ id })),
          ),
        ]
      : []),
    updateRows('tasks', [{ id: taskId, is_restricted: is }]),
  ],
});

/** Dependencies between the task, with what is under it, and others. */
function linksOut(store: Reader, taskId: string): string[] {
  const tree = new Set(readWithSubtasks(store, [taskId]).map(({ id }) => id));
  return [...tree]
    .flatMap((id) => [
      ...store.where('task_dependencies', 'successor_id', id).filter((link) => !tree.has(link.predecessor_id)),
      ...store.where('task_dependencies', 'predecessor_id', id).filter((link) => !tree.has(link.successor_id)),
    ])
    .map(({ id }) => id);
}

const grantOf = (projectId: string, taskId: string, userId: string) => ({
  ...{ project_id: projectId, task_id: taskId },
  ...{ user_id: userId, is_named: true },
});

export function restrictTask(store: Reader, taskId: string, userId: string, is: boolean): Mutation {
  const projectId = store.get('tasks', taskId)?.project_id ?? '';
  const key = sayTask(store, taskId);
  const links = is ? linksOut(store, taskId) : [];
  return restrict({ taskId, projectId, userId, is, links }, t(is ? 'task.did.restricted' : 'task.did.opened', { key }));
}
