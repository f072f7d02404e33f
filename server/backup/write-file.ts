// A backup as a file: under its name only once it is whole and on the disk, readable by its owner alone.

import { createWriteStream, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { orAsRoot } from '../effective-user.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import { type BackupOptions, writeBackup } from './write-backup.ts';

/** What a backup is called until it is whole. */
export const draftEnding = '.part';

export async function writeBackupFile(path: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest> {
  const draft = `${path}${draftEnding}`;
  let handle: number;
  try {
    handle = orAsRoot(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return openSync(draft, 'w', 0o600);
    });
  } catch (error) {
    throw new BackupProblem(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  const out = createWriteStream(draft, { fd: handle, flush: true });
  try {
    const manifest = await writeBackup({ ...options, out });
    orAsRoot(() => renameSync(draft, path));
    return manifest;
  } catch (error) {
    out.destroy();
    orAsRoot(() => rmSync(draft, { force: true }));
    throw error;
  }
}
