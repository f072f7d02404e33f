// The SQL that is written, word for word, and the rows that Postgres answers to it.

import { parse } from 'libpg-query';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../../../test/helpers/for-suite.ts';
import { freshDatabase } from '../../../test/helpers/fresh-database.ts';
import { readConfig } from '../../config/read-config.ts';
import { connectionOptions } from '../../database/connection-options.ts';
import { openDatabase } from '../../database/open-database.ts';
import type { Database, Result } from '../../database/types.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { LOGIN, loadCatalog } from '../catalog/load-catalog.ts';
import { planRequest } from '../plan/plan-request.ts';
import { type RawRequest, readRequest } from '../request/read-request.ts';
import type { Query } from './query.ts';
import { writeQuery } from './write-query.ts';

const TABLES = `
  create table yard (id int primary key, name text not null);
  create table boat (id int primary key, name text not null, yard_id int references yard, info jsonb not null default '{}');
  create table crew (boat_id int references boat, person text, primary key (boat_id, person));
  insert into yard values (1, 'North'), (2, 'South');
  insert into boat values (1, 'Anna', 1, '{"tags": ["a", "b"]}'), (2, 'Bella', 1, '{}'), (3, 'Carla', null, '{}');
  insert into crew values (1, 'Ada'), (1, 'Bo'), (2, 'Cy');
  create function boats_of(yard int) returns setof boat language sql stable as $$ select * from boat where yard_id = $1 $$;
  create function add(a int, b int default 1) returns int language sql immutable as $$ select a + b $$;
  grant select, insert, update, delete on yard, boat, crew to authenticator;
  grant execute on all functions in schema public to authenticator`;

let database: Database;
let catalog: Catalog;

const fresh = forSuite(freshDatabase, (fresh) => fresh.drop());
beforeAll(async () => {
  const owner = new pg.Client(connectionOptions(fresh.directUrl));
  await owner.connect();
  await owner.query(TABLES);
  await owner.end();
  const { config } = readConfig({ env: { DB_POOL_SIZE: '2' } });
  database = await openDatabase({
    url: fresh.url,
    directUrl: fresh.directUrl,
    config: config.database,
    log: pino({ level: 'silent' }),
  });
  catalog = await loadCatalog(database, { schemas: ['public'], extraSearchPath: [] });
});
afterAll(async () => {
  await database?.close();
});

const settings = {
  schemas: ['public'],
  transactionOverride: true,
  maxRows: 100,
  aggregates: true,
  plans: true,
  maxEmbedDepth: 8,
  maxEmbeds: 50,
  legacyTargetNames: true,
};

function write(url: string, over: Partial<RawRequest> = {}, maxRows: number | null = 100): Query {
  const [path = '', query = ''] = url.split('?', 2);
  const raw: RawRequest = { method: 'GET', path, query, headers: {}, body: Buffer.alloc(0), ...over };
  const request = readRequest(raw, settings);
  const plan = planRequest(request, catalog, { ...settings, maxRows });
  if (plan.kind === 'info' || plan.kind === 'inspect') throw new Error('no query');
  return writeQuery(plan, {
    catalog,
    preferences: request.preferences,
    range: request.range,
    maxRows,
    limits: { bytes: 0, embeddedRows: 0 },
    seesAll: false,
  });
}

async function run(query: Query, rollback = true): Promise<Result> {
  return database.runAs(LOGIN, query.statement, { readOnly: query.readOnly, rollback: rollback && !query.readOnly });
}

async function body(query: Query): Promise<unknown> {
  const { rows } = await run(query);
  return JSON.parse(rows[0]?.[query.layout.body]?.toString() ?? 'null');
}

const HEAD = `select count(*), coalesce(json_agg("_kb_t"), '[]'), nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`;
/** A plain list that turns out long is asked for once more, row by row. */
const LONG = `, case when pg_column_size(json_agg("_kb_t")) > 4194304 then data_door.refuse_result('KBD03', count(*)) end`;

