// Migrations: in order, once, each as a whole; refused by name when what was applied is not what is there.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeRowTypes } from '../../scripts/generate/write-row-types.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { MigrationRefused, migrate, migrationStatus } from '../../server/database/migrate.ts';
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
    `create function private.let_become(role_name text, login_name text default null) returns void language sql as 'select';
     create function private.add_service_role_policies() returns void language sql as 'select';`,
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

test('our migrations come first, then yours, each once', async () => {
  expect(await migrationStatus(options())).toEqual({
    applied: [],
    pending: ['0010_roles.sql', '0020_one.sql', 'a-first.sql'],
    problems: [],
    ahead: [],
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

test('a failure without a position from Postgres names the line its statement begins on', async () => {
  write(theirs, 'b-late.sql', 'select 1;\n\n-- a comment;\ninsert into mine values (2);\ncreate table\n  mine ();\n');
  await expect(migrate(options())).rejects.toThrow(
    /b-late\.sql failed at line 5: relation "mine" already exists.*Nothing of it/,
  );
});

test('rows from stdin are refused, not waited for', async () => {
  write(theirs, 'b-copy.sql', 'select 1;\ncopy mine from stdin;\n1\n\\.\n');
  await expect(migrate(options())).rejects.toThrow(/b-copy\.sql failed at line 3: syntax error/);
  write(theirs, 'b-copy.sql', 'select 1;\ncopy mine from stdin;\n');
  await expect(migrate(options())).rejects.toThrow(
    /b-copy\.sql failed at line 2: COPY from stdin failed: rows from stdin/,
  );
});

describe('transaction control in a file', () => {
  test('is refused by line before anything is run', async () => {
    write(
      theirs,
      'b-two.sql',
      'begin;\ncreate table half ();\ncommit;\n\nstart transaction; create table other (); end;',
    );
    const refusal = await migrate(options()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MigrationRefused);
    expect(String(refusal)).toMatch(
      /b-two\.sql begins or ends transactions by itself \(begin on line 1, commit on line 3, start on line 5, end on line 5\).*"-- kanbase: no transaction"/,
    );
    expect((await client.query("select to_regclass('half') as half, to_regclass('one') as one")).rows).toEqual([
      { half: null, one: null },
    ]);
    expect((await migrationStatus(options())).problems).toHaveLength(1);
  });

  test('is left out where it wraps the whole file, and the lines stay as they are', async () => {
    write(theirs, 'b-wrapped.sql', '-- as others write them\nbegin;\ncreate table whole ();\ncommit;\n');
    write(theirs, 'c-wrapped.sql', 'BEGIN TRANSACTION;\ncreate table gone ();\nselect 1 / 0;\nEND;\n');
    await expect(migrate(options())).rejects.toThrow(/c-wrapped\.sql failed at line 3: division by zero/);
    expect((await migrationStatus(options())).pending).toEqual(['c-wrapped.sql']);
    expect((await client.query("select to_regclass('gone') as gone")).rows).toEqual([{ gone: null }]);
  });

  test('is not seen in strings, bodies and comments', async () => {
    write(
      theirs,
      'b-hidden.sql',
      "-- commit;\ndo $$ begin perform 1; end $$;\nselect 'commit;';\ncreate procedure p() language plpgsql as $$ begin commit; end $$;",
    );
    expect((await migrate(options())).applied).toContain('b-hidden.sql');
  });
});

describe('a file that asks for no transaction', () => {
  const index = '-- An index while others write.\n-- kanbase: no transaction\ncreate index concurrently on mine (n);\n';

  test('runs statement by statement', async () => {
    write(theirs, 'b-index.sql', index);
    write(theirs, 'c-wrong.sql', 'create table before_index ();\ncreate index concurrently on mine (n);\n');
    await expect(migrate(options())).rejects.toThrow(
      /c-wrong\.sql failed at line 2: .*cannot run inside a transaction block/,
    );
    const status = await migrationStatus(options());
    expect(status.applied.map(({ name }) => name)).toContain('b-index.sql');
    expect(status.pending).toEqual(['c-wrong.sql']);
    const { rows } = await client.query("select indisvalid from pg_index where indrelid = 'mine'::regclass");
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('names the statement that failed, and that those before it stay', async () => {
    write(theirs, 'b-half.sql', '-- kanbase: no transaction\ncreate table if not exists half ();\n\nselect 1 / 0;\n');
    await expect(migrate(options())).rejects.toThrow(
      /b-half\.sql failed at line 4: division by zero\. What stands before that line was applied/,
    );
    expect((await client.query("select to_regclass('half') is not null as half")).rows).toEqual([{ half: true }]);
    write(theirs, 'b-half.sql', '-- kanbase: no transaction\ncreate table if not exists half ();\n\nselect 1;\n');
    expect(await migrate(options())).toEqual({ applied: ['b-half.sql'] });
  });

  test('does not stop nodes that start at once', async () => {
    for (let n = 1; n < 6; n++) write(theirs, `b-${n}.sql`, index);
    const nodes = await Promise.all(Array.from({ length: 4 }, () => migrate(options())));
    expect(nodes.flatMap((node) => node.applied)).toHaveLength(8);
  });
});

test('session settings of one file do not reach the next one', async () => {
  write(
    theirs,
    'b-dump.sql',
    "select pg_catalog.set_config('search_path', '', false);\nset role anon; reset role; set work_mem = '123kB';",
  );
  write(theirs, 'c-after.sql', 'create table after_dump as select * from mine');
  expect((await migrate(options())).applied).toContain('c-after.sql');
});

test('a build that is older than the migrations refuses them', async () => {
  await migrate(options());
  write(ours, '0030_two.sql', 'create table two ()');
  const built = ['0010_roles.sql', '0020_one.sql'];
  await expect(migrate({ ...options(), built })).rejects.toThrow(
    /build of the server is older than sql\/: it does not know 0030_two\.sql\. Run npm run build/,
  );
  expect((await client.query("select to_regclass('two') as two")).rows).toEqual([{ two: null }]);
  expect(await migrate({ ...options(), built: [...built, '0030_two.sql'] })).toEqual({ applied: ['0030_two.sql'] });
});

test('an applied file whose statements were edited is refused by name', async () => {
  await migrate(options());
  write(ours, '0020_one.sql', 'create table one (n bigint);\ncreate index on one (n);');
  write(ours, '0030_two.sql', 'create table two ()');
  const refusal = await migrate(options()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(MigrationRefused);
  expect(String(refusal)).toContain('Migration 0020_one.sql was changed after it was applied');
  expect((await migrationStatus(options())).problems).toHaveLength(1);
  expect((await client.query("select to_regclass('two') as two")).rows).toEqual([{ two: null }]);
});

test('other comments, line ends and indents are not an edit', async () => {
  await migrate(options());
  write(
    ours,
    '0020_one.sql',
    '/* The first. */\r\ncreate table one (n int); -- numbers\r\n\r\n  create index on one (n);',
  );
  expect(await migrate(options())).toEqual({ applied: [] });
  write(ours, '0020_one.sql', 'create table one (n int); -- create index on one (n);');
  await expect(migrate(options())).rejects.toThrow(/0020_one\.sql was changed/);
});

test('a database newer than the code is refused by name', async () => {
  write(ours, '0090_future.sql', 'create table future ()');
  await migrate(options());
  rmSync(join(ours, '0090_future.sql'));
  await expect(migrate(options())).rejects.toThrow(
    /has migration 0090_future\.sql, which this version of Kanbase does not know/,
  );
});

test('an applied migration of yours that is gone is refused', async () => {
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

test('the row types say what is there', async () => {
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
