// Before a new version changes the tables of the embedded database, what they hold is written into a backup beside it: a failed upgrade can be gone
// back on.

import { join } from 'node:path';
import { type MigrateOptions, migrationStatus } from '../database/migrate.ts';
import { writeBackupFile } from './write-file.ts';

/** Gives back where it lies; null where nothing is about to change, or nothing is there yet. */
export async function backUpBeforeUpgrade(
  options: MigrateOptions & { readonly directory: string },
  place: { readonly dataDir: string; readonly version: string },
): Promise<string | null> {
  const { applied, pending, problems } = await migrationStatus(options);
  if (applied.length === 0 || pending.length === 0 || problems.length > 0) return null;
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const path = join(place.dataDir, 'backups', `before-${place.version}-${stamp}.zip`);
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
