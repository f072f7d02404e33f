// Commands that share a task with guests: people and groups who see it, and what is under it, without being in its project.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { GrantLevel } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, oneOf, orNull, record, text } from './define-command.ts';
import { deleteRows, putRows } from './send-changes.ts';
import { keyIn } from './task-commands.ts';

const shared = record({
  ...{ taskId: text, projectId: text, userId: text, works: flag },
  level: orNull(oneOf('see', 'comment', 'edit')),
});

const share = define('shareTask', shared, {
  changes: ({ taskId, projectId, userId, level, works }) =>
    level === null
      ? [
          // Who works on it sees it.
          ...(works ? [deleteRows('task_assignees', [{ task_id: taskId, user_id: userId }])] : []),
          deleteRows('task_grants', [{ task_id: taskId, user_id: userId }]),
        ]
      : putRows(
          'task_grants',
          [{ project_id: projectId, task_id: taskId, user_id: userId, is_named: true, level }],
          ['is_named', 'level'],
        ),
});

const shareWithGroup = define(
  'shareTaskWithGroup',
  record({ taskId: text, projectId: text, groupId: text, level: orNull(oneOf('see', 'comment', 'edit')) }),
  {
    changes: ({ taskId: task_id, projectId: project_id, groupId: group_id, level }) =>
      level === null
        ? [deleteRows('group_grants', [{ task_id, group_id }])]
        : putRows('group_grants', [{ project_id, task_id, group_id, is_named: true, level }], ['is_named', 'level']),
  },
);

function sharing(store: Reader, taskId: string, name: string | null = null) {
  const task = store.get('tasks', taskId);
  return { projectId: task?.project_id ?? '', said: { key: task ? keyIn(store, task) : '', name: name ?? '' } };
}

const labelOf = (level: GrantLevel | null, said: { readonly key: string; readonly name: string }): string =>
  t(level === null ? 'task.did.unshared' : 'task.did.shared', said);

/** Without a level: no longer. */
export function shareTask(store: Reader, taskId: string, userId: string, level: GrantLevel | null): Mutation {
  const { projectId, said } = sharing(store, taskId, store.get('profiles', userId)?.display_name);
  const works = store.get('task_assignees', `${taskId} ${userId}`) !== undefined;
  return share({ taskId, projectId, userId, level, works }, labelOf(level, said));
}

export function shareTaskWithGroup(store: Reader, taskId: string, groupId: string, level: GrantLevel | null): Mutation {
  const { projectId, said } = sharing(store, taskId, store.get('groups', groupId)?.name);
  return shareWithGroup({ taskId, projectId, groupId, level }, labelOf(level, said));
}

/** A member of the project, by a restricted task; their role says what they may do. */
export function nameForTask(store: Reader, taskId: string, userId: string, is: boolean): Mutation {
  const { projectId, said } = sharing(store, taskId, store.get('profiles', userId)?.display_name);
  const args = { taskId, projectId, userId, level: is ? ('see' as const) : null, works: false };
  return share(args, t(is ? 'task.did.named' : 'task.did.unnamed', said));
}
