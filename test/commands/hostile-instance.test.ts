// Client commands against a server that sends what harms a terminal or fails, and with settings that hold a secret in the wrong place.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';

type Reply = readonly [status: number, body: string] | 'broken';

const place = scratch('hostile-instance');
afterAll(() => place.remove());
/** By path; the last one of a path is repeated. */
let replies: Record<string, Reply[]>;
const instance = forSuite(async () => {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const [first = [404, '{}'] as const, ...rest] = replies[path] ?? [];
    if (rest.length > 0) replies[path] = rest;
    if (first === 'broken') return void request.socket.destroy();
    response.writeHead(first[0], { 'content-type': 'application/json' }).end(first[1]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
});
beforeEach(() => {
  replies = {};
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runKanbase(args, { env: { HOME: place.path, XDG_CONFIG_HOME: place.path, ...env }, cwd: place.path });

const hostile = '\u001b]0;owned\u0007\u009b2J\u202e\u061c';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u202e]/;

test.each(['', 'debug'])(
  'a refusal names message, details and hint in one harmless line (LOG_LEVEL=%s)',
  async (LOG_LEVEL) => {
    const body = JSON.stringify({
      code: 'KB001',
      message: `no${hostile}.`,
      details: `Open: ${hostile}A-1`,
      hint: 'Wait.',
    });
    replies['/rest/v1/projects'] = [[409, body]];
    const { code, stdout, stderr } = await run(['project', 'list'], {
      ...{ KANBASE_URL: instance.address, KANBASE_KEY: 'kb_00', LOG_LEVEL },
    });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/kanbase project list: no\]0;owned2J\. Open: \]0;owned2JA-1\. Wait\.\n$/);
    expect(stderr).not.toMatch(harmful);
  },
);

test('types come without what harms a terminal', async () => {
  replies['/docs/database.ts'] = [[200, `export type Database = {\n// ${hostile}\n};\n`]];
  const { code, stdout } = await run(['types', '--instance', instance.address]);
  expect([code, stdout]).toEqual([0, 'export type Database = {\n// ]0;owned2J\n};\n']);
});

test.each([
  [{ KANBASE_KEY: 'kb_5ec2e7\nkb_5ec2e7' }, /KANBASE_KEY must be a key/],
  [{ KANBASE_KEY: 'token 5ec2e7' }, /KANBASE_KEY must be a key/],
  [{ KANBASE_URL: 'https://ada:5ec2e7@board.example.test', KANBASE_KEY: 'kb_00' }, /KANBASE_URL must be an address/],
  [{ KANBASE_URL: 'https://ada:5ec2e7@board.example.test' }, /KANBASE_URL must be an address/],
])('%j is refused without repeating it', async (env, says) => {
  for (const LOG_LEVEL of ['', 'debug']) {
    const { code, stdout, stderr } = await run(['project', 'list'], {
      KANBASE_URL: instance.address,
      LOG_LEVEL,
      ...env,
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain('5ec2e7');
  }
});

test('a sign-in waits past a connection that broke, and is told of a page elsewhere', async () => {
  const device = { device_code: 'd', user_code: 'AB-CD', verification_uri: 'https://elsewhere.example.test/device' };
  replies = {
    '/api/settings': [[200, JSON.stringify({ anonKey: 'anon' })]],
    '/auth/v1/oauth/device_authorization': [[200, JSON.stringify({ ...device, expires_in: 60, interval: 1 })]],
    '/auth/v1/oauth/token': ['broken', [400, JSON.stringify({ error: 'access_denied' })]],
  };
  const { code, stderr } = await run(['login', instance.address]);
  expect([code, stderr.split('\n')]).toEqual([
    1,
    [
      'Open https://elsewhere.example.test/device',
      `That page is not at ${instance.address}: open it only if you trust it`,
      'and check that it shows the code AB-CD',
      'kanbase login: the request was refused on the page',
      '',
    ],
  ]);
});
