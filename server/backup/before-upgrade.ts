// Before a new version changes the tables of the embedded database, what they hold is written into a backup beside it: a failed upgrade can be gone
// back on.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type MigrateOptions, migrationStatus } from '../database/migrate.ts';
import { draftEnding, writeBackupFile } from './write-file.ts';

/** Gives back where it lies; null where nothing is about to change, or nothing is there yet. */
export async function backUpBeforeUpgrade(
  options: MigrateOptions & { readonly directory: string },
  place: { readonly dataDir: string; readonly version: string },
): Promise<string | null> {
  const directory = join(place.dataDir, 'backups');
  clearBrokenOff(directory);
  const { applied, pending, problems } = await migrationStatus(options);
  if (applied.length === 0 || pending.length === 0 || problems.length > 0) return null;
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(directory, `before-${place.version}-${stamp}.zip`);
  try {
    await writeBackupFile(path, {
      url: options.url,
      directory: options.directory,
      extraDirectory: options.extraDirectory ?? null,
      // Both stay where they are.
      files: null,
      secrets: null,
      version: place.version,
    });
    return path;
  } catch (cause) {
    throw new Error(
      `the database could not be backed up before the upgrade, which was not begun: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Whoever holds the data directory is alone in it: what is not whole by now, nobody is writing any more. */
function clearBrokenOff(directory: string): void {
  try {
    for (const name of readdirSync(directory))
      if (name.startsWith('before-') && name.endsWith(draftEnding)) rmSync(join(directory, name));
  } catch {
    // Not there yet, or not ours to change: a backup that has to be written says so.
  }
}
