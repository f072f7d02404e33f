// Commands on what is attached to a task. The bytes have arrived before the row is made, and go when the row does.

import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import type { AttachmentRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, number, orNull, record, text } from './define-command.ts';
import { deleteRows, insertRows, updateRows } from './send-changes.ts';
import { deleteDelay, keyIn } from './task-commands.ts';

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
  changes: ({ attachment, userId }) => [insertRows('task_attachments', [{ ...attachment, uploaded_by: userId }])],
});

export type NewAttachment = Omit<AttachmentRow, 'uploaded_by' | 'created_at'>;

export function addAttachment(_: Reader, attachment: NewAttachment, userId: string): Mutation {
  return attach({ attachment, userId }, t('task.did.attached', { name: attachment.name }));
}

const detach = define('removeAttachment', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('task_attachments', [{ id }])],
});

/** Held: the file goes with the row and could not be brought back. */
export function removeAttachment(store: Reader, id: string): Mutation {
  return detach({ id }, t('task.did.detached', { name: store.get('task_attachments', id)?.name ?? '' }));
}

const cover = define('setCover', record({ taskId: text, attachmentId: orNull(text) }), {
  changes: ({ taskId, attachmentId }) => [updateRows('tasks', [{ id: taskId, cover_attachment_id: attachmentId }])],
});

/** The picture on its card; null: none. */
export function setCover(store: Reader, taskId: string, attachmentId: string | null): Mutation {
  const task = store.get('tasks', taskId);
  const key = task ? keyIn(store, task) : '';
  return cover({ taskId, attachmentId }, t(attachmentId === null ? 'task.did.uncovered' : 'task.did.covered', { key }));
}
