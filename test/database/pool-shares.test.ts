// Shares of the pool and bounds of a connection: nobody keeps others from being served, and Postgres' memory for a connection is bounded.
// Locks hold the running statements, so nothing here depends on time.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { openDatabase } from '../../server/database/open-database.ts';
import type { Caller, Database, Statement } from '../../server/database/types.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { waitersFor } from '../helpers/lock-waiters.ts';

const LOCK = 4711;
const held: Statement = { text: `select pg_advisory_xact_lock_shared(${LOCK}), 'held'`, values: [] };
const person = (id: string): Caller => ({
  role: 'authenticated',
  claims: JSON.stringify({ sub: id, role: 'authenticated', nonce: randomUUID() }),
});

let admin: pg.Client;
let database: Database | null = null;

async function open(env: Record<string, string>): Promise<Database> {
  database = await openDatabase({
    url: fresh.url,
    directUrl: fresh.directUrl,
    config: readConfig({ env: { DB_AUTHENTICATED_TIMEOUT_MS: '60000', ...env } }).config.database,
    log: pino({ level: 'silent' }),
  });
  return database;
}

async function waitingForTheLock(): Promise<number> {
  return (await admin.query(waitersFor(LOCK))).rows.length;
}

const valueFor = async (db: Database, caller: Caller, text: string): Promise<string | undefined> =>
  (await db.runAs(caller, { text, values: [] }, { readOnly: true })).rows[0]?.[0]?.toString();

/** How long a statement takes is learned from running it; one slow time among many does not count. */
async function seenOften(run: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < 30; time++) await run();
}

const fresh = forSuite(freshDatabase, (fresh) => fresh.drop());
beforeAll(async () => {
  admin = new pg.Client(connectionOptions(fresh.adminUrl));
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
});
afterEach(async () => {
  await admin.query('select pg_advisory_unlock_all()');
  await database?.close();
  database = null;
});

