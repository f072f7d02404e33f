// Resumable uploads by the protocol's own client: in parts, after breaks and restarts, under policies and limits, with links, and what stays
// of those that nobody finishes.

import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { SupabaseClient } from '@supabase/supabase-js';
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';
import { openTestStore, storeKinds } from './test-store.ts';

interface Ended {
  readonly error: { readonly status: number | undefined; readonly message: string } | null;
  readonly url: string | null;
}

interface SendOptions extends Partial<UploadOptions> {
  readonly token: string;
  readonly origin: string;
  readonly stopAfter?: number;
}

/** Sends all of it, from `uploadUrl` on when there is one; `stopAfter` parts it breaks off. */
function sendTo(
  bytes: Buffer,
  metadata: Record<string, string>,
  { token, origin, stopAfter = Number.POSITIVE_INFINITY, ...others }: SendOptions,
): Promise<Ended> {
  return new Promise((resolve) => {
    let parts = 0;
    const end = (error: Ended['error']) => resolve({ error, url: upload.url });
    const upload = new Upload(bytes, {
      endpoint: `${origin}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${token}` },
      retryDelays: null,
      metadata,
      ...others,
      onSuccess: () => end(null),
      onError: (error) => {
        const response = error instanceof DetailedError ? error.originalResponse : null;
        end({ status: response?.getStatus(), message: response?.getBody() || error.message });
      },
      onChunkComplete: () => {
        if (++parts < stopAfter) return;
        void upload.abort().then(() => end(null));
      },
    });
    upload.start();
  });
}

const named = (objectName: string, bucketName = 'closed') => ({ bucketName, objectName, contentType: 'text/plain' });

