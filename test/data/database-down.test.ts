// Lost or busy database: PostgREST's codes, for which clients know how to wait.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { answerRequest } from '../../server/data/answer-request.ts';
import type { Door } from '../../server/data/door.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { type Cluster, startCluster } from '../../server/database/start-cluster.ts';
import { openServices } from '../../server/open-services.ts';

const log = pino({ level: 'silent' });
/** `get_lock` waits for as long as somebody else holds it. */
const TABLES = `
  create role anon nologin;
  grant anon to authenticator;
  create table beacons (id int primary key);
  insert into beacons values (1);
  create function get_lock() returns void language sql volatile as 'select pg_advisory_xact_lock(7)';
  create function never_end() returns void language sql volatile as 'select pg_sleep(3600)';
  grant select on beacons to anon;`;

let dataDir: string;
let cluster: Cluster;
let close: () => Promise<void> = async () => undefined;
let ask: (
  method: string,
  path: string,
) => Promise<[status: number, error: Record<string, unknown>, response: Response]>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kanbase-away-'));
  cluster = await startCluster({ dataDir, log });
  await asOwner(async (owner) => {
    await owner.query('create schema data_door; grant usage on schema data_door to public');
    await owner.query(readFileSync(new URL('../../sql/rules/data/answer-limits.sql', import.meta.url), 'utf8'));
    await owner.query(TABLES);
  });
  const { config } = readConfig({
    env: { DATA_DIR: dataDir, DB_POOL_SIZE: '1', DB_QUEUE_LIMIT: '2', DB_ANON_TIMEOUT_MS: '0', DATA_ANONYMOUS: 'true' },
  });
  const opened = await openServices(config, cluster, log);
  close = opened.close;
  const address = await opened.app.listen({ port: 0, host: '127.0.0.1' });
  ask = async (method, path) => {
    const response = await fetch(`${address}/rest/v1${path}`, { method });
    return [response.status, (await response.json().catch(() => ({}))) as Record<string, unknown>, response];
  };
});
afterAll(async () => {
  await close();
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function asOwner<T>(work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client(connectionOptions(cluster.directUrl));
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

test('more requests than can wait: those that are too many are turned away at once', async () => {
  // What the server reads at its start takes places, too.
  await expect.poll(async () => (await ask('GET', '/beacons'))[0]).toBe(200);
  await asOwner(async (owner) => {
    await owner.query('select pg_advisory_lock(7)');
    const answers = Array.from({ length: 12 }, () => ask('POST', '/rpc/get_lock'));
    const [status, error, response] = await Promise.race(answers);
    expect([status, error]).toEqual([
      503,
      {
        code: 'KBD07',
        message: 'Too many requests are waiting for the database.',
        details: expect.stringMatching(/requests are waiting/),
        hint: expect.any(String),
      },
    ]);
    expect(response.headers.get('proxy-status')).toBe('PostgREST; error=KBD07');
    expect(response.headers.get('retry-after')).toBe('1');
    await owner.query('select pg_advisory_unlock(7)');
    const statuses = (await Promise.all(answers)).map(([one]) => one);
    expect(new Set(statuses)).toEqual(new Set([204, 503]));
  });
});

test('a database that stops: 503 for what was under way and for what comes after', async () => {
  const underWay = ask('POST', '/rpc/never_end');
  const busy = "select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'";
  await asOwner(async (owner) => {
    await expect.poll(async () => (await owner.query<{ n: number }>(busy)).rows[0]?.n).toBe(1);
  });
  await cluster.stop();
  const [status, error] = await underWay;
  expect([status, error]).toEqual([
    503,
    {
      code: 'PGRST001',
      message: 'Database client error. Retrying the connection.',
      details: 'The database went away before it answered',
      hint: expect.stringContaining('may or may not have taken effect'),
    },
  ]);
  const gone = {
    code: 'PGRST000',
    message: 'Database connection error. Retrying the connection.',
    details: 'The database is not reachable at the moment',
    hint: 'Try again in a moment.',
  };
  expect((await ask('GET', '/beacons')).slice(0, 2)).toEqual([503, gone]);
  expect((await ask('GET', '/')).slice(0, 2)).toEqual([503, gone]);
  // What the catalog alone can answer still works, without hints that only the database could allow.
  expect((await ask('GET', '/beacon')).slice(0, 2)).toEqual([
    404,
    { code: 'PGRST205', message: expect.any(String), details: null, hint: null },
  ]);
  cluster = await startCluster({ dataDir, log });
  await expect.poll(async () => (await ask('GET', '/beacons'))[0]).toBe(200);
});

test('a catalog that could not be read yet: 503 as well', async () => {
  const door = {
    settings: { anonymous: false, serverTiming: false, verboseErrors: true },
    sessions: { fromHeaders: () => ({ caller: { role: 'anon', claims: '{}' }, claims: {} }) },
    catalog: { current: () => null },
  } as unknown as Door;
  const raw = { method: 'GET', path: '/beacons', query: '', headers: { apikey: 'k' } };
  const arrival = { credentials: { apikey: 'k', authorization: undefined }, readBody: () => Buffer.alloc(0) };
  const { status, headers, body } = await answerRequest(raw, arrival, door);
  expect([status, JSON.parse(String(body))]).toEqual([
    503,
    {
      code: 'PGRST002',
      message: 'Could not query the database for the schema cache. Retrying.',
      details: null,
      hint: null,
    },
  ]);
  expect(headers).toContain('Retry-After');
});
