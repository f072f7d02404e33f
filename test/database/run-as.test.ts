// What a room gets from the database: statements as a caller, in one implicit transaction, with the promises of
// `Database` kept one by one.

import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import { type Caller, type Database, PostgresError } from '../../server/database/types.ts';
import type { CatalogError } from '../../server/errors.ts';
import { type FreshDatabase, freshDatabase } from '../helpers/fresh-database.ts';

const ada = '0190b0c8-0000-7000-8000-00000000000a';
const bob = '0190b0c8-0000-7000-8000-00000000000b';
const as = (sub: string): Caller => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub, role: 'authenticated', email: `${sub}@example.test` }),
});
const anon: Caller = { role: 'anon', claims: '{"role":"anon"}' };
const service: Caller = { role: 'service_role', claims: '{"role":"service_role"}' };
const settings = {
  url: null,
  directUrl: null,
  poolSize: 3,
  queueLimit: 20,
  preparedStatements: true,
  anonTimeoutMs: 300,
  authenticatedTimeoutMs: 8000,
  migrationsDir: null,
};

let fresh: FreshDatabase;
let admin: pg.Client;
let database: Database;

async function open(more: Partial<typeof settings> = {}): Promise<Database> {
  return openDatabase({
    url: fresh.url,
    directUrl: fresh.directUrl,
    config: { ...settings, ...more },
    log: pino({ level: 'silent' }),
  });
}

const texts = (rows: ReadonlyArray<ReadonlyArray<Buffer | null>>): (string | null)[][] =>
  rows.map((row) => row.map((cell) => cell?.toString() ?? null));

beforeAll(async () => {
  fresh = await freshDatabase();
  admin = new pg.Client(connectionOptions(fresh.adminUrl));
  await admin.connect();
  await admin.query(`
    create table notes (id int primary key, owner uuid not null, body text, constraint bodies unique (body) deferrable initially deferred);
    alter table notes enable row level security;
    create policy own on notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create policy all_of_it on notes to service_role using (true) with check (true);
    grant select, insert, update, delete on notes to authenticated, service_role;
    insert into notes values (1, '${ada}', 'a'), (2, '${bob}', 'b');`);
  database = await open();
});

afterAll(async () => {
  await database.close();
  await admin.end();
  await fresh.drop();
});

