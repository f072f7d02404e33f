// Moves the bytes of every object to where the settings want them, one after the other: copied, read back, compared by checksum, and only
// then removed where they were. What was moved already is passed over, so it may be broken off and run again, also while the service runs; one run at a time.

import { roomRoles } from '../database/room-roles.ts';
import type { Database } from '../database/types.ts';
import { type FileStore, MissingFile, type StoredFile } from './store/file-store.ts';
import { hashOf } from './store/hash-of.ts';
import type { Stores } from './store/open-store.ts';

export interface Moved {
  readonly moved: number;
  readonly bytes: number;
  /** There already. */
  readonly present: number;
  /** Rows whose bytes are in neither place, or whose copies differ. */
  readonly broken: readonly string[];
}

const pageSize = 500;

interface Row {
  readonly version: string;
  readonly size: number | null;
}

export async function moveFiles(
  database: Database,
  { first, second }: Stores,
  onMoved: (moved: number, bytes: number) => void,
): Promise<Moved> {
  if (second === null) throw new Error('There is one place for files only');
  let [moved, bytes, present, after] = [0, 0, 0, ''];
  const broken: string[] = [];
  for (;;) {
    const page = await database.objectsAs<Row>(roomRoles.files, {
      text: `select version, (metadata->>'size')::float8 as size from storage.objects where version > $1 order by version limit ${pageSize}`,
      values: [after],
    });
    for (const { version, size } of page) {
      after = version;
      const lies = await second.sizeOf(version);
      if (lies === null) {
        if ((await first.sizeOf(version)) === null) broken.push(version);
        else present++;
        continue;
      }
      const done = await moveOne(version, size);
      if (done === null) broken.push(version);
      else {
        moved++;
        bytes += done;
        onMoved(moved, bytes);
      }
    }
    if (page.length < pageSize) return { moved, bytes, present, broken };
  }

  /** Gives back its bytes, or null when the copy is not the same. */
  async function moveOne(version: string, size: number | null): Promise<number | null> {
    if (second === null) return null;
    try {
      const written = (await copiedBefore(version, size, second)) ?? (await copyOne(version, size, second));
      if (written === null) return null;
      await second.remove(version);
      await forgetWhenGone(version);
      return written.size;
    } catch (error) {
      if (error instanceof MissingFile) return 0;
      throw error;
    }
  }

  /** By a run that was broken off before it removed the other one. */
  async function copiedBefore(version: string, size: number | null, second: FileStore): Promise<StoredFile | null> {
    if (size === null || (await first.sizeOf(version)) !== size) return null;
    const copy = await hashOf(await first.read(version));
    return isSame(copy, await hashOf(await second.read(version))) ? copy : null;
  }

  async function copyOne(version: string, size: number | null, second: FileStore): Promise<StoredFile | null> {
    // A copy that was broken off.
    await first.remove(version);
    const written = await first.put(version, await second.read(version));
    const readBack = await hashOf(await first.read(version));
    if (isSame(readBack, written) && (size === null || written.size === size)) return written;
    await first.remove(version);
    return null;
  }

  /** Its object may have been removed while it was copied, and the sweeper found nothing here yet. */
  async function forgetWhenGone(version: string): Promise<void> {
    const rows = await database.objectsAs(roomRoles.files, {
      text: 'select from storage.objects where version = $1',
      values: [version],
    });
    if (rows.length === 0) await first.remove(version);
  }
}

const isSame = (one: StoredFile, other: StoredFile): boolean => one.md5 === other.md5 && one.size === other.size;
