// The line of a page that says when, on what and with which versions its figures were taken.

import { cpus, loadavg } from 'node:os';

export function conditions(): string {
  const [load = 0] = loadavg();
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.versions.node}, the embedded Postgres 18; server, database and load on the same machine, whose load average was ${load.toFixed(1)} at the end`;
}
