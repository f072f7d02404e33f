// Refusals in the words of Supabase's server, and answers like its own: bindings, replays,
// flags, references of joins, renewed tokens, the ping.

import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { openRaw, type RawSocket, type Row } from './subscribe.ts';

const things = `
  create table public.things (id int primary key, name text, code varchar(9), price numeric, is_done boolean, at date, data jsonb);
  alter table public.things replica identity full;
  grant select on public.things to authenticated;
  alter publication supabase_realtime add table public.things;
`;

const app = forSuite(() => startApp({ prepare: things }));
const ada = person(app, 'Ada');

let topics = 0;
async function join(
  socket: RawSocket,
  config: Row,
  more: Row = {},
): Promise<{ ref: string; topic: string; reply: Row }> {
  const ref = String(++topics);
  const topic = `realtime:room${ref}`;
  socket.send(ref, ref, topic, 'phx_join', { access_token: ada.token, ...more, config });
  return { ref, topic, reply: await socket.reply(ref) };
}

/** What is said of a binding that is waited for. */
async function said(binding: Row): Promise<string> {
  const socket = await openRaw(app);
  const config = { postgres_changes: [binding], postgres_changes_options: { wait: true } };
  const { reply } = await join(socket, config);
  socket.close();
  const response = reply.response as { reason?: string };
  return response.reason?.replace(/^RealtimeDisabledForConfiguration: /, '') ?? String(reply.status);
}

