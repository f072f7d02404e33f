// Finds the first path that a process needs later and a user may not access: code that is loaded when first needed, files of the data directory,
// folders of settings.

import { closeSync, existsSync, mkdtempSync, openSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { parseTarget } from '../database/wire/target.ts';
import { actAs, type User } from '../effective-user.ts';
import { packageRoot } from '../package-root.ts';

export function findClosedPath(user: User, config: Config): string | null {
  const paths = neededLater(config);
  // Asked for first: while the effective user is another one, Node does not read TMPDIR.
  const written = [config.files.directory, tmpdir()].filter((path) => path !== null);
  const giveBack = actAs(user);
  try {
    return paths.find((path) => !isReadable(path)) ?? written.find((path) => !takesFiles(path)) ?? null;
  } finally {
    giveBack();
  }
}

function neededLater({ database, server }: Config): string[] {
  const target = parseTarget(database.url ?? 'postgres://localhost');
  const native = join(packageRoot(), 'node_modules', '@node-rs');
  return [
    resolve(server.dataDir),
    dirname(fileURLToPath(import.meta.url)),
    process.argv[1],
    join(packageRoot(), 'sql'),
    existsSync(native) ? native : null,
    database.migrationsDir,
    target.sslrootcert === 'system' ? null : target.sslrootcert,
    target.sslcert,
    target.sslkey,
  ].filter((path) => path !== null && path !== undefined);
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Long answers, and archives that are taken apart, lie there for a moment. */
function takesFiles(directory: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(directory, 'kanbase-')));
    return true;
  } catch {
    return false;
  }
}
