// The protocol by hand: joins, replies, both versions, and every refusal in the words that clients know.

import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { openRaw, type RawSocket, type Row } from './subscribe.ts';

const app = forSuite(() => startApp({ settings: { REALTIME_MAX_CHANNELS: '3', REALTIME_PRESENCE_PER_30S: '5' } }));
const ada = person(app, 'Ada');

async function joined(socket: RawSocket, topic = 'realtime:room', payload: Row = {}): Promise<Row> {
  socket.send('1', '1', topic, 'phx_join', payload);
  return socket.reply('1');
}

const now = (): number => Math.floor(Date.now() / 1000);
const token = (claims: Row, lifetime = 3600): Promise<string> => app.services.sessions.sign(claims, lifetime);

describe('a socket', () => {
  /** Status and body of a socket that is not opened. */
  async function refusal(query: Record<string, string>, by = app): Promise<[number, Row]> {
    const { hostname, port } = new URL(by.url);
    const path = `/realtime/v1/websocket?${new URLSearchParams({ vsn: '2.0.0', ...query })}`;
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
    return new Promise((resolve, reject) => {
      get(
        { hostname, port, path, headers: { ...upgrade, 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' } },
        (answer) => json(answer).then((body) => resolve([answer.statusCode ?? 0, body as Row]), reject),
      ).on('error', reject);
    });
  }

  test('is refused without a key, with a bad one, and in an unknown version', async () => {
    expect(await refusal({})).toEqual([401, { error: 'API key is missing' }]);
    expect(await refusal({ apikey: 'x.y.z' })).toEqual([401, { error: 'The token provided is not a valid JWT' }]);
    const [head, body] = app.anonKey.split('.');
    expect(await refusal({ apikey: `${head}.${body}.AAAA` })).toEqual([
      401,
      { error: 'Failed to validate JWT signature' },
    ]);
    expect(await refusal({ apikey: await token({ role: 'anon', exp: now() }, -100) })).toMatchObject([
      401,
      { error: expect.stringMatching(/^Token has expired/) },
    ]);
    expect(await refusal({ apikey: await token({ sub: ada.id }) })).toEqual([
      401,
      { error: 'Fields `role` and `exp` are required in JWT' },
    ]);
    expect(await refusal({ apikey: app.anonKey, vsn: '9.9.9' })).toEqual([
      400,
      { error: 'The version is 1.0.0 or 2.0.0: say vsn=2.0.0' },
    ]);
  });

  test('that is opened while the service stops is refused, and holds nobody up', async () => {
    const stopping = await startApp();
    const { sessions } = stopping.services;
    const before = await openRaw(stopping);
    const { verify } = sessions;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked = vi.spyOn(sessions, 'verify').mockImplementation(async (...token) => {
      await held;
      return verify(...token);
    });
    const answer = refusal({ apikey: stopping.anonKey }, stopping);
    await expect.poll(() => asked.mock.calls.length, { timeout: 20_000 }).toBe(1);
    const closed = stopping.close();
    expect((await before.closed).code).toBe(1012);
    letGo();
    expect(await answer).toEqual([503, { error: 'The service is restarting: try again in a moment' }]);
    await closed;
  });

  test('answers heartbeats, joins, leaves, and what it does not know', async () => {
    const socket = await openRaw(app);
    socket.send(null, 'h', 'phoenix', 'heartbeat', {});
    expect(await socket.reply('h')).toEqual({ status: 'ok', response: {} });
    expect(await joined(socket)).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    socket.send(null, '2', 'realtime:elsewhere', 'broadcast', {});
    expect(await socket.reply('2')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } });
    socket.send('3', '3', 'other:room', 'phx_join', {});
    expect(await socket.reply('3')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } });
    socket.send('1', '4', 'realtime:room', 'phx_leave', {});
    expect(await socket.reply('4')).toEqual({ status: 'ok', response: {} });
    expect(await socket.frames.first((frame) => frame[3] === 'phx_close')).toEqual([
      '1',
      '1',
      'realtime:room',
      'phx_close',
      {},
    ]);
    socket.close();
  });

  test('closes the first channel of a topic when it joins again', async () => {
    const socket = await openRaw(app);
    await joined(socket);
    socket.send('2', '2', 'realtime:room', 'phx_join', {});
    expect(await socket.reply('2')).toMatchObject({ status: 'ok' });
    expect(await socket.frames.first((frame) => frame[3] === 'phx_close')).toMatchObject({ 0: '1', 1: '1' });
    socket.close();
  });

  test.each([
    ['no JSON', 'hello'],
    ['nothing', ''],
    ['JSON of another form', '{"topic":"realtime:room"}'],
    ['an array too short', '[null,"2","realtime:room","broadcast"]'],
    ['an event that is no text', '[null,"2","realtime:room",7,{}]'],
    ['bytes of no known kind', Buffer.from([9, 9, 9, 9])],
    ['bytes that end too early', Buffer.from([3, 200, 200, 200, 200, 0, 1])],
  ])('passes over what is no message (%s), and its channels live on', async (_name, bytes) => {
    const socket = await openRaw(app);
    await joined(socket);
    socket.sendBytes(bytes);
    socket.send('1', '2', 'realtime:room', 'presence', { event: 'untrack' });
    expect(await socket.reply('2')).toEqual({ status: 'ok', response: {} });
    expect(socket.frames.list).toHaveLength(2);
    socket.close();
  });

  test('speaks version 1.0.0 in objects', async () => {
    const socket = await openRaw(app, { vsn: '1.0.0' });
    socket.sendBytes(
      JSON.stringify({ topic: 'realtime:old', event: 'phx_join', payload: {}, ref: '1', join_ref: '1' }),
    );
    const reply = await socket.frames.until(() => socket.frames.list[0], 'the reply');
    expect(reply).toEqual({
      topic: 'realtime:old',
      event: 'phx_reply',
      ref: '1',
      join_ref: '1',
      payload: { status: 'ok', response: { postgres_changes: [] } },
    });
    socket.close();
  });
});

