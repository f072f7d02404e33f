// Private channels under custom policies: receiving, sending and presence, changes of a token, and messages from SQL. The cases are those of
// Supabase's own suites.

import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { Channel } from '../../server/realtime/channels/channel.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { waitersFor } from '../helpers/lock-waiters.ts';
import { person } from '../helpers/person.ts';
import { Events, hangUp, openRaw, project, type RawSocket, type Row, subscribe } from './subscribe.ts';

const policies = `
  create policy open_read on realtime.messages for select to authenticated using (realtime.topic() like 'open:%' or realtime.topic() like 'read-only:%');
  create policy open_write on realtime.messages for insert to authenticated with check (realtime.topic() like 'open:%');
  create policy presence_read on realtime.messages for select to authenticated using (extension = 'presence' and realtime.topic() like 'present:%');
  create policy presence_write on realtime.messages for insert to authenticated with check (extension = 'presence' and realtime.topic() like 'present:%');
  create policy by_claim on realtime.messages for select to authenticated using (
    realtime.topic() like 'claim:%' and (auth.jwt() ->> extension) = 'yes');
  create table public.guests (topic text, person uuid, primary key (topic, person));
  grant select on public.guests to authenticated;
  alter publication supabase_realtime add table public.guests;
  create function public.gate() returns boolean language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(7);
    return true;
  end $$;
  grant execute on function public.gate to authenticated;
  create policy guests_read on realtime.messages for select to authenticated using (
    case when exists (select from public.guests where topic = realtime.topic() and person = auth.uid()) then public.gate() else false end);
  create table public.told (id int primary key, value text, topic text);
  grant select, insert, update, delete on public.told to authenticated;
  create function public.tell() returns trigger language plpgsql security definer as $$ begin
    perform realtime.broadcast_changes(coalesce(new.topic, old.topic), tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
    return null;
  end $$;
  create trigger tell after insert or update or delete on public.told for each row execute function public.tell();
`;

const app = forSuite(() => startApp({ prepare: policies }));
const ada = person(app, 'Ada');

async function as(token: string): Promise<SupabaseClient> {
  const client = app.client({ token });
  await client.realtime.setAuth();
  return client;
}

/** A socket that has joined a private topic. */
async function joined(topic: string, token: string, presenceKey: string | null = null): Promise<RawSocket> {
  const socket = await openRaw(app);
  const presence = presenceKey === null ? {} : { presence: { key: presenceKey, enabled: true } };
  const config = { private: true, broadcast: { self: true, ack: true }, ...presence };
  socket.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: token, config });
  expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
  return socket;
}

/** Answers about guests wait until it is open again. */
async function closeGate(): Promise<{ somebodyWaits(): Promise<void>; open(): Promise<void> }> {
  const holder = new pg.Client(connectionOptions(app.ownerUrl));
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(7)');
  return {
    somebodyWaits: () => expect.poll(() => app.sql(waitersFor(7)), { timeout: 20_000 }).toHaveLength(1),
    open: () => holder.end(),
  };
}

const heard = (socket: RawSocket, event: string): readonly Row[] =>
  socket.frames.list.filter((one) => one[3] === event).map((one) => one[4]);
const claims = (more: Row): Promise<string> =>
  app.services.sessions.sign({ sub: ada.id, role: 'authenticated', ...more }, 3600);
const say = (socket: RawSocket, topic: string, ref: string, text: string): void =>
  socket.send('1', ref, `realtime:${topic}`, 'broadcast', { type: 'broadcast', event: 'said', payload: { text } });

