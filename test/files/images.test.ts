// Resized images through the unmodified client: sizes, formats, who may see them, what is refused, and what stays in the cache.

import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SupabaseClient } from '@supabase/supabase-js';
import { pino } from 'pino';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Transform } from '../../server/files/images/read-transform.ts';
import { openResizer } from '../../server/files/images/resize-image.ts';
import { openBudget } from '../../server/limits/budget.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const cacheBytes = 60_000;
const pixelLimit = 1_000_000;

let service: SupabaseClient;

const app = forSuite(() =>
  startApp({
    settings: { STORAGE_IMAGE_CACHE_BYTES: String(cacheBytes), STORAGE_IMAGE_PIXEL_LIMIT: String(pixelLimit) },
  }),
);
beforeAll(async () => {
  service = app.client({ key: app.serviceKey });
  await service.storage.createBucket('open', { public: true });
  await service.storage.createBucket('closed');
  for (const bucket of ['open', 'closed'])
    await service.storage.from(bucket).upload('wide.png', await picture(400, 200), { contentType: 'image/png' });
});

function picture(width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' = 'png') {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: 'teal', noise } })
    .toFormat(format)
    .toBuffer();
}

/** Width, height and format of what came. */
async function measure(response: Response | Blob | null) {
  if (response === null) return null;
  const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return [width, height, format];
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(`/storage/v1/render/image/public/open/${path}`, { token: null, headers, method });

function kept(): string[] {
  const root = join(app.dataDir, 'resized-images');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

describe('sizes', () => {
  test.each([
    ['width=100', 100, 50],
    ['height=100', 200, 100],
    ['width=100&height=100', 100, 100],
    ['width=100&height=100&resize=cover', 100, 100],
    ['width=100&height=100&resize=contain', 100, 50],
    ['width=100&height=300&resize=fill', 100, 300],
    ['width=9999', 400, 200],
    ['quality=20', 400, 200],
    ['', 400, 200],
  ])('%s', async (query, width, height) => {
    expect(await measure(await get(`wide.png?${query}`))).toEqual([width, height, 'png']);
  });

  test('images stand upright, and say nothing of where they were taken', async () => {
    const bytes = await sharp(await picture(40, 20, 'jpeg'))
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    await service.storage.from('open').upload('phone.jpg', bytes, { contentType: 'image/jpeg' });
    const response = await get('phone.jpg?width=10');
    const { width, height, exif, orientation } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([width, height, exif, orientation]).toEqual([10, 20, undefined, undefined]);
  });
});

describe('formats', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)(
    '%s leaves as it came, or as WebP where that is accepted',
    async (format) => {
      await service.storage
        .from('open')
        .upload(`as.${format}`, await picture(40, 20, format), { contentType: `image/${format}` });
      const plain = await get(`as.${format}?width=20`);
      expect(plain.headers.get('content-type')).toBe(`image/${format}`);
      expect(plain.headers.get('vary')).toContain('Accept');
      expect(await measure(plain)).toEqual([20, 10, format === 'avif' ? 'heif' : format]);
      const modern = { accept: 'image/avif,image/webp,*/*' };
      expect((await get(`as.${format}?width=20`, modern)).headers.get('content-type')).toBe('image/webp');
      expect((await get(`as.${format}?width=20&format=origin`, modern)).headers.get('content-type')).toBe(
        `image/${format}`,
      );
    },
  );

  test('a named one is kept to', async () => {
    expect((await get('wide.png?width=20&format=avif')).headers.get('content-type')).toBe('image/avif');
  });
});

