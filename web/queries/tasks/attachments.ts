// Attachments of a task, and its cover.

import type { Query } from '../../sync/react.tsx';
import type { AttachmentRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

export type FileKind = 'image' | 'pdf' | 'text' | 'audio' | 'video' | 'other';

/** How a file can be looked at here. */
export function kindOf({ content_type, name }: Pick<AttachmentRow, 'content_type' | 'name'>): FileKind {
  const type = content_type.toLowerCase();
  if (type.startsWith('image/')) return 'image';
  if (type === 'application/pdf') return 'pdf';
  if (type.startsWith('audio/')) return 'audio';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('text/') || /^application\/(json|xml|yaml|x-yaml|toml|javascript|sql)\b/.test(type))
    return 'text';
  // Browsers do not know what many of them are.
  return /\.(md|txt|log|csv|json|ya?ml|toml|ini|conf|sql|ts|tsx|js|jsx|css|py|rb|go|rs|java|c|h|cpp|sh|diff|patch)$/i.test(
    name,
  )
    ? 'text'
    : 'other';
}

export const attachmentsOf: Query<[taskId: string], AttachmentRow[]> = {
  read: (store, taskId) =>
    store
      .where('task_attachments', 'task_id', taskId)
      .sort((one, other) => one.created_at.localeCompare(other.created_at) || (one.id < other.id ? -1 : 1)),
};

/** Those of these ids, separated by commas, that are known here. */
export const attachmentsNamed: Query<[ids: string], AttachmentRow[]> = {
  read: (store, ids) => (ids === '' ? [] : ids.split(',').flatMap((id) => store.get('task_attachments', id) ?? [])),
};

/** Where the picture of its card is, in the bucket. */
export function readCover(store: Reader, coverId: string | null | undefined): string | null {
  const row = coverId ? store.get('task_attachments', coverId) : undefined;
  return row && kindOf(row) === 'image' ? row.object_path : null;
}