test('a listener who may not send is told so when asking for an answer, and hears others', async () => {
  const client = await as(ada.token);
  const messages = new Events<Row>();
  const channel = client
    .channel('read-only:1', { config: { private: true, broadcast: { ack: true, self: true } } })
    .on('broadcast', { event: '*' }, (message) => messages.add(message));
  await subscribe(channel);
  expect(await channel.send({ type: 'broadcast', event: 'said', payload: { text: 'no' } })).toBe('error');
  const service = await joined('read-only:1', app.serviceKey);
  say(service, 'read-only:1', '2', 'yes');
  expect(await service.reply('2')).toMatchObject({ status: 'ok' });
  await messages.first(({ payload }) => (payload as Row).text === 'yes');
  expect(messages.list).toHaveLength(1);
  service.close();
  await hangUp(client);
});

test('a public topic whose name looks like a private one hears nothing of it', async () => {
  const [inside, outside] = [await joined('open:secret', ada.token), await openRaw(app)];
  for (const topic of ['realtime:private:open:secret', 'realtime:open:secret']) {
    outside.send(topic, topic, topic, 'phx_join', { config: {} });
    expect(await outside.reply(topic)).toMatchObject({ status: 'ok' });
  }
  say(inside, 'open:secret', '2', 'inside');
  await inside.reply('2');
  outside.send(null, 'h', 'phoenix', 'heartbeat', {});
  await outside.reply('h');
  expect(heard(inside, 'broadcast')).toHaveLength(1);
  expect(heard(outside, 'broadcast')).toEqual([]);
  for (const socket of [inside, outside]) socket.close();
});

test('a member with presence alone is seen, sees others, and hears no broadcast', async () => {
  const topic = 'present:1';
  const [member, service] = [await joined(topic, ada.token, 'ada'), await joined(topic, app.serviceKey, 'service')];
  const track = (socket: RawSocket, ref: string, name: string): void =>
    socket.send('1', ref, `realtime:${topic}`, 'presence', { type: 'presence', event: 'track', payload: { name } });
  track(member, '2', 'Ada');
  expect(await member.reply('2')).toEqual({ status: 'ok', response: {} });
  await service.frames.first((one) => one[3] === 'presence_diff' && 'ada' in (one[4].joins as Row));
  track(service, '2', 'Service');
  await member.frames.first((one) => one[3] === 'presence_diff' && 'service' in (one[4].joins as Row));
  say(member, topic, '3', 'not allowed');
  expect(await member.reply('3')).toEqual({ status: 'error', response: { error: 'unauthorized' } });
  say(service, topic, '3', 'not for all');
  expect(await service.reply('3')).toMatchObject({ status: 'ok' });
  member.send(null, 'h', 'phoenix', 'heartbeat', {});
  await member.reply('h');
  expect(heard(member, 'broadcast')).toEqual([]);
  for (const socket of [member, service]) socket.close();
});

test('a member without the right to presence is refused, and sees others', async () => {
  const topic = 'read-only:2';
  const [member, service] = [await joined(topic, ada.token, 'ada'), await joined(topic, app.serviceKey, 'service')];
  const track = { type: 'presence', event: 'track', payload: {} };
  member.send('1', '2', `realtime:${topic}`, 'presence', track);
  expect(await member.reply('2')).toMatchObject({ status: 'error' });
  service.send('1', '2', `realtime:${topic}`, 'presence', track);
  const diff = await member.frames.first((one) => one[3] === 'presence_diff');
  expect(Object.keys(diff[4].joins as Row)).toEqual(['service']);
  for (const socket of [member, service]) socket.close();
});

