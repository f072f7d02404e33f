// kill -9 at every step between bytes and row: of an upload, an upsert, a copy, a move and a removal. When the server is back and has swept, every row
// has its bytes, whole, there are no others, and what was there before is there or has been replaced, never half of it. And a disk that is full, and an
// upload of 200 MB that goes on.

import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { filesBelow, nameOf } from './test-store.ts';

const place = scratch('crashes');
const root = join(place.path, 'files');
const order = join(place.path, 'crash-point');
let owner: pg.Pool;
let server: Served;
let key: string;
let env: Record<string, string>;

const database = forSuite(freshDatabase, (database) => database.drop());
beforeAll(async () => {
  owner = new pg.Pool({ ...connectionOptions(database.directUrl), max: 1 });
  owner.on('error', () => undefined);
  env = {
    ...{ DATA_DIR: join(place.path, 'data'), STORAGE_DIR: root, LOG_LEVEL: 'silent' },
    ...{ DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.directUrl, DB_POOL_SIZE: '2' },
  };
  const { stdout } = await runKanbase(['keys', '--json'], { env, cwd: place.path });
  key = (JSON.parse(stdout) as { service_role: string }).service_role;
  server = await start();
  await client().createBucket('kept');
});
afterAll(async () => {
  await server.stop();
  await owner.end();
  place.remove();
});

function start(): Promise<Served> {
  const preload = `--import ${pathToFileURL(join(process.cwd(), 'test/files/crash-at.mjs')).href}`;
  return startKanbase([], {
    env: { ...env, NODE_OPTIONS: preload, CRASH_POINT: order, CRASH_ROOT: root },
    cwd: place.path,
  });
}

function client() {
  const options = {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  };
  return createClient(server.url, key, options).storage;
}
const bucket = () => client().from('kept');

const old = Buffer.alloc(300_000, 'old ');
const fresh = Buffer.alloc(300_000, 'new ');
async function read(name: string): Promise<'old' | 'new' | 'none' | 'broken'> {
  const { data } = await bucket().download(name);
  if (data === null) return 'none';
  const bytes = Buffer.from(await data.arrayBuffer());
  if (bytes.equals(old)) return 'old';
  return bytes.equals(fresh) ? 'new' : 'broken';
}

/** As if the day had passed for which an upload keeps what it has reserved. */
async function sweep(): Promise<void> {
  await owner.query('update private.unclaimed_files set due_at = now()');
  await vi.waitFor(
    async () => {
      await bucket().remove(['nothing']);
      const { rows } = await owner.query<{ version: string }>('select version from storage.objects order by version');
      const lying = filesBelow(root).map(nameOf).sort();
      expect(lying).toEqual(rows.map(({ version }) => version));
      expect((await owner.query('select from private.unclaimed_files')).rows).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
}

type Verb = 'upload' | 'upsert' | 'copy' | 'move' | 'remove';
const verbs: Readonly<Record<Verb, () => PromiseLike<unknown>>> = {
  upload: () => bucket().upload('target', fresh),
  upsert: () => bucket().upload('source', fresh, { upsert: true }),
  copy: () => bucket().copy('source', 'target'),
  move: () => bucket().move('source', 'target'),
  remove: () => bucket().remove(['source']),
};

const writing = [
  'no bytes',
  'some bytes',
  'bytes not synced',
  'bytes synced',
  'before rename',
  'after rename',
  'folder not synced',
  'folder synced',
];

describe('kill -9 while', () => {
  test.each<readonly [Verb, string, source: string, target: string]>([
    ...writing.map((point) => ['upload', point, 'old', 'none'] as const),
    ['upload', 'the answer', 'old', 'new'],
    ...writing.map((point) => ['upsert', point, 'old', 'none'] as const),
    ['upsert', 'before rm', 'new', 'none'],
    ['upsert', 'after rm', 'new', 'none'],
    ['upsert', 'the answer', 'new', 'none'],
    ['copy', 'before link', 'old', 'none'],
    ['copy', 'after link', 'old', 'none'],
    ['copy', 'folder synced', 'old', 'none'],
    ['copy', 'the answer', 'old', 'old'],
    ['move', 'the answer', 'none', 'old'],
    ['remove', 'before rm', 'none', 'none'],
    ['remove', 'after rm', 'none', 'none'],
    ['remove', 'the answer', 'none', 'none'],
  ])('%s: %s', { timeout: 180_000 }, async (verb, point, source, target) => {
    await bucket().remove(['source', 'target']);
    expect((await bucket().upload('source', old)).error).toBeNull();
    await sweep();
    writeFileSync(order, point);
    await verbs[verb]();
    // Clearing away goes on after the answer.
    const { signal } = await server.stop('SIGCONT');
    rmSync(order);
    expect(signal).toBe('SIGKILL');
    server = await start();
    await sweep();
    expect([await read('source'), await read('target')]).toEqual([source, target]);
  });
});

test('an upload of 200 MB in parts goes on after kill -9 in its middle', { timeout: 300_000 }, async () => {
  const piece = randomBytes(1_000_000);
  const length = 200 * piece.length;
  const headers = { authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${server.url}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(length),
      'upload-metadata': `bucketName ${btoa('kept')},objectName ${btoa('large')}`,
    },
  });
  expect(begun.status).toBe(201);
  const { pathname } = new URL(begun.headers.get('location') ?? '', server.url);
  const arrived = join(root, 'incoming', nameOf(pathname));

  const type = 'application/offset+octet-stream';
  const open = httpRequest(new URL(pathname, server.url), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': type, 'content-length': String(length) },
  });
  const broke = new Promise<void>((resolve) => void open.on('error', () => resolve()));
  for (let at = 0; at < 100; at++) if (!open.write(piece)) await Promise.race([once(open, 'drain'), broke]);
  await vi.waitFor(() => expect(statSync(arrived).size).toBeGreaterThan(80 * piece.length), { timeout: 60_000 });
  await server.stop('SIGKILL');
  await broke;

  server = await start();
  const head = await fetch(new URL(pathname, server.url), { method: 'HEAD', headers });
  const offset = Number(head.headers.get('upload-offset'));
  expect(offset).toBeGreaterThan(80 * piece.length);
  const whole = Buffer.concat(Array.from({ length: 200 }, () => piece));
  const rest = await fetch(new URL(pathname, server.url), {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': String(offset), 'content-type': type },
    body: whole.subarray(offset),
  });
  expect(rest.status).toBe(204);
  const { data } = await bucket().info('large');
  expect(data?.etag).toBe(`"${createHash('md5').update(whole).digest('hex')}"`);
  const sent = await fetch(`${server.url}/storage/v1/object/kept/large`, { headers });
  expect(Buffer.from(await sent.arrayBuffer()).equals(whole)).toBe(true);
  await bucket().remove(['large']);
  await owner.query('update private.resumable_uploads set expires_at = now()');
  await sweep();
});