describe('reading', () => {
  test('one row by its key', async () => {
    const query = write('/boat?id=eq.1&select=id,name');
    expect(query.statement).toEqual({
      text: `${HEAD}${LONG} from (select "boat"."id", "boat"."name" from "public"."boat" where "boat"."id" = $1 limit 100) as "_kb_t"`,
      values: ['1'],
    });
    expect(await body(query)).toEqual([{ id: 1, name: 'Anna' }]);
  });

  test('filters, trees, order and range bind their values', async () => {
    const query = write(
      '/boat?select=id&name=not.like.C*&or=(id.in.(1,2),info->tags->>0.eq.a)&order=name.desc&limit=1&offset=1',
    );
    expect(query.statement).toEqual({
      text: `${HEAD}${LONG} from (select "boat"."id" from "public"."boat" where ("boat"."id" = any($1) or "boat"."info"->$2->>$3::int = $4) and not "boat"."name" like $5 order by "boat"."name" desc limit $6 offset $7) as "_kb_t"`,
      values: ['{"1","2"}', 'tags', '0', 'a', 'C%', '1', '1'],
    });
    expect(await body(query)).toEqual([{ id: 1 }]);
  });

  test('the text is the same for every request of a shape', () => {
    const text = (url: string) => write(url).statement.text;
    expect(text('/boat?id=eq.1&limit=5')).toBe(text(`/boat?id=eq.'%3B drop table boat --&limit=7`));
    expect(text('/boat?id=in.(1)')).toBe(text('/boat?id=in.(1,2,3)'));
  });

  test('to-many in the select list, to-one as a join', async () => {
    const query = write('/boat?select=name,yard(name),crew(person)&id=lt.3&crew.order=person.desc&order=id');
    expect(query.statement.text).toBe(
      `${HEAD}${LONG} from (select "boat"."name", row_to_json("_kb_1".*) as "yard", coalesce((select json_agg("_kb_2") from (select "crew_1"."person" from "public"."crew" as "crew_1" where "crew_1"."boat_id" = "boat"."id" order by "crew_1"."person" desc limit 100) as "_kb_2"), '[]') as "crew" from "public"."boat" left join lateral (select "yard_1"."name" from "public"."yard" as "yard_1" where "yard_1"."id" = "boat"."yard_id") as "_kb_1" on true where "boat"."id" < $1 order by "boat"."id" limit 100) as "_kb_t"`,
    );
    expect(await body(query)).toEqual([
      { name: 'Anna', yard: { name: 'North' }, crew: [{ person: 'Bo' }, { person: 'Ada' }] },
      { name: 'Bella', yard: { name: 'North' }, crew: [{ person: 'Cy' }] },
    ]);
  });

  test('presence, inner joins and their count', async () => {
    const present = write('/boat?select=id,crew()&crew=not.is.null&order=id', { headers: { prefer: 'count=exact' } });
    const { rows } = await run(present);
    expect(rows[0]?.map(String)).toEqual(['2', '[{"id":1}, \n {"id":2}]', 'null', 'null', '2', 'null']);
    expect(await body(write('/yard?select=name,boat!inner(name)&boat.name=eq.Bella'))).toEqual([
      { name: 'North', boat: [{ name: 'Bella' }] },
    ]);
  });

  test('aggregates and spreads', async () => {
    const counted = (await body(write('/boat?select=...yard(yard:name),id.count()'))) as unknown[];
    expect(counted).toHaveLength(2);
    expect(counted).toEqual(
      expect.arrayContaining([
        { yard: 'North', count: 2 },
        { yard: null, count: 1 },
      ]),
    );
    expect(await body(write('/yard?select=name,...boat(names:name)&boat.order=name.desc&order=id'))).toEqual([
      { name: 'North', names: ['Bella', 'Anna'] },
      { name: 'South', names: [] },
    ]);
  });

  test('a long result says first how long it is', async () => {
    const query = write('/boat?select=id&order=id', {}, null);
    expect(query.streams).toBe(true);
    const { rows } = await run(query);
    expect(rows.map((row) => row.map((cell) => cell?.toString() ?? null))).toEqual([
      ['3', '24', null, null, null],
      ['{"id":1}', null, null, null, null],
      ['{"id":2}', null, null, null, null],
      ['{"id":3}', null, null, null, null],
    ]);
    expect(write('/boat?id=eq.1', {}, null).streams).toBe(false);
  });
});

