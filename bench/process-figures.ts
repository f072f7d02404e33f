// Reads figures of a process and its database from /proc: memory, open files, processor time (Linux).

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Held {
  /** Resident memory of the server, in MB. */
  readonly server: number;
  /** Memory of Postgres' processes that is theirs alone, in MB. */
  readonly postgres: number;
  readonly files: number;
}

/** `postmaster`: where the database's processes begin. */
export function heldBy(server: number, postmaster: number): Held {
  return { server: memoryOf(server), postgres: ownMemory(postmaster), files: openFiles(server) };
}

export function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) / 1024);
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}

/** Seconds of processor time that a process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Seconds that these processes have run, to the microsecond, so that requests of a millisecond can be compared. */
export function processorTime(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) for (const thread of threadsOf(pid)) nanoseconds += nanosecondsOf(pid, thread);
  return nanoseconds / 1e9;
}

/** The same, of the thread alone that a process began with: in Node, that of its event loop. */
export const mainThreadTime = (pid: number): number => nanosecondsOf(pid, String(pid)) / 1e9;

const nanosecondsOf = (pid: number, thread: string): number =>
  Number(readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);

/** None of a process that has ended meanwhile. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process and what it has started, the database included. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

function ownMemory(postmaster: number): number {
  let kilobytes = 0;
  for (const pid of [postmaster, ...childrenOf(postmaster)])
    kilobytes += Number(/^RssAnon:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0);
  return Math.round(kilobytes / 1024);
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1] ?? 0) === parent);
}

const statusOf = (pid: number): string => readIfThere(`/proc/${pid}/status`);

/** Empty for a process that has ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The first process of the Postgres that is embedded in this data directory; 0 where none runs. */
export function postmasterOf(dataDir: string): number {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  } catch {
    return 0;
  }
}
