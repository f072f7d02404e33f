// Uploads that have not arrived yet, files and all, saved on this device: whoever reloads the page, or opens it tomorrow, goes on.
// A device that saves nothing still uploads, as long as its page is open.

import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { AttachmentRow } from './rows/rows.ts';

export interface SavedUpload {
  readonly userId: string;
  /** The row it becomes. */
  readonly attachment: Omit<AttachmentRow, 'uploaded_by' | 'created_at'>;
  readonly file: Blob;
  /** Where on the server it goes on; null: nothing of it is there. */
  readonly address: string | null;
}

let opened: UseStore | null = null;

function records(): UseStore {
  opened ??= createStore('kanbase-uploads', 'uploads');
  return opened;
}

/** Whether it is saved now. */
export async function saveUpload(upload: SavedUpload): Promise<boolean> {
  try {
    await set(upload.attachment.id, upload, records());
    return true;
  } catch {
    return false;
  }
}

export async function removeUpload(id: string): Promise<void> {
  await del(id, records()).catch(() => undefined);
}

/** As it is now: null when it has arrived or was given up, here or in another window. */
export async function savedUpload(id: string): Promise<SavedUpload | null> {
  return (await get<SavedUpload>(id, records()).catch(() => undefined)) ?? null;
}

/** Oldest first: their ids are made in the order of time. */
export async function savedUploads(userId: string): Promise<SavedUpload[]> {
  const all = await entries<string, SavedUpload>(records()).catch(() => []);
  return all
    .map(([, upload]) => upload)
    .filter((upload) => upload.userId === userId)
    .sort((one, other) => (one.attachment.id < other.attachment.id ? -1 : 1));
}

/** Everyone's: whoever signs out here may share the device. */
export async function forgetUploads(): Promise<void> {
  await clear(records()).catch(() => undefined);
}
