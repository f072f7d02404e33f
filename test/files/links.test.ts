// Downloads and the links that open them: parts, conditions, what never runs in this origin, and what a signed URL is good for.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { onEachStore } from './each-store.ts';

onEachStore((here) => {
  describe('downloads', () => {
    const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
      here.app.request(`/storage/v1/object/public/open/${name}`, { token: null, headers, method });
    beforeAll(async () => {
      await here.service.storage.from('open').upload('ten.txt', '0123456789', { contentType: 'text/plain' });
      await here.service.storage.from('closed').upload('kept.txt', 'not for everybody');
    });

    test('of public buckets need no key, of others do', async () => {
      const { publicUrl } = here.service.storage.from('open').getPublicUrl('ten.txt').data;
      expect(await (await fetch(publicUrl)).text()).toBe('0123456789');
      const closed = await here.app.request('/storage/v1/object/public/closed/kept.txt', { token: null });
      expect([closed.status, await closed.json()]).toEqual([
        400,
        { statusCode: '404', code: 'NoSuchBucket', error: 'Bucket not found', message: 'Bucket not found' },
      ]);
      const without = await here.app.request('/storage/v1/object/closed/kept.txt', { token: null });
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
      await here.service.storage.from('open').upload('shown', '\x89 <svg>', { contentType, upsert: true });
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
    beforeAll(async () => {
      const bucket = here.service.storage.from('closed');
      for (const name of ['signed.txt', 'other.txt']) await bucket.upload(name, 'secret');
    });

    test('open one path for a time, without a key, and no other', async () => {
      const bucket = here.service.storage.from('closed');
      const { data } = await bucket.createSignedUrl('signed.txt', 60, { download: 'mine.txt' });
      const url = data?.signedUrl ?? '';
      const response = await fetch(url);
      expect(await response.text()).toBe('secret');
      expect(response.headers.get('content-disposition')).toContain('mine.txt');
      expect(response.headers.get('cache-control')).toMatch(/^private, max-age=(60|5\d)$/);
      expect(await (await fetch(url.replace('signed.txt', 'other.txt'))).json()).toMatchObject({
        code: 'InvalidSignature',
      });
      expect(await (await fetch(url.replace(/token=[^&]*/, `token=${here.app.anonKey}`))).json()).toMatchObject({
        code: 'InvalidJWT',
      });
      // Good for downloading only.
      const put = await fetch(url.replace('/object/sign/', '/object/upload/sign/'), { method: 'PUT', body: 'x' });
      expect(await put.json()).toMatchObject({ code: 'InvalidJWT' });
      // And no token for any other door.
      const token = new URL(url).searchParams.get('token') ?? '';
      expect((await here.app.request('/rest/v1/projects', { token })).status).toBe(401);
    });

    test('come by the dozen, each for itself', async () => {
      const { data } = await here.service.storage.from('closed').createSignedUrls(['signed.txt', 'nowhere'], 60);
      expect(data).toMatchObject([
        { path: 'signed.txt', error: null, signedUrl: expect.stringContaining('token=') },
        { path: 'nowhere', signedUrl: null, error: expect.stringContaining('does not exist') },
      ]);
    });

    test('end when they are said to', async () => {
      const { data } = await here.service.storage.from('closed').createSignedUrl('signed.txt', 60);
      const url = data?.signedUrl ?? '';
      expect(await (await fetch(url)).text()).toBe('secret');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
      try {
        expect(await (await fetch(url)).json()).toMatchObject({ code: 'InvalidJWT' });
      } finally {
        vi.useRealTimers();
      }
    });
  });
});
