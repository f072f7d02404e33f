// Migrations: in order, once, each as a whole; refused by name when what was applied is not what is there.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { dumpSchema } from '../../server/database/dump-schema.ts';
import { MigrationRefused, migrate, migrationStatus } from '../../server/database/migrate.ts';
import { writeRowTypes } from '../../server/database/write-row-types.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

let fresh: FreshDatabase;
let base: string;
let ours: string;
let theirs: string;
let client: pg.Client;

const write = (directory: string, name: string, text: string): void => writeFileSync(join(directory, name), text);
const options = () => ({ url: fresh.directUrl, poolUrl: fresh.url, directory: ours, extraDirectory: theirs });

beforeEach(async () => {
  fresh = await freshDatabase({ from: null });
  base = mkdtempSync(join(tmpdir(), 'kanbase-migrations-'));
  ours = join(base, 'ours');
  theirs = join(base, 'theirs');
  mkdirSync(ours);
  mkdirSync(theirs);
  // What the runner itself relies on stands in the first of our own files.
  write(
    ours,
    '0010_roles.sql',
    "create function private.let_become(role_name text, login_name text default null) returns void language sql as 'select'",
  );
  write(ours, '0020_one.sql', 'create table one (n int);\ncreate index on one (n);');
  write(theirs, 'a-first.sql', 'create table mine as select 1 as n;');
  client = new pg.Client(connectionOptions(fresh.directUrl));
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await fresh.drop();
  rmSync(base, { recursive: true, force: true });
});

test('ours come first, then yours, each once', async () => {
  expect(await migrationStatus(options())).toEqual({
    applied: [],
    pending: ['0010_roles.sql', '0020_one.sql', 'a-first.sql'],
    problems: [],
  });
  expect(await migrate(options())).toEqual({ applied: ['0010_roles.sql', '0020_one.sql', 'a-first.sql'] });
  expect(await migrate(options())).toEqual({ applied: [] });
  write(ours, '0030_two.sql', 'create table two ()');
  expect(await migrate(options())).toEqual({ applied: ['0030_two.sql'] });
  const status = await migrationStatus(options());
  expect(status.applied.map(({ origin, name }) => `${origin} ${name}`)).toEqual([
    'kanbase 0010_roles.sql',
    'kanbase 0020_one.sql',
    'kanbase 0030_two.sql',
    'yours a-first.sql',
  ]);
  expect(status.pending).toEqual([]);
});

test('a failing file is named with its line, and nothing of it stays', async () => {
  await migrate(options());
  write(ours, '0030_bad.sql', "create table half ();\n\ninsert into one values ('x');\n");
  await expect(migrate(options())).rejects.toThrow(
    /0030_bad\.sql failed at line 3: invalid input syntax for type integer: "x"/,
  );
  expect((await client.query("select to_regclass('half') as half")).rows).toEqual([{ half: null }]);
  write(ours, '0030_bad.sql', 'create table half ()');
  expect(await migrate(options())).toEqual({ applied: ['0030_bad.sql'] });
});

test('a file that ends its transaction is refused', async () => {
  write(ours, '0030_commit.sql', 'create table half (); commit;');
  await expect(migrate(options())).rejects.toThrow(/0030_commit\.sql failed: the file ends the transaction/);
});

test('an applied file that was edited is refused by name, other line ends are not', async () => {
  await migrate(options());
  write(ours, '0020_one.sql', 'create table one (n int);\r\ncreate index on one (n);');
  expect(await migrate(options())).toEqual({ applied: [] });
  write(ours, '0020_one.sql', 'create table one (n bigint);');
  write(ours, '0030_two.sql', 'create table two ()');
  const refusal = await migrate(options()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(MigrationRefused);
  expect(String(refusal)).toContain('Migration 0020_one.sql was changed after it was applied');
  expect((await migrationStatus(options())).problems).toHaveLength(1);
  expect((await client.query("select to_regclass('two') as two")).rows).toEqual([{ two: null }]);
});

test('a database newer than the code is refused by name', async () => {
  write(ours, '0090_future.sql', 'create table future ()');
  await migrate(options());
  rmSync(join(ours, '0090_future.sql'));
  await expect(migrate(options())).rejects.toThrow(
    /has migration 0090_future\.sql, which this version of Kanbase does not know/,
  );
});

test('one of yours that is gone is missed', async () => {
  await migrate(options());
  rmSync(join(theirs, 'a-first.sql'));
  await expect(migrate(options())).rejects.toThrow(/Your migration a-first\.sql has been applied and is gone/);
  expect(await migrate({ ...options(), extraDirectory: null })).toEqual({ applied: [] });
  await expect(migrate({ ...options(), extraDirectory: join(base, 'nowhere') })).rejects.toThrow(
    /MIGRATIONS_DIR cannot be read/,
  );
});

test('nodes that start at once share the work without treading on each other', async () => {
  for (let n = 10; n < 30; n++) write(theirs, `b-${n}.sql`, `create table t${n} as select ${n} as n`);
  const nodes = await Promise.all(Array.from({ length: 6 }, () => migrate(options())));
  const names = nodes.flatMap((node) => node.applied).sort();
  expect(names).toHaveLength(23);
  expect(new Set(names).size).toBe(23);
});

test('the dump and the row types say what is there', async () => {
  await client.query(`
    create type public.mood as enum ('good', 'bad');
    create table public.boats (id int generated always as identity primary key, name text not null, mood public.mood default 'good', tags text[], price numeric not null);
    create table public.trips (boat_id int primary key references public.boats on delete cascade, at timestamptz not null default now());
    alter table public.boats enable row level security;
    create policy own on public.boats for select to public using (name = current_user);
    grant select, update (name, price) on public.boats to authenticated;
    comment on column public.boats.name is 'Who''s it';
    create view public.cheap with (security_invoker = true) as select id, name from public.boats where price < 10;
    create function public.dear(above numeric default 5, kind public.mood default null) returns setof public.boats language sql stable as 'select * from public.boats where price > above';
  `);
  const dump = await dumpSchema(fresh.directUrl);
  expect(dump).toBe(await dumpSchema(fresh.directUrl));
  for (const line of [
    "create type public.mood as enum ('good', 'bad');",
    '  id integer generated always as identity not null,',
    "  mood public.mood default 'good'::public.mood,",
    '  constraint trips_boat_id_fkey FOREIGN KEY (boat_id) REFERENCES public.boats(id) ON DELETE CASCADE',
    'alter table public.boats enable row level security;',
    'create policy own on public.boats for select to public\n  using ((name = CURRENT_USER));',
    'grant select on table public.boats to authenticated;',
    'grant update (name, price) on table public.boats to authenticated;',
    "comment on column public.boats.name is 'Who''s it';",
    'create view public.cheap with (security_invoker = true) as',
  ])
    expect(dump).toContain(line);
  const types = await writeRowTypes(fresh.directUrl, ['public']);
  for (const line of [
    '          id: number;',
    "          mood: Database['public']['Enums']['mood'] | null;",
    '          tags: string[] | null;',
    '          id?: never;',
    '          price: number;',
    "            foreignKeyName: 'trips_boat_id_fkey';",
    '            isOneToOne: true;',
    "      dear: { Args: { above?: number; kind?: Database['public']['Enums']['mood'] }; Returns: Database['public']['Tables']['boats']['Row'][] };",
    "      mood: 'good' | 'bad';",
  ])
    expect(types).toContain(line);
});
