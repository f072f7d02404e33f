// A new cluster: initdb, tunables, and its owner. Everything is on disk before it is announced as ready;
// writing it out happens while the server starts, which halves the wait.

import { spawn } from 'node:child_process';
import { appendFileSync, chownSync, lchownSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterUser } from './choose-user.ts';
import { chooseInitUser } from './choose-user.ts';
import { tunableSettings } from './cluster-settings.ts';
import type { Binaries } from './find-binaries.ts';

export interface MakeOptions {
  readonly pgdata: string;
  readonly binaries: Binaries;
  readonly servant: ClusterUser | null;
  /** Windows has no private sockets: logins need this password there. */
  readonly password: string | null;
  /** Called while initdb works, which takes a second or two. */
  readonly meanwhile: () => void;
}

/** Alpine and others with musl, for one: the binaries are made for glibc. */
const cannotRun =
  'The Postgres binaries do not run on this system: use one with glibc (Debian, Ubuntu, Fedora …), or point DATABASE_URL to a Postgres of your own.';

export async function makeCluster({ pgdata, binaries, servant, password, meanwhile }: MakeOptions): Promise<void> {
  const maker = chooseInitUser(servant);
  // What an interrupted earlier attempt left behind is no cluster.
  for (const name of readdirSync(pgdata)) rmSync(join(pgdata, name), { recursive: true, force: true });
  mkdirSync(pgdata, { recursive: true, mode: 0o700 });
  if (maker !== null) chownSync(pgdata, maker.uid, maker.gid);
  const passwordFile = join(pgdata, '..', '.postgres-password');
  const args = [
    ...['-D', hereOr(pgdata), '-U', 'postgres', '-E', 'UTF8', '--data-checksums', '--no-sync', '--no-instructions'],
    // The builtin provider sorts and folds by Unicode code points, the same on every platform and in every version.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ...(password === null ? ['-A', 'trust'] : ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`]),
  ];
  const made = run(binaries.initdb, args, pgdata, maker);
  made.catch(() => undefined);
  meanwhile();
  const { code, output } = await made;
  if (code !== 0) {
    for (const name of readdirSync(pgdata)) rmSync(join(pgdata, name), { recursive: true, force: true });
    const hint = /shared libraries|cannot execute/.test(output) ? ` ${cannotRun}` : '';
    throw new Error(`The embedded Postgres could not make its cluster in ${pgdata}: ${output.trim()}${hint}`);
  }
  appendFileSync(join(pgdata, 'postgresql.conf'), tunableSettings());
}

/** The directory as the process started in it can name it, even where the path to it is closed to its user. */
export function hereOr(pgdata: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : pgdata;
}

export function giveTo(path: string, servant: ClusterUser): void {
  lchownSync(path, servant.uid, servant.gid);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) giveTo(join(path, entry.name), servant);
    else lchownSync(join(path, entry.name), servant.uid, servant.gid);
  }
}

/** Writes all of a tree through to the disk. Files that go away meanwhile were not worth keeping. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() || (entry.isDirectory() && process.platform !== 'win32'));
  // A few at a time: each one is an open file.
  const work = files.values();
  const worker = async (): Promise<void> => {
    for (const entry of work) await syncOne(join(entry.parentPath, entry.name));
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  if (process.platform !== 'win32') await syncOne(path);
}

async function syncOne(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return;
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  as: ClusterUser | null,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { TZ: 'UTC', LC_ALL: 'C', PATH: process.env.PATH ?? '', SystemRoot: process.env.SystemRoot ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(as ?? {}),
    });
    let output = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (cause) =>
      reject(new Error(`${command} cannot be run (${cause.message}). ${cannotRun}`, { cause })),
    );
    child.once('close', (code) => resolve({ code, output }));
  });
}