describe('a join is refused', () => {
  const refusal = async (payload: Row, topic?: string): Promise<unknown> => {
    const socket = await openRaw(app);
    const { status, response } = (await joined(socket, topic, payload)) as { status: string; response: Row };
    socket.close();
    expect(status).toBe('error');
    return response.reason;
  };

  test('without a name', async () => {
    expect(await refusal({}, 'realtime:')).toBe('TopicNameRequired: You must provide a topic name');
  });

  test('with a token that is none, expired, by someone else, or without role and exp', async () => {
    expect(await refusal({ access_token: 'nonsense' })).toBe('MalformedJWT: The token provided is not a valid JWT');
    expect(await refusal({ access_token: await token({ role: 'authenticated', exp: now() }, -100) })).toMatch(
      /^InvalidJWTToken: Token has expired \d+ seconds ago$/,
    );
    const [head, body] = ada.token.split('.');
    expect(await refusal({ access_token: `${head}.${body}.AAAA` })).toBe(
      'JwtSignatureError: Failed to validate JWT signature',
    );
    expect(await refusal({ access_token: await token({ sub: ada.id }) })).toBe(
      'InvalidJWTToken: Fields `role` and `exp` are required in JWT',
    );
  });

  test('for a session that owes its second factor', async () => {
    const pending = await token({ sub: ada.id, role: 'authenticated', mfa_pending: true });
    expect(await refusal({ access_token: pending })).toMatch(/^Unauthorized: .*second factor/);
  });

  test('for a private topic without a policy', async () => {
    expect(await refusal({ access_token: ada.token, config: { private: true } })).toBe(
      'Unauthorized: You do not have permissions to read from this Channel topic: room',
    );
  });

  test('for a replay on a public channel, or with parameters that are no numbers', async () => {
    expect(await refusal({ config: { broadcast: { replay: { since: 1 } } } })).toBe(
      'UnableToReplayMessages: Replay is not allowed for public channels',
    );
    const { serviceKey } = app;
    expect(
      await refusal({ access_token: serviceKey, config: { private: true, broadcast: { replay: { since: 'x' } } } }),
    ).toBe('UnableToReplayMessages: Replay params are not valid');
  });

  test('for a binding that it waits for and that makes no sense', async () => {
    const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'tasks', filter: 'wrong' }] };
    expect(await refusal({ config: { ...config, postgres_changes_options: { wait: true } } })).toBe(
      'RealtimeDisabledForConfiguration: Error parsing `filter` params: ["wrong"]',
    );
  });

  test('beyond the number of channels', async () => {
    const socket = await openRaw(app);
    for (const ref of ['1', '2', '3']) {
      socket.send(ref, ref, `realtime:${ref}`, 'phx_join', {});
      expect(await socket.reply(ref)).toMatchObject({ status: 'ok' });
    }
    socket.send('4', '4', 'realtime:4', 'phx_join', {});
    expect(await socket.reply('4')).toEqual({
      status: 'error',
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    });
    socket.close();
  });
});