describe('access', () => {
  test('is that of the object: by token, by signed URL, in public buckets by address', async () => {
    const transform = { width: 50, height: 50 };
    const closed = service.storage.from('closed');
    expect(await measure((await closed.download('wide.png', { transform })).data)).toEqual([50, 50, 'png']);
    const { publicUrl } = service.storage.from('open').getPublicUrl('wide.png', { transform }).data;
    expect(await measure(await fetch(publicUrl))).toEqual([50, 50, 'png']);

    const stranger = await app.createUser({ name: 'Sten' });
    expect((await stranger.client.storage.from('closed').download('wide.png', { transform })).error).not.toBeNull();
    const foreign = await app.request('/storage/v1/render/image/public/closed/wide.png?width=50', { token: null });
    expect(await foreign.json()).toMatchObject({ code: 'NoSuchBucket' });
  });

  test('a signed URL opens the size it was made for, and not the object, nor the other way round', async () => {
    const closed = service.storage.from('closed');
    const { data } = await closed.createSignedUrl('wide.png', 60, { transform: { width: 50 } });
    const url = data?.signedUrl ?? '';
    expect(url).toContain('/render/image/sign/closed/wide.png');
    expect(await measure(await fetch(url))).toEqual([50, 25, 'png']);
    expect(await measure(await fetch(`${url}&width=200`))).toEqual([50, 25, 'png']);
    expect(await (await fetch(url.replace('/render/image/', '/object/'))).json()).toMatchObject({
      code: 'InvalidSignature',
    });
    const whole = (await closed.createSignedUrl('wide.png', 60)).data?.signedUrl ?? '';
    expect(await (await fetch(whole.replace('/object/', '/render/image/'))).json()).toMatchObject({
      code: 'InvalidSignature',
    });
  });

  test('conditions and HEAD are understood, and a download gets a name', async () => {
    const first = await get('wide.png?width=60');
    const etag = first.headers.get('etag') ?? '';
    expect((await get('wide.png?width=60', { 'if-none-match': etag })).status).toBe(304);
    expect((await get('wide.png?width=61', { 'if-none-match': etag })).status).toBe(200);
    const head = await get('wide.png?width=60&download=small.png', {}, 'HEAD');
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String((await first.arrayBuffer()).byteLength));
    expect(head.headers.get('content-disposition')).toContain('small.png');
    expect(head.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('refused images', () => {
  test.each([
    ['text', 'text/plain', Buffer.from('no image')],
    ['an SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['half an image', 'image/png', null],
  ])('%s', async (name, contentType, bytes) => {
    const body = bytes ?? (await picture(300, 300)).subarray(0, 5000);
    await service.storage.from('open').upload(name, body, { contentType, upsert: true });
    const response = await get(`${encodeURIComponent(name)}?width=10`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { statusCode: '422', code: 'ImageProcessingError' },
    ]);
  });

  test('an image of more pixels than is allowed, however few its bytes', async () => {
    const flat = await sharp({ create: { width: 1001, height: 1000, channels: 3, background: 'black' } })
      .png()
      .toBuffer();
    expect(flat.length).toBeLessThan(10_000);
    await service.storage.from('open').upload('bomb.png', flat, { contentType: 'image/png' });
    expect(await (await get('bomb.png?width=10')).json()).toMatchObject({
      code: 'ImageProcessingError',
      message: `The image has more than ${pixelLimit} pixels`,
    });
  });

  // 900,000 pixels are within the limit; these formats have no rows to read one by one. An interlaced PNG of 3 bytes a pixel has 2.7 MB.
  test.each([
    ['a progressive JPEG', (image: Sharp) => image.jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
    ['an interlaced PNG', (image: Sharp) => image.png({ progressive: true })],
    ['a WebP', (image: Sharp) => image.webp()],
    ['a GIF', (image: Sharp) => image.gif()],
  ] as const)('%s that would fill the memory as a whole', async (_name, saved) => {
    const flat = sharp({ create: { width: 1000, height: 900, channels: 3, background: 'black' } });
    await service.storage.from('open').upload('whole', await saved(flat).toBuffer(), {
      contentType: 'image/jpeg',
      upsert: true,
    });
    expect(await (await get('whole?width=10')).json()).toMatchObject({
      code: 'ImageProcessingError',
      message: expect.stringContaining('not progressive or interlaced'),
    });
  });

  test('the same pixels are resized where they are saved by rows, or are fewer', async () => {
    const flat = (width: number) => sharp({ create: { width, height: 900, channels: 3, background: 'black' } });
    for (const saved of [flat(1000).jpeg(), flat(1000).png(), flat(400).png({ progressive: true }), flat(400).webp()]) {
      const bytes = await saved.toBuffer();
      await service.storage.from('open').upload('rows', bytes, { contentType: 'image/png', upsert: true });
      expect(await measure(await get('rows?height=9'))).toMatchObject([expect.any(Number), 9, expect.any(String)]);
    }
  });

  test.each(['width=-1', 'width=ten', 'width=1.5', 'quality=10', 'quality=101', 'resize=crop', 'format=bmp'])(
    '%s',
    async (query) => {
      const response = await get(`wide.png?${query}`);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'InvalidRequest' }]);
    },
  );
});

describe('the cache', () => {
  test('stays within its bound', async () => {
    for (let width = 100; width < 140; width++) expect((await get(`wide.png?width=${width}`)).status).toBe(200);
    const bytes = kept().reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(cacheBytes);
  });

  test('keeps the sizes that were asked for last of one file, and those of others', async () => {
    const open = service.storage.from('open');
    await open.upload('small.png', await picture(60, 60), { contentType: 'image/png' });
    await open.upload('many.png', await picture(60, 2), { contentType: 'image/png' });
    expect((await get('small.png?width=20')).status).toBe(200);
    for (let width = 1; width <= 60; width++) expect((await get(`many.png?width=${width}`)).status).toBe(200);
    const of = async (name: string) => {
      const { data } = await open.info(name);
      return kept().filter((path) => path.includes(data?.version ?? 'no version'));
    };
    expect(await of('many.png')).toHaveLength(48);
    expect(await of('small.png')).toHaveLength(1);
  }, 60_000);

  test('gives what was made before, and forgets it with the object', async () => {
    const open = service.storage.from('open');
    await open.upload('gone.png', await picture(60, 60), { contentType: 'image/png' });
    const { data } = await open.info('gone.png');
    const images = await Promise.all(Array.from({ length: 4 }, () => get('gone.png?width=30')));
    const sizes = await Promise.all(images.map(async (image) => (await image.arrayBuffer()).byteLength));
    expect(new Set(sizes).size).toBe(1);
    const ofVersion = () => kept().filter((path) => path.includes(data?.version ?? 'no version'));
    expect(ofVersion()).toHaveLength(1);
    expect(await measure(await get('gone.png?width=30'))).toEqual([30, 30, 'png']);
    expect(ofVersion()).toHaveLength(1);
    await open.remove(['gone.png']);
    await vi.waitFor(() => expect(ofVersion()).toEqual([]), { timeout: 60_000 });
    expect((await get('gone.png?width=30')).status).toBe(400);
  });

  test('forgets what another process alone has made', async () => {
    const open = service.storage.from('open');
    await open.upload('others.png', await picture(60, 60), { contentType: 'image/png' });
    // The cache has read its folder.
    expect((await get('wide.png?width=33')).status).toBe(200);
    const { data } = await open.info('others.png');
    const folder = join(app.dataDir, 'resized-images', data?.version ?? 'no version');
    mkdirSync(folder);
    writeFileSync(join(folder, 'other.webp'), 'bytes');
    await open.remove(['others.png']);
    await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 60_000 });
  });
});

