// Broadcast and presence through the official client, over HTTP and from SQL; private topics; several nodes.

import pg from 'pg';
import { pino } from 'pino';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { openServices } from '../../server/open-services.ts';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { waitersFor } from '../helpers/lock-waiters.ts';
import { Events, follow, hangUp, openRaw, project, type RawSocket, type Row, subscribe } from './subscribe.ts';

const database = forSuite(
  () => freshDatabase(),
  () => undefined,
);
const app = forSuite(() => startApp({ database }));
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  bob = await app.createUser({ name: 'Bob' });
});

const as = async (user: TestUser) => {
  const client = app.client({ token: user.token });
  await client.realtime.setAuth();
  return client;
};

test('a broadcast reaches the others of a topic, and oneself when asked for', async () => {
  const [one, two] = [app.client(), app.client()];
  const heard = { one: new Events<Row>(), two: new Events<Row>() };
  const config = { config: { broadcast: { self: true, ack: true } } };
  const mine = await subscribe(one.channel('room', config).on('broadcast', { event: '*' }, (m) => heard.one.add(m)));
  await subscribe(two.channel('room').on('broadcast', { event: 'cursor' }, (m) => heard.two.add(m)));
  expect(await mine.send({ type: 'broadcast', event: 'cursor', payload: { x: 1, name: 'é' } })).toBe('ok');
  expect(await heard.two.first(() => true)).toMatchObject({ event: 'cursor', payload: { x: 1, name: 'é' } });
  await heard.one.first(() => true);
  const bytes = new Uint8Array([0, 255, 7]).buffer;
  await mine.send({ type: 'broadcast', event: 'cursor', payload: bytes });
  const binary = await heard.two.first(({ payload }) => payload instanceof ArrayBuffer);
  expect(new Uint8Array(binary.payload as ArrayBuffer)).toEqual(new Uint8Array([0, 255, 7]));
  await hangUp(one, two);
});

test('a broadcast goes by HTTP too, one or several, in JSON or bytes', async () => {
  const client = app.client();
  const heard = new Events<Row>();
  await subscribe(client.channel('http').on('broadcast', { event: '*' }, (m) => heard.add(m)));
  const sender = app.client();
  expect(await sender.channel('http').httpSend('one', { a: 1 })).toEqual({ success: true });
  expect(await heard.first(({ event }) => event === 'one')).toMatchObject({ payload: { a: 1 } });
  await sender.channel('http').httpSend('bytes', new Uint8Array([1, 2]).buffer);
  await heard.first(({ event }) => event === 'bytes');
  const batch = await app.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    body: JSON.stringify({ messages: [{ topic: 'http', event: 'two', payload: { b: 2 } }] }),
    headers: { 'content-type': 'application/json' },
  });
  expect(batch.status).toBe(202);
  await heard.first(({ event }) => event === 'two');
  const wrong = await app.request('/realtime/v1/api/broadcast', {
    method: 'POST',
    body: '{"messages":[{"topic":"x"}]}',
  });
  expect(wrong.status).toBe(422);
  expect(await wrong.json()).toEqual({
    errors: { messages: [{ event: ["can't be blank"], payload: ["can't be blank"] }] },
  });
  expect((await app.request('/realtime/v1/api/broadcast', { method: 'POST', body: '{}', token: null })).status).toBe(
    401,
  );
  await hangUp(client, sender);
});

