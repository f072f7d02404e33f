// Objects expected from the migrations, compared with Postgres: nothing is reported missing from a database in good order, and hardly
// anything that matters is overlooked.

import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { expectedObjects } from '../../server/database/expected-objects.ts';
import { findDamage } from '../../server/database/find-damage.ts';
import { readMigrations } from '../../server/database/read-migrations.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

const directory = join(process.cwd(), 'sql');
const files = readMigrations({ directory });
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => fresh.drop());

test('a database in good order lacks nothing', async () => {
  const applied = files.map(({ name }) => name);
  expect(await findDamage(fresh.directUrl, directory, applied)).toEqual([]);
});

// The policies `identity_room` are made in a loop together with their tables' row security, and loops are not read.
test('every policy and every table with row security is expected', async () => {
  const client = new pg.Client(connectionOptions(fresh.directUrl));
  await client.connect();
  const expected = expectedObjects(files);
  const names = (kind: string): string[] =>
    expected.filter((one) => one.kind === kind).map(({ name, own }) => `${name} ${own}`);
  const { rows: policies } = await client.query<{ name: string }>(
    `select schemaname || '.' || tablename || ' ' || policyname as name from pg_policies where policyname <> 'identity_room' order by 1`,
  );
  const { rows: triggers } = await client.query<{ name: string }>(
    `select 'tasks ' || tgname as name from pg_trigger where tgrelid = 'public.tasks'::regclass and not tgisinternal order by 1`,
  );
  const { rows: tables } = await client.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname || ' ' as name from pg_class c
     where relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'identity_room') order by 1`,
  );
  await client.end();
  expect(policies.map(({ name }) => name).filter((name) => !names('policy').includes(name))).toEqual([]);
  expect(tables.map(({ name }) => name).filter((name) => !names('row security').includes(name))).toEqual([]);
  // Renamed ones under the names they have now.
  expect(
    names('trigger')
      .filter((name) => name.startsWith('public.tasks '))
      .sort(),
  ).toEqual(triggers.map(({ name }) => `public.${name}`));
  expect(names('role')).toEqual(
    expect.arrayContaining(['anon ', 'authenticated ', 'service_role ', 'kanbase_identity ']),
  );
});
