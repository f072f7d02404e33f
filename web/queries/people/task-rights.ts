// Rights of anybody on one task: of members by their role in its project, of guests by what was shared with them.

import type { Query } from '../../sync/react.tsx';
import { grantsOf, isMemberIn, levelOn } from '../../sync/rows/guests.ts';
import type { GrantLevel } from '../../sync/rows/rows.ts';
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
    return rights[levelOn(store, userId, taskId)];
  },
};

/** Whether they may edit some task as a guest, in this project or, with none named, anywhere. */
export const editsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) => isGuestAt('edits', store, projectId, userId),
};

/** Whether they may comment on some task as a guest. */
export const commentsAsGuest: Query<[projectId: string, userId: string], boolean> = {
  read: (store, projectId, userId) => isGuestAt('comments', store, projectId, userId),
};

const isGuestAt = (right: 'edits' | 'comments', store: Reader, projectId: string, userId: string): boolean =>
  grantsOf(store, userId).some((grant) => {
    if (projectId !== '' && grant.project_id !== projectId) return false;
    const rightsOfTask = rightsOn.read(store, grant.task_id, userId);
    return !rightsOfTask.writes && rightsOfTask[right];
  });