describe('one caller and the others', () => {
  beforeEach(async () => {
    await admin.query(`select pg_advisory_lock(${LOCK})`);
  });

  test('slow statements of one person leave connections to others', async () => {
    const db = await open({ DB_POOL_SIZE: '4' });
    const ada = randomUUID();
    const hers = Array.from({ length: 12 }, () => db.runAs(person(ada), held, { readOnly: true }));
    await expect.poll(waitingForTheLock).toBe(2);
    // What she asks for waits; what somebody else asks for, and the rooms themselves, does not.
    expect(await valueFor(db, person(randomUUID()), `select 'served'`)).toBe('served');
    expect(await valueFor(db, { role: 'service_role', claims: '{}' }, `select 'served'`)).toBe('served');
    expect(await waitingForTheLock()).toBe(2);
    await admin.query('select pg_advisory_unlock_all()');
    expect((await Promise.all(hers)).length).toBe(12);
  });

  test('transactions count against the share as well', async () => {
    const db = await open({ DB_POOL_SIZE: '4', DB_CALLER_CONNECTIONS: '1' });
    const ada = randomUUID();
    const hers = Array.from({ length: 3 }, () => db.transactAs(person(ada), (tx) => tx.run(held)));
    await expect.poll(waitingForTheLock).toBe(1);
    expect(await valueFor(db, person(randomUUID()), `select 'served'`)).toBe('served');
    expect(await waitingForTheLock()).toBe(1);
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all(hers);
  });

  test('writes known to be quick that wait for a lock leave a connection as well', async () => {
    const db = await open({ DB_POOL_SIZE: '4' });
    const ada = randomUUID();
    await admin.query('select pg_advisory_unlock_all()');
    await seenOften(() => db.runAs(person(ada), held));
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const hers = Array.from({ length: 8 }, () => db.runAs(person(ada), held));
    await expect.poll(waitingForTheLock).toBe(3);
    expect(await valueFor(db, person(randomUUID()), `select 'served'`)).toBe('served');
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all(hers);
  });

  test('writes of many that all wait leave a connection to reads', async () => {
    const db = await open({ DB_POOL_SIZE: '4' });
    await admin.query('select pg_advisory_unlock_all()');
    await seenOften(() => Promise.all(Array.from({ length: 4 }, () => db.runAs(person(randomUUID()), held))));
    await admin.query(`select pg_advisory_lock(${LOCK})`);
    const theirs = Array.from({ length: 8 }, () => db.runAs(person(randomUUID()), held));
    const transaction = db.transactAs(person(randomUUID()), (tx) => tx.run(held));
    await expect.poll(waitingForTheLock).toBe(3);
    expect(await valueFor(db, person(randomUUID()), `select 'served'`)).toBe('served');
    expect(await waitingForTheLock()).toBe(3);
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all([...theirs, transaction]);
  });

  test('one caller fills half of the queue at most', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_QUEUE_LIMIT: '9' });
    const [ada, bob] = [person(randomUUID()), person(randomUUID())];
    const first = db.runAs(ada, held, { readOnly: true });
    await expect.poll(waitingForTheLock).toBe(1);
    const hers = Array.from({ length: 20 }, (_, nth) => valueFor(db, ada, `select 'hers ${nth}'`));
    const settled = Promise.allSettled(hers);
    const his = valueFor(db, bob, `select 'his'`);
    await admin.query('select pg_advisory_unlock_all()');
    expect(await his).toBe('his');
    await first;
    const refused = (await settled).filter((one) => one.status === 'rejected');
    expect(refused.length).toBe(15);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'KB503', kind: 'crowded' });
  });

  test('callers are served by turns', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const order: string[] = [];
    const first = db.runAs(person(randomUUID()), held, { readOnly: true });
    await expect.poll(waitingForTheLock).toBe(1);
    const ask = (who: string, caller: Caller, nth: number): Promise<void> =>
      valueFor(db, caller, `select '${who}${nth}'`).then((value) => void order.push(value ?? ''));
    const [ada, bob] = [person(randomUUID()), person(randomUUID())];
    const all = [1, 2, 3].map((nth) => ask('ada', ada, nth)).concat([1, 2].map((nth) => ask('bob', bob, nth)));
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all([first, ...all]);
    expect(order).toEqual(['ada1', 'bob1', 'ada2', 'bob2', 'ada3']);
  });

  test('statements without a person get every second turn', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const order: string[] = [];
    const first = db.runAs(person(randomUUID()), held, { readOnly: true });
    await expect.poll(waitingForTheLock).toBe(1);
    const ask = (caller: Caller, who: string): Promise<void> =>
      valueFor(db, caller, `select '${who}'`).then((value) => void order.push(value ?? ''));
    const nobody: Caller = { role: 'service_role', claims: '{}' };
    const callers = ['ada', 'bob', 'cyd'].map((who) => ask(person(randomUUID()), who));
    const nobodys = ['one', 'two'].map((who) => ask(nobody, who));
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all([first, ...callers, ...nobodys]);
    expect(order).toEqual(['one', 'ada', 'two', 'bob', 'cyd']);
  });

  test('quick reads without end do not keep what is slow from its turn', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const bob = person(randomUUID());
    await seenOften(() => valueFor(db, bob, `select 'quick'`));
    let isOver = false;
    const readers = Array.from({ length: 40 }, async () => {
      while (!isOver) await valueFor(db, bob, `select 'quick'`);
    });
    expect(await valueFor(db, person(randomUUID()), `select 'never seen'`)).toBe('never seen');
    isOver = true;
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all(readers);
  });

  test('statements known to be quick go before unknown ones', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const [ada, bob] = [person(randomUUID()), person(randomUUID())];
    await seenOften(() => valueFor(db, bob, `select 'quick'`));
    const order: string[] = [];
    const first = db.runAs(ada, held, { readOnly: true });
    await expect.poll(waitingForTheLock).toBe(1);
    const others = [`select 'never seen'`, `select 'quick'`].map((text) =>
      valueFor(db, bob, text).then((value) => void order.push(value ?? '')),
    );
    await admin.query('select pg_advisory_unlock_all()');
    await Promise.all([first, ...others]);
    expect(order).toEqual(['quick', 'never seen']);
  });
});

