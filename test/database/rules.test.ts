// Rules: applied by object, replaced in place, dropped when no file declares them; rights are what the files say.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { migrate, migrationStatus } from '../../server/database/migrate.ts';
import { readRules } from '../../server/database/rules/read-rules.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

let fresh: FreshDatabase;
let directory: string;
let client: pg.Client;

const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
};
const options = (more: { version?: string; again?: boolean } = {}) => ({
  ...{ url: fresh.directUrl, poolUrl: fresh.url, directory },
  ...more,
});
const one = async (text: string): Promise<unknown> => (await client.query({ text, rowMode: 'array' })).rows[0]?.[0];

const ground = `
  create table public.boats (id int primary key, name text);
  alter table public.boats enable row level security;
  create function private.let_become(role_name text, login_name text default null) returns void language sql as 'select';
  alter default privileges revoke execute on functions from public;`;
const boats = `
  create policy read on public.boats for select to authenticated using (id > 0);
  grant select on public.boats to authenticated;
  create or replace function public.length_of(boat int) returns int language sql as 'select 1';
  grant execute on function public.length_of(int) to anon;
  comment on function public.length_of(int) is 'In metres.';
  create or replace function private.keep_boat() returns trigger language plpgsql as 'begin return new; end';
  create or replace trigger keep before insert on public.boats for each row execute function private.keep_boat();
  create or replace view public.fleet with (security_barrier) as select id from public.boats;`;

beforeEach(async () => {
  fresh = await freshDatabase({ from: null });
  directory = mkdtempSync(join(tmpdir(), 'kanbase-rules-'));
  write('tables/0001_ground.sql', ground);
  write('rules/boats/boats.sql', boats);
  client = new pg.Client(connectionOptions(fresh.directUrl));
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await fresh.drop();
  rmSync(directory, { recursive: true, force: true });
});

test('tables come first, then all rules; a second time there is nothing to do', async () => {
  expect((await migrationStatus(options())).pending).toEqual(['0001_ground.sql', 'rules/boats/boats.sql']);
  expect(await migrate(options())).toEqual({ applied: ['0001_ground.sql', 'rules/boats/boats.sql'] });
  expect(await migrate(options())).toEqual({ applied: [] });
  expect((await migrationStatus(options())).pending).toEqual([]);
});

test('only the object that differs is made anew, wherever it stands; comments and blanks do not count', async () => {
  await migrate(options());
  const before = await client.query('select name, applied_at from private.rules order by name');
  write('rules/boats/boats.sql', `-- Boats.\n${boats.replace("'select 1'", "'select 2'").replaceAll('\n', '\n\n')}`);
  expect(await migrate(options())).toEqual({ applied: ['rules/boats/boats.sql'] });
  const after = await client.query('select name, applied_at from private.rules order by name');
  const changed = after.rows.filter((row, at) => +row.applied_at !== +before.rows[at].applied_at);
  expect(changed.map(({ name }) => name)).toEqual(['public.length_of(integer)']);
  expect(await one('select public.length_of(1)')).toBe(2);
  write('rules/fleet/all.sql', boats.replace("'select 1'", "'select 2'"));
  rmSync(join(directory, 'rules/boats'), { recursive: true });
  expect(await migrate(options())).toEqual({ applied: [] });
});

test('objects that no file declares any more are dropped; tables stay', async () => {
  await migrate(options());
  write('rules/boats/boats.sql', "create or replace function private.other() returns int language sql as 'select 1';");
  await migrate(options());
  const left = await one(`select count(*)::int from (
    select from pg_policies where tablename = 'boats' union all
    select from pg_trigger where tgrelid = 'public.boats'::regclass and not tgisinternal union all
    select from pg_proc where proname in ('length_of', 'keep_boat') union all
    select from pg_class where relname = 'fleet') gone`);
  expect(left).toBe(0);
  expect(await one("select to_regclass('public.boats') is not null")).toBe(true);
  expect(await one("select has_table_privilege('authenticated', 'public.boats', 'select')")).toBe(false);
});