describe('bindings', () => {
  const systemMessage = async (binding: Row): Promise<Row> => {
    const socket = await openRaw(app);
    await joined(socket, 'realtime:test', { access_token: ada.token, config: { postgres_changes: [binding] } });
    const frame = await socket.frames.first((one) => one[3] === 'system');
    socket.close();
    return frame[4];
  };

  test('are repeated with ids in the answer, and confirmed when Postgres is followed', async () => {
    const socket = await openRaw(app);
    const binding = { event: 'INSERT', schema: 'public', table: 'tasks' };
    const { response } = (await joined(socket, 'realtime:test', {
      access_token: ada.token,
      config: { postgres_changes: [binding] },
    })) as { response: { postgres_changes: Row[] } };
    expect(response.postgres_changes).toEqual([{ ...binding, id: expect.any(Number) }]);
    expect((await socket.frames.first((one) => one[3] === 'system'))[4]).toEqual({
      extension: 'postgres_changes',
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
      channel: 'test',
    });
    socket.close();
  });

  test('that make no sense are answered with what is wrong', async () => {
    const error = (message: string): Row => ({
      extension: 'postgres_changes',
      status: 'error',
      channel: 'test',
      message,
    });
    const tasks = { event: '*', schema: 'public', table: 'tasks' };
    expect(await systemMessage({ ...tasks, filter: 'wrong' })).toEqual(
      error('Error parsing `filter` params: ["wrong"]'),
    );
    expect(await systemMessage({ ...tasks, filter: 'id=in.1' })).toEqual(
      error('Error parsing `filter` params: `in` filter value must be wrapped by parentheses'),
    );
    expect(await systemMessage({ event: '*', schema: 'public', table: 'nowhere' })).toEqual(
      error(
        'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: nowhere, filters: [], select: nil]',
      ),
    );
    expect(await systemMessage({ ...tasks, filter: 'nothing=eq.123' })).toEqual(
      error(
        'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: *, schema: public, table: tasks, filters: [{"nothing", "eq", "123", false}], select: nil]. Exception: ERROR P0001 (raise_exception) invalid column for filter nothing',
      ),
    );
    expect((await systemMessage({ ...tasks, filter: 'id=eq.nonsense' })).message).toMatch(
      /Exception: ERROR 22P02 invalid input syntax for type uuid: "nonsense"$/,
    );
    expect((await systemMessage({ event: '*' })).message).toMatch(/^No subscription params provided/);
  });
});

