// Memory of a running server during a request: Postgres' processes, and the server with its child processes (Linux).

import { readdirSync, readFileSync } from 'node:fs';
import type { Stage } from '../stage.ts';

/** In kB. */
export interface Memory {
  readonly postgres: number;
  readonly server: number;
}

export const inMegabytes = (kilobytes: number): string => `${Math.round(kilobytes / 1024)} MB`;

const sum = ({ postgres, server }: Memory): number => postgres + server;

/** Runs that and answers with the most each took meanwhile, and with the moment at which both together took most. */
export async function watchMemory<T>(
  stage: Stage,
  work: () => Promise<T>,
): Promise<{ peak: Memory; together: Memory; result: T }> {
  let peak = readMemory(stage);
  let together = peak;
  const timer = setInterval(() => {
    const now = readMemory(stage);
    peak = { postgres: Math.max(peak.postgres, now.postgres), server: Math.max(peak.server, now.server) };
    if (sum(now) > sum(together)) together = now;
  }, 250);
  try {
    const result = await work();
    return { peak, together, result };
  } finally {
    clearInterval(timer);
  }
}

/** What Postgres' processes have for themselves, and what the server and the processes it started hold in RAM, shared pages once. */
export function readMemory(stage: Stage): Memory {
  let postgres = 0;
  let server = 0;
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (status.startsWith('Name:\tpostgres')) {
        if (isBelow(pid, process.pid)) postgres += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      } else if (isBelow(pid, stage.pid))
        server += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It ended meanwhile.
    }
  }
  return { postgres, server };
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1] ?? 0);
  }
  return false;
}
