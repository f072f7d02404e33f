// A project that was known until some moment catches up by what has changed since. What was written, the server finds by its own count of
// transactions. What is gone shows in sums over the keys of the rows known here, which the server compares with its own: `changes_since`
// in sql/rules/realtime/changes.sql says how.

import type { Call } from '../rows/results.ts';
import type { AnyRow, Rows } from '../rows/rows.ts';
import type { Question } from '../rows/scopes.ts';
import type { Store } from '../rows/store.ts';

/** The moment until which all is known now; null where that cannot be said, and everything has to be asked for. */
export async function catchUp(
  call: Call,
  store: Store,
  projectId: string,
  since: string,
  questions: readonly Question[],
): Promise<string | null> {
  const asked = store.now();
  const known = new Map(questions.map((question) => [question.table, sumsOf(store, question)]));
  const { changed, present, until } = await call('changes_since', {
    project_id: projectId,
    since,
    known: Object.fromEntries(known),
  });
  if (changed === null || present === null) return null;
  store.batch(() => {
    for (const { table, part } of questions) {
      // By its table: in a list of questions the types no longer say which rows go with it.
      store.merge(table, (changed[table] ?? []) as Partial<Rows[typeof table]>[], asked);
      const buckets = new Map(
        Object.entries(present[table] ?? {}).map(([bucket, keys]) => [Number(bucket), new Set(keys)]),
      );
      if (buckets.size === 0) continue;
      const size = known.get(table)?.length ?? 1;
      const left = new Set([...buckets.values()].flatMap((keys) => [...keys]));
      store.retain(table, (row, key) => part(row) && buckets.has(digestOf(key) % size), left, asked);
    }
  });
  const whole = questions.every(({ table }) =>
    Object.values(present[table] ?? {})
      .flat()
      .every((key) => store.base(table, key) !== undefined || store.wasGiven(table, key, asked)),
  );
  return whole ? until : null;
}

/** Some sixteen rows a bucket: few keys have to be told where one is gone. */
const perBucket = 16;
const mostBuckets = 256;

function sumsOf(store: Store, { table, part }: Question): number[] {
  // A question is asked of rows of its own table alone, whatever the types make of a list of them.
  const keys = store.baseKeys(table, part as (row: AnyRow) => boolean);
  const size = Math.min(mostBuckets, Math.max(1, Math.ceil(keys.length / perBucket)));
  const sums = new Array<number>(size).fill(0);
  for (const key of keys) {
    const digest = digestOf(key);
    const bucket = digest % size;
    sums[bucket] = (sums[bucket] ?? 0) + digest;
  }
  return sums;
}

const modulus = 16_777_213;

/** Of a key as the store has it: one id, or two with a space between. */
export function digestOf(key: string): number {
  return key.split(' ').reduce((product, id) => product * Number.parseInt(id.slice(-6), 16), 1) % modulus;
}