describe('a token on an open channel', () => {
  test('is renewed in place', async () => {
    const socket = await openRaw(app);
    await joined(socket, 'realtime:room', { access_token: ada.token });
    socket.send('1', null, 'realtime:room', 'access_token', {
      access_token: await token({ sub: ada.id, role: 'authenticated' }, 1800),
    });
    socket.send('1', '2', 'realtime:room', 'presence', { event: 'untrack' });
    expect(await socket.reply('2')).toEqual({ status: 'ok', response: {} });
    socket.close();
  });

  test.each([
    ['nonsense', async () => 'nonsense', 'The token provided is not a valid JWT'],
    ['empty', async () => '', 'The token provided is not a valid JWT'],
    ['no role', () => token({ sub: 'x' }), 'Fields `role` and `exp` are required in JWT'],
    ['expired', () => token({ role: 'authenticated' }, -100), /^Token has expired \d+ seconds ago$/],
  ])('that is no good (%s) closes the channel with the reason', async (_name, make, message) => {
    const socket = await openRaw(app);
    await joined(socket, 'realtime:room', { access_token: ada.token });
    socket.send('1', null, 'realtime:room', 'access_token', { access_token: await make() });
    const frame = await socket.frames.first((one) => one[3] === 'system');
    expect(frame[4]).toEqual({
      extension: 'system',
      status: 'error',
      channel: 'room',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    await socket.frames.first((one) => one[3] === 'phx_close');
    socket.close();
  });

  test('that expires closes the channel with the reason', async () => {
    const socket = await openRaw(app);
    await joined(socket, 'realtime:room', { access_token: await token({ sub: ada.id, role: 'authenticated' }, 2) });
    const frame = await socket.frames.first((one) => one[3] === 'system');
    expect(frame[4].message).toMatch(/^Token has expired/);
    await socket.frames.first((one) => one[3] === 'phx_close');
    socket.close();
  });

  test('the end of the session closes the channel with the reason', async () => {
    const socket = await openRaw(app);
    const session_id = crypto.randomUUID();
    await joined(socket, 'realtime:room', {
      access_token: await token({ sub: ada.id, role: 'authenticated', session_id }),
    });
    app.services.sessions.end([session_id], Date.now() + 60_000);
    const frame = await socket.frames.first((one) => one[3] === 'system');
    expect(frame[4].message).toBe('The session of this token has ended');
    socket.close();
  });

  test('that opened the socket lets nobody join any more once its session has ended', async () => {
    const session_id = crypto.randomUUID();
    const apikey = await token({ sub: ada.id, role: 'authenticated', session_id });
    const socket = await openRaw(app, { apikey });
    expect(await joined(socket)).toMatchObject({ status: 'ok' });
    app.services.sessions.end([session_id], Date.now() + 60_000);
    await socket.frames.first((one) => one[3] === 'phx_close');
    socket.send('2', '2', 'realtime:room', 'phx_join', {});
    expect(await socket.reply('2')).toEqual({
      status: 'error',
      response: { reason: 'InvalidJWTToken: The session of this token has ended' },
    });
    socket.close();
  });
});

test('presence under keys that every object has is seen by who comes later, and ends with its socket', async () => {
  const topic = 'realtime:keys';
  const keys = ['__proto__', 'constructor', 'toString'];
  const present = await Promise.all(keys.map(() => openRaw(app)));
  for (const [place, socket] of present.entries()) {
    await joined(socket, topic, { config: { presence: { key: keys[place], enabled: true } } });
    socket.send('1', 't', topic, 'presence', { type: 'presence', event: 'track', payload: { place } });
    expect(await socket.reply('t')).toMatchObject({ status: 'ok' });
  }
  const late = await openRaw(app);
  await joined(late, topic, { config: { presence: { enabled: true } } });
  const state = await late.frames.first((one) => one[3] === 'presence_state');
  expect(Object.keys(state[4]).sort()).toEqual([...keys].sort());
  for (const socket of present) socket.close();
  const gone = (): string[] =>
    late.frames.list.filter((one) => one[3] === 'presence_diff').flatMap((one) => Object.keys(one[4].leaves as Row));
  await late.frames.until(() => (gone().length === keys.length ? true : undefined), 'the leaves');
  expect(gone().sort()).toEqual([...keys].sort());
  late.close();
});

test('presence that is tracked too often closes the channel with the reason', async () => {
  const socket = await openRaw(app);
  await joined(socket);
  for (let call = 1; call <= 6; call++)
    socket.send('1', `p${call}`, 'realtime:room', 'presence', { type: 'presence', event: 'TRACK', payload: { call } });
  const frame = await socket.frames.first((one) => one[3] === 'system');
  expect(frame[4]).toMatchObject({ status: 'error', message: 'Client presence rate limit exceeded' });
  socket.close();
});

test('presence that is no map is refused, and the channel lives on', async () => {
  const socket = await openRaw(app);
  await joined(socket);
  socket.send('1', 'a', 'realtime:room', 'presence', { event: 'track', payload: 'not a map' });
  expect(await socket.reply('a')).toEqual({
    status: 'error',
    response: { reason: 'Presence track payload must be a map' },
  });
  socket.send('1', 'b', 'realtime:room', 'presence', { event: 'track', payload: { user: 'a' } });
  expect(await socket.reply('b')).toMatchObject({ status: 'ok' });
  socket.close();
});