describe('as the caller', () => {
  test('row security sees the token', async () => {
    const mine = { text: 'select id, body from notes order by id', values: [] };
    expect(texts((await database.runAs(as(ada), mine)).rows)).toEqual([['1', 'a']]);
    expect(texts((await database.runAs(as(bob), mine)).rows)).toEqual([['2', 'b']]);
    expect(texts((await database.runAs(service, mine)).rows)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    await expect(database.runAs(anon, mine)).rejects.toMatchObject({ name: 'PostgresError', sqlstate: '42501' });
  });

  test('auth.uid, role, jwt and email read it, and are empty without one', async () => {
    const ask = {
      text: 'select current_user::text as me, auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() as jwt',
      values: [],
    };
    expect(await database.objectsAs(as(ada), ask)).toEqual([
      {
        me: 'authenticated',
        uid: ada,
        role: 'authenticated',
        email: `${ada}@example.test`,
        jwt: { sub: ada, role: 'authenticated', email: `${ada}@example.test` },
      },
    ]);
    expect(await database.objectsAs({ role: 'anon', claims: '' }, ask)).toEqual([
      { me: 'anon', uid: null, role: null, email: null, jwt: {} },
    ]);
  });

  test('nothing of a caller stays on the connection', async () => {
    const one = await open({ poolSize: 1 });
    await one.runAs(as(ada), { text: 'select 1', values: [] }, { settings: [['request.method', 'GET']] });
    const [row] = await one.objectsAs<Record<string, string>>(anon, {
      text: "select current_user::text me, current_setting('request.method', true) method, auth.uid() uid, current_setting('statement_timeout') timeout",
      values: [],
    });
    expect(row).toEqual({ me: 'anon', method: '', uid: null, timeout: '300ms' });
    await one.close();
  });

  test('a role the login may not become is refused', async () => {
    await expect(
      database.runAs({ role: 'postgres', claims: '{}' }, { text: 'select 1', values: [] }),
    ).rejects.toMatchObject({ sqlstate: '42501' });
    await expect(
      database.runAs({ role: 'nobody_at_all', claims: '{}' }, { text: 'select 1', values: [] }),
    ).rejects.toBeInstanceOf(PostgresError);
  });

  test('further settings are transaction-local and bound', async () => {
    const [row] = await database.objectsAs<{ path: string }>(
      as(ada),
      { text: "select current_setting('request.path') as path", values: [] },
      { settings: [['request.path', "/rest/v1/tasks'; drop table notes; --"]] },
    );
    expect(row?.path).toBe("/rest/v1/tasks'; drop table notes; --");
  });
});

describe('results', () => {
  test('are the bytes Postgres sent, with names, types and what was affected', async () => {
    const result = await database.runAs(as(ada), {
      text: 'select \'{"a": [1, "ü"]}\'::json as j, null::text as n, $1::bytea as b, $2::text as t',
      values: [Buffer.from([0, 255]), 'grün'],
    });
    expect(result.fields).toEqual([
      { name: 'j', type: 114 },
      { name: 'n', type: 25 },
      { name: 'b', type: 17 },
      { name: 't', type: 25 },
    ]);
    expect(texts(result.rows)).toEqual([['{"a": [1, "ü"]}', null, '\\x00ff', 'grün']]);
    expect(result.affected).toBe(1);
    const update = await database.runAs(as(ada), { text: 'update notes set body = body', values: [] });
    expect(update).toMatchObject({ rows: [], fields: [], affected: 1 });
  });

  test('of any size come whole', async () => {
    const { rows } = await database.runAs(as(ada), {
      text: "select repeat('x', 3000000), g from generate_series(1, 4) g",
      values: [],
    });
    expect(rows.map((row) => row[0]?.length)).toEqual([3_000_000, 3_000_000, 3_000_000, 3_000_000]);
    const big = 'é'.repeat(1_000_000);
    expect(await database.objectsAs(as(ada), { text: 'select length($1::text) as n', values: [big] })).toEqual([
      { n: 1_000_000 },
    ]);
  });

  test('are decoded by type for the server itself', async () => {
    const [row] = await database.objectsAs(as(ada), {
      text: "select 1 as i, 2.5::float8 as f, true as b, null as n, '{\"a\":1}'::jsonb as j, '2026-01-02 03:04:05.678+02'::timestamptz as t, 'x' as s, 12345678901234567890::numeric as d",
      values: [],
    });
    expect(row).toEqual({
      i: 1,
      f: 2.5,
      b: true,
      n: null,
      j: { a: 1 },
      t: '2026-01-02T01:04:05.678Z',
      s: 'x',
      d: '12345678901234567890',
    });
  });

  test('many at once come back to whom they belong', async () => {
    const wide = await open({ poolSize: 2, queueLimit: 1000 });
    const ask = (n: number) =>
      wide.objectsAs<{ n: number; uid: string }>(
        as(n % 2 ? ada : bob),
        { text: 'select $1::int as n, auth.uid() as uid', values: [String(n)] },
        { readOnly: true },
      );
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => ask(n)));
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
    expect(answers.every(([row], n) => row?.uid === (n % 2 ? ada : bob))).toBe(true);
    await wide.close();
  });

  test("an error among many is that one caller's alone", async () => {
    const wide = await open({ poolSize: 1, queueLimit: 1000 });
    const ask = (n: number) =>
      wide.runAs(as(ada), { text: 'select 10 / $1::int', values: [String(n % 7)] }, { readOnly: true });
    const answers = await Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(n)));
    answers.forEach((answer, n) => {
      expect(answer.status).toBe(n % 7 === 0 ? 'rejected' : 'fulfilled');
    });
    await wide.close();
  });
});

