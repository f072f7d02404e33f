// WORKERS=3: several processes on one port share limits, ended sessions, changes and new tables; a killed one is replaced while the others continue.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { socketUrl } from '../../server/database/connection-url.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { Events, follow, project, subscribe } from '../realtime/subscribe.ts';

const place = scratch('workers');
const dataDir = join(place.path, 'data');
let served: Served;
beforeAll(async () => {
  const env = {
    WORKERS: '3',
    METRICS_ADDRESSES: 'loopback',
    TRUST_PROXY: 'loopback',
    AUTH_LIMIT_SIGN_IN: '5',
    AUTH_LIMIT_FAILURES: '0',
    LOG_LEVEL: 'debug',
  };
  await putReadyCluster(dataDir);
  served = await startKanbase(['--data-dir', dataDir], { env });
});
afterAll(async () => {
  await served?.stop();
  place.remove();
});

/** By a connection of its own, so that the next process answers. */
function ask(
  path: string,
  { token, method = 'GET', body, from }: { token?: string; method?: string; body?: object; from?: string } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = {
    apikey: served.anonKey,
    authorization: `Bearer ${token ?? served.anonKey}`,
    'content-type': 'application/json',
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(
      `${served.url}${path}`,
      { method, headers, agent: new Agent({ keepAlive: false }) },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

/** The processes that serve, which are children of the main one; its Postgres is another. */
function workers(): number[] {
  const children = readFileSync(`/proc/${served.pid}/task/${served.pid}/children`, 'utf8').trim().split(' ');
  return children.map(Number).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js'));
}

const account = { email: 'ada@workers.test', password: 'correct horse battery' };

test('all of them answer, and /metrics tells of each', async () => {
  expect(workers()).toHaveLength(3);
  expect((await times(12, () => ask('/rest/v1/projects?select=id'))).map(({ status }) => status)).toEqual(
    Array(12).fill(200),
  );
  const { text } = await ask('/metrics');
  const counted = [...text.matchAll(/^kanbase_http_requests_total\{worker="(\w+)",route="([^"]*)",.*\} (\d+)$/gm)];
  const ofTables = counted.filter(([, , route]) => route?.startsWith('/rest/v1'));
  expect(ofTables.map(([, worker]) => worker).sort()).toEqual(['1', '2', '3']);
  expect(ofTables.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(12);
  expect(text.match(/^# TYPE kanbase_http_requests_total/gm)).toHaveLength(1);
  expect(text).toMatch(/^process_resident_memory_bytes\{worker="main"\} \d+/m);
});

test('background jobs run in the main process alone', () => {
  const started = served
    .output()
    .stderr.split('\n')
    .filter((line) => line.includes('background jobs started'))
    .map((line) => JSON.parse(line) as { pid: number; jobs: string[] });
  expect(started.map(({ pid }) => pid)).toEqual([served.pid]);
  expect(started[0]?.jobs).toEqual(expect.arrayContaining(['sweep_accounts', 'sweep_files', 'sweep_messages']));
});

test('guesses are counted together', async () => {
  const body = { email: 'nobody@workers.test', password: 'not the one' };
  const guess = () => ask('/auth/v1/token?grant_type=password', { method: 'POST', body, from: '203.0.113.7' });
  const answers = (await times(14, guess)).map(({ status }) => status).sort();
  expect(answers).toEqual([...Array(5).fill(400), ...Array(9).fill(429)]);
});

test('a change reaches everybody who follows, a broadcast, too, all see who is present, and whoever signs out is out at each of them', async () => {
  const realtime = { transport: WebSocket as never };
  const ada = createClient(served.url, served.anonKey, { auth: { persistSession: false }, realtime });
  const { data, error } = await ada.auth.signUp(account);
  if (error !== null) throw error;
  const token = data.session?.access_token ?? '';
  const { id, column } = await project({ client: ada });
  const listeners = await times(6, async (at) => {
    const own = createClient(served.url, served.anonKey, { accessToken: async () => token, realtime });
    const { channel, events } = await follow(own, [{ event: 'INSERT', table: 'tasks' }], 'workers');
    const words = new Events<string>();
    channel.on('broadcast', { event: 'word' }, ({ payload }) => words.add(payload.said));
    const hall = await subscribe(own.channel('hall').on('presence', { event: 'sync' }, () => undefined));
    await hall.track({ at });
    return { own, channel, hall, events, words };
  });
  await ada.from('tasks').insert({ project_id: id, column_id: column, title: 'Paint the crane' });
  await listeners[0]?.channel.send({ type: 'broadcast', event: 'word', payload: { said: 'ahoy' } });
  for (const { events, words } of listeners.slice(1)) {
    expect((await events.first(() => true, 'the task')).new).toMatchObject({ title: 'Paint the crane' });
    expect(await words.first(() => true, 'the broadcast')).toBe('ahoy');
  }
  // Wherever they are connected, they see each other.
  const present = ({ hall }: (typeof listeners)[number]) =>
    Object.values(hall.presenceState<{ at: number }>())
      .flatMap((states) => states.map(({ at }) => at))
      .sort();
  for (const one of listeners) await expect.poll(() => present(one), { timeout: 10_000 }).toEqual([0, 1, 2, 3, 4, 5]);
  await Promise.all(listeners.map(({ own }) => own.realtime.disconnect()));

  const user = () => ask('/auth/v1/user', { token });
  expect((await times(6, user)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  await ada.auth.signOut();
  await expect.poll(async () => (await times(6, user)).map(({ status }) => status)).toEqual(Array(6).fill(401));
});

test('a table that came since is known to each', async () => {
  const owner = new pg.Client(connectionOptions(socketUrl(join(dataDir, 'postgres'), 'kanbase', 'kanbase')));
  await owner.connect();
  await owner.query(`create table public.crates (name text); alter table public.crates enable row level security;
    create policy read on public.crates for select using (true); grant select on public.crates to anon;
    insert into public.crates values ('tea')`);
  await owner.end();
  const crates = () => ask('/rest/v1/crates');
  await expect
    .poll(async () => (await times(6, crates)).map(({ text }) => text))
    .toEqual(Array(6).fill('[{"name":"tea"}]'));
});

test('a killed worker is replaced while the others go on, and all end together', async () => {
  const before = workers();
  process.kill(before[0] ?? 0, 'SIGKILL');
  await expect.poll(() => workers().filter((pid) => !before.includes(pid)).length).toBe(1);
  await expect
    .poll(
      async () => [...(await ask('/metrics')).text.matchAll(/^process_start_time_seconds\{worker="(\w+)"\}/gm)].length,
    )
    .toBe(4);
  expect((await times(9, () => ask('/ready'))).map(({ status }) => status)).toEqual(Array(9).fill(200));
  expect(served.output().stderr).toContain('another one takes its place');
  const running = workers();
  expect(await served.stop()).toMatchObject({ code: 0 });
  for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
