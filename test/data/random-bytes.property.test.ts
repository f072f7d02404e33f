// Random bytes in parameters, headers and bodies never cause a 5xx, and the server stays up.

import net from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startApi } from './api.ts';
import { noise } from './random-bytes.ts';

const api = forSuite(startApi);

const encode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
/** As a client that encodes nothing would send it, as far as HTTP lets it. */
const sendAsIs = (text: string): string => text.replace(/[^!-~]|[#%]/gu, '');

const PATHS = [
  ...['/ships', '/ports', '/samples', '/papers', '/numbers', '/paints', '/Odd%20Table', '/fleet', '/cargo'],
  ...['/rpc/all_ships', '/rpc/total', '/rpc/echo_jsonb', '/rpc/overloaded', '/'],
];
const KEYS = [
  ...['select', 'order', 'limit', 'offset', 'and', 'or', 'not.and', 'columns', 'on_conflict', 'id', 'name', 'doc->a'],
  ...['ports.order', 'ports.limit', 'ports.or', 'tags', 'span', 'search', 'numbers', 'a'],
];
const key = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: noise });

test('parameters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.array(fc.tuple(key, noise), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('GET', 'HEAD', 'DELETE'),
      fc.boolean(),
      async (where, pairs, method, asIs) => {
        const query = pairs
          .map(([name, value]) => `${encode(name)}=${asIs ? sendAsIs(value) : encode(value)}`)
          .join('&');
        const reply = await api.ask(method, `${where}?${query}`, { prefer: 'tx=rollback' });
        expect(reply.status, `${method} ${where}?${query} ${reply.text}`).toBeLessThan(500);
        if (reply.status >= 400 && method !== 'HEAD')
          expect(reply.json).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      },
    ),
    { numRuns: 600 },
  );
});

const HEADERS = [
  ...['prefer', 'accept', 'content-type', 'range', 'range-unit', 'accept-profile', 'content-profile'],
  ...['authorization', 'apikey', 'cookie', 'x-custom', 'if-none-match', 'origin'],
];
const VALUES = [
  ...[
    'application/',
    'vnd.pgrst.',
    'plan',
    'object',
    '+json',
    ';',
    'for="',
    '"',
    'options=',
    'q=',
    '0.5',
    'count=',
    'exact',
  ],
  ...[
    'return=',
    'max-affected=',
    '99999999999999999999',
    'timezone=',
    "' ",
    ',',
    '=',
    '-',
    '0',
    '5-',
    '*/*',
    'Bearer ',
    'a.b.c',
  ],
];
const headerValue = fc.oneof(
  fc
    .uint8Array({ maxLength: 40 })
    .map((array) => Buffer.from(array.map((byte) => (byte < 32 || byte === 127 ? 63 : byte))).toString('latin1')),
  fc.array(fc.constantFrom(...VALUES), { maxLength: 10 }).map((parts) => parts.join('')),
);

test('headers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/ships', '/rpc/add_them?a=1&b=2', '/rpc/describe_request', '/'),
      fc.constantFrom('GET', 'POST', 'PATCH', 'OPTIONS'),
      fc.dictionary(fc.constantFrom(...HEADERS), headerValue, { minKeys: 1, maxKeys: 4 }),
      async (where, method, headers) => {
        // Nothing is written: an id that is no number is refused by Postgres at the latest.
        const body = method === 'POST' || method === 'PATCH' ? { body: '{"id": "none"}' } : {};
        const reply = await api.ask(method, where, {
          ...body,
          headers: { 'content-type': 'application/json', ...headers },
        });
        expect(reply.status, `${method} ${where} ${JSON.stringify(headers)} ${reply.text}`).toBeLessThan(500);
      },
    ),
    { numRuns: 400 },
  );
});

const FIELDS = ['id', 'note', 'label', 'meta', 'c_json', 'c_ints', 'c_range', '', '"', 'a'];
const TEXT = [
  'id',
  'note',
  ',',
  '\n',
  '"',
  'NULL',
  '1',
  '\r',
  '=',
  '&',
  '%',
  '%zz',
  String.fromCharCode(0),
  '{',
  '[',
  ':',
];
const body = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
  fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), { maxLength: 3 })
    .map((rows) => Buffer.from(JSON.stringify(rows))),
  fc.array(fc.constantFrom(...TEXT), { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
);
const BODY_PATHS = [
  ...['/drawer', '/samples', '/crates?columns=id,label', '/papers', '/paints', '/rpc/take_json', '/rpc/take_jsonb'],
  ...['/rpc/take_text', '/rpc/take_bytes', '/rpc/total', '/rpc/echo_jsonb', '/rpc/all_defaults'],
];
const TYPES = [
  ...['application/json', 'text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream'],
  ...['text/xml', 'multipart/form-data', ''],
];

test('bodies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...BODY_PATHS),
      fc.constantFrom('POST', 'PATCH', 'PUT'),
      fc.constantFrom(...TYPES),
      body,
      async (where, method, contentType, content) => {
        const reply = await api.ask(method, where, {
          body: content,
          headers: { 'content-type': contentType },
          prefer: 'tx=rollback, return=representation',
        });
        expect(
          reply.status,
          `${method} ${where} ${contentType} ${content.toString('latin1')} ${reply.text}`,
        ).toBeLessThan(500);
      },
    ),
    { numRuns: 300 },
  );
});

test('bytes that are hardly HTTP', async () => {
  const port = Number(new URL(api.url).port);
  const sendRaw = (content: Buffer): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.end(content));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(text));
      socket.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
      );
    });
  const keys = `apikey: ${api.anonKey}\r\nauthorization: Bearer ${api.anonKey}\r\n`;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST'),
      fc.uint8Array({ maxLength: 30 }),
      fc.uint8Array({ maxLength: 30 }),
      async (method, address, value) => {
        const answer = await sendRaw(
          Buffer.concat([
            Buffer.from(`${method} /rest/v1/ships?id=eq.`),
            Buffer.from(address),
            Buffer.from(` HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${keys}x-noise: `),
            Buffer.from(value),
            Buffer.from('\r\n\r\n'),
          ]),
        );
        expect(answer, JSON.stringify(answer)).not.toMatch(/^HTTP\/1\.1 5/);
      },
    ),
    { numRuns: 150 },
  );
  expect((await api.get('/sailors?limit=1')).status).toBe(200);
});
