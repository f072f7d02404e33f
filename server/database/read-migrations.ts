// The migration files there are, ours and the user's, in the order in which they are applied.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editedSinceRelease } from './edited-since-release.ts';
import { splitStatements } from './split-statements.ts';

export type Origin = 'kanbase' | 'yours';

export interface MigrationFile {
  readonly origin: Origin;
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Of its statements: comments and blank space do not count. */
  readonly checksum: string;
  /** Checksums by which 0.1.0 knew a file with these statements: of its whole text. */
  readonly formerChecksums: readonly string[];
}

/** Whether a database that noted this checksum has had the statements of this file. */
export const isSame = (file: MigrationFile, noted: string): boolean =>
  noted === file.checksum || file.formerChecksums.includes(noted);

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
      const checksum = sha256(bareStatements(text));
      return {
        origin,
        name,
        path,
        text,
        checksum,
        formerChecksums: [sha256(text), ...(editedSinceRelease[checksum] ?? [])],
      };
    });
}

const bareStatements = (text: string): string =>
  splitStatements(text)
    .map(({ bare }) => bare)
    .join(';');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
