// Two processes on one database, one of them killed: the other notices the lost presence and takes over its clients, who learn from when on nothing
// is missed and refetch the time between.

import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { balance } from '../../bench/upgrade/balance.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { type ChangeEvent, follow, hangUp, openRaw, project, type Row } from './subscribe.ts';

const directories = [scratch('node'), scratch('node')];
let owner: pg.Client;
let first: Served;
let second: Served;

const start = ({ path }: { path: string }): Promise<Served> =>
  startKanbase(['--data-dir', path], {
    env: {
      DATABASE_URL: database.url,
      DATABASE_DIRECT_URL: database.directUrl,
      JWT_SECRET: 'the-same-on-both-nodes-0123456789abcdef',
      AUTH_LIMIT_SIGN_IN: '6',
      AUTH_LIMIT_FAILURES: '0',
      TRUST_PROXY: 'loopback',
    },
  });

const database = forSuite(freshDatabase, (database) => database.drop());
beforeAll(async () => {
  owner = new pg.Client(connectionOptions(database.directUrl));
  await owner.connect();
  [first, second] = (await Promise.all(directories.map(start))) as [Served, Served];
});
afterAll(async () => {
  await owner?.end();
  await Promise.all([first?.stop(), second?.stop()]);
  for (const directory of directories) directory.remove();
});

test('guesses are counted on both together, whoever signs out on one is out on the other, and both know a table that came since', async () => {
  const ask = ({ url }: Served, path: string, token = first.anonKey, body?: object, from = '203.0.113.9') =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        apikey: first.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-forwarded-for': from,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const wrong = { email: 'nobody@nodes.test', password: 'not the one' };
  const statuses: number[] = [];
  for (let times = 0; times < 10; times++)
    statuses.push(
      (await ask(times % 2 === 0 ? first : second, '/auth/v1/token?grant_type=password', undefined, wrong)).status,
    );
  expect(statuses).toEqual([...Array(6).fill(400), ...Array(4).fill(429)]);

  const eve = createClient(first.url, first.anonKey, {
    auth: { persistSession: false },
    realtime: { transport: WebSocket as never },
  });
  const { data, error } = await eve.auth.signUp({ email: 'eve@nodes.test', password: 'correct horse battery' });
  if (error !== null) throw error;
  const token = data.session?.access_token ?? '';
  for (const node of [first, second]) expect((await ask(node, '/auth/v1/user', token)).status).toBe(200);
  await eve.auth.signOut();
  for (const node of [first, second])
    await expect.poll(async () => (await ask(node, '/auth/v1/user', token)).status).toBe(401);

  await owner.query(`create table public.crates (name text); alter table public.crates enable row level security;
    create policy read on public.crates for select using (true); grant select on public.crates to anon;
    insert into public.crates values ('tea')`);
  for (const node of [first, second])
    await expect.poll(async () => await (await ask(node, '/rest/v1/crates')).text()).toBe('[{"name":"tea"}]');
});

test('a follower on a killed node follows on the other, and is told when to read the rows written meanwhile', async () => {
  const front = await balance();
  const client = (url: string) =>
    createClient(url, first.anonKey, {
      auth: { persistSession: false },
      realtime: { transport: WebSocket as never, heartbeatIntervalMs: 1000 },
    });
  const [stays, moves] = [client(first.url), client(front.url)];
  front.nodes.splice(0, 1, second.url);
  const account = { email: 'ada@nodes.test', password: 'correct horse battery' };
  const { error } = await stays.auth.signUp(account);
  if (error !== null) throw error;
  await moves.auth.signInWithPassword(account);
  const { id, column } = await project({ client: stays });
  const binding = [{ table: 'tasks', filter: `project_id=eq.${id}` }];
  const [here, there] = [await follow(stays, binding), await follow(moves, binding)];
  const add = (title: string) =>
    owner.query('insert into public.tasks (project_id, column_id, title) values ($1, $2, $3)', [id, column, title]);
  const titled = (title: string) => (event: ChangeEvent) => (event.new as Row).title === title;
  await add('Before');
  for (const { events } of [here, there]) await events.first(titled('Before'), 'Before');

  front.nodes.splice(0, 1, first.url);
  const killed = second.stop('SIGKILL');
  await add('Meanwhile');
  await killed;
  await add('And more');
  // Whoever is on the other node misses nothing.
  for (const title of ['Meanwhile', 'And more']) await here.events.first(titled(title), title);
  // Who was on the killed one is told when to read, and from then on gets everything.
  await there.system.until(
    () => (there.system.list.filter(({ status }) => status === 'ok').length >= 2 ? true : undefined),
    'following again',
  );
  const read = await moves.from('tasks').select('title').eq('project_id', id).order('number');
  expect(read.data).toEqual([{ title: 'Before' }, { title: 'Meanwhile' }, { title: 'And more' }]);
  await add('After');
  for (const { events } of [here, there]) await events.first(titled('After'), 'After');
  expect(there.events.list.filter(titled('After'))).toHaveLength(1);
  await hangUp(stays, moves);
  front.close();
  second = await start(directories[1] as (typeof directories)[number]);
});

test('a node that is killed is forgotten by the other, with all who were present there, and leaves no slot', async () => {
  const open = (node: Served) => openRaw({ url: node.url, anonKey: node.anonKey });
  const [here, there] = [await open(first), await open(second)];
  for (const [socket, key] of [
    [here, 'here'],
    [there, 'there'],
  ] as const) {
    socket.send('1', '1', 'realtime:hall', 'phx_join', {
      config: { presence: { key, enabled: true }, broadcast: { replication_ready: true } },
    });
    await socket.reply('1');
    await socket.frames.first((one) => one[3] === 'system');
    socket.send('1', '2', 'realtime:hall', 'presence', { event: 'track', payload: {} });
    await socket.reply('2');
  }
  const slots = async (): Promise<number> =>
    (await owner.query('select from pg_replication_slots where database = current_database()')).rows.length;
  expect(await slots()).toBe(2);
  await here.frames.first((one) => one[3] === 'presence_diff' && 'there' in (one[4].joins as object));
  await second.stop('SIGKILL');
  expect((await there.closed).code).toBe(1006);
  const left = await here.frames.until(
    () => here.frames.list.find((one) => one[3] === 'presence_diff' && 'there' in (one[4].leaves as object)),
    'the leave',
  );
  expect(left[4].joins).toEqual({});
  await expect.poll(slots).toBe(1);
  here.close();
});