describe('errors', () => {
  test('carry what Postgres said', async () => {
    const error = await database
      .runAs(service, { text: "insert into notes values (1, $1, 'z')", values: [ada] })
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(PostgresError);
    expect(error).toMatchObject({
      sqlstate: '23505',
      detail: 'Key (id)=(1) already exists.',
      fields: { table: 'notes', schema: 'public', constraint: 'notes_pkey' },
    });
  });

  test('a constraint that fails at commit fails the call', async () => {
    await expect(
      database.runAs(service, { text: "insert into notes values (9, $1, 'a')", values: [ada] }),
    ).rejects.toMatchObject({ sqlstate: '23505' });
    expect((await database.runAs(service, { text: 'select 1 from notes where id = 9', values: [] })).rows).toEqual([]);
  });

  test('text with a NUL reaches neither the protocol nor a table', async () => {
    await expect(database.runAs(as(ada), { text: 'select $1::text', values: ['a\0b'] })).rejects.toMatchObject({
      sqlstate: '22021',
    });
    await expect(
      database.runAs(as(ada), { text: 'select 1 as "a\0b", 2 as "c", 3', values: [] }),
    ).rejects.toMatchObject({ sqlstate: '22021' });
    expect((await database.runAs(as(ada), { text: 'select 1', values: [] })).rows).toHaveLength(1);
  });
});

