// Downloads on the wire: the same by the quick door and by Fastify, short files at once and long ones piece by piece, under the policies of this
// very moment, and nothing left open when somebody hangs up.

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync, rmSync, truncateSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openTestStore, storeKinds } from './test-store.ts';

describe.each(storeKinds)('on %s', (kind) => {
  let service: SupabaseClient;
  const long = randomBytes(1_500_000);

  const files = forSuite(() => openTestStore(kind));
  const app = forSuite(() => startApp({ settings: files.settings }));
  beforeAll(async () => {
    service = app.client({ key: app.serviceKey });
    await service.storage.createBucket('open', { public: true });
    await service.storage.createBucket('closed');
    for (const bucket of ['open', 'closed']) {
      await service.storage.from(bucket).upload('long.bin', long);
      await service.storage.from(bucket).upload('a folder/ü & +.txt', '0123456789', { contentType: 'text/plain' });
      await service.storage.from(bucket).upload('empty', '', { contentType: 'text/plain' });
    }
  });

  const from = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(`/storage/v1/object/${path}`, { token: app.serviceKey, headers, method });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  test('long files arrive whole, and in any part', async () => {
    expect((await bytesOf(await from('public/open/long.bin'))).equals(long)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [131_071, 131_072],
      [1, 262_144],
      [262_143, 1_000_000],
      [100_000, 1_499_999],
    ] as const) {
      // The stand-in takes a last byte of 0 for none.
      if (kind === 's3' && end === 0) continue;
      const response = await from('closed/long.bin', { range: `bytes=${start}-${end}` });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-length')).toBe(String(end - start + 1));
      expect((await bytesOf(response)).equals(long.subarray(start, end + 1))).toBe(true);
    }
    const many = await Promise.all(Array.from({ length: 20 }, () => from('closed/long.bin')));
    for (const response of many) expect((await bytesOf(response)).equals(long)).toBe(true);
  });

  test.each([
    ['open/a%20folder/%C3%BC%20&%20+.txt', 200],
    ['%6Fpen/a%20folder/%C3%BC%20&%20+.txt', 200],
    ['public/open/a%20folder%2F%C3%BC%20%26%20%2B.txt', 200],
    ['authenticated/closed/a%20folder/%C3%BC%20&%20+.txt?download=', 200],
    ['authenticated/%63losed/a%20folder/%C3%BC%20&%20+.txt', 200],
    ['public/%6Fpen/a%20folder/%C3%BC%20&%20+.txt', 200],
    ['public/open/..%2Fclosed/a', 400],
    ['public/open/%2e%2e/closed/a', 400],
    ['public/open/a%00b', 400],
    ['public/open/%E0%A4%A', 400],
    ['public/open//a', 400],
    [`public/open/${'x'.repeat(1025)}`, 400],
    ['public/nowhere/a', 400],
    ['public/open/a', 400],
    ['sign/open/a', 400],
    ['nowhere/a', 400],
  ])('the address %s is answered with %i', async (path, status) => {
    const response = await from(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    if (status === 200) expect(await response.text()).toBe('0123456789');
    else expect(await response.json()).toMatchObject({ statusCode: expect.any(String), code: expect.any(String) });
  });

  test('a name to save it under is no longer than clients read, whatever is asked for', async () => {
    const response = await from(`public/open/empty?download=${'%C3%BC'.repeat(5000)}`);
    expect(response.status).toBe(200);
    const named = /filename\*=UTF-8''([^;]+);/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
    expect(decodeURIComponent(named)).toBe('ü'.repeat(500));
  });

  test('an empty file has no bytes, and HEAD sends none', async () => {
    const empty = await from('public/open/empty');
    expect([empty.status, empty.headers.get('content-length'), await empty.text()]).toEqual([200, '0', '']);
    const head = await from('closed/long.bin', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '1500000', '']);
    const missing = await from('closed/nothing', {}, 'HEAD');
    expect([missing.status, await missing.text()]).toEqual([400, '']);
  });

  test('removing, replacing or closing a file takes effect with the next request', async () => {
    const bucket = service.storage.from('open');
    const address = 'public/open/passing.txt';
    for (const text of ['one', 'another']) {
      await bucket.upload('passing.txt', text, { upsert: true });
      expect(await (await from(address)).text()).toBe(text);
    }
    const link = (await bucket.createSignedUrl('passing.txt', 60)).data?.signedUrl ?? '';
    expect((await fetch(link)).status).toBe(200);
    await service.storage.updateBucket('open', { public: false });
    expect((await from(address)).status).toBe(400);
    await service.storage.updateBucket('open', { public: true });
    await bucket.remove(['passing.txt']);
    expect((await from(address)).status).toBe(400);
    expect((await from('open/passing.txt')).status).toBe(400);
    expect((await fetch(link)).status).toBe(400);

    const owner: TestUser = await app.createUser({ name: 'Olga' });
    const member: TestUser = await app.createUser({ name: 'Mira' });
    const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
    const project = (made.data as { id: string }).id;
    await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      member.id,
    ]);
    const column = `(select id from workflow_columns where project_id = $1 limit 1)`;
    const [task] = await app.sql<{ id: string }>(
      `insert into tasks (project_id, column_id, title) values ($1, ${column}, 'x') returning id`,
      [project],
    );
    const path = `${project}/${task?.id}/a.txt`;
    expect((await owner.client.storage.from('attachments').upload(path, 'a')).error).toBeNull();
    const seen = () => app.request(`/storage/v1/object/authenticated/attachments/${path}`, { token: member.token });
    expect((await seen()).status).toBe(200);
    await app.sql('delete from project_members where user_id = $1', [member.id]);
    expect((await seen()).status).toBe(400);
  });

  test('bytes that are missing are told before the head is sent, and cut the connection after it', async () => {
    if (kind !== 'disk') return;
    const root = files.settings.STORAGE_DIR ?? '';
    const placeOf = async (name: string) => {
      const [row] = await app.sql<{ version: string }>('select version from storage.objects where name = $1', [name]);
      const version = row?.version ?? '';
      return join(root, version.slice(0, 2), version.slice(2, 4), version);
    };
    const bucket = service.storage.from('closed');
    await bucket.upload('lost.bin', long);
    await bucket.upload('half.bin', long);
    await bucket.upload('short.bin', long.subarray(0, 1000));
    rmSync(await placeOf('lost.bin'));
    truncateSync(await placeOf('half.bin'), 700_000);
    truncateSync(await placeOf('short.bin'), 10);
    const lost = await from('closed/lost.bin');
    expect([lost.status, await lost.json()]).toEqual([400, expect.objectContaining({ code: 'NoSuchKey' })]);
    const short = await from('closed/short.bin');
    expect([short.status, await short.json()]).toEqual([500, expect.objectContaining({ code: 'InternalError' })]);
    await expect((await from('closed/half.bin')).arrayBuffer()).rejects.toThrow();
    await bucket.remove(['lost.bin', 'half.bin', 'short.bin']);
  });

  test('bytes that a service has too few or too many of are never taken for another answer', async () => {
    if (kind !== 's3') return;
    const versionOf = async (name: string) => {
      const [row] = await app.sql<{ version: string }>('select version from storage.objects where name = $1', [name]);
      return row?.version ?? '';
    };
    async function* of(bytes: Buffer): AsyncGenerator<Buffer> {
      yield bytes;
    }
    const bucket = service.storage.from('closed');
    await bucket.upload('short.bin', long.subarray(0, 1000));
    await bucket.upload('half.bin', long);
    await files.store.put(await versionOf('short.bin'), of(long.subarray(0, 10)));
    await files.store.put(await versionOf('half.bin'), of(long.subarray(0, 700_000)));
    const short = await from('closed/short.bin');
    expect([short.status, await short.json()]).toEqual([500, expect.objectContaining({ code: 'InternalError' })]);
    await expect((await from('closed/half.bin')).arrayBuffer()).rejects.toThrow();
    // A range that the service takes no notice of.
    expect((await from('closed/long.bin', { range: 'bytes=0-0' })).status).toBe(500);
    // On one connection, whose second answer would have begun in the first.
    const { hostname, port } = new URL(app.url);
    const asking = (path: string) =>
      `GET /storage/v1/object/closed/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.serviceKey}\r\n\r\n`;
    const came = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect({ host: hostname, port: Number(port) }, () =>
        socket.write(asking('half.bin') + asking('a%20folder/%C3%BC%20&%20+.txt')),
      );
      socket.setEncoding('latin1').on('data', (part: string) => {
        text += part;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', () => undefined);
    });
    expect(came.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    await bucket.remove(['short.bin', 'half.bin']);
  });

  test('downloads that nobody reads do not block others of the same file', async () => {
    if (kind !== 's3') return;
    const version = randomUUID();
    async function* some(): AsyncGenerator<Buffer> {
      yield long;
    }
    await files.store.put(version, some());
    const slow = await Promise.all(Array.from({ length: 80 }, () => files.store.read(version)));
    const bytes: Buffer[] = [];
    for await (const part of await files.store.read(version)) bytes.push(part as Buffer);
    expect(Buffer.concat(bytes).equals(long)).toBe(true);
    for (const one of slow) one.destroy();
    await files.store.remove(version);
  });

  test('a cancelled download leaves no file open', async () => {
    if (kind !== 'disk' || !existsSync('/proc/self/fd')) return;
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((one) => {
        try {
          return readlinkSync(`/proc/self/fd/${one}`).startsWith(files.settings.STORAGE_DIR ?? '?');
        } catch {
          return false;
        }
      });
    await service.storage.from('closed').upload('huge.bin', Buffer.alloc(30_000_000));
    const headers = { authorization: `Bearer ${app.serviceKey}` };
    const responses = await Promise.all(
      Array.from(
        { length: 4 },
        () =>
          new Promise<IncomingMessage>((resolve, reject) => {
            get(new URL('/storage/v1/object/closed/huge.bin', app.url), { headers, agent: false }, resolve).on(
              'error',
              reject,
            );
          }),
      ),
    );
    expect(openFiles()).toHaveLength(4);
    for (const response of responses) response.destroy();
    await vi.waitFor(() => expect(openFiles()).toEqual([]), { timeout: 60_000 });
    expect((await from('closed/long.bin', {}, 'HEAD')).status).toBe(200);
  });
});
