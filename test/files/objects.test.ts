// Objects through the unmodified client: uploads, refusals, moves and listings.

import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { onEachStore, textOf } from './each-store.ts';

onEachStore((here) => {
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
      const bucket = here.service.storage.from('closed');
      const name = `bodies/${kind}.txt`;
      const options = { contentType: 'text/plain', cacheControl: '60', metadata: { from: kind } };
      const { data, error } = await bucket.upload(name, body(), options);
      expect(error).toBeNull();
      expect(data).toMatchObject({ path: name, fullPath: `closed/${name}`, id: expect.any(String) });
      expect(await textOf((await bucket.download(name)).data)).toBe('hello');
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
      const bucket = here.service.storage.from('closed');
      await bucket.remove(['again.txt']);
      const first = await bucket.upload('again.txt', 'one');
      expect((await bucket.upload('again.txt', 'two')).error).toMatchObject({
        statusCode: '409',
        message: 'The resource already exists',
      });
      expect((await bucket.upload('again.txt', 'three', { upsert: true })).data?.id).toBe(first.data?.id);
      expect(await textOf((await bucket.download('again.txt')).data)).toBe('three');
      expect((await bucket.update('again.txt', 'four')).error).toBeNull();
      expect(await textOf((await bucket.download('again.txt')).data)).toBe('four');
      await here.expectAgreement();
    });

    test('written by many at once under one name end as one of them, whole', async () => {
      const bucket = here.service.storage.from('closed');
      const bodies = Array.from({ length: 8 }, (_, n) => String(n).repeat(50_000));
      const done = await Promise.all(bodies.map((body) => bucket.upload('raced.txt', body, { upsert: true })));
      expect(done.map(({ error }) => error)).toEqual(bodies.map(() => null));
      expect(bodies).toContain(await textOf((await bucket.download('raced.txt')).data));
      await here.expectAgreement();
    });

    test('larger than the bucket or the server allows are refused, with and without a length in advance', async () => {
      await here.service.storage.createBucket('small', { public: false, fileSizeLimit: 1000 });
      const large = { statusCode: '413', message: 'The object exceeded the maximum allowed size' };
      const stream = () =>
        Readable.toWeb(Readable.from(Array.from({ length: 40 }, () => randomBytes(100)))) as ReadableStream;
      const small = here.service.storage.from('small');
      expect((await small.upload('x', randomBytes(1001))).error).toMatchObject(large);
      expect((await small.upload('x', stream())).error).toMatchObject(large);
      expect((await small.upload('x', new Blob([randomBytes(1001)]))).error).toMatchObject(large);
      expect((await small.upload('x', randomBytes(1000))).error).toBeNull();
      expect((await here.service.storage.from('closed').upload('x', randomBytes(3_000_001))).error).toMatchObject(
        large,
      );
      await here.expectAgreement();
    });

    test('of types that the bucket does not take are refused, and markup that claims to be a picture', async () => {
      await here.service.storage.createBucket('pictures', { public: false, allowedMimeTypes: ['image/*'] });
      const pictures = here.service.storage.from('pictures');
      expect((await pictures.upload('x', 'x', { contentType: 'text/plain' })).error).toMatchObject({
        statusCode: '415',
        message: 'mime type text/plain is not supported',
      });
      const markup = '<html><script>alert(1)</script>';
      expect((await pictures.upload('x', markup, { contentType: 'image/png' })).error).toMatchObject({
        statusCode: '415',
      });
      expect((await pictures.upload('x', '\x89PNG', { contentType: 'image/png' })).error).toBeNull();
      await here.service.storage.from('closed').upload('notes.txt', 'n', { contentType: 'text/plain', upsert: true });
      expect(
        (await here.service.storage.from('closed').copy('notes.txt', 'y', { destinationBucket: 'pictures' })).error,
      ).toMatchObject({ statusCode: '415' });
      await here.expectAgreement();
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
      await here.expectAgreement();
      const before = here.files.stored();
      const response = await here.app.request(`/storage/v1/object/closed/${encodeURIComponent(name)}`, {
        method: 'POST',
        token: here.app.serviceKey,
        body: 'x',
      });
      expect([400, 404]).toContain(response.status);
      expect(here.files.stored()).toEqual(before);
    });

    test('pass through without counting as bodies that are held: they may be larger than those together', async () => {
      const bytes = randomBytes(2_500_000);
      const bucket = here.service.storage.from('closed');
      expect((await bucket.upload('passed-on.bin', bytes, { upsert: true })).error).toBeNull();
      const { data } = await bucket.download('passed-on.bin');
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    });

    test('may have names in any script', async () => {
      const bucket = here.service.storage.from('closed');
      expect((await bucket.upload('Ordner/Übersicht 図.txt', 'x', { upsert: true })).error).toBeNull();
      expect(await textOf((await bucket.download('Ordner/Übersicht 図.txt')).data)).toBe('x');
    });

    test('move without their bytes being touched, and are copied with bytes of their own, also across buckets', async () => {
      const bucket = here.service.storage.from('closed');
      const folder = randomUUID();
      const [from, to, back, again] = [`${folder}/from`, `${folder}/to`, `${folder}/back`, `${folder}/again`];
      await bucket.upload(again, 'taken');
      await bucket.upload(from, 'bytes', { metadata: { a: 1 } });
      expect((await bucket.move(from, to, { destinationBucket: 'open' })).data?.message).toBe('Successfully moved');
      expect((await bucket.download(from)).error).not.toBeNull();
      const open = here.service.storage.from('open');
      expect((await open.copy(to, back, { destinationBucket: 'closed' })).data?.path).toBe(`closed/${back}`);
      await open.remove([to]);
      await here.expectAgreement();
      expect(await textOf((await bucket.download(back)).data)).toBe('bytes');
      expect((await bucket.info(back)).data).toMatchObject({ metadata: { a: 1 } });
      expect((await bucket.move('nowhere', 'x2')).error).toMatchObject({
        statusCode: '404',
        message: 'Object not found',
      });
      expect((await bucket.copy(back, again)).error).toMatchObject({ statusCode: '409' });
    });

    test('exist or do not', async () => {
      const bucket = here.service.storage.from('closed');
      await bucket.upload('here.txt', 'x', { upsert: true });
      expect((await bucket.exists('here.txt')).data).toBe(true);
      expect((await bucket.exists('nowhere')).data).toBe(false);
      await expect(here.service.storage.from('no-bucket').exists('x')).rejects.toMatchObject({
        message: 'Bucket not found',
      });
    });
  });

  describe('listings', () => {
    const names = ['a.txt', 'b/1.txt', 'b/2.txt', 'b/c/3.txt', 'B2.txt', 'd/4.txt', 'z.txt'];
    let bucket: ReturnType<SupabaseClient['storage']['from']>;
    beforeAll(async () => {
      await here.service.storage.createBucket('listed');
      bucket = here.service.storage.from('listed');
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
});
