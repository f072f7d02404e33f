// Commands on what is attached to a task. The bytes have arrived before the row is made, and go when the row does.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/mutation.ts';
import { insert, remove, update } from '../sync/rows/diff.ts';
import type { AttachmentRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { number, orNull, record, text } from './args.ts';
import { define, only } from './define.ts';
import { deleteRows, insertRows, sendChanges, updateRows } from './send-changes.ts';
import { deleteHold, keyIn } from './task-commands.ts';

const described = record({
  id: text,
  project_id: text,
  task_id: text,
  name: text,
  content_type: text,
  size_bytes: number,
  object_path: text,
});

const attach = define('addAttachment', record({ attachment: described, userId: text }), {
  // Taking it back would remove the file, and doing it again could not bring that back: removing is a command of its own.
  silent: true,
  apply(store, { attachment, userId }) {
    if (store.get('task_attachments', attachment.id)) return [];
    const row = { ...attachment, uploaded_by: userId, created_at: new Date().toISOString() };
    return [insert('task_attachments', row, ['created_at', 'uploaded_by'])];
  },
  send: (door, { attachment }) => sendChanges(door, [insertRows('task_attachments', [attachment])]),
});

export type NewAttachment = Omit<AttachmentRow, 'uploaded_by' | 'created_at'>;

export function addAttachment(_: Reader, attachment: NewAttachment, userId: string): Mutation {
  return attach({ attachment, userId }, t('task.did.attached', { name: attachment.name }));
}

const detach = define('removeAttachment', record({ id: text }), {
  hold: deleteHold,
  apply(store, { id }) {
    const row = store.get('task_attachments', id);
    return only(row && remove('task_attachments', row));
  },
  send: (door, { id }) => sendChanges(door, [deleteRows('task_attachments', [{ id }])]),
});

/** Held: the file goes with the row and could not be brought back. */
export function removeAttachment(store: Reader, id: string): Mutation {
  return detach({ id }, t('task.did.detached', { name: store.get('task_attachments', id)?.name ?? '' }));
}

const cover = define('setCover', record({ taskId: text, attachmentId: orNull(text) }), {
  apply(store, { taskId, attachmentId }) {
    const task = store.get('tasks', taskId);
    return only(task && update('tasks', task, { cover_attachment_id: attachmentId }));
  },
  send: (door, { taskId, attachmentId }) =>
    sendChanges(door, [updateRows('tasks', [{ id: taskId, cover_attachment_id: attachmentId }])]),
});

/** The picture on its card; null: none. */
export function setCover(store: Reader, taskId: string, attachmentId: string | null): Mutation {
  const task = store.get('tasks', taskId);
  const key = task ? keyIn(store, task) : '';
  return cover({ taskId, attachmentId }, t(attachmentId === null ? 'task.did.uncovered' : 'task.did.covered', { key }));
}
