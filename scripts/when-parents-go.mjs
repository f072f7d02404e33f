// Tells when the package manager that started this process, or a shell in between, has ended: neither passes every signal on.
// Started by hand, a process may outlive whoever started it.

import { readFileSync } from 'node:fs';

const checkMs = 200;

export function whenParentsGo(gone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === grandparent) return;
    clearInterval(timer);
    gone();
  }, checkMs);
  timer.unref();
}

/** Null where the system has no such file. */
function parentOf(pid) {
  try {
    return /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
