// Failures of live changes: a log that breaks off, a client that sends too much, or reads too slowly.

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { Events, follow, hangUp, openRaw, project } from './subscribe.ts';

const database = forSuite(
  () => freshDatabase(),
  () => undefined,
);
let ada: TestUser;
const app = forSuite(() =>
  startApp({
    database,
    settings: {
      REALTIME_JOINS_PER_SECOND: '20',
      REALTIME_MESSAGES_PER_SECOND: '30',
      REALTIME_SEND_BUFFER_KB: '64',
      REALTIME_MAX_PAYLOAD_KB: '32',
      REALTIME_MAX_CONNECTIONS: '3',
      REALTIME_PING_SECONDS: '1',
    },
  }),
);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
});

test('a connection to the log that breaks is made anew, and subscribers hear that they may have missed something', async () => {
  const { id, column } = await project(ada);
  const { events, system } = await follow(ada.client, [{ table: 'tasks' }]);
  await app.sql(
    'select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database() and active_pid is not null',
  );
  await system.first(({ status, message }) => status === 'error' && /^ChangesMissed/.test(String(message)));
  await system.until(
    () => (system.list.filter(({ status }) => status === 'ok').length >= 2 ? true : undefined),
    'ok again',
  );
  await ada.client.from('tasks').insert({ project_id: id, column_id: column, title: 'After' });
  expect(await events.first(() => true)).toMatchObject({ new: { title: 'After' } });
  await hangUp(ada.client);
});

test('a database that is busy when it is asked for policies is asked again: nobody is told that they may not', async () => {
  const { id } = await project(ada);
  const admin = new pg.Client(connectionOptions(database.adminUrl));
  await admin.connect();
  // Who reads the policies of a table waits for this lock, and is called off as by a time limit.
  await admin.query('begin; lock table pg_catalog.pg_depend in access exclusive mode');
  const followed = follow(ada.client, [{ table: 'task_labels', filter: `project_id=eq.${id}` }]);
  followed.catch(() => undefined);
  try {
    await vi.waitFor(
      async () => {
        const { rows } = await admin.query<{ ended: boolean }>(
          `select pg_cancel_backend(pid) as ended from pg_locks l join pg_database d on d.oid = l.database
            where not l.granted and l.relation = 'pg_depend'::regclass and d.datname = current_database()`,
        );
        expect(rows).toEqual([{ ended: true }]);
      },
      { timeout: 20_000, interval: 50 },
    );
  } finally {
    await admin.query('rollback');
    await admin.end();
  }
  const { events, system } = await followed;
  await system.first(({ status }) => status === 'ok', 'the second try');
  await ada.client.from('task_labels').insert({ project_id: id, name: 'Seen', color: '#336699' });
  expect(await events.first(() => true)).toMatchObject({ table: 'task_labels', new: { name: 'Seen' } });
  await hangUp(ada.client);
});

test('no slot outlives its process', async () => {
  const slots = () =>
    app.sql<{ temporary: boolean }>('select temporary from pg_replication_slots where database = current_database()');
  expect((await slots()).every(({ temporary }) => temporary)).toBe(true);
});

test('a client that joins too often is disconnected', async () => {
  const socket = await openRaw(app);
  for (let ref = 1; ref <= 21; ref++) socket.send(String(ref), String(ref), 'realtime:x', 'phx_join', {});
  expect(await socket.reply('21')).toEqual({
    status: 'error',
    response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' },
  });
  expect(await socket.closed).toMatchObject({ code: 1008 });
});

test('too many messages close the channel, and a message that is too large is refused', async () => {
  const socket = await openRaw(app);
  socket.send('1', '1', 'realtime:x', 'phx_join', { config: { broadcast: { ack: true } } });
  await socket.reply('1');
  const text = 'x'.repeat(40_000);
  socket.send('1', '2', 'realtime:x', 'broadcast', { type: 'broadcast', event: 'e', payload: { text } });
  expect(await socket.reply('2')).toEqual({ status: 'error', response: { error: 'payload_size_exceeded' } });
  for (let ref = 0; ref < 31; ref++) socket.send('1', null, 'realtime:x', 'broadcast', { event: 'e', payload: {} });
  const frame = await socket.frames.first((one) => one[3] === 'system');
  expect(frame[4]).toMatchObject({ status: 'error', message: 'Too many messages per second' });
  await socket.frames.first((one) => one[3] === 'phx_close');
  socket.close();
  await socket.closed;
});

