// Files stored with a content encoding: the encoding of an upload is stored and served, by every way in and out, on every store.

import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { Upload } from 'tus-js-client';
import { describe, expect, test } from 'vitest';
import { onEachStore } from './each-store.ts';

const words = 'body { color: red }\n'.repeat(400);
const zipped = gzipSync(words);

onEachStore((here) => {
  /** As the bytes lie there: fetch would decode them. */
  const rawly = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { request } = await import('node:http');
    return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
      const asked = request(`${here.app.url}${path}`, { method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
        );
      });
      asked.on('error', reject);
      asked.end();
    });
  };
  const encodingAt = async (name: string) =>
    (await rawly(`/storage/v1/object/public/open/${name}`)).headers['content-encoding'];

  describe('an encoding', () => {
    test.each<[string, () => Buffer | Blob | FormData]>([
      ['raw bytes', () => zipped],
      ['a blob', () => new Blob([new Uint8Array(zipped)], { type: 'text/css' })],
      [
        'a form',
        () => {
          const form = new FormData();
          form.append('contentEncoding', 'gzip');
          form.append('', new Blob([new Uint8Array(zipped)], { type: 'text/css' }), 'x.css');
          return form;
        },
      ],
    ])('comes with %s, and is served whole, in part, by link and by head', async (kind, body) => {
      const bucket = here.service.storage.from('open');
      const name = `encoded/${kind.replaceAll(' ', '-')}.css`;
      const options = { contentType: 'text/css', contentEncoding: 'gzip' };
      expect((await bucket.upload(name, body(), options)).error).toBeNull();
      expect(await (await bucket.download(name)).data?.text()).toBe(words);
      const address = `/storage/v1/object/public/open/${name}`;
      expect(await rawly(address)).toMatchObject({
        status: 200,
        headers: { 'content-encoding': 'gzip', 'content-type': 'text/css', 'content-length': String(zipped.length) },
        bytes: zipped,
      });
      expect(await rawly(address, { range: 'bytes=2-11' })).toMatchObject({
        status: 206,
        headers: { 'content-encoding': 'gzip', 'content-range': `bytes 2-11/${zipped.length}` },
        bytes: zipped.subarray(2, 12),
      });
      expect((await rawly(address, {}, 'HEAD')).headers).toMatchObject({ 'content-encoding': 'gzip' });
      const { data: link } = await bucket.createSignedUrl(name, 60);
      expect(await (await fetch(link?.signedUrl ?? '')).text()).toBe(words);
      expect((await bucket.info(name)).data).toMatchObject({ contentEncoding: 'gzip', size: zipped.length });
      const { data: listed } = await bucket.list('encoded', { search: name.slice(8) });
      expect(listed?.[0]?.metadata).toMatchObject({ contentEncoding: 'gzip' });
    });

    test('comes with a signed upload and a resumable one', async () => {
      const bucket = here.service.storage.from('open');
      const { data: link } = await bucket.createSignedUploadUrl('encoded/signed.css');
      const options = { contentType: 'text/css', contentEncoding: 'br' };
      await bucket.uploadToSignedUrl('encoded/signed.css', link?.token ?? '', brotliCompressSync(words), options);
      expect(await encodingAt('encoded/signed.css')).toBe('br');
      expect(await (await bucket.download('encoded/signed.css')).data?.text()).toBe(words);
      await new Promise<void>((resolve, reject) => {
        const upload = new Upload(zipped, {
          endpoint: `${here.app.url}/storage/v1/upload/resumable`,
          headers: { apikey: here.app.anonKey, authorization: `Bearer ${here.app.serviceKey}` },
          metadata: {
            bucketName: 'open',
            objectName: 'encoded/resumable.css',
            contentType: 'text/css',
            contentEncoding: 'gzip',
          },
          chunkSize: 1000,
          retryDelays: [],
          onSuccess: () => resolve(),
          onError: reject,
        });
        upload.start();
      });
      expect(await encodingAt('encoded/resumable.css')).toBe('gzip');
      expect(await (await bucket.download('encoded/resumable.css')).data?.text()).toBe(words);
    });

    test('goes along with a move and a copy, and a copy may say another or none', async () => {
      const bucket = here.service.storage.from('open');
      await bucket.upload('encoded/first.css', zipped, { contentType: 'text/css', contentEncoding: 'gzip' });
      await bucket.copy('encoded/first.css', 'encoded/copied.css');
      expect(await encodingAt('encoded/copied.css')).toBe('gzip');
      await bucket.move('encoded/copied.css', 'encoded/moved.css');
      expect(await encodingAt('encoded/moved.css')).toBe('gzip');
      const copied = (to: string, metadata: object) =>
        bucket.copy('encoded/first.css', to, { copyMetadata: false, metadata } as never);
      await copied('encoded/bare.bin', { contentEncoding: '', mimetype: 'application/gzip' });
      expect(await encodingAt('encoded/bare.bin')).toBeUndefined();
      await copied('encoded/same.css', { cacheControl: 'max-age=60' });
      expect(await encodingAt('encoded/same.css')).toBe('gzip');
      await bucket.upload('encoded/plain.css', words, { contentType: 'text/css' });
      expect(await encodingAt('encoded/plain.css')).toBeUndefined();
      await bucket.upload('encoded/first.css', words, { contentType: 'text/css', upsert: true });
      expect(await encodingAt('encoded/first.css')).toBeUndefined();
    });

    test('hides nothing: a type that the bucket does not take, and markup as a picture, are found under it', async () => {
      await here.service.storage.createBucket('pictures', { public: true, allowedMimeTypes: ['image/*'] });
      const pictures = here.service.storage.from('pictures');
      const options = { contentType: 'image/png', contentEncoding: 'gzip' };
      const markup = `<!doctype html><html><script>1</script>${randomBytes(2000).toString('hex')}</html>`;
      expect((await pictures.upload('a.png', gzipSync(markup), options)).error?.message).toMatch(/markup/);
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      expect((await pictures.upload('b.png', gzipSync(picture), options)).error).toBeNull();
      const resized = await pictures.download('b.png', { transform: { width: 4, height: 4 } });
      expect(resized.error).toBeNull();
      expect(await sharp(Buffer.from(await (resized.data as Blob).arrayBuffer())).metadata()).toMatchObject({
        width: 4,
      });
    });

    test('that makes no sense is refused', async () => {
      const bucket = here.service.storage.from('open');
      const options = { contentType: 'text/css', contentEncoding: 'gzip;evil=1' };
      expect((await bucket.upload('encoded/odd.css', zipped, options)).error?.message).toBe(
        'The content encoding makes no sense',
      );
    });
  });
});
