// Bounds of a statement: time, a place in the queue, a prepared statement, a dead connection.

import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { Pool } from '../../server/database/pool.ts';
import type { Database, Result, Statement } from '../../server/database/types.ts';
import { Exchange } from '../../server/database/wire/exchange.ts';
import type { CatalogError } from '../../server/errors.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { waitersFor } from '../helpers/lock-waiters.ts';
import { ada, anon, as, type Notes, openNotes, service } from './notes.ts';

let admin: Notes['admin'];
let database: Notes['database'];
let open: Notes['open'];
const notes = forSuite(openNotes);
beforeAll(async () => {
  ({ admin, database, open } = notes);
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
    await notes.untilActive('pg_sleep(31)', 1);
    hangUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'KB499' });
    await notes.untilActive('pg_sleep(31)', 0);
    expect((await database.runAs(as(ada), { text: 'select 1', values: [] })).rows).toHaveLength(1);
  });

  test('a statement cancelled while it waits never reaches Postgres', async () => {
    const one = await open({ poolSize: 1 });
    const gate = new AbortController();
    const slow = one.runAs(as(ada), { text: 'select pg_sleep(32)', values: [] }, { signal: gate.signal });
    await notes.untilActive('pg_sleep(32)', 1);
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

  test.each([['open'], ['failed']])(
    'a transaction left %s is ended before anybody else stands in it',
    async (state) => {
      const { targets } = database;
      const pool = new Pool({
        target: targets.pool,
        size: 1,
        queueLimit: 10,
        named: true,
        preparedBytes: 100_000,
        connectionLifeMs: 0,
        callerConnections: 0,
        log: pino({ level: 'silent' }),
      });
      const run = (submit: (exchange: Exchange) => void, text: string): Promise<Result> =>
        new Promise((resolve, reject) => {
          submit(new Exchange([{ shape: null, statement: { text, values: [] } }], 0, false, resolve, reject));
        });
      await pool.start();
      const lease = await pool.lease('');
      const inside = (text: string): Promise<Result> => {
        const answer = run((exchange) => lease.submit(exchange), text);
        lease.flush();
        return answer;
      };
      await inside('begin');
      await inside('select set_config($$a.b$$, $$left$$, true)');
      if (state === 'failed') await expect(inside('select 1/0')).rejects.toMatchObject({ sqlstate: '22012' });
      pool.release(lease);
      const { rows } = await run(
        (exchange) => pool.submit(exchange),
        `select coalesce(current_setting('a.b', true), '')`,
      );
      expect(rows[0]?.[0]?.toString()).toBe('');
      await pool.close();
    },
  );

  test('transactions are cancelled too', async () => {
    const hangUp = new AbortController();
    const call = database.transactAs(as(ada), (tx) => tx.run({ text: 'select pg_sleep(33)', values: [] }), {
      signal: hangUp.signal,
    });
    await notes.untilActive('pg_sleep(33)', 1);
    hangUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'KB499' });
    await notes.untilActive('pg_sleep(33)', 0);
  });
});

