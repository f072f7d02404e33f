// Fills a database with the rows of a backup: first the tables, by the migrations in the archive, then all rows in one transaction, all or nothing.
// Triggers are off meanwhile, since their effects are in the rows; foreign keys are restored and checked at the end.

import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrate } from '../database/migrate.ts';
import { withMigrationsOf } from './archived-migrations.ts';
import { summed } from './checksum.ts';
import { copyOut, listTables, plainText } from './list-tables.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import type { Archive } from './open-archive.ts';
import { withOwner } from './with-owner.ts';

export interface Target {
  /** The owner's, past any pooler. */
  readonly directUrl: string;
  /** The pool's login. */
  readonly url: string;
}

export async function restoreRows(archive: Archive, target: Target): Promise<void> {
  await makeTables(archive, target);
  await withOwner(target.directUrl, async (client) => {
    await client.query('begin');
    await client.query(plainText);
    await fill(client, archive);
    await client.query('commit');
    await client.query('analyze');
  });
}

/** The schema as it was when the backup was made. Migrations of later versions come after the rows. */
function makeTables(archive: Archive, { directUrl, url }: Target): Promise<unknown> {
  return withMigrationsOf(archive, (directories) => migrate({ ...directories, url: directUrl, poolUrl: url }));
}

/** Whether its migrations make the tables that its rows are of; nothing but those is made. */
export async function tryTables(archive: Archive, target: Target): Promise<void> {
  await makeTables(archive, target);
  await withOwner(target.directUrl, (client) => checkTables(client, archive.manifest));
}

/** Fences of claims that were given after the backup are not given again: writes of those who still hold one are refused. They begin as in 0042_task-claims.sql. */
const newFences = `select setval(c.oid::regclass, greatest(nextval(c.oid::regclass), extract(epoch from clock_timestamp())::bigint * 1000))
  from pg_catalog.pg_class c where c.oid = to_regclass('private.claim_fences')`;

async function fill(client: pg.Client, archive: Archive): Promise<void> {
  const { tables, sequences } = archive.manifest;
  await checkTables(client, archive.manifest);
  const names = tables.map(({ name }) => name);
  const resting = await quietTriggers(client, names);
  const keys = await dropKeys(client, names);
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`);
  for (const { name, columns, entry, sha256 } of tables) {
    const into = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
    await pipeline(await archive.read(entry, sha256), into);
  }
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, value } of sequences) await client.query('select setval($1::regclass, $2::bigint)', [name, value]);
  await client.query(newFences);
  for (const wake of resting) await client.query(wake);
}

/** A table that somebody made by hand is in the rows, and in no migration. */
async function checkTables(client: pg.Client, { tables }: Manifest): Promise<void> {
  const here = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
  for (const { name, columns, entry } of tables) {
    const lacking = columns.filter((column) => !here.get(name)?.includes(column));
    if (lacking.length === 0) continue;
    const what = here.has(name) ? `${name} (${lacking.join(', ')})` : name;
    throw new BackupProblem(
      `The backup has rows of ${what}, which no migration makes. Back up again from where it came from with a migration for it in MIGRATIONS_DIR; its rows are in the archive as ${entry}.`,
    );
  }
}

/** Gives back what wakes them as they were. */
async function quietTriggers(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; table: string; state: string }>(
    `select format('%I', t.tgname) as name, t.tgrelid::regclass::text as table, t.tgenabled as state
     from pg_catalog.pg_trigger t where not t.tgisinternal and t.tgparentid = 0 and t.tgrelid = any ($1::regclass[])`,
    [names],
  );
  const states: Readonly<Record<string, string>> = { O: 'enable', A: 'enable always', R: 'enable replica' };
  for (const table of new Set(rows.map((row) => row.table)))
    await client.query(`alter table ${table} disable trigger user`);
  return rows.flatMap(({ name, table, state }) => {
    const word = states[state];
    return word === undefined ? [] : [`alter table ${table} ${word} trigger ${name}`];
  });
}

async function dropKeys(client: pg.Client, names: readonly string[]) {
  const { rows } = await client.query<{ name: string; table: string; definition: string }>(
    `select format('%I', c.conname) as name, c.conrelid::regclass::text as table, pg_catalog.pg_get_constraintdef(c.oid) as definition
     from pg_catalog.pg_constraint c
     where c.contype = 'f' and c.conparentid = 0 and (c.conrelid = any ($1::regclass[]) or c.confrelid = any ($1::regclass[]))`,
    [names],
  );
  for (const { name, table } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

/** What the tables hold now, compared with the list: the names of those that differ. */
export function compareRows({ tables }: Manifest, url: string): Promise<string[]> {
  return withOwner(url, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(plainText);
    const different: string[] = [];
    for (const table of tables) {
      const { stream, result } = summed();
      const copying = pipeline(client.query(copyTo(copyOut(table))), stream);
      stream.resume();
      await copying;
      const { sha256, lines } = result();
      if (lines !== table.rows || sha256 !== table.sha256) different.push(table.name);
    }
    return different;
  });
}