describe('on the topics of the app', () => {
  const track = async (socket: RawSocket, topic: string, ref: string, payload: Row): Promise<void> => {
    socket.send('1', ref, `realtime:${topic}`, 'presence', { type: 'presence', event: 'track', payload });
    expect(await socket.reply(ref)).toEqual({ status: 'ok', response: {} });
  };
  const seen = async (socket: RawSocket, key: string, open: string): Promise<unknown> => {
    const metas = (frame: readonly unknown[]): Row[] =>
      ((frame[4] as { joins?: Record<string, { metas: Row[] }> }).joins?.[key]?.metas ?? []) as Row[];
    const frame = await socket.frames.first(
      (one) => metas(one).some((meta) => meta.open === open),
      `${key} at ${open}`,
    );
    return metas(frame)[0]?.user;
  };

  test('presence names the person of the token, whatever was tracked', async () => {
    const bob = await app.createUser({ name: 'Bob' });
    const { id } = await project(ada);
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      bob.id,
    ]);
    const topic = `project:${id}`;
    const [mine, theirs, service] = [
      await joined(topic, ada.token, 'ada'),
      await joined(topic, bob.token, 'bob'),
      await joined(topic, app.serviceKey, 'service'),
    ];
    await track(theirs, topic, '2', { user: ada.id, open: 'a' });
    expect(await seen(mine, 'bob', 'a')).toBe(bob.id);
    await track(theirs, topic, '3', { open: 'b' });
    expect(await seen(mine, 'bob', 'b')).toBe(bob.id);
    await track(service, topic, '2', { user: ada.id, open: 'c' });
    expect(await seen(mine, 'service', 'c')).toBeNull();
    // Another person's token on the same channel: they are there now.
    theirs.send('1', null, `realtime:${topic}`, 'access_token', { access_token: ada.token });
    await mine.frames.until(
      () => mine.frames.list.find((one) => JSON.stringify(one[4]).includes(`"user":"${ada.id}"`)),
      'the other person',
    );
    for (const socket of [mine, theirs, service]) socket.close();
  });

  test('and elsewhere it is what was tracked', async () => {
    const [one, two] = [await joined('open:hall', ada.token, 'one'), await joined('open:hall', ada.token, 'two')];
    await track(two, 'open:hall', '2', { user: 'anyone', open: 'a' });
    expect(await seen(one, 'two', 'a')).toBe('anyone');
    for (const socket of [one, two]) socket.close();
  });
});

test('a new token is asked for its rights: it may open a channel further, and close it with the reason', async () => {
  const topic = 'claim:1';
  const socket = await joined(topic, await claims({ presence: 'yes' }), 'ada');
  const service = await joined(topic, app.serviceKey);
  const renew = async (token: string): Promise<void> =>
    socket.send('1', null, `realtime:${topic}`, 'access_token', { access_token: token });
  say(service, topic, '2', 'too early');
  await service.reply('2');
  await renew(await claims({ presence: 'yes', broadcast: 'yes' }));
  for (let ref = 3; heard(socket, 'broadcast').length === 0; ref++) {
    say(service, topic, String(ref), 'now');
    await service.reply(String(ref));
    socket.send(null, `h${ref}`, 'phoenix', 'heartbeat', {});
    await socket.reply(`h${ref}`);
  }
  expect(JSON.stringify(heard(socket, 'broadcast'))).not.toContain('too early');
  await renew(await claims({ presence: 'yes' }));
  const partly = await socket.frames.first((one) => one[3] === 'system');
  expect(partly[4].message).toBe(`You no longer have permission to read from this Channel topic: ${topic}`);
  await socket.frames.first((one) => one[3] === 'phx_close');
  const other = await joined(topic, await claims({ presence: 'yes' }), 'ada');
  other.send('1', null, `realtime:${topic}`, 'access_token', { access_token: await claims({}) });
  const wholly = await other.frames.first((one) => one[3] === 'system');
  expect(wholly[4].message).toBe(`You do not have permissions to read from this Channel topic: ${topic}`);
  await other.frames.first((one) => one[3] === 'phx_close');
  for (const one of [socket, other, service]) one.close();
});

/** Hears who is put out of the guests; from then on changes are followed. */
async function follower(topic: string): Promise<RawSocket> {
  const socket = await openRaw(app);
  const postgres_changes = [{ event: 'DELETE', schema: 'public', table: 'guests' }];
  const config = { private: true, postgres_changes };
  socket.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: app.serviceKey, config });
  await socket.frames.first((one) => one[3] === 'system', 'following');
  return socket;
}

