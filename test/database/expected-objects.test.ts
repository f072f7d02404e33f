// Objects expected from the files, compared with Postgres: nothing is reported missing from a database in good order, and what is missing or altered
// is found by name.

import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { expectedObjects } from '../../server/database/expected-objects.ts';
import { findDamage } from '../../server/database/find-damage.ts';
import { migrate } from '../../server/database/migrate.ts';
import { readMigrations } from '../../server/database/read-migrations.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';

const directory = join(process.cwd(), 'sql');
const files = readMigrations({ directory });
const applied = files.map(({ name }) => name);
let client: pg.Client;
const fresh = forSuite(freshDatabase, (fresh) => fresh.drop());
beforeAll(async () => {
  client = new pg.Client(connectionOptions(fresh.directUrl));
  await client.connect();
});
afterAll(async () => {
  await client.end();
});

const damage = (): Promise<string[]> => findDamage(fresh.directUrl, directory, applied);
const names = async (text: string): Promise<string[]> =>
  (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);

test('a database in good order lacks nothing', async () => {
  expect(await damage()).toEqual([]);
});

test('every table with row security and every role is expected', async () => {
  const expected = expectedObjects(files);
  const of = (kind: string): string[] => expected.filter((one) => one.kind === kind).map(({ name }) => name);
  const tables = await names(
    "select relnamespace::regnamespace || '.' || relname as name from pg_class where relrowsecurity and oid <> 'private.rules'::regclass order by 1",
  );
  expect(tables.filter((name) => !of('row security').includes(name))).toEqual([]);
  expect(of('role')).toEqual(expect.arrayContaining(['anon', 'authenticated', 'service_role', 'kanbase_identity']));
});

test('every function, view, policy and trigger of ours is in the ledger of rules, or made with the tables', async () => {
  const made = expectedObjects(files).flatMap(({ kind, name }) => (kind === 'function' ? name : []));
  const there = await names(`
    select 'function ' || n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.oid >= 16384 and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select 'view ' || n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v' and c.oid >= 16384
    union all
    select 'policy ' || policyname || ' on ' || schemaname || '.' || tablename from pg_policies
    union all
    select 'trigger ' || t.tgname || ' on ' || n.nspname || '.' || c.relname
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace where not t.tgisinternal`);
  const noted = await names(
    `select kind || ' ' || case when own <> '' then own || ' on ' else '' end || regexp_replace(name, '\\(.*', '') as name from private.rules`,
  );
  // Made in a block, by the version of Postgres.
  const known = new Set([...noted, ...made.map((name) => `function ${name}`), 'function private.uuid_v7']);
  expect(there.filter((name) => !known.has(name))).toEqual([]);
});

test('missing and altered objects are named, and made anew when asked for', async () => {
  await client.query(`
    drop policy read on public.tasks;
    drop trigger tasks_20_keep on public.tasks;
    create or replace function private.is_writer(in_project uuid) returns boolean language sql stable as 'select true';
    alter view private.my_memberships reset (security_barrier)`);
  expect(await damage()).toEqual([
    '1 of our policies are missing: read on public.tasks',
    '1 of our triggers are missing: tasks_20_keep on public.tasks',
    expect.stringMatching(/^the function private\.is_writer\(uuid\) was altered by hand \(it stands in sql\/rules\//),
    expect.stringMatching(/^the view private\.my_memberships was altered by hand \(it stands in sql\/rules\//),
  ]);
  await migrate({ url: fresh.directUrl, poolUrl: fresh.url, directory });
  expect(await damage()).toHaveLength(4);
  await migrate({ url: fresh.directUrl, poolUrl: fresh.url, directory, again: true });
  expect(await damage()).toEqual([]);
});