test('rights and comments are those of the file: one that is taken out there is taken back', async () => {
  await migrate(options());
  expect(await one("select has_function_privilege('anon', 'public.length_of(int)', 'execute')")).toBe(true);
  write(
    'rules/boats/boats.sql',
    boats
      .replace('grant execute on function public.length_of(int) to anon;', '')
      .replace("comment on function public.length_of(int) is 'In metres.';", '')
      .replace('grant select on public.boats', 'grant select (id) on public.boats'),
  );
  await migrate(options());
  expect(await one("select has_function_privilege('anon', 'public.length_of(int)', 'execute')")).toBe(false);
  expect(await one("select obj_description('public.length_of(int)'::regprocedure)")).toBeNull();
  expect(await one("select has_column_privilege('authenticated', 'public.boats', 'name', 'select')")).toBe(false);
  expect(await one("select has_column_privilege('authenticated', 'public.boats', 'id', 'select')")).toBe(true);
});

test('grants of your migrations on our tables stay', async () => {
  await migrate(options());
  await client.query(
    'grant insert on public.boats to anon; grant execute on function public.length_of(int) to service_role',
  );
  write(
    'rules/boats/boats.sql',
    boats
      .replace('grant select on public.boats to authenticated', 'grant select on public.boats to service_role')
      .replace("'select 1'", "'select 2'"),
  );
  await migrate(options());
  expect(await one("select has_table_privilege('anon', 'public.boats', 'insert')")).toBe(true);
  expect(await one("select has_function_privilege('service_role', 'public.length_of(int)', 'execute')")).toBe(true);
  expect(await one("select has_table_privilege('authenticated', 'public.boats', 'select')")).toBe(false);
  expect(await one("select has_table_privilege('service_role', 'public.boats', 'select')")).toBe(true);
});

test('a folder of JSON is handed to its function as one object by file name, whenever one of its files differs', async () => {
  const name = (): Promise<unknown> => one('select name from public.boats');
  write(
    'rules/boats/kinds.sql',
    `create or replace function private.save_kinds(kinds jsonb) returns void language sql as $$
      insert into public.boats values (1, concat_ws(', ', kinds #>> '{en,0}', kinds #>> '{de,words,Hull}'))
      on conflict (id) do update set name = excluded.name
    $$;`,
  );
  write('data/kinds/en.json', '["Hull"]');
  write('data/kinds/de.json', '{ "words": { "Hull": "Der Rumpf $$" } }');
  await migrate(options());
  expect(await name()).toBe('Hull, Der Rumpf $$');
  write('data/kinds/de.json', '{ "words": { "Hull": "Rumpf" } }');
  expect(await migrate(options())).toEqual({ applied: ['data/kinds.sql'] });
  expect(await name()).toBe('Hull, Rumpf');
  // In a backup it stands as the database has noted it.
  const { rows } = await client.query("select file, text from private.rules where kind = 'data'");
  rmSync(join(directory, 'data'), { recursive: true });
  for (const { file, text } of rows) write(file, text);
  expect(await migrate(options())).toEqual({ applied: [] });
  rmSync(join(directory, 'data/kinds.sql'));
  write('data/kinds/en.json', '["Hull",]');
  expect(() => readRules(directory)).toThrow(/^sql\/data\/kinds\/en\.json, line 1: /);
});

test('objects made by a declaration go with it, and are made anew when its function changes', async () => {
  const declared = (extra: string): string => `
    create or replace function private.served(of_table regclass) returns setof text language plpgsql set search_path = '' as $$
    begin
      execute format('drop policy if exists see on %s', of_table);
      execute format('create policy see on %s for select using (true)', of_table);
      return next format('policy see on %s', of_table);
      ${extra}
    end $$;
    select private.served('public.boats');`;
  const second = `execute format('drop policy if exists more on %s', of_table);
    execute format('create policy more on %s for select using (true)', of_table);
    return next format('policy more on %s', of_table);`;
  const policies = () =>
    one("select array_agg(polname::text order by polname) from pg_policy where polrelid = 'public.boats'::regclass");
  write('rules/boats/boats.sql', declared(second));
  await migrate(options());
  expect(await policies()).toEqual(['more', 'see']);
  write('rules/boats/boats.sql', declared(''));
  await migrate(options());
  expect(await policies()).toEqual(['see']);
  write('rules/boats/boats.sql', declared('').replace("select private.served('public.boats');", ''));
  await migrate(options());
  expect(await policies()).toBeNull();
});

