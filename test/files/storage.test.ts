// /storage/v1 through the unmodified client, with files on disk and in an S3-compatible service: buckets, uploads, downloads, listings, links, and who may do what in the buckets of Kanbase.

import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp, type TestApp, type TestUser } from '../helpers/app.ts';
import { openTestStore, storeKinds, type TestStore } from './test-store.ts';

describe.each(storeKinds)('on %s', (kind) => {
  let files: TestStore;
  let app: TestApp;
  let service: SupabaseClient;
  let owner: TestUser;
  let viewer: TestUser;
  let stranger: TestUser;
  let project: string;
  let task: string;

  beforeAll(async () => {
    files = await openTestStore(kind);
    app = await startApp({
      settings: { STORAGE_FILE_SIZE_LIMIT: '3000000', HTTP_BODIES_TOTAL: '1000000', ...files.settings },
    });
    service = app.client({ key: app.serviceKey });
    owner = await app.createUser({ name: 'Olga' });
    viewer = await app.createUser({ name: 'Vera' });
    stranger = await app.createUser({ name: 'Sten' });
    const made = await owner.client.rpc('create_project_with_defaults', { name: 'Files' });
    project = (made.data as { id: string }).id;
    const { data: column } = await owner.client
      .from('workflow_columns')
      .select('id')
      .eq('project_id', project)
      .limit(1);
    const { data } = await owner.client
      .from('tasks')
      .insert({ project_id: project, column_id: column?.[0]?.id, title: 'With files' })
      .select('id')
      .single();
    task = (data as { id: string }).id;
    await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      viewer.id,
    ]);
    await service.storage.createBucket('open', { public: true });
    await service.storage.createBucket('closed');
  });
  afterAll(async () => {
    await app.close();
    await files.close();
  });

  const path = (name: string) => `${project}/${task}/${name}`;
  async function* bytesOf(content: string): AsyncGenerator<Buffer> {
    yield Buffer.from(content);
  }
  const text = async (blob: Blob | null) => (blob === null ? null : await blob.text());

  /** Rows and bytes name the same files, and nothing waits to be cleared away. */
  async function expectAgreement(): Promise<void> {
    await vi.waitFor(
      async () => {
        const rows = await app.sql<{ version: string }>('select version from storage.objects order by version');
        expect(files.stored()).toEqual(rows.map(({ version }) => version));
        expect(await app.sql('select from private.unclaimed_files')).toEqual([]);
      },
      { timeout: 60_000 },
    );
  }

  describe('buckets', () => {
    test('are made, read, listed, changed, emptied and deleted with the service key', async () => {
      const { storage } = service;
      expect(await storage.createBucket('one', { public: false, fileSizeLimit: '1kb' })).toMatchObject({
        data: { name: 'one' },
        error: null,
      });
      expect((await storage.createBucket('one')).error).toMatchObject({ statusCode: '409', status: 400 });
      expect((await storage.getBucket('one')).data).toMatchObject({ id: 'one', public: false, file_size_limit: 1000 });
      expect((await storage.listBuckets()).data?.map(({ id }) => id)).toEqual([
        'attachments',
        'avatars',
        'closed',
        'one',
        'open',
      ]);
      expect((await storage.listBuckets({ search: 'pe', limit: 1 })).data?.map(({ id }) => id)).toEqual(['open']);
      expect((await storage.updateBucket('one', { public: true, allowedMimeTypes: ['text/*'] })).data).toEqual({
        message: 'Successfully updated',
      });
      expect((await storage.getBucket('one')).data).toMatchObject({ public: true, allowed_mime_types: ['text/*'] });
      expect((await storage.from('one').upload('a/b.txt', 'b', { contentType: 'text/plain' })).error).toBeNull();
      expect((await storage.deleteBucket('one')).error).toMatchObject({ statusCode: '409' });
      expect((await storage.emptyBucket('one')).data).toEqual({ message: 'Successfully emptied' });
      expect((await storage.deleteBucket('one')).data).toEqual({ message: 'Successfully deleted' });
      expect((await storage.getBucket('one')).error).toMatchObject({ statusCode: '404', message: 'Bucket not found' });
      await expectAgreement();
    });

    test('of kinds that are not offered, or with names that are none, are refused in plain words', async () => {
      expect((await service.storage.createBucket('lake', { public: false, type: 'ANALYTICS' })).error?.message).toBe(
        'A bucket of type ANALYTICS is not offered by this service',
      );
      expect((await service.storage.createBucket('a/b')).error?.message).toBe('Bucket name invalid');
    });

    test('are nothing that people can see or make without a policy', async () => {
      expect((await owner.client.storage.listBuckets()).data).toEqual([]);
      expect((await owner.client.storage.createBucket('mine')).error).toMatchObject({
        statusCode: '403',
        message: 'new row violates row-level security policy',
      });
    });
  });

  describe('objects', () => {
    test.each<[string, () => Blob | Buffer | ArrayBuffer | string | ReadableStream | FormData]>([
      ['a buffer', () => Buffer.from('hello')],
      ['an array buffer', () => new TextEncoder().encode('hello').buffer as ArrayBuffer],
      ['text', () => 'hello'],
      ['a blob', () => new Blob(['hello'], { type: 'text/plain' })],
      ['a stream', () => Readable.toWeb(Readable.from([Buffer.from('hel'), Buffer.from('lo')])) as ReadableStream],
      [
        'a form',
        () => {
          const form = new FormData();
          form.append('', new Blob(['hello'], { type: 'text/plain' }), 'x.txt');
          return form;
        },
      ],
    ])('arrive from %s with type, caching and metadata, and leave as they came', async (kind, body) => {
      const bucket = service.storage.from('closed');
      const name = `bodies/${kind}.txt`;
      const options = { contentType: 'text/plain', cacheControl: '60', metadata: { from: kind } };
      const { data, error } = await bucket.upload(name, body(), options);
      expect(error).toBeNull();
      expect(data).toMatchObject({ path: name, fullPath: `closed/${name}`, id: expect.any(String) });
      expect(await text((await bucket.download(name)).data)).toBe('hello');
      expect((await bucket.info(name)).data).toMatchObject({
        id: data?.id,
        name,
        bucketId: 'closed',
        size: 5,
        contentType: 'text/plain',
        cacheControl: 'max-age=60',
        etag: '"5d41402abc4b2a76b9719d911017c592"',
        metadata: { from: kind },
      });
      await bucket.remove([name]);
    });

    test('are replaced only when asked to, by upsert or update, and keep their id', async () => {
      const bucket = service.storage.from('closed');
      const first = await bucket.upload('again.txt', 'one');
      expect((await bucket.upload('again.txt', 'two')).error).toMatchObject({
        statusCode: '409',
        message: 'The resource already exists',
      });
      expect((await bucket.upload('again.txt', 'three', { upsert: true })).data?.id).toBe(first.data?.id);
      expect(await text((await bucket.download('again.txt')).data)).toBe('three');
      expect((await bucket.update('again.txt', 'four')).error).toBeNull();
      expect(await text((await bucket.download('again.txt')).data)).toBe('four');
      await expectAgreement();
    });

    test('written by many at once under one name end as one of them, whole', async () => {
      const bucket = service.storage.from('closed');
      const bodies = Array.from({ length: 8 }, (_, n) => String(n).repeat(50_000));
      const done = await Promise.all(bodies.map((body) => bucket.upload('raced.txt', body, { upsert: true })));
      expect(done.map(({ error }) => error)).toEqual(bodies.map(() => null));
      expect(bodies).toContain(await text((await bucket.download('raced.txt')).data));
      await expectAgreement();
    });

    test('larger than the bucket or the server allows are refused, with and without a length in advance', async () => {
      await service.storage.createBucket('small', { public: false, fileSizeLimit: 1000 });
      const large = { statusCode: '413', message: 'The object exceeded the maximum allowed size' };
      const stream = () =>
        Readable.toWeb(Readable.from(Array.from({ length: 40 }, () => randomBytes(100)))) as ReadableStream;
      const small = service.storage.from('small');
      expect((await small.upload('x', randomBytes(1001))).error).toMatchObject(large);
      expect((await small.upload('x', stream())).error).toMatchObject(large);
      expect((await small.upload('x', new Blob([randomBytes(1001)]))).error).toMatchObject(large);
      expect((await small.upload('x', randomBytes(1000))).error).toBeNull();
      expect((await service.storage.from('closed').upload('x', randomBytes(3_000_001))).error).toMatchObject(large);
      await expectAgreement();
    });

    test('of types that the bucket does not take are refused, and markup that claims to be a picture', async () => {
      await service.storage.createBucket('pictures', { public: false, allowedMimeTypes: ['image/*'] });
      const pictures = service.storage.from('pictures');
      expect((await pictures.upload('x', 'x', { contentType: 'text/plain' })).error).toMatchObject({
        statusCode: '415',
        message: 'mime type text/plain is not supported',
      });
      const markup = '<html><script>alert(1)</script>';
      expect((await pictures.upload('x', markup, { contentType: 'image/png' })).error).toMatchObject({
        statusCode: '415',
      });
      expect((await pictures.upload('x', '\x89PNG', { contentType: 'image/png' })).error).toBeNull();
      await service.storage.from('closed').upload('notes.txt', 'n', { contentType: 'text/plain', upsert: true });
      expect(
        (await service.storage.from('closed').copy('notes.txt', 'y', { destinationBucket: 'pictures' })).error,
      ).toMatchObject({ statusCode: '415' });
      await expectAgreement();
    });

    test.each([
      ['../../etc/passwd'],
      ['a/../b'],
      ['a//b'],
      ['./a'],
      ['a\\b'],
      ['a\u0000b'],
      ['a<b'],
      ['🤯'],
      ['1,025 letters', 'x'.repeat(1025)],
    ])('have no name like %j, and no file appears for it', async (title, name = title) => {
      const before = files.stored();
      const response = await app.request(`/storage/v1/object/closed/${encodeURIComponent(name)}`, {
        method: 'POST',
        token: app.serviceKey,
        body: 'x',
      });
      expect([400, 404]).toContain(response.status);
      expect(files.stored()).toEqual(before);
    });

    test('pass through without counting as bodies that are held: they may be larger than those together', async () => {
      const bytes = randomBytes(2_500_000);
      const bucket = service.storage.from('closed');
      expect((await bucket.upload('passed-on.bin', bytes)).error).toBeNull();
      const { data } = await bucket.download('passed-on.bin');
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    });

    test('may have names in any script', async () => {
      const bucket = service.storage.from('closed');
      expect((await bucket.upload('Ordner/Übersicht 図.txt', 'x')).error).toBeNull();
      expect(await text((await bucket.download('Ordner/Übersicht 図.txt')).data)).toBe('x');
    });

    test('move without their bytes being touched, and are copied with bytes of their own, also across buckets', async () => {
      const bucket = service.storage.from('closed');
      await bucket.upload('from.txt', 'bytes', { metadata: { a: 1 } });
      expect((await bucket.move('from.txt', 'to.txt', { destinationBucket: 'open' })).data?.message).toBe(
        'Successfully moved',
      );
      expect((await bucket.download('from.txt')).error).not.toBeNull();
      const open = service.storage.from('open');
      expect((await open.copy('to.txt', 'back.txt', { destinationBucket: 'closed' })).data?.path).toBe(
        'closed/back.txt',
      );
      await open.remove(['to.txt']);
      await expectAgreement();
      expect(await text((await bucket.download('back.txt')).data)).toBe('bytes');
      expect((await bucket.info('back.txt')).data).toMatchObject({ metadata: { a: 1 } });
      expect((await bucket.move('nowhere', 'x2')).error).toMatchObject({
        statusCode: '404',
        message: 'Object not found',
      });
      expect((await bucket.copy('back.txt', 'again.txt')).error).toMatchObject({ statusCode: '409' });
    });

    test('exist or do not', async () => {
      const bucket = service.storage.from('closed');
      expect((await bucket.exists('back.txt')).data).toBe(true);
      expect((await bucket.exists('nowhere')).data).toBe(false);
      await expect(service.storage.from('no-bucket').exists('x')).rejects.toMatchObject({
        message: 'Bucket not found',
      });
    });
  });

  describe('listings', () => {
    const names = ['a.txt', 'b/1.txt', 'b/2.txt', 'b/c/3.txt', 'B2.txt', 'd%/4.txt'.replace('%', ''), 'z.txt'];
    let bucket: ReturnType<SupabaseClient['storage']['from']>;
    beforeAll(async () => {
      await service.storage.createBucket('listed');
      bucket = service.storage.from('listed');
      for (const name of names) await bucket.upload(name, name);
    });

    test('by folder: folders first, sorted, searched and paged', async () => {
      const list = async (...args: Parameters<typeof bucket.list>) =>
        (await bucket.list(...args)).data?.map((o) => o.name);
      expect(await list()).toEqual(['b', 'd', 'B2.txt', 'a.txt', 'z.txt']);
      expect(await list('b')).toEqual(['c', '1.txt', '2.txt']);
      expect(await list('', { search: 'b' })).toEqual(['b', 'B2.txt']);
      expect(await list('', { limit: 2, offset: 1 })).toEqual(['d', 'B2.txt']);
      expect(await list('b', { sortBy: { column: 'created_at', order: 'desc' } })).toEqual(['c', '2.txt', '1.txt']);
      expect((await bucket.list('b')).data?.[1]).toMatchObject({ id: expect.any(String), metadata: { size: 7 } });
      expect((await bucket.list('b')).data?.[0]).toMatchObject({ id: null, metadata: null });
      expect((await bucket.list('', { sortBy: { column: 'name; drop table storage.objects' } })).error).not.toBeNull();
    });

    test.each(['name', 'created_at'] as const)('by cursor and %s give every object once', async (column) => {
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const { data } = await bucket.listV2({ limit: 2, sortBy: { column, order }, ...(cursor ? { cursor } : {}) });
          seen.push(...(data?.objects ?? []).map(({ name }) => name));
          cursor = data?.nextCursor;
          expect(data?.hasNext).toBe(cursor !== undefined);
        } while (cursor !== undefined);
        const expected = column === 'name' ? [...names].sort() : names;
        expect(seen).toEqual(order === 'asc' ? expected : [...expected].reverse());
      }
    });

    test('by cursor with a delimiter show folders beside objects', async () => {
      const { data } = await bucket.listV2({ with_delimiter: true, prefix: 'b/' });
      expect(data?.folders).toEqual([{ name: 'b/c/', key: 'b/c' }]);
      expect(data?.objects.map(({ name }) => name)).toEqual(['b/1.txt', 'b/2.txt']);
    });
  });

  describe('downloads', () => {
    const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
      app.request(`/storage/v1/object/public/open/${name}`, { token: null, headers, method });
    beforeAll(async () => {
      await service.storage.from('open').upload('ten.txt', '0123456789', { contentType: 'text/plain' });
    });

    test('of public buckets need no key, of others do', async () => {
      const { publicUrl } = service.storage.from('open').getPublicUrl('ten.txt').data;
      expect(await (await fetch(publicUrl)).text()).toBe('0123456789');
      const closed = await app.request('/storage/v1/object/public/closed/back.txt', { token: null });
      expect([closed.status, await closed.json()]).toEqual([
        400,
        { statusCode: '404', code: 'NoSuchBucket', error: 'Bucket not found', message: 'Bucket not found' },
      ]);
      const without = await app.request('/storage/v1/object/closed/back.txt', { token: null });
      expect(await without.json()).toMatchObject({ code: 'InvalidJWT' });
    });

    test.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=7-', '789', 'bytes 7-9/10'],
      ['bytes=-2', '89', 'bytes 8-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
    ])('answer %s with a part', async (range, part, contentRange) => {
      const response = await get('ten.txt', { range });
      expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
        206,
        part,
        contentRange,
      ]);
    });

    test('refuse ranges beyond the end, and know what the client has already', async () => {
      expect((await get('ten.txt', { range: 'bytes=10-' })).status).toBe(416);
      const response = await get('ten.txt');
      const etag = response.headers.get('etag') ?? '';
      const modified = response.headers.get('last-modified') ?? '';
      expect((await get('ten.txt', { 'if-none-match': etag })).status).toBe(304);
      expect((await get('ten.txt', { 'if-none-match': '"other"' })).status).toBe(200);
      expect((await get('ten.txt', { 'if-modified-since': modified })).status).toBe(304);
      expect((await get('ten.txt', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
      expect((await get('ten.txt', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
      const head = await get('ten.txt', {}, 'HEAD');
      expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    });

    test.each([
      ['image/svg+xml', 'attachment'],
      ['text/html', 'attachment'],
      ['application/xml', 'attachment'],
      ['application/xhtml+xml', 'attachment'],
      ['text/javascript', 'attachment'],
      ['image/png', null],
    ])('of %s never run in this origin', async (contentType, disposition) => {
      await service.storage.from('open').upload('shown', '\x89 <svg>', { contentType, upsert: true });
      const { headers } = await get('shown');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-disposition')?.split(';')[0] ?? null).toBe(disposition);
      expect(headers.get('content-security-policy')?.includes('sandbox') ?? false).toBe(disposition !== null);
    });

    test('are saved under the name that is asked for', async () => {
      expect((await get('ten.txt?download=')).headers.get('content-disposition')).toContain('filename=ten.txt');
      const named = await get(`ten.txt?download=${encodeURIComponent('Zähl "das"\r\n.txt')}`);
      expect(named.headers.get('content-disposition')).toBe(
        "attachment; filename=Z%C3%A4hl%20%22das%22%0D%0A.txt; filename*=UTF-8''Z%C3%A4hl%20%22das%22%0D%0A.txt;",
      );
    });
  });

  describe('signed URLs', () => {
    test('open one path for a time, without a key, and no other', async () => {
      const bucket = service.storage.from('closed');
      await bucket.upload('signed.txt', 'secret', { upsert: true });
      const { data } = await bucket.createSignedUrl('signed.txt', 60, { download: 'mine.txt' });
      const url = data?.signedUrl ?? '';
      const response = await fetch(url);
      expect(await response.text()).toBe('secret');
      expect(response.headers.get('content-disposition')).toContain('mine.txt');
      expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(60|5\d)$/);
      expect(await (await fetch(url.replace('signed.txt', 'back.txt'))).json()).toMatchObject({
        code: 'InvalidSignature',
      });
      expect(await (await fetch(url.replace(/token=[^&]*/, `token=${app.anonKey}`))).json()).toMatchObject({
        code: 'InvalidJWT',
      });
      // Good for downloading only.
      const put = await fetch(url.replace('/object/sign/', '/object/upload/sign/'), { method: 'PUT', body: 'x' });
      expect(await put.json()).toMatchObject({ code: 'InvalidJWT' });
      // And no token for any other door.
      const token = new URL(url).searchParams.get('token') ?? '';
      expect((await app.request('/rest/v1/projects', { token })).status).toBe(401);
    });

    test('come by the dozen, each for itself', async () => {
      const { data } = await service.storage.from('closed').createSignedUrls(['signed.txt', 'nowhere'], 60);
      expect(data).toMatchObject([
        { path: 'signed.txt', error: null, signedUrl: expect.stringContaining('token=') },
        { path: 'nowhere', signedUrl: null, error: expect.stringContaining('does not exist') },
      ]);
    });

    test('end when they are said to', async () => {
      const { data } = await service.storage.from('closed').createSignedUrl('signed.txt', 60);
      const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
      const past = new Date(Date.now());
      later.mockRestore();
      vi.useFakeTimers({ toFake: ['Date'], now: past });
      try {
        expect(await (await fetch(data?.signedUrl ?? '')).json()).toMatchObject({ code: 'InvalidJWT' });
      } finally {
        vi.useRealTimers();
      }
    });

    test('for uploads write as the one who asked, once, and not when they may no longer', async () => {
      const attachments = owner.client.storage.from('attachments');
      const { data } = await attachments.createSignedUploadUrl(path('signed.txt'));
      const anonymous = app.client().storage.from('attachments');
      const upload = () => anonymous.uploadToSignedUrl(path('signed.txt'), data?.token ?? '', 'x');
      expect((await upload()).error).toBeNull();
      expect((await upload()).error).toMatchObject({ statusCode: '409' });
      expect((await attachments.info(path('signed.txt'))).error).toBeNull();

      const editor = await app.createUser({ name: 'Edda' });
      await app.sql(`insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
        project,
        editor.id,
      ]);
      const link = await editor.client.storage.from('attachments').createSignedUploadUrl(path('late.txt'));
      await app.sql('delete from project_members where user_id = $1', [editor.id]);
      expect((await anonymous.uploadToSignedUrl(path('late.txt'), link.data?.token ?? '', 'x')).error).toMatchObject({
        statusCode: '403',
      });
    });
  });

  describe('the bucket attachments', () => {
    test('is written by owners and editors, read by members, and closed to everyone else', async () => {
      const by = ({ client }: TestUser) => client.storage.from('attachments');
      const denied = { statusCode: '403', message: 'new row violates row-level security policy' };
      expect((await by(owner).upload(path('a.txt'), 'a')).error).toBeNull();
      expect((await by(viewer).upload(path('v.txt'), 'v')).error).toMatchObject(denied);
      expect((await by(stranger).upload(path('s.txt'), 's')).error).toMatchObject(denied);
      expect((await app.client().storage.from('attachments').upload(path('n.txt'), 'n')).error).toMatchObject(denied);
      expect((await by(viewer).upload(path('a.txt'), 'v', { upsert: true })).error).toMatchObject(denied);

      expect(await text((await by(viewer).download(path('a.txt'))).data)).toBe('a');
      expect((await by(stranger).download(path('a.txt'))).error).not.toBeNull();
      expect((await by(stranger).info(path('a.txt'))).error).toMatchObject({ statusCode: '404' });
      expect((await by(stranger).list(`${project}/${task}`)).data).toEqual([]);
      expect((await by(stranger).createSignedUrl(path('a.txt'), 60)).error).toMatchObject({ statusCode: '404' });
      expect((await by(viewer).createSignedUrl(path('a.txt'), 60)).error).toBeNull();

      for (const who of [viewer, stranger]) {
        expect((await by(who).remove([path('a.txt')])).data).toEqual([]);
        expect((await by(who).move(path('a.txt'), path('m.txt'))).error).not.toBeNull();
        expect((await by(who).copy(path('a.txt'), path('c.txt'))).error).not.toBeNull();
      }
      expect(await text((await by(owner).download(path('a.txt'))).data)).toBe('a');
      expect((await by(owner).remove([path('a.txt')])).data).toMatchObject([{ name: path('a.txt') }]);
      await expectAgreement();
    });

    test('takes nothing beside the tasks of a project', async () => {
      const attachments = owner.client.storage.from('attachments');
      for (const name of [`${project}/${randomUUID()}/x`, `${randomUUID()}/${task}/x`, `${project}/x`, 'x'])
        expect((await attachments.upload(name, 'x')).error, name).toMatchObject({ statusCode: '403' });
      const other = await stranger.client.rpc('create_project_with_defaults', { name: 'Other' });
      const foreign = `${(other.data as { id: string }).id}/${task}/x`;
      expect((await stranger.client.storage.from('attachments').upload(foreign, 'x')).error).toMatchObject({
        statusCode: '403',
      });
    });
  });

  test('avatars are seen by everyone and written by their owner alone', async () => {
    const picture = new Blob(['\x89PNG'], { type: 'image/png' });
    const mine = owner.client.storage.from('avatars');
    expect((await mine.upload(`${owner.id}/me.png`, picture)).error).toBeNull();
    expect((await mine.upload(`${owner.id}/me.png`, picture, { upsert: true })).error).toBeNull();
    expect((await mine.upload(`${viewer.id}/me.png`, picture)).error).toMatchObject({ statusCode: '403' });
    expect(
      (await mine.upload(`${owner.id}/x.svg`, new Blob(['<svg/>'], { type: 'image/svg+xml' }))).error,
    ).toMatchObject({
      statusCode: '415',
    });
    expect((await fetch(mine.getPublicUrl(`${owner.id}/me.png`).data.publicUrl)).status).toBe(200);
    expect((await viewer.client.storage.from('avatars').list()).data).toEqual([]);
  });

  describe('rows and bytes', () => {
    test('leave nothing of an upload that breaks off', async () => {
      await expectAgreement();
      const before = files.stored();
      const url = new URL('/storage/v1/object/closed/broken.bin', app.url);
      await new Promise<void>((resolve) => {
        const headers = { authorization: `Bearer ${app.serviceKey}`, 'content-length': '1000000' };
        const upload = httpRequest(url, { method: 'POST', headers });
        upload.on('error', () => resolve());
        upload.write(randomBytes(200_000));
        void vi
          .waitFor(async () => expect(await app.sql('select from private.unclaimed_files')).toHaveLength(1), {
            timeout: 60_000,
          })
          .finally(() => upload.destroy(new Error('gone')));
      });
      await expectAgreement();
      expect(files.stored()).toEqual(before);
      expect((await service.storage.from('closed').exists('broken.bin')).data).toBe(false);
    });

    test('cannot be crossed by writing the version of another row, nor one that was never uploaded', async () => {
      const [row] = await app.sql<{ version: string }>('select version from storage.objects limit 1');
      for (const version of [row?.version, randomUUID()])
        await expect(
          app.sql(`insert into storage.objects (bucket_id, name, version) values ('closed', 'stolen', $1)`, [version]),
        ).rejects.toThrow(/already|duplicate|no uploaded file/);
    });

    test('agree again after a crash at any point before the row: what nobody claimed in time is removed', async () => {
      const [half, whole] = [randomUUID(), randomUUID()];
      // As a crash leaves them: an upload that was under way, and one whose row was not written any more.
      await files.store.put(whole, bytesOf('bytes'));
      await files.store.append(half, 0, bytesOf('byt'));
      await app.sql('insert into private.unclaimed_files (version, due_at) values ($1, now()), ($2, now())', [
        half,
        whole,
      ]);
      await service.storage.from('closed').remove(['nothing']);
      await expectAgreement();
    });

    test('an upload that takes longer than its reservation is refused rather than kept without bytes', async () => {
      const version = randomUUID();
      await app.sql(`insert into private.unclaimed_files (version, due_at) values ($1, now() - interval '1 second')`, [
        version,
      ]);
      await expect(
        app.sql(`insert into storage.objects (bucket_id, name, version) values ('closed', 'late', $1)`, [version]),
      ).rejects.toThrow(/no uploaded file/);
      await service.storage.from('closed').remove(['nothing']);
      await expectAgreement();
    });
  });

  test.each(['s3/x', 'vector/CreateIndex', 'iceberg/v1/config'])('%s is answered as not offered', async (address) => {
    const response = await app.request(`/storage/v1/${address}`, { method: 'POST', body: '{}' });
    expect(await response.json()).toMatchObject({ code: 'FeatureNotEnabled', statusCode: '409' });
  });
});
