// Large answers do not pile up in the server: it runs as a process of its own here, and its memory is watched from
// outside while 100,000 rows go by.

import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';

const ROWS = 100_000;
const place = scratch('streaming');
/** Where the server keeps what passes. */
const passing = scratch('passing');
let server: Served;

const database = forSuite(freshDatabase, (database) => database.drop());
beforeAll(async () => {
  const owner = new pg.Client(connectionOptions(database.directUrl));
  await owner.connect();
  await owner.query(`
    create table public.long_list (id int primary key, word text not null, made_at timestamptz not null default '2024-01-01');
    insert into public.long_list select i, 'row number ' || i || repeat('.', 120) from generate_series(1, ${ROWS}) i;
    grant select, insert, update on public.long_list to anon;
    create function public.long_answer() returns setof public.long_list language sql stable as 'select * from public.long_list';
    grant execute on function public.long_answer() to anon;
    create function public.refuse_far() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '23514', message = 'too far'; end $$;
    create table public.parcels (id int primary key, word text, note text);
    grant select, insert, update on public.parcels to anon;
    create constraint trigger not_far after insert on public.parcels deferrable initially deferred
      for each row when (new.id >= 900000) execute function public.refuse_far()`);
  await owner.query('analyze public.long_list');
  await owner.end();
  server = await startKanbase([], {
    env: {
      DATA_DIR: place.path,
      TMPDIR: passing.path,
      DATA_MAX_ROWS: '0',
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: database.directUrl,
      DB_ANON_TIMEOUT_MS: '60000',
    },
  });
});
afterAll(async () => {
  await server?.stop();
  place.remove();
  passing.remove();
});

const keys = (): Record<string, string> => ({ apikey: server.anonKey, authorization: `Bearer ${server.anonKey}` });

/** Reads an answer to its end and keeps nothing of it. */
async function read(path: string, headers: Record<string, string> = {}, more: RequestInit = {}) {
  const response = await fetch(`${server.url}/rest/v1${path}`, { ...more, headers: { ...keys(), ...headers } });
  const seen = {
    status: response.status,
    range: response.headers.get('content-range'),
    bytes: 0,
    start: '',
    end: '',
    lines: 0,
  };
  for await (const chunk of response.body ?? []) {
    const text = Buffer.from(chunk).toString('latin1');
    seen.bytes += chunk.byteLength;
    seen.start = `${seen.start}${text}`.slice(0, 8);
    seen.end = `${seen.end}${text}`.slice(-8);
    seen.lines += text.split('row number').length - 1;
  }
  return seen;
}

function watchMemory(): { stop(): number } {
  const now = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const start = now();
  let peak = start;
  const timer = setInterval(() => {
    peak = Math.max(peak, now());
  }, 10);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.max(peak, now()) - start;
    },
  };
}

/** Memory is read from /proc. */
const where = test.runIf(process.platform === 'linux');

where('100,000 rows, several times over, and the server grows by less than 30 MB', async () => {
  // Warm: code compiled, pool open, the buffers of ordinary answers in place.
  for (let round = 0; round < 30; round += 1) await read('/long_list?limit=1000');
  const memory = watchMemory();
  for (const path of ['/long_list?order=id', '/long_list', '/rpc/long_answer'])
    for (let round = 0; round < 2; round += 1) {
      const seen = await read(path);
      expect(seen).toMatchObject({ status: 200, range: `0-${ROWS - 1}/*`, end: expect.stringMatching(/\}\]$/) });
      // Splitting at chunks may miss a few.
      expect(seen.lines).toBeGreaterThan(ROWS - 2000);
      expect(seen.bytes).toBeGreaterThan(15_000_000);
    }
  expect(memory.stop()).toBeLessThan(30);
});

