// Reads the files that change tables, ours and the user's, in the order of application; each runs once. Rules are read in rules/read-rules.ts.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitStatements } from './split-statements.ts';

export type Origin = 'kanbase' | 'yours';

export interface MigrationFile {
  readonly origin: Origin;
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Of its statements: comments and blank space do not count. */
  readonly checksum: string;
}

export interface MigrationDirectories {
  /** Our own SQL, with tables/ and rules/; or, as archives of earlier versions have it, files beside one another. */
  readonly directory: string;
  /** The user's migrations (`MIGRATIONS_DIR`), applied after ours. */
  readonly extraDirectory?: string | null;
}

export function readMigrations({ directory, extraDirectory }: MigrationDirectories): MigrationFile[] {
  const tables = join(directory, 'tables');
  const ours = readDirectory(existsSync(tables) ? tables : directory, 'kanbase', /^\d{4}_[^/]+\.sql$/);
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
      return { origin, name, path, text, checksum: checksumOf(text) };
    });
}

/** By text: a start reads the files several times. */
const checksums = new Map<string, string>();

function checksumOf(text: string): string {
  const known = checksums.get(text);
  if (known !== undefined) return known;
  const bare = splitStatements(text).map((statement) => statement.bare);
  const checksum = sha256(bare.join(';'));
  checksums.set(text, checksum);
  return checksum;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