describe('transactions', () => {
  test('reads cannot write', async () => {
    await expect(
      database.runAs(service, { text: "insert into notes values (5, $1, 'e')", values: [ada] }, { readOnly: true }),
    ).rejects.toMatchObject({ sqlstate: '25006' });
  });

  test('statements before run in the same transaction', async () => {
    const [row] = await database.objectsAs<{ x: string }>(
      as(ada),
      { text: "select current_setting('my.x') as x", values: [] },
      {
        before: [{ text: "select set_config('my.x', $1, true)", values: ['7'] }],
      },
    );
    expect(row?.x).toBe('7');
    await expect(
      database.runAs(as(ada), { text: 'select 1', values: [] }, { before: [{ text: 'select 1/0', values: [] }] }),
    ).rejects.toMatchObject({ sqlstate: '22012' });
  });

  test('rollback answers and leaves no trace', async () => {
    const insert = { text: "insert into notes values (7, $1, 'g') returning id", values: [ada] };
    expect(texts((await database.runAs(service, insert, { rollback: true })).rows)).toEqual([['7']]);
    expect((await database.runAs(service, { text: 'select 1 from notes where id = 7', values: [] })).rows).toEqual([]);
    const late = { text: "insert into notes values (8, $1, 'a')", values: [ada] };
    await expect(database.runAs(service, late, { rollback: true })).rejects.toMatchObject({ sqlstate: '23505' });
    // A failure inside leaves the connection fit for the next one.
    const one = await open({ poolSize: 1 });
    await expect(one.runAs(service, { text: 'select 1/0', values: [] }, { rollback: true })).rejects.toMatchObject({
      sqlstate: '22012',
    });
    expect((await one.runAs(service, { text: 'select 1', values: [] })).rows).toHaveLength(1);
    await one.close();
  });

  test('several statements commit together or not at all', async () => {
    await database.transactAs(service, async (tx) => {
      await tx.run({ text: "insert into notes values (20, $1, 't')", values: [ada] });
      expect(await tx.objects({ text: 'select count(*)::int as n from notes where id = 20', values: [] })).toEqual([
        { n: 1 },
      ]);
    });
    const failing = database.transactAs(service, async (tx) => {
      await tx.run({ text: "insert into notes values (21, $1, 'u')", values: [ada] });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const swallowed = database.transactAs(service, async (tx) => {
      await tx.run({ text: "insert into notes values (22, $1, 'v')", values: [ada] });
      await tx.run({ text: 'select 1/0', values: [] }).catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject({ sqlstate: '22012' });
    expect(
      await database.objectsAs(service, { text: 'select id from notes where id >= 20 order by id', values: [] }),
    ).toEqual([{ id: 20 }]);
  });

  test('a transaction that cannot begin says why', async () => {
    const refused = database.transactAs({ role: 'nobody_at_all', claims: '{}' }, (tx) =>
      tx.run({ text: 'select 1', values: [] }),
    );
    await expect(refused).rejects.toMatchObject({ sqlstate: '22023' });
  });

  test('streams hand rows over one by one and wait for the reader', async () => {
    let taken = 0;
    let inside = 0;
    let most = 0;
    const { fields, affected } = await database.streamAs(
      as(ada),
      { text: "select g, repeat('y', 1000) from generate_series(1, 5000) g", values: [] },
      async (row) => {
        inside++;
        most = Math.max(most, inside);
        await Promise.resolve();
        expect(Number(row[0]?.toString())).toBe(++taken);
        inside--;
      },
    );
    expect({ taken, affected, most }).toEqual({ taken: 5000, affected: 5000, most: 1 });
    expect(fields.map((field) => field.name)).toEqual(['g', 'repeat']);
    let pages = 0;
    let sum = 0;
    await database.streamAs(
      as(ada),
      { text: "select g, repeat('z', 1000) from generate_series(1, 5000) g", values: [] },
      (row) => {
        sum += Number(row[0]?.toString());
      },
      {},
      async () => {
        pages++;
        await Promise.resolve();
      },
    );
    expect(sum).toBe((5000 * 5001) / 2);
    expect(pages).toBeGreaterThan(5);
    const broken = database.streamAs(
      as(ada),
      { text: 'select g from generate_series(1, 1000000) g', values: [] },
      () => {
        throw new Error('enough in place');
      },
      {},
      () => undefined,
    );
    await expect(broken).rejects.toThrow('enough in place');
    const stopped = database.streamAs(
      as(ada),
      { text: 'select g from generate_series(1, 1000000) g', values: [] },
      () => {
        throw new Error('enough');
      },
    );
    await expect(stopped).rejects.toThrow('enough');
  });
});

test('a statement that loses a deadlock is repeated, unseen by the caller', async () => {
  await admin.query(`
    create table pair (id int primary key, n int not null default 0);
    insert into pair values (1), (2);
    grant select, update on pair to service_role;
    create sequence tries;
    -- Only Postgres decides who loses: the one who looks while both wait. That is the function, the other never looks.
    create function never_look() returns text language sql security definer as
      $$ select set_config('deadlock_timeout', '10min', true) $$;
    create function both_backwards() returns void language plpgsql security definer as $$
    begin
      update pair set n = n + 1 where id = 2;
      if nextval('tries') = 1 then
        while not exists (select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()) loop
          perform pg_sleep(0.05);
        end loop;
      end if;
      update pair set n = n + 1 where id = 1;
    end $$;
    grant execute on function both_backwards(), never_look() to service_role`);
  let other: Promise<unknown> = Promise.resolve();
  await database.transactAs(service, async (tx) => {
    await tx.run({ text: 'select never_look()', values: [] });
    await tx.run({ text: 'update pair set n = n + 10 where id = 1', values: [] });
    other = database.runAs(service, { text: 'select both_backwards()', values: [] });
    await untilActive('both_backwards', 1);
    const asleep = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
    while ((await admin.query(asleep)).rows.length === 0);
    await tx.run({ text: 'update pair set n = n + 10 where id = 2', values: [] });
  });
  await other;
  expect((await admin.query('select n from pair order by id')).rows).toEqual([{ n: 11 }, { n: 11 }]);
  expect((await admin.query('select last_value::int as tries from tries')).rows).toEqual([{ tries: 2 }]);
});

describe('time', () => {
  test('runs out by role, or as the call says', async () => {
    await expect(database.runAs(anon, { text: 'select pg_sleep(30)', values: [] })).rejects.toMatchObject({
      sqlstate: '57014',
    });
    await expect(
      database.runAs(as(ada), { text: 'select pg_sleep(30)', values: [] }, { timeoutMs: 50 }),
    ).rejects.toMatchObject({ sqlstate: '57014' });
  });

  test('a client that hangs up cancels its statement in Postgres', async () => {
    const hangUp = new AbortController();
    const call = database.runAs(as(ada), { text: 'select pg_sleep(31)', values: [] }, { signal: hangUp.signal });
    await untilActive('pg_sleep(31)', 1);
    hangUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'KB499' });
    await untilActive('pg_sleep(31)', 0);
    expect((await database.runAs(as(ada), { text: 'select 1', values: [] })).rows).toHaveLength(1);
  });

  test('one that hangs up while it waits never reaches Postgres', async () => {
    const one = await open({ poolSize: 1 });
    const gate = new AbortController();
    const slow = one.runAs(as(ada), { text: 'select pg_sleep(32)', values: [] }, { signal: gate.signal });
    await untilActive('pg_sleep(32)', 1);
    const hangUp = new AbortController();
    const waiting = one.runAs(
      service,
      { text: "insert into notes values (30, $1, 'w')", values: [ada] },
      { signal: hangUp.signal },
    );
    hangUp.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'KB499' });
    gate.abort();
    await expect(slow).rejects.toMatchObject({ code: 'KB499' });
    expect((await one.runAs(service, { text: 'select 1 from notes where id = 30', values: [] })).rows).toEqual([]);
    await one.close();
  });

  test('transactions are cancelled too', async () => {
    const hangUp = new AbortController();
    const call = database.transactAs(as(ada), (tx) => tx.run({ text: 'select pg_sleep(33)', values: [] }), {
      signal: hangUp.signal,
    });
    await untilActive('pg_sleep(33)', 1);
    hangUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'KB499' });
    await untilActive('pg_sleep(33)', 0);
  });
});