/** Mounting needs root; where that is not allowed there is nothing to look at. */
function mountSmallDisk(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m,mode=0777', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('on a disk that is full, or read-only, uploads fail in words and leave nothing, and everything else goes on', {
  timeout: 180_000,
}, async (context) => {
  const small = join(place.path, 'small');
  if (!mountSmallDisk(small)) return context.skip();
  const before = server;
  server = await startKanbase([], { env: { ...env, STORAGE_DIR: small }, cwd: place.path });
  try {
    const files = bucket();
    expect((await files.upload('fits', old, { upsert: true })).error).toBeNull();
    const words = /^There is no room left for files on the server\. Look for request \S+ in the log\.$/;
    const full = { statusCode: '507', status: 507, message: expect.stringMatching(words) };
    const large = Buffer.alloc(3_000_000);
    expect((await files.upload('large', large)).error).toMatchObject(full);
    expect((await files.upload('large', new Blob([large]))).error).toMatchObject(full);
    const link = await files.createSignedUploadUrl('large');
    expect((await files.uploadToSignedUrl('large', link.data?.token ?? '', large)).error).toMatchObject(full);
    const part = await fetch(`${server.url}/storage/v1/upload/resumable`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'tus-resumable': '1.0.0', 'upload-length': String(large.length) },
        'upload-metadata': `bucketName ${btoa('kept')},objectName ${btoa('large')}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: large,
    });
    expect(part.status).toBe(507);
    expect(await part.text()).toMatch(words);

    expect(await read('fits')).toBe('old');
    expect((await files.exists('large')).data).toBe(false);
    expect((await files.copy('fits', 'copied')).error).toBeNull();
    expect((await files.remove(['copied'])).data).toHaveLength(1);
    expect((await files.list()).data?.map(({ name }) => name)).toContain('fits');
    const both = { apikey: key, authorization: `Bearer ${key}` };
    expect((await fetch(`${server.url}/rest/v1/projects?select=id`, { headers: both })).status).toBe(200);
    await owner.query('update private.resumable_uploads set expires_at = now()');
    await owner.query('update private.unclaimed_files set due_at = now()');
    await vi.waitFor(
      async () => {
        await files.remove(['nothing']);
        expect(filesBelow(small)).toHaveLength(1);
      },
      { timeout: 60_000, interval: 100 },
    );
    // There is room again.
    expect((await files.upload('again', old)).error).toBeNull();
    execFileSync('mount', ['-o', 'remount,ro', small], { stdio: 'ignore' });
    const unwritable = {
      status: 503,
      message: expect.stringMatching(/^Files cannot be written on the server at the moment\. Look for request /),
    };
    expect((await files.upload('while read-only', old)).error).toMatchObject(unwritable);
    expect(await read('again')).toBe('old');
    execFileSync('mount', ['-o', 'remount,rw', small], { stdio: 'ignore' });
    expect((await files.upload('while read-only', old)).error).toBeNull();
  } finally {
    await server.stop();
    server = before;
    execFileSync('umount', ['-l', small]);
  }
});
