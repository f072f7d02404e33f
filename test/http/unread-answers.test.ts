// Clients that ask for much and read nothing: what they hold is bounded, and others are served meanwhile.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const megabyte = 1024 * 1024;
/** More than two systems take off a connection that nobody reads. */
const length = 12 * megabyte;
const longText = '/rest/v1/rpc/long_text';
let sockets: Socket[] = [];
const app = forSuite(() =>
  startApp({
    settings: { HTTP_READ_TIMEOUT_MS: '3000', HTTP_ANSWERS_TOTAL: String(20 * megabyte), DATA_MAX_ROWS: '1000' },
    // A row has about a hundred kilobytes.
    prepare: `
      create table public.long_texts (id int primary key, text text);
      insert into public.long_texts
        select i, string_agg(md5(i::text || ' ' || j), '') from generate_series(1, 96) i, generate_series(1, 3200) j group by i;
      grant select on public.long_texts to anon, authenticated;
      create function public.long_text() returns text stable language sql as $$ select repeat('x', ${length}) $$;
      grant execute on function public.long_text() to anon, authenticated`,
  }),
);
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

interface Reader {
  /** Reads this much, and stops. */
  take(bytes: number): Promise<number>;
  /** Reads what there is, until the connection ends: how many bytes it was. */
  drain(): Promise<number>;
}

/** Asks, and reads nothing until it is told to. */
function ask(path: string, key = app.anonKey): Reader {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.pause();
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\napikey: ${key}\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  sockets.push(socket);
  return {
    take: (wanted) =>
      new Promise((resolve) => {
        let bytes = 0;
        socket.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes < wanted) return;
          socket.removeAllListeners('data').pause();
          resolve(bytes);
        });
        socket.resume();
      }),
    drain: () =>
      new Promise((resolve) => {
        let bytes = 0;
        socket.on('close', () => resolve(bytes));
        socket.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        socket.resume();
      }),
  };
}

async function waitingBytes(): Promise<number> {
  const text = await app.services.metrics.text();
  return Number(/^kanbase_http_unread_bytes (\S+)$/m.exec(text)?.[1]);
}

test('answers that nobody reads hold so much together; who reads gets all of them meanwhile', async () => {
  const idle = Array.from({ length: 10 }, () => ask(longText));
  // All of them have been answered, and those that went beyond the limit are cut off.
  await expect.poll(waitingBytes).toBeGreaterThan(megabyte);
  for (let turn = 0; turn < 5; turn++) {
    expect(((await (await app.request(longText)).json()) as string).length).toBe(length);
    expect(await waitingBytes()).toBeLessThan(33 * megabyte);
  }
  const lengths = await Promise.all(idle.map(({ drain }) => drain()));
  expect(lengths.filter((bytes) => bytes < length).length).toBeGreaterThan(7);
});

test('a client that has just asked is not cut off for one that took a little and stopped', async () => {
  const stopped = ask(longText);
  await expect.poll(waitingBytes).toBeGreaterThan(megabyte);
  const taken = await stopped.take(megabyte);
  expect(((await (await app.request(longText)).json()) as string).length).toBe(length);
  expect(taken + (await stopped.drain())).toBeLessThan(length);
});

test('a client that reads nothing for a while is cut off, and its bytes are freed', async () => {
  const idle = [ask(longText), ask('/rest/v1/long_texts')];
  await expect.poll(waitingBytes).toBeGreaterThan(megabyte);
  await expect.poll(waitingBytes, { timeout: 60_000 }).toBe(0);
  for (const { drain } of idle) expect(await drain()).toBeLessThan(9 * megabyte);
});

test('a client that reads nothing of a file is cut off, too', async () => {
  const admin = app.client({ key: app.serviceKey });
  await admin.storage.createBucket('large');
  await admin.storage.from('large').upload('file', randomBytes(24 * megabyte));
  const idle = ask('/storage/v1/object/large/file', app.serviceKey);
  await expect.poll(waitingBytes).toBeGreaterThan(0);
  await expect.poll(waitingBytes, { timeout: 60_000 }).toBe(0);
  expect(await idle.drain()).toBeLessThan(24 * megabyte);
});

describe('a list of a few rows that is long', () => {
  test('comes whole, with its length and its range, the first time and the next', async () => {
    for (let time = 0; time < 3; time++) {
      const response = await app.request('/rest/v1/long_texts?order=id', { headers: { prefer: 'count=exact' } });
      const text = await response.text();
      expect(response.ok).toBe(true);
      expect(response.headers.get('content-range')).toBe('0-95/96');
      expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
      expect((JSON.parse(text) as { id: number }[]).map(({ id }) => id)).toEqual(
        Array.from({ length: 96 }, (_, at) => at + 1),
      );
    }
  });

  test('of other ids is another list', async () => {
    const own = async (id: number) =>
      ((await (await app.request(`/rest/v1/long_texts?id=lte.${id}`)).json()) as unknown[]).length;
    expect([await own(60), await own(61), await own(62), await own(2)]).toEqual([60, 61, 62, 2]);
  });
});