describe('writing', () => {
  const post = (url: string, text: string, prefer: string, method = 'POST'): Query =>
    write(url, { method, body: Buffer.from(text), headers: { prefer } });

  test('insert takes the body apart in Postgres', async () => {
    const query = post('/boat?select=id,yard(name)', '[{"id":9,"name":"Zoe","yard_id":2}]', 'return=representation');
    expect(query.statement.text).toBe(
      `with "_kb_source" as (insert into "public"."boat" ("id", "name", "yard_id") select "_kb_body"."id", "_kb_body"."name", "_kb_body"."yard_id" from json_to_recordset($1::json) as "_kb_body" ("id" integer, "name" text, "yard_id" integer) returning "public"."boat"."id", "public"."boat"."yard_id") ${HEAD}, case when octet_length(json_agg("_kb_t")::text) > 4194304 then data_door.refuse_result('KBD03', count(*)) end from (select "boat"."id", row_to_json("_kb_1".*) as "yard" from "_kb_source" as "boat" left join lateral (select "yard_1"."name" from "public"."yard" as "yard_1" where "yard_1"."id" = "boat"."yard_id") as "_kb_1" on true) as "_kb_t"`,
    );
    expect(await body(query)).toEqual([{ id: 9, yard: { name: 'South' } }]);
  });

  test('an upsert knows what was new', async () => {
    const rows = '[{"id":1,"name":"A"},{"id":8,"name":"H"}]';
    const query = post('/yard', rows, 'resolution=merge-duplicates, return=representation');
    const { rows: result } = await run(query);
    expect(result[0]?.[query.layout.inserted ?? -1]?.toString()).toBe('1');
    expect(await body(post('/yard?select=name', rows, 'resolution=ignore-duplicates, return=representation'))).toEqual([
      { name: 'H' },
    ]);
  });

  test('update and delete touch what the filters say', async () => {
    expect(await body(post('/boat?id=eq.2&select=id,name', '{"name":"B"}', 'return=representation', 'PATCH'))).toEqual([
      { id: 2, name: 'B' },
    ]);
    expect(await body(post('/crew?boat_id=eq.1&select=person', '', 'return=representation', 'DELETE'))).toEqual([
      { person: 'Ada' },
      { person: 'Bo' },
    ]);
    expect(await body(post('/boat?select=id', '{}', 'return=representation', 'PATCH'))).toEqual([]);
  });

  test('a long answer is written row by row, once more from the start', async () => {
    const path = '/boat?id=lt.3&select=id';
    const query = post(path, '{"name":"B"}', 'return=representation, handling=strict, max-affected=2', 'PATCH');
    const large = query.whenLarge?.();
    const { rows } = await run(large ?? query);
    expect(rows.map((row) => row.map((cell) => cell?.toString() ?? null))).toEqual([
      ['2', '16', null, null, null, null],
      ['{"id":1}', null, null, null, null, null],
      ['{"id":2}', null, null, null, null, null],
    ]);
    expect(post(path, '{"name":"B"}', 'return=minimal', 'PATCH').whenLarge).toBeUndefined();
  });

  test('a result that must not stand undoes itself', async () => {
    const query = post('/crew?boat_id=gt.0', '', 'handling=strict, max-affected=2', 'DELETE');
    await expect(run(query, false)).rejects.toMatchObject({ sqlstate: 'KBD02', detail: '3' });
    expect(await body(write('/crew?select=person'))).toHaveLength(3);
  });
});

describe('procedures', () => {
  test('arguments by name, typed by the catalog', async () => {
    const query = write('/rpc/add?a=41');
    expect(query.statement.text).toContain(
      `from (select "public"."add"("a" := $1::integer) as "pgrst_scalar") as "add"`,
    );
    expect(await body(query)).toBe(42);
    const posted = write('/rpc/add', { method: 'POST', body: Buffer.from('{"a":1,"b":2}') });
    expect(posted.statement.text).toContain(
      `from json_to_record($1::json) as "_kb_args" ("a" integer, "b" integer), lateral (select "public"."add"("a" := "_kb_args"."a", "b" := "_kb_args"."b") as "pgrst_scalar") as "add"`,
    );
    expect(await body(posted)).toBe(3);
  });

  test('rows of a table are read like the table', async () => {
    const query = write('/rpc/boats_of?yard=1&select=name,crew(person)&name=eq.Bella', {
      headers: { prefer: 'count=exact' },
    });
    const { rows } = await run(query);
    expect(JSON.parse(String(rows[0]?.[1]))).toEqual([{ name: 'Bella', crew: [{ person: 'Cy' }] }]);
    expect(String(rows[0]?.[query.layout.total ?? -1])).toBe('1');
  });
});

test('client input becomes bound values and quoted names, never SQL', async () => {
  const evil = `x"); drop table boat; --`;
  const name = encodeURIComponent(evil);
  const query = write(
    `/boat?select="${encodeURIComponent('a"')}":id,data->${name.replaceAll('.', '')}&id=eq.${name}&order=id&limit=1`.replace(
      `"${encodeURIComponent('a"')}"`,
      encodeURIComponent('"a\\" as b"'),
    ),
  );
  const { stmts } = await parse(query.statement.text);
  expect(stmts).toHaveLength(1);
  expect(query.statement.text).not.toContain('drop table');
  expect(query.statement.values).toContain(evil);
  const cast = write('/boat?select=id::unheard of');
  expect(cast.statement.text).toContain('cast("boat"."id" as "unheard of")');
});

test('structure changes the fingerprint, and the catalog with it', () => {
  expect(catalog.fingerprint).not.toBe('');
  expect(catalog.tables.get('public')?.get('boat')?.primaryKey).toEqual(['id']);
});
