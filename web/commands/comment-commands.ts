// Commands on comments: add, reply, edit, delete, react, resolve a thread.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { CommentRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Check, type Checked, define, flag, record, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { deleteDelay } from './task-commands.ts';

/** What older pages left does not name it. */
const maybe = (value: unknown): value is string | null | undefined => value == null || text(value);

const commented = record({ id: text, projectId: text, taskId: text, authorId: text, body: text, parentId: maybe });

const comment = define('addComment', commented, {
  changes: ({ id, projectId, taskId, authorId, body, parentId }) => [
    insertRows('task_comments', [
      {
        ...{ id, project_id: projectId, task_id: taskId, author_id: authorId, body },
        ...(parentId ? { parent_id: parentId } : {}),
      },
    ]),
  ],
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
  changes: (row) => [updateRows('task_comments', [row])],
});

export function editComment(_: Reader, id: string, body: string): Mutation {
  return rewrite({ id, body: body.trim() }, t('task.did.commentEdited'));
}

const erase = define('deleteComment', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('task_comments', [{ id }])],
});

export function deleteComment(_: Reader, id: string): Mutation {
  return erase({ id }, t('task.did.commentDeleted'));
}

/** Offered first, in this order. */
export const emojis = ['👍', '👎', '❤️', '🎉', '😄', '👀', '🚀', '✅'] as const;
/** For one comment. */
export const mostEmojis = 20;

const signs = new Intl.Segmenter();
const hasSign = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|^[0-9#*]\uFE0F?\u20E3$/u;

/** A single sign; the database checks the same as far as it can. */
export const isEmoji: Check<string> = (value): value is string =>
  text(value) && value.length <= 32 && hasSign.test(value) && [...signs.segment(value)].length === 1;

const on = record({ projectId: text, taskId: text, commentId: text, userId: text });

const threadOf = ({ projectId, taskId, commentId }: Checked<typeof on>) => ({
  project_id: projectId,
  task_id: taskId,
  comment_id: commentId,
});

const reaction = define('react', record({ on, emoji: isEmoji, reacts: flag }), {
  changes: ({ on, emoji, reacts }) => [
    (reacts ? insertRows : deleteRows)('comment_reactions', [{ ...threadOf(on), user_id: on.userId, emoji }]),
  ],
});

type Said = Pick<CommentRow, 'id' | 'project_id' | 'task_id'>;

const naming = ({ id, project_id, task_id }: Said, userId: string) => ({
  projectId: project_id,
  taskId: task_id,
  commentId: id,
  userId,
});

/** Reacts to a comment, or takes the reaction back. */
export function react(_: Reader, comment: Said, userId: string, emoji: string, reacts: boolean): Mutation {
  return reaction(
    { on: naming(comment, userId), emoji, reacts },
    t(reacts ? 'task.did.reacted' : 'task.did.unreacted', { emoji }),
  );
}

const resolution = define('resolveThread', record({ on, resolved: flag }), {
  changes: ({ on, resolved }) => [
    resolved
      ? insertRows('comment_resolutions', [{ ...threadOf(on), user_id: on.userId }])
      : deleteRows('comment_resolutions', [threadOf(on)]),
  ],
});

/** A thread, by its first comment, is done with, or open again. */
export function resolveThread(_: Reader, comment: Said, userId: string, resolved: boolean): Mutation {
  return resolution({ on: naming(comment, userId), resolved }, t(resolved ? 'task.did.resolved' : 'task.did.reopened'));
}
