// After a kill -9 of the server its Postgres may live on, or only some of its children. Whatever was left behind on this
// data directory is ended here, so that the next start can begin at once. Nothing acknowledged is lost: what was
// committed is in the write-ahead log.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** How long an orphan may take to write its checkpoint before it is asked less kindly. */
const politeMs = 5000;
const sternMs = 3000;

export async function clearLeftovers(pgdata: string, sockets: string, log: Logger): Promise<void> {
  const pidFile = join(pgdata, 'postmaster.pid');
  const postmaster = readPid(pidFile);
  if (postmaster !== null && servesDirectory(postmaster, pgdata)) {
    log.warn({ pid: postmaster }, 'An earlier server left its Postgres running; taking over');
    if (!(await end(postmaster, 'SIGINT', politeMs)) && !(await end(postmaster, 'SIGQUIT', sternMs)))
      await end(postmaster, 'SIGKILL', sternMs);
  }
  // Children whose postmaster was killed notice it by themselves, unless they are busy; they hold the shared memory.
  for (const orphan of findProcesses(pgdata)) {
    if (!(await end(orphan, 'SIGQUIT', 500))) await end(orphan, 'SIGKILL', sternMs);
  }
  // The number in the file may by now be that of a stranger, at whom Postgres would take fright.
  if (process.platform === 'win32') return;
  for (const path of [pidFile, join(sockets, '.s.PGSQL.5432'), join(sockets, '.s.PGSQL.5432.lock')])
    rmSync(path, { force: true });
}

function readPid(pidFile: string): number | null {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** Is that process a Postgres on this very directory? */
function servesDirectory(pid: number, pgdata: string): boolean {
  if (process.platform === 'linux') {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === realpathSync(pgdata) &&
        readFileSync(`/proc/${pid}/stat`, 'latin1').includes('(postgres)')
      );
    } catch {
      return false;
    }
  }
  if (process.platform === 'win32') return false;
  const seen = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return seen.stdout?.includes('postgres') === true;
}

function findProcesses(pgdata: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => servesDirectory(pid, pgdata));
}

async function end(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  try {
    process.kill(pid, signal);
    while (performance.now() < until) {
      process.kill(pid, 0);
      if (isZombie(pid)) return true;
      await pause(3);
    }
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Ended, but not yet collected by whoever adopted it (in a container that may be nobody). */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
