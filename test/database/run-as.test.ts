// Contract of the database room: statements as a caller, in one implicit transaction, with each promise of `Database`.

import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { PostgresError } from '../../server/database/types.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { ada, anon, as, bob, type Notes, openNotes, service, texts } from './notes.ts';

let admin: Notes['admin'];
let database: Notes['database'];
let open: Notes['open'];
const notes = forSuite(openNotes);
beforeAll(async () => {
  ({ admin, database, open } = notes);
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

  test('settings of a caller do not stay on the connection', async () => {
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

  test("a caller's settings and read-only hold, and were set before the role took effect", async () => {
    const mine = (text: string) => ({ text, values: [] });
    const [login] = await database.objectsAs<{ name: string }>(as(ada), mine('select session_user::text as name'));
    // From here on the login may set it, and the caller may not.
    await admin.query(`grant set on parameter log_min_error_statement to "${login?.name}"`);
    await expect(
      database.runAs(as(ada), mine("select set_config('log_min_error_statement', 'panic', true)")),
    ).rejects.toMatchObject({ sqlstate: '42501' });
    const seen = await database.objectsAs(
      as(ada),
      mine(`select current_user::text as me, current_setting('transaction_read_only') as read_only,
        current_setting('request.method') as method, current_setting('log_min_error_statement') as logged`),
      {
        readOnly: true,
        settings: [
          ['request.method', 'GET'],
          ['log_min_error_statement', 'panic'],
        ],
      },
    );
    expect(seen).toEqual([{ me: 'authenticated', read_only: 'on', method: 'GET', logged: 'panic' }]);
    await admin.query(`revoke set on parameter log_min_error_statement from "${login?.name}"`);
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
    -- The first time it takes the rows backwards and meets the other; repeated, it takes them in order and cannot.
    create function both_backwards() returns void language plpgsql security definer as $$
    declare first int := case nextval('tries') when 1 then 2 else 1 end;
    begin
      update pair set n = n + 1 where id = first;
      while first = 2 and not exists (select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()) loop
        perform pg_sleep(0.05);
      end loop;
      update pair set n = n + 1 where id = 3 - first;
    end $$;
    grant execute on function both_backwards(), never_look() to service_role`);
  let other: Promise<unknown> = Promise.resolve();
  await database.transactAs(service, async (tx) => {
    await tx.run({ text: 'select never_look()', values: [] });
    await tx.run({ text: 'update pair set n = n + 10 where id = 1', values: [] });
    other = database.runAs(service, { text: 'select both_backwards()', values: [] });
    // Awaited below: should it fail before that, this is where it is heard of.
    other.catch(() => undefined);
    await notes.untilActive('both_backwards', 1);
    const asleep = "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
    while ((await admin.query(asleep)).rows.length === 0);
    await tx.run({ text: 'update pair set n = n + 10 where id = 2', values: [] });
  });
  await other;
  expect((await admin.query('select n from pair order by id')).rows).toEqual([{ n: 11 }, { n: 11 }]);
  expect((await admin.query('select last_value::int as tries from tries')).rows).toEqual([{ tries: 2 }]);
});

describe('the roles of our own services', () => {
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
    const login = new pg.Client(connectionOptions(notes.fresh.url));
    await login.connect();
    await expect(login.query('select * from notes')).rejects.toMatchObject({ code: '42501' });
    await login.end();
  });
});

test('all listeners get every notification, until they leave', async () => {
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