describe('a crowd', () => {
  const slow = 'select pg_sleep(0.25)';
  const begin = (db: Database, caller: Caller, text = slow): Promise<unknown> =>
    db.runAs(caller, { text, values: [] }, { readOnly: true, begins: true });

  /** Asks more than is answered, until somebody is turned away. */
  async function gather(db: Database, next: () => Caller): Promise<Promise<unknown>[]> {
    const all: Promise<unknown>[] = [];
    let isTurnedAway = false;
    await expect
      .poll(() => {
        all.push(begin(db, next()));
        all.at(-1)?.catch(() => {
          isTurnedAway = true;
        });
        return isTurnedAway;
      })
      .toBe(true);
    return all;
  }

  test('is let in as far as it is served soon, and what was begun goes on', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const all = await gather(db, () => person(randomUUID()));
    expect(await valueFor(db, person(randomUUID()), `select 'goes on'`)).toBe('goes on');
    const settled = await Promise.allSettled(all);
    const refused = settled.filter((one) => one.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'KB503', kind: 'crowded' });
    expect(refused.length).toBeLessThan(settled.length);
    await begin(db, person(randomUUID()), 'select 1');
  });

  test('of one person turns nobody else away', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    const ada = person(randomUUID());
    const all = await gather(db, () => ada);
    expect(db.stats().waiting).toBeGreaterThan(1);
    await begin(db, person(randomUUID()), 'select 1');
    await Promise.allSettled(all);
  });
});

describe('tiny reads that come at once', () => {
  const eight = Array.from({ length: 8 }, (_, nth) => String(nth));
  const read = (db: Database, caller: Caller, text: string, setting = 'same'): Promise<string | undefined> =>
    db
      .runAs(caller, { text, values: [] }, { readOnly: true, settings: [['app.said', setting]] })
      .then(({ rows }) => rows[0]?.[0]?.toString());
  const transaction = `select now()::text || ' ' || $1::text`;
  const beganFor = async (db: Database, callers: readonly Caller[]): Promise<string[]> => {
    const statement = { text: transaction, values: ['x'] };
    const answers = await Promise.all(callers.map((caller) => db.runAs(caller, statement, { readOnly: true })));
    return answers.map(({ rows }) => String(rows[0]?.[0]));
  };
  const [ada, bob] = [person(randomUUID()), person(randomUUID())];

  /** How quick a read is must be known first, and a busy machine may get it wrong for a while. */
  const untilShared = (db: Database): Promise<void> =>
    expect
      .poll(
        async () =>
          new Set(
            await beganFor(
              db,
              Array.from({ length: 8 }, () => ada),
            ),
          ).size,
        { timeout: 60_000 },
      )
      .toBe(1);

  test('reads of one caller share a transaction, reads of several do not', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    await untilShared(db);
    const turns = await beganFor(db, [ada, bob, ada, bob, ada, bob]);
    expect(new Set(turns).size).toBe(6);
  });

  test('a read that fails gets its error, and the others are answered', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    await untilShared(db);
    const text = `select now()::text || $1::int::text`;
    const ask = (value: string): Promise<string> =>
      db.runAs(ada, { text, values: [value] }, { readOnly: true }).then(({ rows }) => String(rows[0]?.[0]));
    await expect
      .poll(async () => new Set(await Promise.all(eight.map(() => ask('7')))).size, { timeout: 60_000 })
      .toBe(1);
    const answers = await Promise.allSettled(eight.map((nth) => ask(nth === '3' ? 'three' : nth)));
    for (const [nth, answer] of answers.entries())
      if (nth === 3) expect(answer).toMatchObject({ status: 'rejected', reason: { sqlstate: '22P02' } });
      else expect(answer).toMatchObject({ status: 'fulfilled', value: expect.stringMatching(new RegExp(`${nth}$`)) });
  });

  test('each sees what was set for it, and nothing that another caller left behind', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    await untilShared(db);
    const said = `select current_setting('app.said')`;
    const left = `select set_config('app.left', 'by ada', true)`;
    const found = `select coalesce(current_setting('app.left', true), '')`;
    for (let time = 0; time < 20; time++) {
      expect(await Promise.all(eight.map((nth) => read(db, ada, said, nth)))).toEqual(eight);
      const pairs = [ada, bob, ada, bob].map((caller) => read(db, caller, caller === ada ? left : found));
      expect(await Promise.all(pairs)).toEqual(['by ada', '', 'by ada', '']);
    }
  });

  test('anonymous reads share no transaction, and neither do reads that must run alone', async () => {
    const db = await open({ DB_POOL_SIZE: '1' });
    await untilShared(db);
    const signedOut: Caller = { role: 'anon', claims: JSON.stringify({ role: 'anon' }) };
    await seenOften(() => beganFor(db, [signedOut]));
    expect(new Set(await beganFor(db, Array(6).fill(signedOut))).size).toBe(6);
    const began = (alone: boolean): Promise<string> =>
      db
        .runAs(ada, { text: transaction, values: ['x'] }, { readOnly: true, alone })
        .then(({ rows }) => String(rows[0]?.[0]));
    const turns = await Promise.all([false, true, false, true].map(began));
    expect(new Set(turns).size).toBe(4);
  });
});

