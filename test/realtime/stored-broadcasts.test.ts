// Stored broadcasts: delivered once, replayed to later subscribers, deleted after their time.

import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { Events, hangUp, type Row, subscribe } from './subscribe.ts';

/** Members of `kept:…` may listen, speak and keep; of `said:…` not keep. */
const policies = `
  create policy listen on realtime.messages for select to authenticated using (realtime.topic() ~ '^(kept|said):');
  create policy speak on realtime.messages for insert to authenticated with check (
    realtime.topic() like 'kept:%' or (realtime.topic() like 'said:%' and extension = 'broadcast'));
`;
const threeDays = 3 * 86_400;

describe.each(['log', 'triggers'])('with changes from %s', (source) => {
  let token: string;
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source }, prepare: policies }));
  beforeAll(async () => {
    ({ token } = await app.createUser({ name: 'Ada' }));
  });

  async function listen(topic: string): Promise<[SupabaseClient, RealtimeChannel, Events<Row>]> {
    const client = app.client({ token });
    await client.realtime.setAuth();
    const [heard, system] = [new Events<Row>(), new Events<Row>()];
    const config = { private: true, broadcast: { self: true, ack: true, replication_ready: true } };
    const channel = client
      .channel(topic, { config })
      .on('broadcast', { event: '*' }, (message) => heard.add(message))
      .on('system', {}, (message: Row) => system.add(message));
    await subscribe(channel);
    await system.first(({ message }) => message === 'Replication connection established');
    return [client, channel, heard];
  }
  const send = (channel: RealtimeChannel, n: number, persist?: unknown): Promise<unknown> =>
    channel.send({ type: 'broadcast', event: 'said', payload: { n }, persist } as never);
  const kept = (topic: string): Promise<{ n: number; seconds: number }[]> =>
    app.sql(
      `select (payload ->> 'n')::int as n, extract(epoch from expires_at - inserted_at)::int as seconds
       from realtime.messages where topic = $1 order by 1`,
      [topic],
    );
  /** What is sent last from SQL: what was read from the log before it has been dealt with. */
  async function settled(topic: string, heard: Events<Row>): Promise<unknown[]> {
    await app.sql(`select realtime.send('{"n": 99}', 'end', $1)`, [topic]);
    await heard.first(({ event }) => event === 'end');
    return heard.list.filter(({ event }) => event === 'said').map(({ payload }) => (payload as Row).n);
  }

  test('from a socket or by HTTP each is heard once and replayed', async () => {
    const topic = 'kept:1';
    const [client, channel, heard] = await listen(topic);
    expect(await send(channel, 1, true)).toBe('ok');
    expect(await send(channel, 2, { ttl: 60 })).toBe('ok');
    expect(await send(channel, 3)).toBe('ok');
    const byHttp = { persist: { ttl: 3600 } } as never;
    expect(await channel.httpSend('said', { n: 4 }, byHttp)).toMatchObject({ success: true });
    expect(await settled(topic, heard)).toEqual([1, 2, 3, 4]);
    expect((await kept(topic)).filter(({ n }) => n < 99)).toEqual([
      { n: 1, seconds: threeDays },
      { n: 2, seconds: 60 },
      { n: 4, seconds: 3600 },
    ]);
    // The time of one is over.
    await app.sql(`update realtime.messages set expires_at = now() at time zone 'utc' where payload ->> 'n' = '2'`);
    const later = app.client({ token });
    await later.realtime.setAuth();
    const replayed = new Events<Row>();
    const config = { private: true, broadcast: { replay: { since: 0 } } };
    await subscribe(later.channel(topic, { config }).on('broadcast', { event: '*' }, (one) => replayed.add(one)));
    await replayed.first(({ event }) => event === 'end');
    expect(replayed.list.map(({ payload }) => (payload as Row).n)).toEqual([1, 4, 99]);
    await app.sql('select private.keep_message_partitions(3)');
    expect((await kept(topic)).map(({ n }) => n)).toEqual([1, 4, 99]);
    await hangUp(client, later);
  });

  test('messages of a client that may not keep them are heard, and none is kept', async () => {
    const topic = 'said:1';
    const [client, channel, heard] = await listen(topic);
    expect(await send(channel, 1, true)).toBe('ok');
    await channel.httpSend('said', { n: 2 }, { persist: true } as never);
    await heard.count(2);
    expect(await kept(topic)).toEqual([]);
    await hangUp(client);
  });

  test.each([0, -1, 1.5, threeDays + 1])('a time that makes no sense is refused: %s', async (ttl) => {
    const topic = 'kept:2';
    const [client, channel, heard] = await listen(topic);
    expect(await send(channel, 1, { ttl })).toBe('invalid_persist_ttl');
    const address = `/realtime/v1/api/broadcast/${topic}/events/said?private=true&persist[ttl]=${ttl}`;
    const answer = await app.request(address, {
      method: 'POST',
      token,
      body: '{"n": 2}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { message: `persist ttl must be a positive integer of seconds from 1 to ${threeDays}` },
    ]);
    expect(await send(channel, 3)).toBe('ok');
    expect(heard.list.map(({ payload }) => (payload as Row).n)).toEqual([3]);
    await hangUp(client);
  });
});
