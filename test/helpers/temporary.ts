// Temporary files of a test run: in memory where there is room, as nothing of them outlasts the run. A database of its own for every app is
// more than a thousand files, and many at once would wait for a disk. Names of directories tell which process made them: the next run
// clears away those of a killed one.

import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** A run leaves less than 1 GB there at any time. */
const roomFor = 4 * 2 ** 30;
const ofProcess = /^kanbase-[a-z]+-(\d+)-\w{6}$/;

/** A new directory, whose path is short enough for sockets in it. Whoever makes it removes it. */
export function temporaryDirectory(name: string): string {
  return mkdtempSync(join(place(), `kanbase-${name}-${process.pid}-`));
}

/** Removes the directories of processes that are no more, and ends the servers that were left running in them. */
export function clearAfterKilledRuns(): void {
  for (const name of readdirSync(place())) {
    const maker = Number(ofProcess.exec(name)?.[1] ?? process.pid);
    if (isAlive(maker)) continue;
    const directory = join(place(), name);
    for (const pid of processesIn(directory)) process.kill(pid, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function place(): string {
  if (process.platform === 'win32') return tmpdir();
  return hasRoomInMemory() ? memory : '/tmp';
}

function hasRoomInMemory(): boolean {
  if (process.platform !== 'linux' || freemem() < 2 * roomFor) return false;
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    // Some tests run programs from there.
    if (mount?.split(' ')[3]?.split(',').includes('noexec') !== false) return false;
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomFor;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Postgres works in its data directory. */
function processesIn(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${directory}/`);
      } catch {
        return false;
      }
    });
}
