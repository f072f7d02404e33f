// Compares what our applied migrations leave behind with what the database has. Says what is missing, in words for a person.

import pg from 'pg';
import { connectionOptions } from './connection-options.ts';
import { describeMissing, expectedObjects, missingObjects } from './expected-objects.ts';
import { readMigrations } from './read-migrations.ts';

export const howToMend =
  'This looks like a restore that failed half way. Roles are not part of a dump: make them first (start Kanbase once on an empty database of that cluster, or pg_dumpall --roles-only), then restore again into an empty database and read what pg_restore says.';

/** Empty when nothing is missing; `applied` names the migrations of ours that the ledger has. */
export async function findDamage(url: string, directory: string, applied: readonly string[]): Promise<string[]> {
  const expected = expectedObjects(readMigrations({ directory }).filter(({ name }) => applied.includes(name)));
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<[string]>({
      text: missingObjects,
      values: [expected.map(({ kind }) => kind), expected.map(({ name }) => name), expected.map(({ own }) => own)],
      rowMode: 'array',
    });
    return describeMissing(rows.flatMap(([place]) => expected[Number(place)] ?? []));
  } finally {
    await client.end().catch(() => undefined);
  }
}