test('objects and grants of a declaration are those it says now, also where the file itself said them before', async () => {
  const declared = (rights: string): string => `
    create or replace function private.served(of_table regclass, rights text) returns setof text language plpgsql set search_path = '' as $$
    begin
      execute 'drop policy if exists read on public.boats; create policy read on public.boats for select using (true)';
      execute format('grant %s on %s to authenticated', rights, of_table);
      return next format('policy read on %s', of_table);
      return next format('grant %s on %s to authenticated', rights, of_table);
    end $$;
    select private.served('public.boats', '${rights}');
    comment on table public.boats is 'Boats.';`;
  const may = (right: string) => one(`select has_table_privilege('authenticated', 'public.boats', '${right}')`);
  await migrate(options());
  write('rules/boats/boats.sql', declared('insert, delete'));
  await migrate(options());
  expect(await one("select count(*)::int from pg_policy where polrelid = 'public.boats'::regclass")).toBe(1);
  expect([await may('select'), await may('insert'), await may('delete')]).toEqual([false, true, true]);
  write('rules/boats/boats.sql', declared('insert'));
  await migrate(options());
  expect([await may('insert'), await may('delete')]).toEqual([true, false]);
  write('rules/boats/boats.sql', boats.replace("'select 1'", "'select 2'"));
  await migrate(options());
  expect(await one("select count(*)::int from pg_policy where polrelid = 'public.boats'::regclass")).toBe(1);
  expect([await may('select'), await may('insert')]).toEqual([true, false]);
});

