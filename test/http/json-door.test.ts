// Hostile JSON at every door, beside another person's work: it is refused before it is parsed, and before it is read where
// it is known who sends it.

import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openRaw } from '../realtime/subscribe.ts';

let ada: TestUser;
let job: string;
const app = forSuite(() => startApp({ settings: { AUTH_LIMIT_EXEMPT: '', AUTH_LIMIT_SIGN_IN: '6' } }));
beforeAll(async () => {
  ada = await app.createUser();
  const uploaded = await app.request('/api/imports?name=tasks.csv', {
    method: 'POST',
    token: ada.token,
    body: 'Title,Status\nOne,Open\n',
  });
  ({ id: job } = (await uploaded.json()) as { id: string });
});
afterEach(() => vi.restoreAllMocks());

const lists = (count: number): string => `[${'[],'.repeat(count)}[]]`;
async function send(path: string, body: string): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await app.request(path, { method: 'POST', token: ada.token, body, headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Of every hostile text here. */
const hostile = /(\[\],){20}|\[{100}|9{100}|x{100}|(\{"name":"y"\},){5}|"k4000"/;

/** Lengths of the hostile texts that JSON.parse is given while `work` goes on. */
async function hostileParsed(work: () => Promise<unknown>): Promise<number[]> {
  const parse = vi.spyOn(JSON, 'parse');
  await work();
  return parse.mock.calls.flatMap(([text]) =>
    String(text).length > 1000 && hostile.test(String(text)) ? String(text).length : [],
  );
}

describe('a body that holds too much is not parsed', () => {
  const doors = (): [path: string, bytes: number][] => [
    ['/auth/v1/token?grant_type=refresh_token', 64 * 1024],
    ['/storage/v1/object/list/attachments', 1024 * 1024],
    [`/api/imports/${job}/start`, 256 * 1024],
    [`/api/imports/${job}/preview`, 256 * 1024],
    ['/api/admin/claim', 16 * 1024],
    ['/api/lead', 16 * 1024],
    ['/api/webhooks', 16 * 1024],
    ['/api/billing/create-checkout', 64 * 1024],
    ['/realtime/v1/api/broadcast', 3000 * 1024 * 2],
  ];

  test('of many lists, at each door', async () => {
    const answers: unknown[] = [];
    const parsed = await hostileParsed(async () => {
      for (const [path, bytes] of doors()) {
        const { status } = await send(path, lists(Math.min(bytes / 3 - 10, 100_000)));
        answers.push([path, status]);
      }
    });
    expect(answers).toEqual(doors().map(([path]) => [path, path.startsWith('/storage') ? 400 : 413]));
    expect(parsed).toEqual([]);
  });

  test('nor read, where its length says that it is too long', async () => {
    for (const [path, bytes] of doors()) {
      const status = await statusOfHead(path, ada.token, bytes + 1);
      expect([path, status]).toEqual([path, path.startsWith('/storage') ? 400 : 413]);
    }
  });

  test.each([
    ['is nested too deeply', '['.repeat(1001) + ']'.repeat(1001), 400, 'PGRST102', 'The body is nested too deeply'],
    [
      'has a number without end',
      `[{"a":${'9'.repeat(2000)}}]`,
      400,
      'PGRST102',
      'The body has a number of more than 1000 characters',
    ],
    ['has a million lists', lists(1_000_001), 413, 'KB413', 'The body has more than 1000000 values'],
    ['is no JSON', `[${lists(200_000)}`, 400, 'PGRST102', 'Empty or invalid json'],
    [
      'has rows that differ',
      `[{"title":"x"},${'{"name":"y"},'.repeat(30_000)}{}]`,
      400,
      'PGRST102',
      'All object keys must match',
    ],
    [
      'has too many keys',
      `{${Array.from({ length: 5001 }, (_, at) => `"k${at}":1`).join()}}`,
      413,
      'KB413',
      'A row of the body has more than 5000 keys',
    ],
  ])('of /rest/v1 that %s', async (_what, body, status, code, message) => {
    for (const path of ['/rest/v1/tasks', '/rest/v1/rpc/move_task']) {
      let answer: unknown;
      expect(
        await hostileParsed(async () => {
          answer = await send(path, body);
        }),
      ).toEqual([]);
      expect(answer).toMatchObject({ status, body: { code, message } });
    }
  });

  test('a body with named columns is counted as well', async () => {
    expect(await send('/rest/v1/tasks?columns=title', lists(1_000_001))).toMatchObject({ status: 413 });
  });

  test('a table and a form have their bounds', async () => {
    const csv = await app.request('/rest/v1/tasks', {
      method: 'POST',
      token: ada.token,
      headers: { 'content-type': 'text/csv' },
      body: `title\n${'x,y\n'.repeat(500_001)}`,
    });
    expect(csv.status).toBe(413);
    const form = await app.request('/rest/v1/rpc/move_task', {
      method: 'POST',
      token: ada.token,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1&'.repeat(3000),
    });
    expect([form.status, await form.json()]).toMatchObject([400, { message: 'A form has 2000 fields at most' }]);
  });
});

test('long honest bodies are written, as JSON and as a table', async () => {
  const { data: project } = await ada.client
    .rpc('create_project_with_defaults', { name: 'Bulk' })
    .single<{ id: string }>();
  const { data: columns } = await ada.client.from('workflow_columns').select('id').eq('project_id', project?.id);
  const rows = Array.from({ length: 300 }, (_, nth) => ({
    project_id: project?.id,
    column_id: columns?.[0]?.id,
    title: `Täsk "${nth}"`,
    description: 'a line, of text\n'.repeat(60),
  }));
  const made = await app.request('/rest/v1/tasks', {
    method: 'POST',
    token: ada.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rows, ['description', 'title', 'project_id', 'column_id'], 1),
  });
  expect(made.status).toBe(201);
  const cell = (text: unknown): string => `"${String(text).replaceAll('"', '""')}"`;
  const table = await app.request('/rest/v1/tasks', {
    method: 'POST',
    token: ada.token,
    headers: { 'content-type': 'text/csv' },
    body: ['project_id,column_id,title,description', ...rows.map((row) => Object.values(row).map(cell).join())].join(
      '\n',
    ),
  });
  expect(table.status).toBe(201);
  const { data } = await ada.client.from('tasks').select('title,description').eq('project_id', project?.id);
  const expected = rows.map(({ title, description }) => ({ title, description }));
  const byTitle = (a: { title: string }, b: { title: string }): number => a.title.localeCompare(b.title);
  expect([...(data ?? [])].sort(byTitle)).toEqual([...expected, ...expected].sort(byTitle));
});

/** The status that a head alone gets, which promises a body of that many bytes. */
function statusOfHead(path: string, token: string | null, bytes: number): Promise<number> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const keys = token === null ? '' : `apikey: ${app.anonKey}\r\nauthorization: Bearer ${token}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n${keys}content-length: ${bytes}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]));
    });
    socket.once('error', reject);
  });
}

describe('requests refused by their head', () => {
  test.each([
    ['/storage/v1/object/list/attachments', 400],
    ['/api/imports/0b0e4a4e-0000-4000-8000-000000000000/start', 401],
    ['/api/imports', 401],
    ['/api/admin/claim', 401],
    ['/realtime/v1/api/broadcast', 401],
    ['/api/webhook/billing', 400],
    ['/auth/v1/user', 404],
    ['/scim/v2/Users', 401],
    ['/mcp', 401],
  ])('%s', async (path, status) => {
    expect(await statusOfHead(path, null, 1000)).toBe(status);
  });

  test('an address that has signed in too often', async () => {
    const path = '/auth/v1/token?grant_type=password';
    const wrong = { email: 'nobody@example.test', password: 'not the one' };
    await expect.poll(async () => (await app.call('POST', path, wrong)).status).toBe(429);
    expect(await statusOfHead(path, null, 1000)).toBe(429);
  });

  test('unreadable bodies count as well', async () => {
    const path = '/auth/v1/token?grant_type=pkce';
    await expect.poll(async () => (await app.call('POST', path, '{')).status).toBe(429);
  });
});

describe('frames', () => {
  const broadcast = (payload: string): string =>
    `["1","9","realtime:room","broadcast",{"type":"broadcast","event":"e","payload":${payload}}]`;

  async function inRoom() {
    const socket = await openRaw(app);
    socket.send('1', '1', 'realtime:room', 'phx_join', { config: { broadcast: { ack: true, self: false } } });
    expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
    return socket;
  }

  test('before a join are short', async () => {
    const other = await inRoom();
    const [listener, stranger] = [await inRoom(), await openRaw(app)];
    const parsed = await hostileParsed(async () => {
      stranger.ws.send(JSON.stringify(['1', '1', 'realtime:room', 'phx_join', { note: 'x'.repeat(256 * 1024) }]));
      expect(await stranger.closed).toMatchObject({ code: 1009, reason: expect.stringContaining('message_too_large') });
      other.ws.send(broadcast('{"said":1}'));
      await listener.frames.first((frame) => frame[3] === 'broadcast', 'what the other said');
    });
    expect(parsed).toEqual([]);
    for (const { close } of [other, listener]) close();
  });

  test('before a join are not gathered either', async () => {
    const stranger = await openRaw(app);
    const { _socket: socket } = stranger.ws as unknown as { _socket: import('node:net').Socket };
    // A frame of five megabytes, of which one comes.
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x50, 0, 0, 1, 2, 3, 4]);
    socket.write(head);
    socket.write(Buffer.alloc(1024 * 1024));
    expect(await stranger.closed).toMatchObject({ code: 1009 });
  });

  test('with too many values are not parsed, and long honest ones pass as they were written', async () => {
    const [sender, other, listener] = [await inRoom(), await inRoom(), await inRoom()];
    const long = `{ "text": "${'ä'.repeat(400_000)}" }`;
    other.ws.send(broadcast(long));
    other.send('1', '10', 'realtime:room', 'broadcast', { type: 'broadcast', event: 'after', payload: {} });
    const heard = await listener.frames.first((frame) => frame[3] === 'broadcast', 'a long message');
    expect(heard[4]).toMatchObject({ event: 'e', payload: JSON.parse(long) });
    await listener.frames.first((frame) => (frame[4] as { event?: string }).event === 'after', 'the one behind it');
    const parsed = await hostileParsed(async () => {
      sender.ws.send(broadcast(`{"a":${lists(300_000)}}`));
      expect(await sender.closed).toMatchObject({ code: 1009 });
    });
    expect(parsed).toEqual([]);
    expect(await other.reply('10')).toMatchObject({ status: 'ok' });
    for (const { close } of [other, listener]) close();
  });
});

/** Files of the rooms that read requests which parse JSON all the same, and what of. */
const others: Readonly<Record<string, string>> = {
  'server/data/request/body-keys.ts': 'one key of a body that was scanned',
  'server/files/images/image-process.ts': 'an answer of our own process',
  'server/files/images/image-program.ts': 'a task that the server gave',
  'server/files/links/sign-link.ts': 'claims of a token that was checked',
  'server/imports/door/read-upload.ts': 'claims of a token that was checked',
  'server/imports/door/worker/main.ts': 'an answer of the server to its own worker',
  'server/pages/serve-pages.ts': 'settings that the server wrote',
};

test('JSON of requests is parsed at one place', () => {
  const rooms = ['admin', 'billing', 'data/request', 'files', 'http', 'identity/requests', 'imports/door', 'pages'];
  const files = [...rooms, 'realtime/api', 'realtime/sockets'].flatMap((room) =>
    readdirSync(`server/${room}`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
  const parsing = files.filter((file) => readFileSync(file, 'utf8').includes('JSON.parse('));
  expect(parsing.sort()).toEqual(Object.keys(others));
});
