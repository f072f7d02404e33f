// Reports the number of requests this process answered to the database once a minute, so that the admin page has the last day of all processes, also
// after a restart. While the database is away, counts wait with their minute.

import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Totals } from '../http/metrics.ts';
import type { Services } from '../services.ts';

export interface RequestCounts {
  /** Tells what was counted until now; rejects when the database cannot take it, and keeps it for the next time. */
  tell(): Promise<void>;
  stop(): Promise<void>;
}

const everyMs = 60_000;
const quarterMs = 15 * 60_000;
const mostQuarters = 96;
/** Whoever watches the server asks these all the time; nobody uses it by them. */
const probes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const none: Totals = { requests: 0, refused: 0, failed: 0 };

export function countRequests({
  database,
  metrics,
  log,
}: Pick<Services, 'database' | 'metrics' | 'log'>): RequestCounts {
  let counted = metrics.totals(probes);
  /** By the start of their quarter. */
  const untold = new Map<number, Totals>();

  function read(): void {
    const now = metrics.totals(probes);
    const quarter = Date.now() - (Date.now() % quarterMs);
    const more = minus(now, counted);
    counted = now;
    if (more.requests > 0) untold.set(quarter, plus(untold.get(quarter) ?? none, more));
    for (const [old] of [...untold].slice(0, -mostQuarters)) untold.delete(old);
  }

  async function write(): Promise<void> {
    read();
    for (const [quarter, totals] of [...untold]) {
      const { requests, refused, failed } = totals;
      await database.objectsAs(
        roomRoles.admin,
        statement(
          sql`select private.count_requests(${new Date(quarter).toISOString()}::timestamptz, ${requests}::bigint, ${refused}::bigint, ${failed}::bigint)::text as noted`,
        ),
      );
      untold.delete(quarter);
    }
  }

  // One after the other: nothing is told twice.
  let underway: Promise<void> = Promise.resolve();
  const tell = (): Promise<void> => {
    const next = underway.then(write);
    underway = next.catch((reason: unknown) => log.debug({ err: reason }, 'requests could not be counted'));
    return next;
  };
  const quietly = (): Promise<void> => tell().catch(() => undefined);
  const timer = setInterval(() => void quietly(), everyMs);
  timer.unref();
  return {
    tell,
    stop() {
      clearInterval(timer);
      return quietly();
    },
  };
}

const plus = (one: Totals, other: Totals): Totals => ({
  requests: one.requests + other.requests,
  refused: one.refused + other.refused,
  failed: one.failed + other.failed,
});

const minus = (one: Totals, other: Totals): Totals => ({
  requests: one.requests - other.requests,
  refused: one.refused - other.refused,
  failed: one.failed - other.failed,
});
