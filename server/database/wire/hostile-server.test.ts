// Tests for the client against a server that sends nonsense: broken, cut, oversized and unexpected messages. It must end with an error and
// a closed connection, or with the right rows; never with other rows, and never without an end. Failing runs print their seed.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../config/read-config.ts';
import { CatalogError } from '../../errors.ts';
import { openDatabase } from '../open-database.ts';
import { type Database, PostgresError } from '../types.ts';

type Message = readonly [kind: string, body: Buffer];

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
};
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const field = (name: string): Buffer =>
  Buffer.concat([text(name), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);
const cell = (value: string): Buffer => Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]);
const encode = ([kind, body]: Message): Buffer =>
  Buffer.concat([Buffer.from(kind, 'latin1'), int32(body.length + 4), body]);

const LARGE = 'x'.repeat(40_000);
const nothing = Buffer.alloc(0);
const welcome: readonly Message[] = [
  ['R', int32(0)],
  ['S', Buffer.concat([text('server_version'), text('18.1')])],
  ['K', Buffer.concat([int32(7), int32(9)])],
  ['Z', Buffer.from('I')],
];
/** The settings of the caller, then one row of two columns. */
const honest: readonly Message[] = [
  ['1', nothing],
  ['t', Buffer.concat([int16(1), int32(25)])],
  ['T', int16(0)],
  ['2', nothing],
  ['C', text('SELECT 0')],
  ['1', nothing],
  ['t', int16(0)],
  ['T', Buffer.concat([int16(2), field('short'), field('long')])],
  ['2', nothing],
  ['D', Buffer.concat([int16(2), cell('right'), cell(LARGE)])],
  ['C', text('SELECT 1')],
  ['Z', Buffer.from('I')],
];
const ROW = 9;
const right = [['right', brief(LARGE)]];

/** Long text as its length and a digest, so that a failure can be read. */
function brief(value: string): string {
  return value.length < 100 ? value : `${value.length}:${createHash('sha256').update(value).digest('hex')}`;
}

let directory: string;
let server: Server;
/** What the next connections are sent, and into which pieces it is cut. */
let greeting: Buffer = Buffer.alloc(0);
let reply: Buffer = Buffer.alloc(0);
let cuts: readonly number[] = [];

function serve(socket: Socket): void {
  let greeted = false;
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    if (!greeted) {
      greeted = true;
      if (greeting.equals(Buffer.concat(welcome.map(encode)))) socket.write(greeting);
      else socket.end(greeting);
      return;
    }
    // A Sync ends what is asked; whatever is answered is the last of this connection.
    if (chunk.at(-5) !== 0x53) return;
    let from = 0;
    for (const to of [...new Set(cuts.map((cut) => cut % (reply.length + 1)))].sort((a, b) => a - b)) {
      socket.write(reply.subarray(from, to));
      from = to;
    }
    socket.end(reply.subarray(from));
  });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kanbase-hostile-'));
  server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(join(directory, '.s.PGSQL.5432'), resolve));
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

function open(): Promise<Database> {
  const { config } = readConfig({ env: { DB_POOL_SIZE: '1' } });
  const url = `postgres://someone@/app?host=${encodeURIComponent(directory)}`;
  return openDatabase({ url, config: config.database, log: pino({ level: 'silent' }) });
}

/** The rows as text, or null for an error of ours. */
async function ask(): Promise<(string | null)[][] | null> {
  const database = await open();
  try {
    const caller = { role: 'anon', claims: '{}' };
    const { rows } = await database.runAs(caller, { text: 'select short, long from somewhere', values: [] });
    return rows.map((row) => row.map((one) => (one === null ? null : brief(one.toString()))));
  } catch (error) {
    expect(error instanceof CatalogError || error instanceof PostgresError, String(error)).toBe(true);
    return null;
  } finally {
    await database.close();
  }
}