describe.each(storeKinds)('on %s', (kind) => {
  let service: SupabaseClient;
  let owner: TestUser;
  let viewer: TestUser;
  let project: string;
  let task: string;

  const files = forSuite(() => openTestStore(kind));
  const app = forSuite(() => startApp({ settings: { STORAGE_FILE_SIZE_LIMIT: '3000000', ...files.settings } }));
  beforeAll(async () => {
    service = app.client({ key: app.serviceKey });
    owner = await app.createUser({ name: 'Olga' });
    viewer = await app.createUser({ name: 'Vera' });
    const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
    project = (made.data as { id: string }).id;
    const { data: column } = await owner.client
      .from('workflow_columns')
      .select('id')
      .eq('project_id', project)
      .limit(1);
    const row = { project_id: project, column_id: column?.[0]?.id, title: 'With files' };
    const { data } = await owner.client.from('tasks').insert(row).select('id').single();
    task = (data as { id: string }).id;
    await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      viewer.id,
    ]);
    await service.storage.createBucket('closed');
  });

  /** What was begun and not finished is given up, and its bytes are gone. */
  async function letGoOfAll(): Promise<void> {
    await app.sql(
      `update private.resumable_uploads set expires_at = now(); update private.unclaimed_files set due_at = now()`,
    );
    // Removing anything makes the server look at once.
    await service.storage.from('closed').remove(['nothing']);
    await vi.waitFor(() => expect(files.incoming()).toEqual([]), { timeout: 60_000 });
  }
  beforeEach(letGoOfAll);

  async function read(name: string, bucket = 'closed'): Promise<Buffer | null> {
    const { data } = await service.storage.from(bucket).download(name);
    return data === null ? null : Buffer.from(await data.arrayBuffer());
  }

  function send(bytes: Buffer, metadata: Record<string, string>, options: Partial<SendOptions> = {}): Promise<Ended> {
    return sendTo(bytes, metadata, { token: app.serviceKey, origin: app.url, ...options });
  }

  describe('an upload', () => {
    test.each([
      ['in one part', undefined],
      ['in many parts', 60_000],
    ])('arrives %s, with type, caching and metadata', async (title, chunkSize) => {
      const bytes = randomBytes(500_000);
      const metadata = { ...named(`whole/${title}`), cacheControl: '60', metadata: JSON.stringify({ from: title }) };
      expect((await send(bytes, metadata, chunkSize === undefined ? {} : { chunkSize })).error).toBeNull();
      expect((await read(`whole/${title}`))?.equals(bytes)).toBe(true);
      expect((await service.storage.from('closed').info(`whole/${title}`)).data).toMatchObject({
        size: 500_000,
        contentType: 'text/plain',
        cacheControl: 'max-age=60',
        metadata: { from: title },
      });
    });

    test.each([
      ['with creation', { uploadDataDuringCreation: true }, 1000],
      ['without a byte', {}, 0],
      ['with a length that is said at the end', { uploadLengthDeferred: true, chunkSize: 300 }, 1000],
    ])('may come %s', async (title, options, length) => {
      const bytes = randomBytes(length);
      expect((await send(bytes, named(`kinds/${title}`), options)).error).toBeNull();
      expect((await read(`kinds/${title}`))?.equals(bytes)).toBe(true);
    });

    test('is done for whoever asks, when the server went down between its object and the note that it is done', async () => {
      const bytes = randomBytes(1000);
      const { error, url } = await send(bytes, named('noted/late'));
      expect(error).toBeNull();
      await app.sql('update private.resumable_uploads set finished_at = null');
      const { pathname } = new URL(url ?? '', app.url);
      const asked = await app.request(pathname, {
        method: 'HEAD',
        token: app.serviceKey,
        headers: { 'tus-resumable': '1.0.0' },
      });
      expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, '1000']);
      const rest = await send(bytes, named('noted/late'), { uploadUrl: new URL(pathname, app.url).href });
      expect(rest.error).toBeNull();
      expect((await read('noted/late'))?.equals(bytes)).toBe(true);
    });

    test('goes on where it broke off, and nothing of it is seen before it is whole', async () => {
      const bytes = randomBytes(400_000);
      const { url } = await send(bytes, named('broken.bin'), { chunkSize: 100_000, stopAfter: 2 });
      expect(await read('broken.bin')).toBeNull();
      const sent: number[] = [];
      const rest = { chunkSize: 100_000, uploadUrl: url, onProgress: (at: number) => void sent.push(at) };
      expect((await send(bytes, named('broken.bin'), rest)).error).toBeNull();
      expect(Math.min(...sent)).toBeGreaterThanOrEqual(200_000);
      expect((await read('broken.bin'))?.equals(bytes)).toBe(true);
      expect(files.incoming()).toEqual([]);
    });

    test('that is given up leaves nothing', async () => {
      const { url } = await send(randomBytes(200_000), named('given-up.bin'), { chunkSize: 100_000, stopAfter: 1 });
      expect(files.incoming()).toHaveLength(1);
      await Upload.terminate(url ?? '', { headers: { authorization: `Bearer ${app.serviceKey}` } });
      await vi.waitFor(() => expect(files.incoming()).toEqual([]), { timeout: 60_000 });
      expect(
        (await send(randomBytes(200_000), named('given-up.bin'), { uploadUrl: url, endpoint: null })).error?.status,
      ).toBe(404);
    });

    test('that nobody went on with for a day is removed', async () => {
      const { url } = await send(randomBytes(200_000), named('late.bin'), { chunkSize: 100_000, stopAfter: 1 });
      await app.sql(
        `update private.resumable_uploads set expires_at = now(); update private.unclaimed_files set due_at = now()`,
      );
      const head = await fetch(url ?? '', {
        method: 'HEAD',
        headers: { authorization: `Bearer ${app.serviceKey}`, 'tus-resumable': '1.0.0' },
      });
      expect(head.status).toBe(404);
      await letGoOfAll();
      expect(await app.sql('select from private.resumable_uploads where name = $1', ['late.bin'])).toEqual([]);
    });

    test('replaces what is there only when asked to', async () => {
      await service.storage.from('closed').remove(['again.txt']);
      expect((await send(Buffer.from('one'), named('again.txt'))).error).toBeNull();
      expect((await send(Buffer.from('two'), named('again.txt'))).error).toMatchObject({ status: 409 });
      const upsert = { headers: { authorization: `Bearer ${app.serviceKey}`, 'x-upsert': 'true' } };
      expect((await send(Buffer.from('three'), named('again.txt'), upsert)).error).toBeNull();
      expect(String(await read('again.txt'))).toBe('three');
    });
  });

  describe('refused uploads', () => {
    test('files that are too large, of other types, markup as pictures, and names that are none', async () => {
      await service.storage.createBucket('small', {
        public: false,
        fileSizeLimit: 1000,
        allowedMimeTypes: ['image/*'],
      });
      const image = { ...named('x', 'small'), contentType: 'image/png' };
      expect((await send(randomBytes(1001), image)).error).toMatchObject({ status: 413 });
      expect((await send(randomBytes(10), named('x', 'small'))).error).toMatchObject({ status: 415 });
      expect((await send(Buffer.from('<svg onload=alert(1)>'), image)).error).toMatchObject({ status: 415 });
      expect((await send(randomBytes(10), named('../x'))).error).toMatchObject({ status: 400 });
      expect((await send(randomBytes(10), named('x', 'nowhere'))).error).toMatchObject({ status: 404 });
      expect((await send(randomBytes(3_000_001), named('x'))).error).toMatchObject({ status: 413 });
      await vi.waitFor(() => expect(files.incoming()).toEqual([]), { timeout: 60_000 });
    });

    test('a file that is refused before it was read leaves its connection to the next request', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
        new Promise<{ status?: number; from?: number }>((resolve, reject) => {
          httpRequest(new URL(path, app.url), { method, headers, agent }, (answer) => {
            const { statusCode: status, socket } = answer;
            const from = socket.localPort;
            answer.resume().on('end', () => resolve({ status, from }));
          })
            .on('error', reject)
            .end(body);
        });
      const upload = {
        authorization: `Bearer ${app.serviceKey}`,
        'tus-resumable': '1.0.0',
        'upload-length': '8000000',
        'upload-metadata': `bucketName ${btoa('closed')},objectName ${btoa('x')}`,
        'content-type': 'application/offset+octet-stream',
      };
      const refused = await ask('POST', '/storage/v1/upload/resumable', upload, Buffer.alloc(8_000_000));
      expect(refused.status).toBe(413);
      expect(await ask('GET', '/health')).toEqual({ status: 200, from: refused.from });
      agent.destroy();
    });

    test('uploads that policies forbid, also when they change in the middle', async () => {
      const mine = (name: string) => named(`${project}/${task}/${name}`, 'attachments');
      expect((await send(randomBytes(10), mine('a.bin'), { token: owner.token })).error).toBeNull();
      expect((await send(randomBytes(10), mine('b.bin'), { token: viewer.token })).error).toMatchObject({
        status: 403,
      });
      expect((await send(randomBytes(10), mine('b.bin'), { token: app.anonKey })).error).toMatchObject({ status: 403 });
      expect((await send(randomBytes(10), mine('b.bin'), { token: 'none' })).error).toMatchObject({ status: 400 });

      const editor = await app.createUser({ name: 'Edda' });
      await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
        project,
        editor.id,
      ]);
      const bytes = randomBytes(200_000);
      const { url } = await send(bytes, mine('c.bin'), { token: editor.token, chunkSize: 100_000, stopAfter: 1 });
      await app.sql('delete from project_members where user_id = $1', [editor.id]);
      const rest = { token: editor.token, uploadUrl: url, endpoint: null };
      expect((await send(bytes, mine('c.bin'), rest)).error).toMatchObject({ status: 403 });
      expect(await read(`${project}/${task}/c.bin`, 'attachments')).toBeNull();
    });

    test('an upload of somebody else, and one that never was', async () => {
      const bytes = randomBytes(200_000);
      const name = named(`${project}/${task}/mine.bin`, 'attachments');
      const { url } = await send(bytes, name, { token: owner.token, chunkSize: 100_000, stopAfter: 1 });
      const foreign = { uploadUrl: url, endpoint: null };
      expect((await send(bytes, name, { ...foreign, token: viewer.token })).error).toMatchObject({ status: 403 });
      expect((await send(bytes, name, { ...foreign, token: app.serviceKey })).error).toMatchObject({ status: 403 });
      const none = `${app.url}/storage/v1/upload/resumable/${randomUUID()}`;
      expect((await send(bytes, name, { uploadUrl: none, endpoint: null })).error).toMatchObject({ status: 404 });
    });

    test('a part at another place than where the last one ended', async () => {
      const { url } = await send(randomBytes(200_000), named('gap.bin'), { chunkSize: 100_000, stopAfter: 1 });
      const response = await fetch(url ?? '', {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${app.serviceKey}`,
          'tus-resumable': '1.0.0',
          'upload-offset': '150000',
          'content-type': 'application/offset+octet-stream',
        },
        body: randomBytes(10),
      });
      expect(response.status).toBe(409);
    });
  });

  test('a link for an upload serves instead of a token', async () => {
    const path = `${project}/${task}/linked.bin`;
    const { data } = await owner.client.storage.from('attachments').createSignedUploadUrl(path);
    const bytes = randomBytes(200_000);
    const options = {
      endpoint: `${app.url}/storage/v1/upload/resumable/sign`,
      headers: { 'x-signature': data?.token ?? '' },
      chunkSize: 100_000,
    };
    const { url } = await send(bytes, named(path, 'attachments'), { ...options, stopAfter: 1 });
    expect(url).toContain('/upload/resumable/sign/');
    expect((await send(bytes, named(path, 'attachments'), { ...options, uploadUrl: url })).error).toBeNull();
    expect((await read(path, 'attachments'))?.equals(bytes)).toBe(true);
    expect((await send(bytes, named(`${path}x`, 'attachments'), options)).error).toMatchObject({ status: 400 });
  });

  test('pages of other origins may speak the protocol', async () => {
    const response = await fetch(`${app.url}/storage/v1/upload/resumable`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.test' },
    });
    expect(response.headers.get('tus-version')).toBe('1.0.0');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('Upload-Offset');
  });
});

describe('after kill -9 of the server', () => {
  const place = scratch('resumable');
  afterAll(() => place.remove());
  const options = { env: { DATA_DIR: join(place.path, 'data') }, cwd: place.path };
  const start = () => startKanbase([], options);

  test('an upload goes on with what had arrived', { timeout: 300_000 }, async () => {
    let server = await start();
    const { stdout } = await runKanbase(['keys', '--json'], options);
    const { service_role: token } = JSON.parse(stdout) as { service_role: string };
    const bucket = await fetch(`${server.url}/storage/v1/bucket`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'kept' }),
    });
    expect(bucket.status).toBe(200);

    const bytes = randomBytes(6 * 1024 * 1024);
    const half = bytes.length / 2;
    try {
      const { url } = await sendTo(bytes, named('large.bin', 'kept'), {
        token,
        origin: server.url,
        chunkSize: 1024 * 1024,
        stopAfter: 2,
      });
      const { pathname } = new URL(url ?? '');
      const arrived = join(place.path, 'data', 'files', 'incoming', pathname.slice(pathname.lastIndexOf('/') + 1));
      // The server ends in the middle of the next part, which never comes to its end.
      const part = httpRequest(new URL(pathname, server.url), {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${token}`,
          'tus-resumable': '1.0.0',
          'upload-offset': String(2 * 1024 * 1024),
          'content-type': 'application/offset+octet-stream',
          'content-length': String(4 * 1024 * 1024),
        },
      });
      const broke = new Promise<void>((resolve) => void part.on('error', () => resolve()));
      part.write(bytes.subarray(2 * 1024 * 1024, half));
      await vi.waitFor(() => expect(statSync(arrived).size).toBe(half), { timeout: 60_000 });
      await server.stop('SIGKILL');
      await broke;

      server = await start();
      const head = await fetch(new URL(pathname, server.url), {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' },
      });
      expect(head.headers.get('upload-offset')).toBe(String(half));
      const rest = { token, origin: server.url, uploadUrl: new URL(pathname, server.url).href };
      expect((await sendTo(bytes, named('large.bin', 'kept'), rest)).error).toBeNull();
      const response = await fetch(`${server.url}/storage/v1/object/kept/large.bin`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    } finally {
      await server.stop();
    }
  });
});
