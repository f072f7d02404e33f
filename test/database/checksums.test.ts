// What counts as the same migration: its statements. Databases of 0.1.0 noted checksums of whole texts; they go on.

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
  const since = files.map((file) => file.name).filter((name) => !(name in released));
  expect((await migrationStatus(options())).problems).toEqual([]);
  expect(await migrate(options())).toEqual({ applied: since });
  const { rows } = await client.query('select name, checksum from private.migrations');
  expect(new Map(rows.map((row) => [row.name, row.checksum]))).toEqual(
    new Map(files.map((file) => [file.name, file.checksum])),
  );

  const other = await freshDatabase();
  try {
    expect(await dumpSchema(fresh.directUrl)).toBe(await dumpSchema(other.directUrl));
  } finally {
    await other.drop();
  }
});
