// Where a test run keeps its files: in memory where there is room, as nothing of them outlasts the run. A database of its own for every app
// is more than a thousand files, and a disk is what many of them at once would wait for.

import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const memory = '/dev/shm';
/** A run leaves less than 1 GB there at any time. */
const roomFor = 4 * 2 ** 30;

/** null where the usual place is the right one. */
export function temporaryDirectory(): string | null {
  if (process.platform !== 'linux' || freemem() < 2 * roomFor) return null;
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory);
    // Some tests run programs from there.
    if (mount?.split(' ')[3]?.split(',').includes('noexec') !== false) return null;
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize < roomFor ? null : memory;
  } catch {
    return null;
  }
}
