// The migration files there are, ours and the user's, in the order in which they are applied.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Origin = 'kanbase' | 'yours';

export interface MigrationFile {
  readonly origin: Origin;
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly checksum: string;
}

export interface MigrationDirectories {
  /** Our own migrations. */
  readonly directory: string;
  /** The user's migrations (`MIGRATIONS_DIR`), applied after ours. */
  readonly extraDirectory?: string | null;
}

export function readMigrations({ directory, extraDirectory }: MigrationDirectories): MigrationFile[] {
  const ours = readDirectory(directory, 'kanbase', /^\d{4}_[^/]+\.sql$/);
  if (extraDirectory === undefined || extraDirectory === null) return ours;
  return [...ours, ...readDirectory(extraDirectory, 'yours', /^[^.][^/]*\.sql$/)];
}

function readDirectory(directory: string, origin: Origin, pattern: RegExp): MigrationFile[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch (cause) {
    const whose = origin === 'yours' ? 'MIGRATIONS_DIR' : 'The directory of migrations';
    throw new Error(`${whose} cannot be read: ${directory}`, { cause });
  }
  return names
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => {
      const path = join(directory, name);
      // A checkout with other line ends is the same file.
      const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
      return { origin, name, path, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}
