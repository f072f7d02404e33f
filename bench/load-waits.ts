// Samples waits under load: the wait events of busy Postgres processes, and the share of time in which the disk held everything up (Linux
// tells; elsewhere that is not known).

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';

export interface Waits {
  /** How many processes of Postgres waited for what; those that ran are `the processor`. */
  readonly events: ReadonlyMap<string, number>;
  /** What it was being asked most, as its text begins: of what waits for a connection, a sample. */
  readonly statements: readonly string[];
  /** Share of the time since the last look for which nothing went on for want of the disk; null where nobody tells. */
  readonly disk: number | null;
}

export interface WaitWatch {
  look(): Promise<Waits>;
  close(): Promise<void>;
}

/** Those of the server and of the log writer alike, not those that have nothing to do. */
const question = `
  select case when wait_event is null then 'the processor' else wait_event_type || ' ' || wait_event end as event, count(*)::int
  from pg_stat_activity
  where pid <> pg_backend_pid() and (state = 'active' and backend_type = 'client backend' or wait_event_type in ('IO', 'Lock', 'LWLock'))
  group by 1`;

const askedMost = `
  select left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as text
  from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and backend_type = 'client backend'
  group by 1 order by count(*) desc limit 3`;

export async function watchWaits(ownerUrl: string): Promise<WaitWatch> {
  const owner = new pg.Client(connectionOptions(ownerUrl));
  await owner.connect();
  let [at, held] = [performance.now(), heldUpMs()];
  return {
    async look() {
      const [before, was] = [at, held];
      [at, held] = [performance.now(), heldUpMs()];
      const disk = held === null || was === null ? null : Math.min(1, (held - was) / Math.max(1, at - before));
      const { rows } = await owner.query<{ event: string; count: number }>(question);
      const asked = await owner.query<{ text: string }>(askedMost);
      const events = new Map(rows.map(({ event, count }) => [event, count]));
      return { events, statements: asked.rows.map(({ text }) => text), disk };
    },
    close: () => owner.end(),
  };
}

/** Milliseconds since the start for which the disk held everything up: by the kernel's own account, or, without it, its processors' waiting. */
function heldUpMs(): number | null {
  const pressure = read('/proc/pressure/io');
  const total = /^full .*total=(\d+)/m.exec(pressure)?.[1];
  if (total !== undefined) return Number(total) / 1000;
  const fields = /^cpu +(.+)/m.exec(read('/proc/stat'))?.[1]?.split(' ').map(Number);
  const processors = read('/proc/stat').match(/^cpu\d/gm)?.length ?? 1;
  return fields?.[4] === undefined ? null : (fields[4] * 10) / processors;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export interface Look {
  /** Since people began. */
  readonly seconds: number;
  readonly waits: Waits;
}

/** The seconds in which most requests were under way, and what was waited for in them. */
export interface Worst {
  readonly from: number;
  readonly to: number;
  /** Requests under way, on average. */
  readonly underWay: number;
  /** What Postgres' processes waited for, as shares, the largest first; empty where none was at work. */
  readonly events: readonly (readonly [event: string, share: number])[];
  readonly disk: number | null;
  /** The same over the whole time. */
  readonly diskOnAverage: number | null;
}

/** `answers`: when each came, in seconds, and how many it took. */
export function worstSeconds(
  looks: readonly Look[],
  answers: readonly { readonly at: number; readonly took: number }[],
): Worst | null {
  const starts = looks.map((_, place) => looks[place - 1]?.seconds ?? 0);
  const load = looks.map(() => 0);
  for (const { at, took } of answers)
    for (const [place, { seconds }] of looks.entries()) {
      const start = starts[place] ?? 0;
      if (seconds <= at - took || start >= at || seconds <= start) continue;
      load[place] = (load[place] ?? 0) + (Math.min(at, seconds) - Math.max(at - took, start)) / (seconds - start);
    }
  const most = Math.max(0, ...load);
  const peak = load.indexOf(most);
  if (most === 0) return null;
  const isBad = (place: number): boolean => (load[place] ?? 0) >= most / 2;
  let [first, last] = [peak, peak];
  while (first > 0 && isBad(first - 1)) first--;
  while (last < looks.length - 1 && isBad(last + 1)) last++;
  const bad = looks.slice(first, last + 1);
  const sums = new Map<string, number>();
  for (const { waits } of bad)
    for (const [event, count] of waits.events) sums.set(event, (sums.get(event) ?? 0) + count);
  const all = [...sums.values()].reduce((sum, count) => sum + count, 0);
  return {
    from: starts[first] ?? 0,
    to: bad.at(-1)?.seconds ?? 0,
    underWay: load.slice(first, last + 1).reduce((sum, one) => sum + one, 0) / bad.length,
    events: [...sums].map(([event, count]) => [event, count / all] as const).sort(([, a], [, b]) => b - a),
    disk: mean(bad),
    diskOnAverage: mean(looks),
  };
}

function mean(looks: readonly Look[]): number | null {
  const known = looks.flatMap(({ waits }) => (waits.disk === null ? [] : [waits.disk]));
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}
