// Lowers the priority of a thread or a process of ours, so that it leaves the processors to whatever serves requests. Where the system does not allow it,
// or knows no priority of a single thread, nothing happens.

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const priority = 10;

export function yieldProcess(pid: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Not ours, or gone already.
  }
}

/** The thread that calls it (Linux). */
export function yieldThread(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').pop()), priority);
  } catch {
    // A system without threads of their own priority.
  }
}
