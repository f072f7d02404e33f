// Rights of anybody on one task: of members by their role in its project, of guests by what was shared with them.

import type { Query } from '../../sync/react.tsx';
import { isMemberIn } from '../../sync/rows/guests.ts';
import type { GrantLevel, GrantRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { mayComment, mayWrite, roleIn } from './people.ts';

export interface TaskRights {
  /** All that members who write do with it: assign, restrict, move it to another project, delete it. */
  readonly writes: boolean;
  /** What is in it, and its state: also guests who may. */
  readonly edits: boolean;
  readonly comments: boolean;
}

/** The same ones each time: what is drawn by them is not drawn anew. */
const rights = {
  write: { writes: true, edits: true, comments: true },
  edit: { writes: false, edits: true, comments: true },
  comment: { writes: false, edits: false, comments: true },
  see: { writes: false, edits: false, comments: false },
} as const satisfies Readonly<Record<GrantLevel | 'write', TaskRights>>;

export const rightsOn: Query<[taskId: string, userId: string], TaskRights> = {
  read(store, taskId, userId) {
    const projectId = store.get('tasks', taskId)?.project_id ?? '';
    if (typeof store.get('projects', projectId)?.archived_at === 'string') return rights.see;
    if (isMemberIn(store, userId, projectId)) {
      if (mayWrite(roleIn.read(store, projectId, userId))) return rights.write;
      return mayComment.read(store, projectId, userId) ? rights.comment : rights.see;
    }
    return rights[store.get('task_grants', `${taskId} ${userId}`)?.level ?? 'see'];
  },
};

/** Whether they may edit some task as a guest, in this project or, with none named, anywhere. */
export const editsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) =>
    store
      .where('task_grants', 'user_id', userId)
      .some((grant) => (projectId === '' || grant.project_id === projectId) && isActiveAt('edit', store, grant)),
};

/** Whether they may comment on some task as a guest. */
export const commentsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) =>
    store
      .where('task_grants', 'user_id', userId)
      .some((grant) => (projectId === '' || grant.project_id === projectId) && isActiveAt('comment', store, grant)),
};

function isActiveAt(level: 'comment' | 'edit', store: Reader, grant: GrantRow): boolean {
  const { edits, comments, writes } = rightsOn.read(store, grant.task_id, grant.user_id);
  return !writes && (level === 'edit' ? edits : comments);
}
