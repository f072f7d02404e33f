// The migrations that an archive carries, as files for the time of some work.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MigrationDirectories } from '../database/read-migrations.ts';
import { BackupProblem, migrationEntry } from './manifest.ts';
import type { Archive } from './open-archive.ts';

/** An archive names files below the directory, and nothing else. */
function plainPath(name: string): string {
  if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,3}$/.test(name))
    throw new BackupProblem(`The archive names a migration ${name}.`);
  return name;
}

export async function withMigrationsOf<T>(
  archive: Archive,
  work: (directories: MigrationDirectories) => Promise<T>,
): Promise<T> {
  const { migrations } = archive.manifest;
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-restore-'));
  try {
    for (const one of migrations) {
      const entry = migrationEntry(one);
      const words =
        one.sha256 === undefined ? await archive.text(entry) : await text(await archive.read(entry, one.sha256));
      const path = join(directory, one.origin === 'yours' ? 'yours' : 'kanbase', plainPath(one.name));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, words);
    }
    return await work({
      directory: join(directory, 'kanbase'),
      extraDirectory: migrations.some(({ origin }) => origin === 'yours') ? join(directory, 'yours') : null,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
