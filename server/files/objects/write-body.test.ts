// Long downloads over real connections, by sendfile where the package for it is installed, and the other way where it refuses: every byte arrives
// once and in order, whoever else is cut off meanwhile, and nothing stays open.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadSendfile, type Sendfile } from '../store/load-sendfile.ts';
import { openPieces, type Pieces } from '../store/opened-file.ts';
import { writeBody } from './write-body.ts';

const real = await loadSendfile();
const size = 24 * 1024 * 1024 + 77;
const bytes = randomBytes(size);
const folder = mkdtempSync(join(tmpdir(), 'kanbase-long-'));
const path = join(folder, 'long');

let server: Server;
let port = 0;
let sendfile: Sendfile | null = null;
/** What the calls of the `counted` made last have sent; those before it may end later than what they were for. */
let sent: number[] = [];

beforeAll(async () => {
  writeFileSync(path, bytes);
  server = createServer((request, response) => {
    const [start = 0, end = size] = (/^\/(\d+)-(\d+)$/.exec(request.url ?? '') ?? []).slice(1).map(Number);
    void openPieces(request.url === '/cut' ? join(folder, 'cut') : path, start, end - start).then(async (body) => {
      response.writeHead(200, { 'content-length': String(end - start) });
      if (request.method === 'HEAD') {
        (body as Pieces).cancel();
        return response.end();
      }
      await writeBody(response, body as Pieces, async () => sendfile).then(
        () => response.end(),
        () => response.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  sendfile = counted(real);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function counted(one: Sendfile | null): Sendfile | null {
  const own: number[] = [];
  sent = own;
  if (one === null) return null;
  return {
    duplicate: one.duplicate,
    send: (to, from, at, count, taken) =>
      one.send(to, from, at, count, (many) => {
        own.push(many);
        taken(many);
      }),
  };
}

async function download(about = '/', agent: Agent | false = false): Promise<Buffer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path: about, agent }, resolve).on('error', reject);
  });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Resolves with the first bytes of the answer; reads no more until it is resumed. */
function begin(requests: string): Promise<{ socket: Socket; parts: Buffer[] }> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', reject);
    socket.on('data', (part) => {
      parts.push(part);
      if (parts.length > 1) return;
      socket.pause();
      resolve({ socket, parts });
    });
    socket.write(requests);
  });
}

const asking = (path = '/', more = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`;
const bodyOf = (answer: Buffer) => answer.subarray(answer.indexOf('\r\n\r\n') + 4);

/** Files of the folder, and connections. */
function openThings(): number {
  return readdirSync('/proc/self/fd').filter((one) => {
    try {
      return /^socket:|kanbase-long-/.test(readlinkSync(`/proc/self/fd/${one}`));
    } catch {
      return false;
    }
  }).length;
}

describe.each([
  ['sendfile', real],
  ['a sendfile that refuses', { duplicate: real?.duplicate ?? (() => 1_000_000), send: (...all) => all[4](-1) }],
  [
    'a sendfile that has no thread left',
    {
      duplicate: real?.duplicate ?? (() => 1_000_000),
      send: () => {
        throw new Error('too many');
      },
    },
  ],
  ['no descriptor to be had', { duplicate: () => -1, send: () => undefined }],
  ['no sendfile', null],
] as [string, Sendfile | null][])('%s', (_name, one) => {
  beforeEach(() => {
    sendfile = counted(one);
  });

  test('brings the whole, parts, and several at once', async () => {
    expect((await download()).equals(bytes)).toBe(true);
    for (const [from, to] of [
      [1, size],
      [4095, 9_000_001],
      [size - 2_000_000, size],
      [17, 17 + 1024 * 1024],
      [5, 6],
    ] as const)
      expect((await download(`/${from}-${to}`)).equals(bytes.subarray(from, to))).toBe(true);
    const many = await Promise.all(Array.from({ length: 6 }, () => download()));
    expect(many.every((answer) => answer.equals(bytes))).toBe(true);
  });

  test('leaves the connection good for what is asked next', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const [from, to] of [
      [0, size],
      [3, 10],
      [100, 5_000_000],
      [0, size],
    ] as const)
      expect((await download(`/${from}-${to}`, agent)).equals(bytes.subarray(from, to))).toBe(true);
    agent.destroy();
  });

  test('answers in turn what was asked in one go', async () => {
    const closing = 'Connection: close\r\n';
    const { socket, parts } = await begin(
      asking('/0-3000000') +
        asking('/7-2000007').replace('GET', 'HEAD') +
        asking('/9-1500009') +
        asking('/4-10', closing),
    );
    socket.resume();
    await new Promise((resolve) => socket.once('end', resolve));
    let rest: Buffer = Buffer.concat(parts);
    for (const [from, to] of [
      [0, 3_000_000],
      [0, 0],
      [9, 1_500_009],
      [4, 10],
    ] as const) {
      const body = bodyOf(rest);
      expect(body.subarray(0, to - from).equals(bytes.subarray(from, to))).toBe(true);
      rest = body.subarray(to - from);
    }
    expect(rest).toHaveLength(0);
  });

  test('waits for a slow reader, who holds nobody up', async () => {
    const { socket, parts } = await begin(asking('/', 'Connection: close\r\n'));
    expect((await download()).equals(bytes)).toBe(true);
    socket.on('data', () => {
      socket.pause();
      setImmediate(() => socket.resume());
    });
    socket.resume();
    await new Promise((resolve) => socket.once('end', resolve));
    expect(bodyOf(Buffer.concat(parts)).equals(bytes)).toBe(true);
  });

  test('cuts the connection where the file is cut, and goes on with others', async () => {
    writeFileSync(join(folder, 'cut'), bytes);
    truncateSync(join(folder, 'cut'), 9_000_000);
    await expect(download('/cut')).rejects.toThrow();
    expect((await download('/0-2000000')).equals(bytes.subarray(0, 2_000_000))).toBe(true);
  });
});

test.runIf(real !== null)('sends by calls, not by pieces, and what a slow reader makes room for too', async () => {
  expect((await download()).equals(bytes)).toBe(true);
  // The last call may end after its bytes have arrived.
  await vi.waitFor(() =>
    expect(sent.filter((count) => count > 0).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(size / 2),
  );
  sendfile = counted(real);
  await download('/0-1000000');
  expect(sent).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a download that is cut off gets nothing more, others get only their own bytes, and nothing stays open',
  async () => {
    const before = openThings();
    // New connections take the numbers of closed ones all the time, while calls for those are still under way.
    const whole = (async () => {
      for (let n = 0; n < 12; n++) expect((await download()).equals(bytes)).toBe(true);
    })();
    const cut = Array.from({ length: 4 }, async () => {
      for (let n = 0; n < 40; n++) {
        const { socket } = await begin(asking());
        if (n % 2 === 0) socket.resume();
        if (n % 3 === 0) socket.resetAndDestroy();
        else if (n % 3 === 1) socket.destroy();
        else socket.once('data', () => socket.destroy()).resume();
        expect((await download('/11-1400011')).equals(bytes.subarray(11, 1_400_011))).toBe(true);
      }
    });
    await Promise.all([whole, ...cut]);
    await vi.waitFor(() => expect(openThings()).toBeLessThanOrEqual(before), { timeout: 30_000 });
  },
);