test('a person removed while their join is under way does not stay', async () => {
  const topic = `guests:${randomUUID()}`;
  await app.sql('insert into public.guests values ($1, $2)', [topic, ada.id]);
  const there = await follower(topic);
  const looks = vi.spyOn(Channel.prototype, 'checkRights');
  onTestFinished(() => looks.mockRestore());
  // The answer about who comes is held up until those who are there have been looked at again.
  const gate = await closeGate();
  const late = await openRaw(app);
  late.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: ada.token, config: { private: true } });
  await gate.somebodyWaits();
  const before = looks.mock.calls.length;
  await app.sql('delete from public.guests where topic = $1', [topic]);
  await there.frames.first((one) => one[3] === 'postgres_changes', 'the change');
  await expect.poll(() => looks.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(before);
  await gate.open();
  expect(await late.reply('1')).toMatchObject({ status: 'ok' });
  const reason = await late.frames.first((one) => one[3] === 'system', 'the reason');
  expect(reason[4].message).toBe(`You no longer have permission to read from this Channel topic: ${topic}`);
  await late.frames.first((one) => one[3] === 'phx_close', 'the end');
  for (const socket of [there, late]) socket.close();
});

test('a person whose session ends while their join is under way does not stay', async () => {
  const topic = `guests:${randomUUID()}`;
  await app.sql('insert into public.guests values ($1, $2)', [topic, ada.id]);
  const gate = await closeGate();
  const session_id = randomUUID();
  const socket = await openRaw(app);
  const access_token = await claims({ session_id });
  socket.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token, config: { private: true } });
  await gate.somebodyWaits();
  app.services.sessions.end([session_id], Date.now() + 60_000);
  await gate.open();
  const reason = await socket.frames.first((one) => one[3] === 'system', 'the reason');
  expect(reason[4].message).toBe('The session of this token has ended');
  await socket.frames.first((one) => one[3] === 'phx_close', 'the end');
  socket.close();
});

test('a policy that is taken away closes the channels it opened, once the schema is read again', async () => {
  const topic = `lent:${randomUUID()}`;
  const looks = vi.spyOn(Channel.prototype, 'checkRights');
  onTestFinished(() => looks.mockRestore());
  // Who is there when following begins is looked at once, and once more when a table of the policies changes: that must be over.
  const there = await follower('guests:nobody');
  await app.sql('insert into public.guests values ($1, $2)', [randomUUID(), ada.id]);
  await expect.poll(() => looks.mock.settledResults.some(({ type }) => type === 'fulfilled')).toBe(true);
  await app.sql(
    `create policy lent on realtime.messages for select to authenticated using (realtime.topic() like 'lent:%')`,
  );
  onTestFinished(() => app.sql('drop policy if exists lent on realtime.messages').then(() => undefined));
  await app.sql(`notify pgrst, 'reload schema'`);
  let socket = await openRaw(app);
  await expect
    .poll(async () => {
      socket.close();
      socket = await openRaw(app);
      socket.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: ada.token, config: { private: true } });
      return (await socket.reply('1')).status;
    })
    .toBe('ok');
  await app.sql('drop policy lent on realtime.messages');
  await app.sql(`notify pgrst, 'reload schema'`);
  const reason = await socket.frames.first((one) => one[3] === 'system', 'the reason');
  expect(reason[4].message).toBe(`You no longer have permission to read from this Channel topic: ${topic}`);
  await socket.frames.first((one) => one[3] === 'phx_close', 'the end');
  for (const one of [there, socket]) one.close();
});