test('a database behind a network that swallows everything is given up', async () => {
  const socket = connectionOptions(fresh.url).host ?? '';
  let swallow = false;
  const proxy = createServer((from) => {
    const to = connect(`${socket}/.s.PGSQL.5432`);
    from.on('data', (bytes) => swallow || to.write(bytes));
    to.on('data', (bytes) => swallow || from.write(bytes));
    for (const one of [from, to]) one.on('error', () => undefined);
    from.on('close', () => to.destroy());
    to.on('close', () => from.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const far = await openDatabase({
    url: `postgres://authenticator@127.0.0.1:${port}/${fresh.name}?sslmode=disable`,
    config: { ...settings, poolSize: 1 },
    log: pino({ level: 'silent' }),
  });
  const ask = { text: 'select 1 as n', values: [] };
  expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
  swallow = true;
  await expect(far.runAs(as(ada), ask, { timeoutMs: 10 })).rejects.toMatchObject({ code: 'KB503' });
  swallow = false;
  expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
  await far.close();
  proxy.close();
});

describe('prepared statements', () => {
  test('outlive a schema change unseen by the caller', async () => {
    const one = await open({ poolSize: 1 });
    await admin.query(
      'create table shapes (a int); grant select on shapes to authenticated; insert into shapes values (1)',
    );
    const ask = { text: 'select * from shapes', values: [] };
    for (let index = 0; index < 3; index++) expect(await one.objectsAs(as(ada), ask)).toEqual([{ a: 1 }]);
    await admin.query('alter table shapes add column b text');
    expect(await one.objectsAs(as(ada), ask)).toEqual([{ a: 1, b: null }]);
    expect(await one.objectsAs(as(ada), ask, { readOnly: true })).toEqual([{ a: 1, b: null }]);
    await admin.query('alter table shapes drop column a');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => one.objectsAs(as(ada), ask, { readOnly: true })),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, () => [{ b: null }]));
    await one.close();
  });

  test('forgotten by the server, are prepared again', async () => {
    const one = await open({ poolSize: 1 });
    const ask = { text: 'select 42 as answer', values: [] };
    await one.runAs(as(ada), ask);
    await one.runAs(as(ada), { text: 'deallocate all', values: [] });
    expect(await one.objectsAs(as(ada), ask)).toEqual([{ answer: 42 }]);
    await one.close();
  });

  test('are few however many texts come by', async () => {
    const one = await open({ poolSize: 1, queueLimit: 5000 });
    await Promise.all(
      Array.from({ length: 700 }, (_, n) => one.runAs(as(ada), { text: `select ${n} as n`, values: [] })),
    );
    const [row] = await one.objectsAs<{ n: number }>(as(ada), {
      text: 'select count(*)::int as n from pg_prepared_statements',
      values: [],
    });
    expect(row?.n).toBeGreaterThan(50);
    expect(row?.n).toBeLessThanOrEqual(256);
    await one.close();
  });

  test('can be turned off', async () => {
    const one = await open({ poolSize: 1, preparedStatements: false });
    for (let index = 0; index < 3; index++) await one.runAs(as(ada), { text: 'select 1', values: [] });
    expect(
      await one.objectsAs(as(ada), { text: 'select count(*)::int as n from pg_prepared_statements', values: [] }),
    ).toEqual([{ n: 0 }]);
    await one.close();
  });
});

