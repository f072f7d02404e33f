// Attaches files to a task: each is described, and on its way at once.

import type { NewAttachment } from '../commands.ts';
import type { TaskRow } from '../queries.ts';
import { t } from '../strings/messages.ts';
import { describeFile } from './attachment-name.ts';
import type { Uploads } from './uploads.ts';

/** More than this at once is asked about first: a folder may hold more than it seems. */
const unasked = 50;

export function attachFiles(
  uploads: Uploads,
  task: Pick<TaskRow, 'id' | 'project_id'>,
  files: readonly File[],
): NewAttachment[] {
  if (files.length > unasked && !confirm(t('files.many', { n: files.length }))) return [];
  return files.map((file) => {
    const attachment = describeFile(file, task);
    uploads.add(attachment, file);
    return attachment;
  });
}