test('a trigger with realtime.broadcast_changes sends rows as they were and are', async () => {
  const client = await as(ada.token);
  const [messages, system] = [new Events<Row>(), new Events<Row>()];
  const channel = client
    .channel('open:told', { config: { private: true, broadcast: { replication_ready: true } } })
    .on('broadcast', { event: '*' }, (message) => messages.add(message))
    .on('system', {}, (message: Row) => system.add(message));
  await subscribe(channel);
  await system.first(({ message }) => message === 'Replication connection established');
  const { error } = await client.from('told').insert({ id: 1, value: 'a', topic: 'open:told' });
  expect(error).toBeNull();
  await client.from('told').update({ value: 'b' }).eq('id', 1);
  await client.from('told').delete().eq('id', 1);
  await messages.count(3, 'changes');
  const row = (value: string): Row => ({ id: 1, value, topic: 'open:told' });
  const common = { schema: 'public', table: 'told', id: expect.any(String) };
  expect(messages.list.map(({ event, payload }) => [event, payload])).toEqual([
    ['INSERT', { ...common, operation: 'INSERT', record: row('a'), old_record: null }],
    ['UPDATE', { ...common, operation: 'UPDATE', record: row('b'), old_record: row('a') }],
    ['DELETE', { ...common, operation: 'DELETE', record: null, old_record: row('b') }],
  ]);
  await hangUp(client);
});

test('a message sent from SQL reaches public topics too, and one that cannot be sent hinders no write', async () => {
  const socket = await openRaw(app);
  socket.send('1', '1', 'realtime:square', 'phx_join', { config: { broadcast: { replication_ready: true } } });
  await socket.frames.first((one) => one[3] === 'system');
  await app.sql(`select realtime.send('{"a": 1}'::jsonb, 'hello', 'square', false)`);
  const message = await socket.bytes.first(() => true, 'the message');
  expect(message.toString('latin1')).toMatch(/realtime:squarehello.*"a": ?1/s);
  await app.sql(`select realtime.send(null, 'nothing', null, false)`);
  socket.close();
});

test('replay leaves out what is older than asked for, and sends the latest when there are too many', async () => {
  const topic = `open:replay-${randomUUID()}`;
  // What is written goes out live, too: nobody joins before it has.
  const live = await openRaw(app);
  live.send('1', '1', `realtime:${topic}`, 'phx_join', {
    access_token: ada.token,
    config: { private: true, broadcast: { replication_ready: true } },
  });
  await live.frames.first((one) => one[3] === 'system');
  for (let n = 1; n <= 4; n++)
    await app.sql(
      `insert into realtime.messages (topic, event, extension, private, payload, inserted_at)
       values ($1, 'said', 'broadcast', true, jsonb_build_object('n', $2::int), now() at time zone 'utc' - make_interval(mins => 10 - $2::int))`,
      [topic, n],
    );
  await live.bytes.count(4, 'live messages');
  live.close();
  const replayed = async (replay: Row): Promise<unknown[]> => {
    const socket = await openRaw(app);
    const config = { private: true, broadcast: { replay } };
    socket.send('1', '1', `realtime:${topic}`, 'phx_join', { access_token: ada.token, config });
    await socket.reply('1');
    socket.send(null, 'h', 'phoenix', 'heartbeat', {});
    await socket.reply('h');
    const messages = socket.bytes.list.map((bytes) => /\{"n": ?(\d)\}/.exec(bytes.toString('utf8'))?.[1]);
    socket.close();
    return messages;
  };
  expect(await replayed({ since: 0 })).toEqual(['1', '2', '3', '4']);
  expect(await replayed({ since: 0, limit: 2 })).toEqual(['3', '4']);
  expect(await replayed({ since: Date.now() - 7.5 * 60_000 })).toEqual(['3', '4']);
  expect(await replayed({ since: Date.now() })).toEqual([]);
});

test('bindings that are null count as none', async () => {
  const socket = await openRaw(app);
  socket.send('1', '1', 'realtime:x', 'phx_join', { config: { postgres_changes: [null] } });
  expect(await socket.reply('1')).toEqual({ status: 'ok', response: { postgres_changes: [] } });
  socket.close();
});