const bound = { event: '*', schema: 'public', table: 'things' };
const raised = (words: string): RegExp =>
  new RegExp(`Exception: ERROR P0001 \\(raise_exception\\) ${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

describe('a binding', () => {
  test.each<[string, string]>([
    [
      'id=like.5%',
      'operator like is not supported on column id of type integer: invalid input syntax for type integer: "5%"',
    ],
    [
      'id=like.5',
      'operator like is not supported on column id of type integer: operator does not exist: integer ~~ integer',
    ],
    [
      'price=ilike.5',
      'operator ilike is not supported on column price of type numeric: operator does not exist: numeric ~~* numeric',
    ],
    [
      'id=match.5',
      'operator match is not supported on column id of type integer: operator does not exist: integer ~ integer',
    ],
    [
      'at=imatch.2026-01-01',
      'operator imatch is not supported on column at of type date: operator does not exist: date ~* date',
    ],
    [
      'name=match.(',
      'invalid regular expression for match filter: invalid regular expression: parentheses () not balanced',
    ],
    ['name=is.true', 'is true filter requires a boolean column, got text'],
    ['id=not.is.unknown', 'is unknown filter requires a boolean column, got integer'],
    ['data->>a=is.false', 'is false filter requires a boolean column, got text'],
    ['is_done=is.yes', 'invalid value for is filter: must be null, true, false, or unknown'],
    [`id=in.(${Array.from({ length: 101 }, (_, at) => at).join(',')})`, 'too many values for `in` filter. Maximum 100'],
    ['nothing=eq.1', 'invalid column for filter nothing'],
  ])('%s is refused', async (filter, words) => {
    expect(await said({ ...bound, filter })).toMatch(raised(words));
  });

  test.each([
    'name=like.a%',
    'code=ilike.A%',
    'name=match.^a',
    'is_done=is.true',
    'id=is.null',
    'data->>a=like.x%',
    '  ',
    '',
  ])('%s is taken', async (filter) => {
    expect(await said({ ...bound, filter })).toBe('ok');
  });

  test.each(['id=eq.1,', ',id=eq.1', 'id=eq.1,,name=eq.a', 'id=eq.1, ,name=eq.a'])(
    'with an empty condition: %s',
    async (filter) => {
      expect(await said({ ...bound, filter })).toBe(
        'Error parsing `filter` params: filter must not contain empty segments (check for extra commas)',
      );
    },
  );

  test('that selects columns by a text, or of all tables', async () => {
    expect(await said({ ...bound, select: 'id,name' })).toBe(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    );
    expect(await said({ event: '*', schema: 'public', select: ['id'] })).toBe(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
    expect(await said({ ...bound, select: [] })).toBe('ok');
  });

  test('that says neither schema nor table, or a filter that is no text', async () => {
    const missing = 'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: ';
    expect(await said({})).toBe(`${missing}%{}`);
    expect(await said({ ...bound, filter: null })).toBe(
      `${missing}%{"event" => "*", "filter" => nil, "schema" => "public", "table" => "things"}`,
    );
    expect(await said({ schema: 'public', filter: 'id=eq.1' })).toMatch(missing);
    expect(await said({ table: 'things' })).toBe('ok');
  });

  test('without being waited for hears it once, and is not tried again', async () => {
    const socket = await openRaw(app);
    const { topic } = await join(socket, { postgres_changes: [{ ...bound, filter: 'id=like.5%' }] });
    const frame = await socket.frames.first((one) => one[2] === topic && one[3] === 'system');
    expect(frame[4]).toMatchObject({
      extension: 'postgres_changes',
      status: 'error',
      message: expect.stringMatching(/operator like/),
    });
    expect(JSON.stringify(socket.frames.list)).not.toMatch(/unable to connect/);
    socket.close();
  });
});

test('a replay has to say since when', async () => {
  const socket = await openRaw(app);
  for (const replay of [{}, { limit: 3 }, { since: null }, { since: '5' }]) {
    const { reply } = await join(socket, { private: true, broadcast: { replay } }, { access_token: app.serviceKey });
    expect(reply.response).toEqual({ reason: 'UnableToReplayMessages: Replay params are not valid' });
  }
  socket.close();
});

test('the ping answers without a key', async () => {
  const answer = await fetch(`${app.url}/realtime/v1/api/ping`);
  expect([answer.status, await answer.json()]).toEqual([200, { message: 'Success' }]);
});

test.each(['true', 'True', 'TRUE', true])('%s is a flag that is set', async (flag) => {
  const socket = await openRaw(app);
  const { topic, ref } = await join(socket, { broadcast: { self: flag, ack: flag } });
  socket.send(ref, 'b', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} });
  expect(await socket.reply('b')).toEqual({ status: 'ok', response: {} });
  await socket.frames.first((one) => one[2] === topic && one[3] === 'broadcast');
  socket.close();
});

test('a reference of a join that was overtaken: its messages are heard, and its leave closes nothing', async () => {
  const socket = await openRaw(app);
  const config = { broadcast: { ack: true } };
  socket.send('old', 'old', 'realtime:again', 'phx_join', { config });
  await socket.reply('old');
  socket.send('new', 'new', 'realtime:again', 'phx_join', { config });
  await socket.reply('new');
  socket.send('old', 'said', 'realtime:again', 'broadcast', { type: 'broadcast', event: 'e', payload: {} });
  expect(await socket.reply('said')).toEqual({ status: 'ok', response: {} });
  socket.send('old', 'left', 'realtime:again', 'phx_leave', {});
  socket.send('new', 'still', 'realtime:again', 'broadcast', { type: 'broadcast', event: 'e', payload: {} });
  expect(await socket.reply('still')).toEqual({ status: 'ok', response: {} });
  expect(
    socket.frames.list.filter(([of, ref, , event]) => ref === 'left' || (event === 'phx_close' && of === 'new')),
  ).toEqual([]);
  socket.close();
});

test('a renewed token is answered by word that the bindings stand', async () => {
  const socket = await openRaw(app);
  const { topic, ref } = await join(socket, { postgres_changes: [bound] });
  const words = () => socket.frames.list.filter((one) => one[2] === topic && one[3] === 'system').map((one) => one[4]);
  await socket.frames.until(() => (words().length === 1 ? true : undefined), 'the first word');
  const token = await app.services.sessions.sign({ sub: ada.id, role: 'authenticated', aud: 'authenticated' }, 7200);
  socket.send(ref, null, topic, 'access_token', { access_token: token });
  await socket.frames.until(() => (words().length === 2 ? true : undefined), 'the second word');
  const ok = {
    extension: 'postgres_changes',
    status: 'ok',
    message: 'Subscribed to PostgreSQL',
    channel: topic.slice(9),
  };
  expect(words()).toEqual([ok, ok]);
  socket.close();
});