test('a person who broadcasts too much by HTTP waits a second, and nobody else does', async () => {
  const bob = await app.createUser({ name: 'Bob' });
  const send = (user: TestUser, many: number) =>
    app.request('/realtime/v1/api/broadcast', {
      method: 'POST',
      token: user.token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: Array.from({ length: many }, () => ({ topic: 'x', event: 'e', payload: {} })) }),
    });
  const large = await send(ada, 31);
  expect([large.status, await large.json()]).toEqual([
    429,
    { message: 'Too many messages to broadcast, please reduce the batch size' },
  ]);
  const spent = await vi.waitFor(
    async () => {
      expect((await send(ada, 30)).status).toBe(202);
      const next = await send(ada, 1);
      expect(next.status).toBe(429);
      return next;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(await spent.json()).toEqual({ message: 'You have exceeded your rate limit' });
  expect(spent.headers.get('retry-after')).toBe('1');
  expect((await send(bob, 1)).status).toBe(202);
  await vi.waitFor(async () => expect((await send(ada, 1)).status).toBe(202), { timeout: 60_000 });
});

test('sockets beyond the limit may not join, and there is room again when one goes', async () => {
  const sockets = await Promise.all([openRaw(app), openRaw(app), openRaw(app), openRaw(app)]);
  const last = sockets[3] as (typeof sockets)[number];
  for (const socket of sockets.slice(0, 3)) {
    socket.send('1', '1', 'realtime:x', 'phx_join', {});
    expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
  }
  last.send('1', '1', 'realtime:x', 'phx_join', {});
  expect(await last.reply('1')).toEqual({
    status: 'error',
    response: { reason: 'ConnectionRateLimitReached: Too many connected users' },
  });
  sockets[0]?.close();
  await sockets[0]?.closed;
  last.send('2', '2', 'realtime:x', 'phx_join', {});
  expect(await last.reply('2')).toMatchObject({ status: 'ok' });
  // Those that join nothing are not counted, but nobody may open any number of them.
  const idle = await Promise.all([openRaw(app), openRaw(app), openRaw(app)]);
  await expect(openRaw(app)).rejects.toThrow('429');
  for (const socket of [...sockets.slice(1), ...idle]) {
    socket.close();
    await socket.closed;
  }
});

test('a client that sends only invalid messages is disconnected', async () => {
  const socket = await openRaw(app);
  for (let sent = 0; sent < 31; sent++) socket.sendBytes('hello');
  expect(await socket.closed).toMatchObject({ code: 1008 });
});

test('a client that stops answering leaves the presence of a channel after two missed heartbeats', async () => {
  const [sleeper, other] = [await openRaw(app), await openRaw(app)];
  for (const [socket, key] of [
    [sleeper, 'sleeper'],
    [other, 'other'],
  ] as const) {
    socket.send('1', '1', 'realtime:hall', 'phx_join', { config: { presence: { key, enabled: true } } });
    await socket.reply('1');
    socket.send('1', '2', 'realtime:hall', 'presence', { event: 'track', payload: {} });
    await socket.reply('2');
  }
  // A closed lid: nothing is read any more, so nothing is answered.
  sleeper.ws.pause();
  await other.frames.first((one) => one[3] === 'presence_diff' && 'sleeper' in (one[4].leaves as object));
  // Who answers is not put out.
  expect(other.ws.readyState).toBe(other.ws.OPEN);
  sleeper.ws.terminate();
  other.close();
});

test('a client that does not read is disconnected, and others hear everything', async () => {
  const [sleeper, reader] = [await openRaw(app), await openRaw(app)];
  for (const socket of [sleeper, reader]) {
    socket.send('1', '1', 'realtime:loud', 'phx_join', {});
    await socket.reply('1');
  }
  sleeper.ws.pause();
  const heard = new Events<number>();
  reader.ws.on('message', (data) => heard.add((data as Buffer).length));
  const text = 'x'.repeat(30_000);
  const sends = 400;
  for (let sent = 0; sent < sends; sent++)
    await app.request('/realtime/v1/api/broadcast', {
      method: 'POST',
      // Each of somebody else, as nobody may send so much.
      token: await app.services.sessions.sign({ sub: randomUUID(), role: 'authenticated' }, 60),
      body: JSON.stringify({ messages: [{ topic: 'loud', event: String(sent), payload: { text } }] }),
    });
  await heard.count(sends, 'broadcasts');
  sleeper.ws.resume();
  const { code } = await sleeper.closed;
  expect([1013, 1006]).toContain(code);
  reader.close();
});
