// The server as it was at an earlier commit, built in a directory of its own from what git has kept, with the packages that are installed now.

import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface OlderCommit {
  readonly hash: string;
  readonly date: string;
}

export function findCommit(ref: string): OlderCommit {
  const found = spawnSync('git', ['log', '-1', '--format=%h %cs', ref, '--'], { encoding: 'utf8' });
  if (found.status !== 0)
    throw new Error(`The commit ${ref} is not in this clone: git fetch --unshallow brings its whole history`);
  const [hash = '', date = ''] = found.stdout.trim().split(' ');
  return { hash, date };
}

/** Files of tables of that commit which are gone or say something else now: its databases cannot be upgraded then. */
export function changedSince({ hash }: OlderCommit): string[] {
  const pattern = ':(glob)sql/tables/[0-9]*.sql';
  const changed = ['diff', '--name-only', '--diff-filter=DMR', hash, '--', pattern];
  return execFileSync('git', changed, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

export function buildOlder({ hash }: OlderCommit, directory: string): void {
  const sources = execFileSync('git', ['archive', hash], { maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', directory], { input: sources });
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const build = "import('./scripts/build.mjs').then((made) => made.ensureBuilt(['server']))";
  execFileSync(process.execPath, ['-e', build], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}