describe('much work', () => {
  test('of a person who used up their budget is refused in words, and others are answered', async () => {
    const busy = await startApp({
      settings: { WORK_BUDGET_SECONDS: '3' },
      prepare: `
        create function public.nap() returns text language sql volatile as $$ select 'rested' from pg_sleep(0.6) $$;
        grant execute on function public.nap() to authenticated;`,
    });
    try {
      const [greedy, other] = [await busy.createUser({ name: 'Greedy' }), await busy.createUser({ name: 'Other' })];
      const owner = busy.client({ key: busy.serviceKey });
      await owner.storage.createBucket('shared');
      await owner.storage.from('shared').upload('wide.png', await picture(400, 200), { contentType: 'image/png' });
      await busy.sql(`create policy read on storage.objects for select to authenticated using (bucket_id = 'shared')`);
      const ask = (token: string, width: number) =>
        busy.request(`/storage/v1/render/image/authenticated/shared/wide.png?width=${width}`, { token });
      expect(await measure(await ask(greedy.token, 40))).toEqual([40, 20, 'png']);
      for (let status = 200; status === 200; ) ({ status } = await greedy.client.rpc('nap'));
      const refused = await ask(greedy.token, 41);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({
        statusCode: '429',
        code: 'KB429',
        message: 'You have asked for a lot of work in a short time',
      });
      expect(await measure(await ask(other.token, 50))).toEqual([50, 25, 'png']);
      // What was made before costs nothing, and is given all the same.
      expect(await measure(await ask(greedy.token, 40))).toEqual([40, 20, 'png']);
    } finally {
      await busy.close();
    }
  }, 60_000);

  test('waits in turns: many sizes of one person stand behind one of each other person', async () => {
    const resizer = openResizer(pixelLimit, openBudget(60), pino({ level: 'silent' }));
    const bytes = await picture(60, 60);
    const begun: string[] = [];
    let allAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      allAsked = resolve;
    });
    const ask = (person: string) => {
      const read = async () => {
        begun.push(person);
        await asked;
        return Readable.from([bytes]);
      };
      return resizer.resize(person, { size: bytes.length, read }, { width: 20 } as Transform, null, () => true);
    };
    try {
      // A normal day of many pictures is not refused.
      const all = ['greedy', 'busy', ...Array<string>(40).fill('greedy'), 'other'].map(ask);
      allAsked();
      await Promise.all(all);
      expect(begun).toHaveLength(43);
      expect(begun.indexOf('other')).toBeLessThan(5);
    } finally {
      resizer.close();
    }
  });

  test('is not begun for those who have hung up', async () => {
    const resizer = openResizer(pixelLimit, openBudget(60), pino({ level: 'silent' }));
    const bytes = await picture(60, 60);
    let reads = 0;
    const read = async () => {
      reads++;
      return Readable.from([bytes]);
    };
    const ask = (isWanted: boolean) =>
      resizer.resize('someone', { size: bytes.length, read }, { width: 20 } as Transform, null, () => isWanted);
    try {
      const [first, left] = await Promise.allSettled([ask(true), ask(false)]);
      expect([first.status, left.status, reads]).toEqual(['fulfilled', 'rejected', 1]);
    } finally {
      resizer.close();
    }
  });
});