test('the time limit of a caller is for all pages of a stream together', async () => {
  const db = await open({ DB_POOL_SIZE: '1', DB_AUTHENTICATED_TIMEOUT_MS: '700' });
  // No page takes long, and there is no end of them.
  const endless = { text: `select repeat('x', 6000), pg_sleep(0.001) from generate_series(1, 100000)`, values: [] };
  let rows = 0;
  const stream = db.streamAs(person(randomUUID()), endless, () => void rows++, { readOnly: true });
  await expect(stream).rejects.toMatchObject({ sqlstate: '57014' });
  expect(rows).toBeGreaterThan(0);
  expect(await valueFor(db, person(randomUUID()), `select 'served'`)).toBe('served');
});

describe('prepared statements of a connection', () => {
  const prepared = `select coalesce(sum(length(statement)), 0)::text from pg_prepared_statements`;
  const long = (nth: number, length: number): string => `select ${nth} /* ${'-'.repeat(length)} */`;
  const ada = person(randomUUID());

  test('named statements have a budget in bytes', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_PREPARED_BYTES: '65536' });
    for (let nth = 0; nth < 40; nth++) await valueFor(db, ada, long(nth, 4000));
    const kept = Number(await valueFor(db, ada, prepared));
    expect(kept).toBeLessThanOrEqual(65_536);
    expect(kept).toBeGreaterThan(30_000);
  });

  test('a request that is refused at the door makes room all the same', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_PREPARED_BYTES: '65536' });
    for (let nth = 0; nth < 80; nth += 2) {
      await valueFor(db, ada, long(nth, 4000));
      await expect(valueFor(db, { ...ada, role: 'nobody' }, long(nth + 1, 4000))).rejects.toThrow('nobody');
    }
    expect(Number(await valueFor(db, ada, prepared))).toBeLessThanOrEqual(65_536);
  });

  test('a statement longer than an eighth of it has no name', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_PREPARED_BYTES: '65536' });
    const longest = `select coalesce(max(length(statement)), 0)::text from pg_prepared_statements`;
    for (const length of [7000, 9000, 20_000]) await valueFor(db, ada, long(0, length));
    expect(Number(await valueFor(db, ada, longest))).toBe(long(0, 7000).length);
  });

  test('a connection that prepared a multiple of its budget is replaced', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_PREPARED_BYTES: '16384' });
    const before = await valueFor(db, ada, 'select pg_backend_pid()');
    for (let nth = 0; nth < 200; nth++) await valueFor(db, ada, long(nth, 2000));
    expect(await valueFor(db, ada, 'select pg_backend_pid()')).not.toBe(before);
  });

  test('a connection has a life', async () => {
    const db = await open({ DB_POOL_SIZE: '1', DB_CONNECTION_LIFE_MS: '1' });
    const before = await valueFor(db, ada, 'select pg_backend_pid()');
    await vi.waitFor(async () => expect(await valueFor(db, ada, 'select pg_backend_pid()')).not.toBe(before), {
      timeout: 60_000,
    });
  });
});
