// Every call of the newest storage client with every option it has: what is offered is done, what is not is refused as such,
// and nothing is passed over in silence.

import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

let service: SupabaseClient;
const app = forSuite(startApp);
beforeAll(async () => {
  service = app.client({ key: app.serviceKey });
  await service.storage.createBucket('open', { public: true });
  const bucket = service.storage.from('open');
  for (const name of ['a.txt', 'a.txt.old', 'folder/a.txt', 'folder/b.txt']) await bucket.upload(name, 'hello');
});

type Answer = { data: unknown; error: { message: string; code?: string } | null };
const notOffered = { data: null, error: { message: expect.stringMatching(/is not offered by this service$/) } };

const names = ({ data }: Answer): string[] => (data as { name: string }[]).map(({ name }) => name);
const keys = ({ data }: Answer): string[] => (data as { objects: { name: string }[] }).objects.map(({ name }) => name);

test('a listing for one exact name, and of versions where there are none', async () => {
  const bucket = service.storage.from('open');
  const listed = (path: string, options: object): Promise<Answer> => bucket.list(path, options as never) as never;
  const paged = (options: object): Promise<Answer> => bucket.listV2(options as never) as never;
  expect(names(await listed('a.txt', { exactMatch: true }))).toEqual(['a.txt']);
  expect(names(await listed('folder/a.txt', { exactMatch: true }))).toEqual(['a.txt']);
  expect(names(await listed('folder', { exactMatch: true }))).toEqual([]);
  expect(names(await listed('folder', { exactMatch: false }))).toEqual(['a.txt', 'b.txt']);
  expect(keys(await paged({ prefix: 'a.txt', exactMatch: true }))).toEqual(['a.txt']);
  expect(keys(await paged({ prefix: 'a.txt' }))).toEqual(['a.txt', 'a.txt.old']);
  expect(keys(await paged({ prefix: 'folder/a.txt', with_delimiter: true, exactMatch: true }))).toEqual([
    'folder/a.txt',
  ]);
  for (const field of ['noncurrentVersions', 'deleteMarkers']) {
    for (const choice of ['exclude', 'include']) {
      expect(names(await listed('folder', { [field]: choice }))).toEqual(['a.txt', 'b.txt']);
      expect(keys(await paged({ prefix: 'folder/', [field]: choice }))).toEqual(['folder/a.txt', 'folder/b.txt']);
    }
    expect(names(await listed('folder', { [field]: 'only' }))).toEqual([]);
    expect(keys(await paged({ prefix: 'folder/', [field]: 'only' }))).toEqual([]);
    expect(await listed('folder', { [field]: 'all' })).toMatchObject({
      error: { message: `body/${field} must be equal to one of the allowed values: exclude, include, only` },
    });
  }
});

test('versions, lifecycles and a cache to be purged are refused in one shape', async () => {
  const bucket = service.storage.from('open');
  const versionId = '00000000-0000-4000-8000-000000000000';
  const signed = await bucket.createSignedUrl('a.txt', 60);
  expect(signed.error).toBeNull();
  const api = service.storage as unknown as Record<string, ((...given: unknown[]) => Promise<Answer>) | undefined>;
  const calls: Readonly<Record<string, Promise<Answer> | undefined>> = {
    download: bucket.download('a.txt', { versionId } as never) as never,
    info: (bucket.info as (...given: unknown[]) => Promise<Answer>).call(bucket, 'a.txt', { versionId }),
    sign: bucket.createSignedUrl('a.txt', 60, { versionId } as never) as never,
    move: bucket.move('a.txt', 'b.txt', { sourceVersionId: versionId } as never) as never,
    copy: bucket.copy('a.txt', 'b.txt', { sourceVersionId: versionId } as never) as never,
    remove: bucket.remove([{ path: 'a.txt', versionId }] as never) as never,
    createVersioned: service.storage.createBucket('kept', {
      versioningStatus: 'Enabled',
      public: false,
    } as never) as never,
    getBucketLifecycle: api.getBucketLifecycle?.('open'),
    updateBucketLifecycle: api.updateBucketLifecycle?.('open', { rules: [] }),
    deleteBucketLifecycle: api.deleteBucketLifecycle?.('open'),
    purgeCache: (bucket as unknown as typeof api).purgeCache?.('a.txt'),
  };
  for (const [name, call] of Object.entries(calls)) expect([name, await call]).toMatchObject([name, notOffered]);
  const publicly = await fetch(`${app.url}/storage/v1/object/public/open/a.txt?versionId=${versionId}`);
  expect(await publicly.json()).toMatchObject({
    code: 'FeatureNotEnabled',
    error: expect.any(String),
    statusCode: expect.any(String),
  });
  const lifecycle = await app.call('GET', '/storage/v1/bucket/open/lifecycle');
  const cache = await app.call('DELETE', '/storage/v1/cdn/open/a.txt');
  expect([lifecycle.status, Object.keys(lifecycle.body)]).toEqual([cache.status, Object.keys(cache.body)]);
  expect(lifecycle.body).toMatchObject({ code: 'FeatureNotEnabled' });
});

test('no call of the client is without a word here', async () => {
  const bucket = service.storage.from('open');
  const methods = (of: object): string[] => {
    const found = new Set<string>();
    for (let at = Object.getPrototypeOf(of); at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
      for (const name of Object.getOwnPropertyNames(at)) found.add(name);
    return [...found];
  };
  const own =
    /^(constructor|throwOnError|setHeader|handleOperation|uploadOrUpdate|encodeMetadata|toBase64|prepareUploadFormData|_.*|transformOptsTo\w*|applyTransform\w*|\w*Url|from|shouldThrowOnError|normalize\w*|listBucketOptionsToQueryString|vectors|analytics)$/;
  const known = [
    'upload uploadToSignedUrl createSignedUploadUrl update move copy createSignedUrl createSignedUrls download info exists getPublicUrl remove purgeCache list listV2 encodeMetadata toBase64'.split(
      ' ',
    ),
    'listBuckets getBucket createBucket updateBucket emptyBucket deleteBucket purgeBucketCache getBucketLifecycle updateBucketLifecycle deleteBucketLifecycle'.split(
      ' ',
    ),
  ];
  expect(methods(bucket).filter((name) => !own.test(name) && !known[0]?.includes(name))).toEqual([]);
  expect(methods(service.storage).filter((name) => !own.test(name) && !known[1]?.includes(name))).toEqual([]);
  expect(await bucket.exists('a.txt')).toMatchObject({ data: true });
  expect(bucket.getPublicUrl('a.txt').data.publicUrl).toMatch(/\/object\/public\/open\/a\.txt$/);
  const { data: links } = await bucket.createSignedUrls(['a.txt', 'none.txt'], 60);
  expect(links?.map(({ error }) => error === null)).toEqual([true, false]);
});