describe('an error of Postgres', () => {
  test('is told with the file, the line and what to write where; nothing of the rules is applied', async () => {
    await migrate(options());
    write(
      'rules/boats/boats.sql',
      `${boats.replace('returns int language sql as', 'returns bigint language sql as')}
       create or replace function private.new_one() returns int language sql as 'select 1';`,
    );
    await expect(migrate(options())).rejects.toThrow(
      /The rule function public\.length_of\(integer\) failed \(sql\/rules\/boats\/boats\.sql, line 4\): cannot change return type of existing function.*write "drop function if exists public\.length_of\(integer\)" into a new file of sql\/tables/s,
    );
    expect(await one("select to_regprocedure('private.new_one()')")).toBeNull();
    write('tables/0002_longer.sql', 'drop function if exists public.length_of(integer)');
    expect((await migrate(options())).applied).toEqual(['0002_longer.sql', 'rules/boats/boats.sql']);
    expect(await one('select pg_typeof(public.length_of(1))::text')).toBe('bigint');
  });

  test('is told of the rule that failed among many, also of one that cannot be parsed', async () => {
    write('rules/boats/masts.sql', 'create or replace view public.masts as select id from public.boats -- all\n;\n');
    for (const [text, problem] of [
      ['create policy tall on public.boats for select using (mast > 0)', 'policy tall public.boats'],
      ['create or replace view public.tall as selekt id from public.boats', 'view public.tall'],
      [
        'create or replace trigger tall before insert on public.boats for each row execute function private.no()',
        'trigger tall public.boats',
      ],
    ]) {
      write('rules/boats/tall.sql', `\n${text};`);
      await expect(migrate(options())).rejects.toThrow(
        `The rule ${problem} failed (sql/rules/boats/tall.sql, line 2): `,
      );
    }
  });

  test('an object that others stand on is not dropped under them', async () => {
    await migrate(options());
    await client.query('create view public.longest as select public.length_of(1)');
    write('rules/boats/boats.sql', boats.replace(/create or replace function public[\s\S]*metres\.';/, ''));
    await expect(migrate(options())).rejects.toThrow(
      /function public\.length_of\(integer\) is declared no more \(it was in sql\/rules\/boats\/boats\.sql\), and cannot be dropped/,
    );
  });
});

test('a function that the tables dropped is there again', async () => {
  await migrate(options());
  write(
    'tables/0002_again.sql',
    'drop function if exists private.keep_boat() cascade; drop view if exists public.fleet',
  );
  await migrate(options());
  expect(await one("select to_regclass('public.fleet') is not null")).toBe(true);
  expect(await one("select count(*)::int from pg_trigger where tgname = 'keep'")).toBe(1);
});

describe('a node of before, started again beside newer ones', () => {
  test('leaves the rules alone, and says so', async () => {
    await migrate(options());
    const newer = boats.replace("'select 1'", "'select 2'");
    write('rules/boats/boats.sql', newer);
    await migrate(options());
    write('rules/boats/boats.sql', boats);
    await expect(migrate(options())).rejects.toThrow(
      /last written by a newer build of Kanbase.*npx kanbase migrate --again/,
    );
    const status = await migrationStatus(options());
    expect(status).toMatchObject({ pending: [], ahead: [expect.stringContaining('newer build')] });
    expect(await one('select public.length_of(1)')).toBe(2);
    await migrate(options({ again: true }));
    expect(await one('select public.length_of(1)')).toBe(1);
  });

  test('a later version may bring back what there was, an earlier one brings nothing', async () => {
    await migrate(options({ version: '0.2.0' }));
    write('rules/boats/boats.sql', boats.replace("'select 1'", "'select 2'"));
    await migrate(options({ version: '0.3.0' }));
    write('rules/boats/boats.sql', boats.replace("'select 1'", "'select 3'"));
    await expect(migrate(options({ version: '0.3.0-dev' }))).rejects.toThrow(/newer build/);
    write('rules/boats/boats.sql', boats);
    await migrate(options({ version: '0.3.1' }));
    expect(await one('select public.length_of(1)')).toBe(1);
  });
});

test('nodes that start at once apply the rules once', async () => {
  const nodes = await Promise.all(Array.from({ length: 5 }, () => migrate(options())));
  expect(nodes.flatMap(({ applied }) => applied).sort()).toEqual(['0001_ground.sql', 'rules/boats/boats.sql']);
});

test('a request that uses one changed table after the other goes first, and the rules are applied at the first try', async () => {
  const ships = boats.replace(/create policy[\s\S]*/, 'create policy read on public.ships for select using (true);');
  write('tables/0001_ground.sql', `${ground} create table public.ships (id int primary key);`);
  write('rules/boats/ships.sql', ships);
  await migrate(options());
  for (const name of ['boats', 'ships'])
    write(
      `rules/boats/${name}.sql`,
      `${name === 'boats' ? boats : ships}
      create policy tall on public.${name} for select using (id > 9);`,
    );
  const messages: unknown[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => messages.push(JSON.parse(line).msg) });
  await client.query('begin; select from public.boats');
  const migrated = migrate({ ...options(), log });
  const held =
    "select from pg_locks where granted and mode = 'AccessExclusiveLock' and relation = 'public.ships'::regclass";
  const tried =
    "select from pg_stat_activity where query like '%public.ships%' and pid <> pg_backend_pid() and state = 'active'";
  const watch = new pg.Client(connectionOptions(fresh.adminUrl));
  await watch.connect();
  await vi.waitFor(
    async () =>
      expect((await watch.query(`${tried} and (exists (${held}) or wait_event = 'PgSleep')`)).rowCount).toBe(1),
    { timeout: 5000 },
  );
  await client.query('select from public.ships; commit');
  await watch.end();
  expect((await migrated).applied).toEqual(['rules/boats/boats.sql', 'rules/boats/ships.sql']);
  expect(messages).not.toContain('others use the tables of this migration; it is tried again');
});

describe('files of rules', () => {
  test.each([
    ['create table public.ships (id int);', /line 1: "create table public\.ships \(id int\)" is no rule/],
    ["create function private.x() returns int language sql as 'select 1';", /is no rule. Here stand create or replace/],
    ['grant execute on function private.x() to anon;', /private\.x\(\) is made in another file, or below/],
    [`${boats}\n${boats}`, /stands in rules\/boats\/boats\.sql, line \d+, too/],
  ])('%s is refused by file and line', (text, words) => {
    write('rules/boats/boats.sql', text);
    expect(() => readRules(directory)).toThrow(words);
  });

  test('Postgres has each of ours under the name it is read by, and can read its body', async () => {
    const rules = readRules('sql');
    const whole = await freshDatabase();
    const reader = new pg.Client(connectionOptions(whole.directUrl));
    await reader.connect();
    const { rows } = await reader.query(
      'select name from unnest($1::text[]) as f (name) where to_regprocedure(name) is null',
      [rules.flatMap(({ kind, name }) => (kind === 'function' ? name : []))],
    );
    // Postgres reads bodies when they are called; here all are read at once.
    await reader.query('set check_function_bodies = on');
    for (const { kind, made } of rules) if (kind === 'function') await reader.query(made);
    await reader.end();
    await whole.drop();
    expect(rows).toEqual([]);
  });
});
