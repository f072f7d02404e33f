// Commands on comments: said, answered, changed, deleted, reacted to, and threads that are done with.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import { insert, remove, update } from '../sync/rows/diff.ts';
import { newId } from '../sync/rows/ids.ts';
import type { CommentRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { flag, oneOf, record, text } from './args.ts';
import { define, only } from './define.ts';
import { deleteRows, insertRows, sendChanges, updateRows } from './send-changes.ts';
import { deleteHold } from './task-commands.ts';

/** What older pages left does not name it. */
const maybe = (value: unknown): value is string | null | undefined => value == null || text(value);

const commented = record({ id: text, projectId: text, taskId: text, authorId: text, body: text, parentId: maybe });

const comment = define('addComment', commented, {
  apply(_, { id, projectId, taskId, authorId, body, parentId }) {
    const created_at = new Date().toISOString();
    const written = {
      id,
      project_id: projectId,
      task_id: taskId,
      author_id: authorId,
      body,
      edited_at: null,
      created_at,
    };
    const row = { ...written, parent_id: parentId ?? null };
    return [insert('task_comments', row, ['created_at', 'edited_at'])];
  },
  send: (door, { id, projectId, taskId, body, parentId }) =>
    sendChanges(door, [
      insertRows('task_comments', [
        { id, project_id: projectId, task_id: taskId, body, ...(parentId ? { parent_id: parentId } : {}) },
      ]),
    ]),
});

/** `parentId`: the comment that is answered. */
export function addComment(
  store: Reader,
  taskId: string,
  authorId: string,
  body: string,
  parentId: string | null = null,
  id = newId(),
): Mutation {
  const projectId = store.get('tasks', taskId)?.project_id ?? '';
  return comment({ id, projectId, taskId, authorId, parentId, body: body.trim() }, t('task.did.commented'));
}

const rewrite = define('editComment', record({ id: text, body: text }), {
  yields: true,
  apply(store, { id, body }) {
    const row = store.get('task_comments', id);
    return only(row && update('task_comments', row, { body }));
  },
  send: (door, { id, body }) => sendChanges(door, [updateRows('task_comments', [{ id, body }])]),
});

export function editComment(_: Reader, id: string, body: string): Mutation {
  return rewrite({ id, body: body.trim() }, t('task.did.commentEdited'));
}

const erase = define('deleteComment', record({ id: text }), {
  hold: deleteHold,
  apply(store, { id }) {
    const row = store.get('task_comments', id);
    return only(row && remove('task_comments', row));
  },
  send: (door, { id }) => sendChanges(door, [deleteRows('task_comments', [{ id }])]),
});

export function deleteComment(_: Reader, id: string): Mutation {
  return erase({ id }, t('task.did.commentDeleted'));
}

/** All there are; the database knows the same. */
export const emojis = ['👍', '👎', '❤️', '🎉', '😄', '👀', '🚀', '✅'] as const;
export type Emoji = (typeof emojis)[number];

const on = record({ projectId: text, taskId: text, commentId: text, userId: text });

const reaction = define('react', record({ on, emoji: oneOf(...emojis), reacts: flag }), {
  apply(store, { on, emoji, reacts }) {
    const row = store.get('comment_reactions', `${on.taskId} ${on.commentId} ${on.userId} ${emoji}`);
    if (!reacts) return only(row && remove('comment_reactions', row));
    const { projectId: project_id, taskId: task_id, commentId: comment_id, userId: user_id } = on;
    return only(row === undefined && insert('comment_reactions', { project_id, task_id, comment_id, user_id, emoji }));
  },
  send: (door, { on, emoji, reacts }) =>
    sendChanges(door, [
      (reacts ? insertRows : deleteRows)('comment_reactions', [
        {
          project_id: on.projectId,
          task_id: on.taskId,
          comment_id: on.commentId,
          user_id: on.userId,
          emoji,
        },
      ]),
    ]),
});

type Said = Pick<CommentRow, 'id' | 'project_id' | 'task_id'>;

const naming = ({ id, project_id, task_id }: Said, userId: string) => ({
  projectId: project_id,
  taskId: task_id,
  commentId: id,
  userId,
});

/** Reacts to a comment, or takes the reaction back. */
export function react(_: Reader, comment: Said, userId: string, emoji: Emoji, reacts: boolean): Mutation {
  return reaction(
    { on: naming(comment, userId), emoji, reacts },
    t(reacts ? 'task.did.reacted' : 'task.did.unreacted', { emoji }),
  );
}

const resolution = define('resolveThread', record({ on, resolved: flag }), {
  apply(store, { on, resolved }) {
    const row = store.get('comment_resolutions', `${on.taskId} ${on.commentId}`);
    if (!resolved) return only(row && remove('comment_resolutions', row));
    const { projectId: project_id, taskId: task_id, commentId: comment_id, userId: user_id } = on;
    return only(row === undefined && insert('comment_resolutions', { project_id, task_id, comment_id, user_id }));
  },
  send: (door, { on, resolved }) => {
    const key = { project_id: on.projectId, task_id: on.taskId, comment_id: on.commentId };
    return sendChanges(door, [
      resolved
        ? insertRows('comment_resolutions', [{ ...key, user_id: on.userId }])
        : deleteRows('comment_resolutions', [key]),
    ]);
  },
});

/** A thread, by its first comment, is done with, or open again. */
export function resolveThread(_: Reader, comment: Said, userId: string, resolved: boolean): Mutation {
  return resolution({ on: naming(comment, userId), resolved }, t(resolved ? 'task.did.resolved' : 'task.did.reopened'));
}