describe('the queue', () => {
  test('is bounded: what does not fit is told to come back', async () => {
    const small = await open({ poolSize: 1, queueLimit: 2 });
    const gate = new AbortController();
    const slow = small.runAs(as(ada), { text: 'select pg_sleep(34)', values: [] }, { signal: gate.signal });
    await untilActive('pg_sleep(34)', 1);
    const calls = Array.from({ length: 20 }, () => small.runAs(as(ada), { text: 'select 1', values: [] }));
    const settled = Promise.allSettled(calls);
    gate.abort();
    await expect(slow).rejects.toMatchObject({ code: 'KB499' });
    const outcomes = await settled;
    const refused = outcomes.filter((one) => one.status === 'rejected').map((one) => one.reason as CatalogError);
    expect(outcomes.length - refused.length).toBe(3);
    for (const error of refused)
      expect(error).toMatchObject({ code: 'KB503', status: 503, headers: { 'Retry-After': '1' } });
    expect(small.stats().waiting).toBe(0);
    await small.close();
  });
});

describe('the house roles', () => {
  test('each room reaches its own and no more', async () => {
    const identity = { role: 'kanbase_identity', claims: '{}' };
    await expect(
      database.runAs(identity, { text: 'select count(*) from auth.users', values: [] }),
    ).resolves.toBeDefined();
    await expect(
      database.runAs(identity, { text: 'select count(*) from public.tasks', values: [] }),
    ).rejects.toMatchObject({ sqlstate: '42501' });
    await expect(
      database.runAs(as(ada), { text: 'select count(*) from auth.users', values: [] }),
    ).rejects.toMatchObject({ sqlstate: '42501' });
  });

  test('the login itself has no rights of theirs', async () => {
    const login = new pg.Client(connectionOptions(fresh.url));
    await login.connect();
    await expect(login.query('select * from notes')).rejects.toMatchObject({ code: '42501' });
    await login.end();
  });
});

test('listeners hear what is said, all of them, until they leave', async () => {
  const heard: string[] = [];
  let both: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    both = resolve;
  });
  const leave = await database.listen('Odd "channel"', (payload) => {
    heard.push(payload);
    if (heard.length === 2) both();
  });
  const other = await database.listen('Odd "channel"', (payload) => {
    heard.push(`also ${payload}`);
    if (heard.length === 2) both();
  });
  await admin.query(`select pg_notify('Odd "channel"', 'hello')`);
  await done;
  expect(heard.sort()).toEqual(['also hello', 'hello']);
  await leave();
  await other();
});

test('knows its version', () => {
  expect(database.serverVersion).toBeGreaterThanOrEqual(150_000);
  expect(inject('cluster').url).toContain('authenticator');
});

async function untilActive(text: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()",
      [`%${text}%`],
    );
    if (rows[0]?.n === count) return;
  }
}
