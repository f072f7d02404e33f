// Checksums of migrations cover their statements only. Databases of 0.1.0 noted checksums of whole texts; they still upgrade, and objects
// that code of 0.1.0 names are still there, but for a list.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dumpSchema } from '../../scripts/generate/dump-schema.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { migrate, migrationStatus } from '../../server/database/migrate.ts';
import { isSame, readMigrations } from '../../server/database/read-migrations.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

/** By name, what a database of 0.1.0 has noted. */
const released = JSON.parse(readFileSync(new URL('./checksums-of-0.1.0.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
const files = readMigrations({ directory: join(process.cwd(), 'sql') });

let fresh: FreshDatabase;
let client: pg.Client;
beforeEach(async () => {
  fresh = await freshDatabase({ from: null });
  client = new pg.Client(connectionOptions(fresh.directUrl));
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await fresh.drop();
});
/** What 0.1.0 had and later versions have not. Its code calls the first one by name; the others were called in the database alone. */
const gone = [
  'private.notify_due_soon() returns integer',
  'private.find_tasks(query text, in_project uuid, max_rows integer) returns TABLE(task_id uuid, rank real)',
  'private.lock_column(column_id uuid) returns void',
  'private.my_colleagues() returns uuid[]',
  'private.my_owned_projects() returns uuid[]',
  'private.my_writable_projects() returns uuid[]',
  'private.spell_word(in_project uuid, word text) returns text',
  'private.notify_members(to_users uuid[], kind text, in_project uuid, of_task uuid, data jsonb) returns void',
];

/** Every column and every function, with its type and signature: what code names. What triggers call it does not. */
async function named(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select format('%I.%I.%I %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped and n.nspname !~ '^(pg_|information_schema$)'
    union all
    select format('%I.%I(%s) returns %s', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid),
      pg_get_function_result(p.oid))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.prorettype <> 'trigger'::regtype and n.nspname !~ '^(pg_|information_schema$)'
    order by line`);
  return rows.map(({ line }) => line);
}

const options = () => ({ url: fresh.directUrl, poolUrl: fresh.url });

test('every file of 0.1.0 still has its statements', () => {
  // A file whose comments were edited for the first time is missing in server/database/edited-since-release.ts:
  // its line there is the checksum of its statements, then the one it is expected to know.
  const lost = Object.entries(released).filter(([name, noted]) => {
    const file = files.find((one) => one.name === name);
    return file === undefined || !isSame(file, noted);
  });
  expect(lost.map(([name, noted]) => ({ name, noted, is: files.find((one) => one.name === name)?.checksum }))).toEqual(
    [],
  );
});

test('a database of 0.1.0 is upgraded, and is then what a new one is', async () => {
  await client.query(
    `create schema private; create table private.migrations (origin text not null, name text not null, checksum text not null,
       applied_at timestamptz not null default clock_timestamp(), primary key (origin, name))`,
  );
  for (const [name, checksum] of Object.entries(released)) {
    await client.query(files.find((file) => file.name === name)?.text ?? `select '${name} is gone'::int`);
    await client.query("insert into private.migrations (origin, name, checksum) values ('kanbase', $1, $2)", [
      name,
      checksum,
    ]);
  }
  const before = await named();
  const since = files.map((file) => file.name).filter((name) => !(name in released));
  expect((await migrationStatus(options())).problems).toEqual([]);
  expect(await migrate(options())).toEqual({ applied: since });
  const { rows } = await client.query('select name, checksum from private.migrations');
  expect(new Map(rows.map((row) => [row.name, row.checksum]))).toEqual(
    new Map(files.map((file) => [file.name, file.checksum])),
  );

  // Code of the release before goes on with the tables of the next one (decision 0911). What stands here did not, and so nodes of 0.1.0 are
  // all stopped before they are upgraded (decision 0913). From 0.2.0 on nothing may stand here that its code calls.
  const after = new Set(await named());
  expect(before.filter((one) => !after.has(one)).sort()).toEqual([...gone].sort());

  const other = await freshDatabase();
  try {
    expect(await dumpSchema(fresh.directUrl)).toBe(await dumpSchema(other.directUrl));
  } finally {
    await other.drop();
  }
});