where('so does a write that answers all it changed', async () => {
  const all = { method: 'PATCH', body: '{"made_at":"2025-01-01"}' };
  const headers = { prefer: 'return=representation', 'content-type': 'application/json' };
  for (let round = 0; round < 30; round += 1)
    await read('/long_list?id=lt.1000', headers, { ...all, body: '{"word":"row number x"}' });
  const memory = watchMemory();
  for (let round = 0; round < 2; round += 1) {
    const seen = await read('/long_list?id=gt.0', headers, all);
    expect(seen).toMatchObject({
      status: 200,
      range: `0-${ROWS - 1}/*`,
      start: expect.stringMatching(/^\[\{"id"/),
      end: '00:00"}]',
    });
    expect(seen.lines).toBeGreaterThan(ROWS - 2000);
  }
  expect(memory.stop()).toBeLessThan(30);
});

test('a long answer to a write comes when all is done, or not at all', async () => {
  const headers = { prefer: 'return=representation', 'content-type': 'application/json' };
  const word = 'x'.repeat(5_000);
  const rows = (from: number, count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => ({ id: from + index, word })));
  const post = (path: string, body: string, prefer = '') =>
    fetch(`${server.url}/rest/v1${path}`, {
      method: 'POST',
      headers: { ...keys(), ...headers, prefer: `return=representation,${prefer}` },
      body,
    });
  const made = await post('/parcels?select=id,word', rows(200_001, 1000));
  expect([made.status, made.headers.get('content-range'), made.headers.get('content-type')]).toEqual([
    201,
    '*/*',
    'application/json; charset=utf-8',
  ]);
  const text = await made.text();
  expect(Buffer.byteLength(text)).toBe(Number(made.headers.get('content-length')));
  expect(JSON.parse(text)).toEqual(JSON.parse(rows(200_001, 1000)));
  const merged = await post('/parcels?select=id', rows(200_501, 1000), 'resolution=merge-duplicates');
  expect(merged.status).toBe(201);
  expect((await merged.json()) as unknown[]).toHaveLength(1000);
  const again = await post('/parcels?select=id,word', rows(200_501, 1000), 'resolution=merge-duplicates');
  expect(again.status).toBe(200);
  expect((await again.json()) as unknown[]).toHaveLength(1000);
  // Such an answer waits in a file that nobody else can find.
  expect(readdirSync(passing.path)).toEqual([]);
  // Deferred: only the end of the transaction finds it.
  const refused = await post('/parcels?select=id,word', rows(900_000, 1000));
  expect([refused.status, (await refused.json()) as unknown]).toEqual([
    400,
    { code: '23514', message: 'too far', details: null, hint: null },
  ]);
  expect(await (await fetch(`${server.url}/rest/v1/parcels?id=gte.900000`, { headers: keys() })).json()).toEqual([]);
  const limited = await fetch(`${server.url}/rest/v1/parcels?id=gt.200000`, {
    method: 'PATCH',
    headers: { ...keys(), ...headers, prefer: 'return=representation,handling=strict,max-affected=10' },
    body: '{"note":"x"}',
  });
  expect([limited.status, ((await limited.json()) as { code: string }).code]).toEqual([400, 'PGRST124']);
});

test('forms, counts and single objects of long answers are right too', async () => {
  const exact = await read('/long_list?select=id', { prefer: 'count=exact' });
  expect(exact).toMatchObject({ status: 200, range: `0-${ROWS - 1}/${ROWS}` });
  const csv = await read('/long_list?select=id,word', { accept: 'text/csv' });
  expect(csv).toMatchObject({ status: 200, start: 'id,word\n' });
  const one = await fetch(`${server.url}/rest/v1/long_list`, {
    headers: { ...keys(), accept: 'application/vnd.pgrst.object+json' },
  });
  expect(one.status).toBe(406);
  expect(await one.json()).toMatchObject({ code: 'PGRST116', details: `The result contains ${ROWS} rows` });
  const whole = (await (
    await fetch(`${server.url}/rest/v1/long_list?select=id&order=id`, { headers: keys() })
  ).json()) as { id: number }[];
  expect(whole).toHaveLength(ROWS);
  expect(whole[ROWS - 1]).toEqual({ id: ROWS });
});

test('clients that go away in the middle free what they held', async () => {
  for (let round = 0; round < 15; round += 1) {
    const stop = new AbortController();
    const response = await fetch(`${server.url}/rest/v1/long_list?order=id`, { headers: keys(), signal: stop.signal });
    await response.body?.getReader().read();
    stop.abort();
  }
  for (let round = 0; round < 12; round += 1) expect((await read('/long_list?limit=1')).status).toBe(200);
});