const place = fc.nat(honest.length - 1);
const anyKind = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
/** The bytes of the answer with one thing wrong. */
const faulty: fc.Arbitrary<Buffer> = fc.oneof(
  fc.tuple(place, fc.oneof(fc.integer(), fc.integer({ min: -20, max: 60 }))).map(([at, length]) => {
    const pieces = honest.map(encode);
    pieces[at]?.writeInt32BE(length, 1);
    return Buffer.concat(pieces);
  }),
  fc
    .tuple(place, anyKind)
    .map(([at, kind]) => Buffer.concat(honest.map(([own, body], index) => encode([index === at ? kind : own, body])))),
  place.map((at) => Buffer.concat(honest.filter((_, index) => index !== at).map(encode))),
  fc.tuple(place, place).map(([at, to]) => {
    const twice = [...honest];
    twice.splice(to, 0, honest[at] as Message);
    return Buffer.concat(twice.map(encode));
  }),
  fc.tuple(place, place).map(([at, to]) => {
    const moved = honest.filter((_, index) => index !== at);
    moved.splice(to, 0, honest[at] as Message);
    return Buffer.concat(moved.map(encode));
  }),
  fc.tuple(place, anyKind, fc.uint8Array({ maxLength: 60 })).map(([at, kind, body]) => {
    const more = [...honest];
    more.splice(at, 0, [kind, Buffer.from(body)]);
    return Buffer.concat(more.map(encode));
  }),
  // The row itself: how many cells it says it has, and how long it says they are.
  fc
    .tuple(fc.constantFrom(0, 2, 11), fc.oneof(fc.integer(), fc.integer({ min: -3, max: 70_000 })))
    .map(([at, value]) => {
      const pieces = honest.map(([kind, body]): Message => [kind, Buffer.from(body)]);
      const body = pieces[ROW]?.[1];
      if (at === 0) body?.writeInt16BE((value << 16) >> 16, 0);
      else body?.writeInt32BE(value, at);
      return Buffer.concat(pieces.map(encode));
    }),
  fc.nat(41_000).map((end) => {
    const whole = Buffer.concat(honest.map(encode));
    return whole.subarray(0, end % whole.length);
  }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

test('an answer in any pieces is the right one', async () => {
  greeting = Buffer.concat(welcome.map(encode));
  reply = Buffer.concat(honest.map(encode));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50_000), { maxLength: 12 }), async (places) => {
      cuts = places;
      expect(await ask()).toEqual(right);
    }),
    { numRuns: 40 },
  );
});

test('an answer with something wrong is an error or the right one, and the connection is given up', async () => {
  greeting = Buffer.concat(welcome.map(encode));
  await fc.assert(
    fc.asyncProperty(faulty, fc.array(fc.nat(50_000), { maxLength: 4 }), async (bytes, places) => {
      reply = bytes;
      cuts = places;
      const rows = await ask();
      if (rows !== null) expect(rows).toEqual(right);
    }),
    { numRuns: 2000 },
  );
}, 120_000);

test('a welcome with something wrong is an error, or none', async () => {
  reply = Buffer.concat(honest.map(encode));
  const whole = Buffer.concat(welcome.map(encode));
  const wrong = fc.oneof(
    fc.nat(whole.length - 1).map((end) => whole.subarray(0, end)),
    fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      return changed;
    }),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(wrong, async (bytes) => {
      greeting = bytes;
      const opened = await open().catch((error: unknown) => {
        expect(error).toBeInstanceOf(CatalogError);
        return null;
      });
      await opened?.close();
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['longer than anything Postgres sends', Buffer.concat([Buffer.from('D'), int32(0x7fff_ffff)])],
  ['long where such messages are short', Buffer.concat([Buffer.from('Z'), int32(31_000)])],
  ['shorter than its own length', Buffer.concat([Buffer.from('D'), int32(3)])],
])('a message that says it is %s is refused before its bytes are awaited', async (_what, bytes) => {
  greeting = Buffer.concat(welcome.map(encode));
  reply = bytes;
  cuts = [];
  expect(await ask()).toBeNull();
});