/** A way to the database whose connections can be made to swallow everything without a word; those made later are sound. */
async function fragile(): Promise<{
  url: string;
  swallow(): void;
  swallowNext(): Promise<void>;
  close(): void;
}> {
  const socket = connectionOptions(notes.fresh.url).host ?? '';
  const open = new Set<{ swallows: boolean }>();
  let swallowed: (() => void) | null = null;
  const proxy = createServer({ allowHalfOpen: true }, (from) => {
    const state = { swallows: swallowed !== null };
    swallowed?.();
    swallowed = null;
    open.add(state);
    const to = connect(`${socket}/.s.PGSQL.5432`);
    from.on('data', (bytes) => state.swallows || to.write(bytes));
    to.on('data', (bytes) => state.swallows || from.write(bytes));
    from.on('end', () => state.swallows || from.end());
    for (const one of [from, to]) one.on('error', () => undefined);
    from.on('close', () => to.destroy());
    to.on('close', () => from.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `postgres://authenticator@127.0.0.1:${port}/${notes.fresh.name}?sslmode=disable`,
    swallow: () => {
      for (const state of open) state.swallows = true;
    },
    swallowNext: () =>
      new Promise((resolve) => {
        swallowed = resolve;
      }),
    close: () => void proxy.close(),
  };
}

test('a cancel that may still be on its way meets nobody else', async () => {
  const way = await fragile();
  const far = await open({ poolSize: 1 }, way.url);
  const pid = (): Promise<{ pid: number }[]> =>
    far.objectsAs(as(ada), { text: 'select pg_backend_pid() as pid', values: [] });
  const [before] = await pid();
  const hangUp = new AbortController();
  const held = { text: 'select pg_sleep(33)', values: [] };
  const call = far.runAs(as(ada), held, { signal: hangUp.signal });
  await notes.untilActive('pg_sleep(33)', 1);
  const swallowed = way.swallowNext();
  hangUp.abort();
  await expect(call).rejects.toMatchObject({ code: 'KB499' });
  await swallowed;
  // The statement ends by itself while nobody can say what has become of the request to cancel it.
  await notes.admin.query('select pg_cancel_backend($1)', [before?.pid]);
  const [after] = await pid();
  expect(after?.pid).not.toBe(before?.pid);
  await far.close();
  way.close();
});

test('a database behind a network that swallows everything is given up', async () => {
  const way = await fragile();
  const far = await open({ poolSize: 1 }, way.url);
  const ask = { text: 'select 1 as n', values: [] };
  expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
  way.swallow();
  await expect(far.runAs(as(ada), ask, { timeoutMs: 10 })).rejects.toMatchObject({ code: 'KB503' });
  expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
  await far.close();
  way.close();
});

test.each<[string, (far: Database, ask: Statement) => Promise<unknown>]>([
  ['a transaction', (far, ask) => far.transactAs(as(ada), (one) => one.run(ask), { timeoutMs: 10 })],
  [
    'the end of one',
    (far, ask) => far.transactAs(as(ada), () => far.runAs(as(ada), ask, { timeoutMs: 10 }), { timeoutMs: 10 }),
  ],
  ['a stream', (far, ask) => far.streamAs(as(ada), ask, () => undefined, { timeoutMs: 10 })],
])(
  '%s behind such a network is given up, too',
  async (_, call) => {
    const way = await fragile();
    const far = await open({ poolSize: 2 }, way.url);
    const ask = { text: 'select 1 as n', values: [] };
    expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
    way.swallow();
    await expect(call(far, ask)).rejects.toThrow();
    expect(await far.objectsAs(as(ada), ask)).toEqual([{ n: 1 }]);
    await far.close();
    way.close();
  },
  40_000,
);

test('a listener behind such a network notices it, listens again and knows that something may have been missed', async () => {
  const way = await fragile();
  const far = await open({ poolSize: 1 }, way.url);
  const heard: string[] = [];
  const again = new Promise<void>((resolve) => {
    void far.listen('tides', (payload) => heard.push(payload), resolve);
  });
  const tell = (word: string) => admin.query('select pg_notify($1, $2)', ['tides', word]);
  await expect.poll(async () => (await tell('high')) && heard.includes('high')).toBe(true);
  way.swallow();
  await tell('unheard');
  await again;
  await tell('low');
  await expect.poll(() => heard.includes('low')).toBe(true);
  expect(heard).not.toContain('unheard');
  await far.close();
  way.close();
}, 40_000);

describe('prepared statements', () => {
  test('outlive a schema change unseen by the caller', async () => {
    // Room for all that wait at once: on a busy machine none of them counts as quick.
    const one = await open({ poolSize: 1, queueLimit: 100 });
    await admin.query(
      'drop table if exists shapes; create table shapes (a int); grant select on shapes to authenticated; insert into shapes values (1)',
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

  test('are run again when a table changes while a function runs that answers its rows', async () => {
    const one = await open({ poolSize: 1 });
    await admin.query(`
      drop table if exists sails cascade; create table sails (a int); insert into sails values (1);
      create function raise_sail() returns sails language plpgsql security definer as $$
      begin
        perform pg_advisory_xact_lock(4711);
        return (select s from sails s);
      end $$;
      select pg_advisory_lock(4711)`);
    const raised = one.objectsAs(as(ada), { text: 'select * from raise_sail()', values: [] });
    await expect.poll(async () => (await admin.query(waitersFor(4711))).rowCount).toBe(1);
    await admin.query('alter table sails add column b text; select pg_advisory_unlock(4711)');
    expect(await raised).toEqual([{ a: 1, b: null }]);
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
  test('is bounded: what does not fit is asked to come back', async () => {
    const small = await open({ poolSize: 1, queueLimit: 2 });
    const gate = new AbortController();
    const slow = small.runAs(as(ada), { text: 'select pg_sleep(34)', values: [] }, { signal: gate.signal });
    await notes.untilActive('pg_sleep(34)', 1);
    const calls = Array.from({ length: 20 }, () => small.runAs(service, { text: 'select 1', values: [] }));
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