test('a project has a private topic for its members: others neither join nor speak', async () => {
  const { id } = await project(ada);
  const topic = `project:${id}`;
  const [mine, theirs] = [await as(ada), await as(bob)];
  const heard = new Events<Row>();
  await subscribe(
    mine.channel(topic, { config: { private: true } }).on('broadcast', { event: '*' }, (m) => heard.add(m)),
  );
  await expect(subscribe(theirs.channel(topic, { config: { private: true } }))).rejects.toThrow(
    `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
  );
  await expect(theirs.channel(topic, { config: { private: true } }).httpSend('x', { a: 1 })).rejects.toThrow(
    'Unauthorized',
  );
  await mine.channel(topic).httpSend('typing', { task: 1 });
  await heard.first(({ event }) => event === 'typing');
  expect(heard.list).toHaveLength(1);
  await hangUp(mine, theirs);
});

test('a member who is removed is put out of the private topic', async () => {
  const { id } = await project(ada);
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    id,
    bob.id,
  ]);
  const socket = await openRaw(app);
  socket.send('1', '1', `realtime:project:${id}`, 'phx_join', { access_token: bob.token, config: { private: true } });
  expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
  // Following has begun when the log has been heard once.
  await app.sql(`select realtime.send('{}', 'ping', $1, true)`, [`project:${id}`]);
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [id, bob.id]);
  const frame = await socket.frames.first((one) => one[3] === 'system');
  expect(frame[4].message).toBe(`You no longer have permission to read from this Channel topic: project:${id}`);
  socket.close();
});

test('removed members are put out where no changes are followed, too', async () => {
  const quiet = await startApp({ settings: { REALTIME_SOURCE: 'off', REALTIME_PING_SECONDS: '1' } });
  try {
    const [eva, leo] = [await quiet.createUser({ name: 'Eva' }), await quiet.createUser({ name: 'Leo' })];
    const { id } = await project(eva);
    await quiet.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      leo.id,
    ]);
    const socket = await openRaw(quiet);
    const payload = { access_token: leo.token, config: { private: true } };
    socket.send('1', '1', `realtime:project:${id}`, 'phx_join', payload);
    expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
    await quiet.sql('delete from public.project_members where project_id = $1 and user_id = $2', [id, leo.id]);
    const frame = await socket.frames.first((one) => one[3] === 'system');
    expect(frame[4].message).toBe(`You no longer have permission to read from this Channel topic: project:${id}`);
    socket.close();
  } finally {
    await quiet.close();
  }
});

test('many changes of members ask for rights again one round at a time, the last of them too', async () => {
  // Whoever asks waits as long as somebody holds the lock.
  const held = await startApp({
    settings: { DB_AUTHENTICATED_TIMEOUT_MS: '120000' },
    prepare: `
      create function public.held() returns boolean language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(77);
        return true;
      end $$;
      grant execute on function public.held() to authenticated;
      create policy held on realtime.messages as restrictive for select to authenticated using (public.held());`,
  });
  const holder = new pg.Client(connectionOptions(held.ownerUrl));
  await holder.connect();
  try {
    const [eva, leo, kim] = [
      await held.createUser({ name: 'Eva' }),
      await held.createUser({ name: 'Leo' }),
      await held.createUser({ name: 'Kim' }),
    ];
    const { id } = await project(eva);
    for (const user of [leo, kim])
      await held.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
        id,
        user.id,
      ]);
    const { events } = await follow(eva.client, [{ table: 'project_members' }]);
    const socket = await openRaw(held);
    const payload = { access_token: leo.token, config: { private: true } };
    socket.send('1', '1', `realtime:project:${id}`, 'phx_join', payload);
    expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
    await holder.query('select pg_advisory_lock(77)');
    const waiting = async () => (await held.sql(waitersFor(77))).length;
    const change = async (role: string) => {
      const before = events.list.length;
      await held.sql('update public.project_members set role = $2 where user_id = $1', [kim.id, role]);
      await events.count(before + 1);
    };
    await change('editor');
    await expect.poll(waiting, { timeout: 25_000 }).toBe(1);
    for (let n = 0; n < 10; n++) await change(n % 2 === 0 ? 'viewer' : 'editor');
    expect(await waiting()).toBe(1);
    // The round under way has found Leo a member still.
    await held.sql('delete from public.project_members where user_id = $1', [leo.id]);
    await events.first(({ eventType }) => eventType === 'DELETE');
    await holder.query('select pg_advisory_unlock(77)');
    const frame = await socket.frames.first((one) => one[3] === 'system');
    expect(frame[4].message).toBe(`You no longer have permission to read from this Channel topic: project:${id}`);
    socket.close();
    await hangUp(eva.client);
  } finally {
    await holder.end();
    await held.close();
  }
}, 60_000);

test('messages from SQL reach their topic and are replayed to who comes later', async () => {
  const { id } = await project(ada);
  const topic = `project:${id}`;
  const since = Date.now() - 1000;
  const client = await as(ada);
  const system = new Events<Row>();
  const heard = new Events<Row>();
  const config = { private: true, broadcast: { replication_ready: true } };
  await subscribe(
    client
      .channel(topic, { config })
      .on('system', {}, (m) => system.add(m))
      .on('broadcast', { event: '*' }, (m) => heard.add(m)),
  );
  await system.first(({ message }) => message === 'Replication connection established');
  await app.sql(`select realtime.send('{"a": 1}', 'hello', $1)`, [topic]);
  await app.sql(`select realtime.send_binary('\\xdeadbeef', 'bytes', $1)`, [topic]);
  expect(await heard.first(({ event }) => event === 'hello')).toMatchObject({
    payload: { a: 1, id: expect.any(String) },
  });
  await heard.first(({ event }) => event === 'bytes');
  const later = await as(ada);
  const replayed = new Events<Row>();
  await subscribe(
    later
      .channel(topic, { config: { private: true, broadcast: { replay: { since, limit: 10 } } } })
      .on('broadcast', { event: '*' }, (m) => replayed.add(m)),
  );
  await replayed.count(2);
  expect(replayed.list.map(({ event, meta }) => [event, (meta as Row).replayed])).toEqual([
    ['hello', true],
    ['bytes', true],
  ]);
  await hangUp(client, later);
});

test('presence: who is there, who comes, who goes', async () => {
  const [one, two] = [app.client(), app.client()];
  const joins = new Events<Row>();
  const leaves = new Events<Row>();
  const mine = one
    .channel('lobby', { config: { presence: { key: 'ada' } } })
    .on('presence', { event: 'join' }, (m) => joins.add(m as unknown as Row))
    .on('presence', { event: 'leave' }, (m) => leaves.add(m as unknown as Row));
  await subscribe(mine);
  expect(await mine.track({ at: 'board' })).toBe('ok');
  await joins.first(({ key }) => key === 'ada');
  const synced = new Events<Row>();
  const theirs = two
    .channel('lobby', { config: { presence: { key: 'bob' } } })
    .on('presence', { event: 'sync' }, () => synced.add(theirs.presenceState()));
  await subscribe(theirs);
  await synced.first((state) => 'ada' in state);
  await theirs.track({ at: 'card' });
  expect(await joins.first(({ key }) => key === 'bob')).toMatchObject({ newPresences: [{ at: 'card' }] });
  await theirs.untrack();
  await leaves.first(({ key }) => key === 'bob');
  await theirs.track({ at: 'again' });
  await joins.count(3);
  await two.realtime.disconnect();
  await leaves.count(2);
  expect(Object.keys(mine.presenceState())).toEqual(['ada']);
  await hangUp(one, two);
});

/** Another node on the same database. */
async function otherNode(log = pino({ level: 'silent' })) {
  const { config } = readConfig({
    env: {
      DATA_DIR: app.dataDir,
      DATABASE_URL: app.databaseUrl,
      DATABASE_DIRECT_URL: app.ownerUrl,
      DB_POOL_SIZE: '4',
      JWT_SECRET: app.services.config.server.jwtSecret ?? '',
    },
  });
  const node = await openServices(config, { url: app.databaseUrl, directUrl: app.ownerUrl }, log);
  onTestFinished(() => node.close());
  const url = await node.app.listen({ port: 0, host: '127.0.0.1' });
  return { close: () => node.close(), door: { url, anonKey: node.services.sessions.anonKey } };
}

/** Somebody on a topic who is seen there under this key. */
async function present(door: Pick<TestApp, 'url' | 'anonKey'>, topic: string, key: string): Promise<RawSocket> {
  const socket = await openRaw(door);
  onTestFinished(() => socket.close());
  socket.send('1', '1', `realtime:${topic}`, 'phx_join', { config: { presence: { key, enabled: true } } });
  await socket.reply('1');
  socket.send('1', '2', `realtime:${topic}`, 'presence', { event: 'track', payload: { key } });
  return socket;
}

/** Times that somebody came, or was there already. */
const seen = ({ frames }: RawSocket, key: string): number =>
  frames.list.filter(
    (one) =>
      (one[3] === 'presence_diff' && key in (one[4].joins as Row)) || (one[3] === 'presence_state' && key in one[4]),
  ).length;
const isSeen = (socket: RawSocket, key: string, times = 1): Promise<unknown> =>
  socket.frames.until(() => (seen(socket, key) >= times ? true : undefined), `${key} here`);
const isGone = ({ frames }: RawSocket, key: string): Promise<unknown> =>
  frames.first((one) => one[3] === 'presence_diff' && key in (one[4].leaves as Row), `${key} gone`);

test('nodes on one database hear each other, and notice when one is gone', async () => {
  const other = await otherNode();
  const there = await present(other.door, 'far', 'there');
  const here = await present(app, 'far', 'here');
  await isSeen(here, 'there');
  await isSeen(there, 'here');
  // A long one goes in pieces.
  const text = 'x'.repeat(20_000);
  there.send('1', '3', 'realtime:far', 'broadcast', { type: 'broadcast', event: 'e', payload: { text } });
  expect((await here.frames.first((one) => one[3] === 'broadcast'))[4]).toMatchObject({ payload: { text } });
  there.close();
  await other.close();
  await isGone(here, 'there');
});

test('a node that was forgotten for a while is asked who is present there', async () => {
  const listener = new pg.Client(connectionOptions(app.ownerUrl));
  await listener.connect();
  onTestFinished(() => listener.end());
  const said = new Events<string>();
  listener.on('notification', ({ payload = '' }) => said.add(payload));
  await listener.query('listen kanbase_realtime');
  const here = await present(app, 'forgotten', 'here');
  const other = await otherNode();
  await present(other.door, 'forgotten', 'there');
  await isSeen(here, 'there');
  const [node] = (await said.first((text) => text.includes('"key":"there"'))).split(' ');
  // As after a silence: the other does not know that it is taken for gone.
  await listener.query('select pg_notify($1, $2)', ['kanbase_realtime', `${node} 0 {"t":"bye"}`]);
  await isGone(here, 'there');
  await isSeen(here, 'there', 2);
});

test('a person who joined while a node could tell the others nothing is seen by them afterwards', async () => {
  const admin = new pg.Client(connectionOptions(database.adminUrl));
  await admin.connect();
  onTestFinished(() => admin.end());
  const logged = new Events<{ msg: string }>();
  const sink = { write: (line: string) => logged.add(JSON.parse(line) as { msg: string }) };
  const other = await otherNode(pino({ level: 'warn' }, sink));
  const here = await present(app, 'late', 'here');
  await present(other.door, 'late', 'early');
  await isSeen(here, 'early');
  await admin.query('revoke execute on function pg_notify(text, text) from public');
  try {
    await present(other.door, 'late', 'late');
    await logged.first(({ msg }) => msg === 'other nodes could not be told');
    expect(seen(here, 'late')).toBe(0);
  } finally {
    await admin.query('grant execute on function pg_notify(text, text) to public');
  }
  await isSeen(here, 'late');
});
