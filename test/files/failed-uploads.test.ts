// Resumable uploads while the file store fails: nothing of them is left that would count among the unfinished uploads of a person, the
// answer names the reason, and so does the log.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../server/open-log.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('failing');
afterAll(() => place.remove());
const directory = join(place.path, 'files');
const lines: string[] = [];
let ada: TestUser;

const app = forSuite(() => {
  const log = openLog({ server: { logLevel: 'info' } } as Parameters<typeof openLog>[0], {
    write: (line) => void lines.push(line),
  });
  return startApp({ settings: { STORAGE_DIR: directory }, log });
});
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  await app.client({ key: app.serviceKey }).storage.createBucket('closed');
  await app.sql(
    `create policy test_all on storage.objects for all to authenticated using (bucket_id = 'closed') with check (bucket_id = 'closed')`,
  );
});

const base = '/storage/v1/upload/resumable';
const encoded = (text: string): string => Buffer.from(text).toString('base64');
const metadata = (name: string): string => `bucketName ${encoded('closed')},objectName ${encoded(name)}`;

const begin = (name: string, body?: string): Promise<Response> =>
  fetch(`${app.url}${base}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': metadata(name),
      ...(body === undefined ? {} : { 'content-type': 'application/offset+octet-stream' }),
    },
    ...(body === undefined ? {} : { body }),
  });

const unfinished = async (): Promise<number> => {
  const [row] = await app.sql<{ count: number }>(
    'select count(*)::int as count from private.resumable_uploads where finished_at is null',
  );
  return row?.count ?? 0;
};

/** The folder of files is none: nobody can write in it, not even root. */
function breakStore(): void {
  rmSync(directory, { recursive: true, force: true });
  writeFileSync(directory, '');
}

function mendStore(): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
}

test('uploads that fail to begin leave nothing unfinished, and the next one succeeds', async () => {
  breakStore();
  for (let at = 0; at < 120; at += 1) {
    const refused = await begin(`${at}.txt`, 'bytes');
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([503, 'StorageUnwritable']);
  }
  expect(await unfinished()).toBe(0);
  mendStore();
  expect((await begin('last.txt', 'bytes')).status).toBe(201);
  const { data } = await ada.client.storage.from('closed').download('last.txt');
  expect(await data?.text()).toBe('bytes');
});

test('a part that cannot be written leaves none either, while what has arrived before is kept', async () => {
  const begun = await begin('parts.txt');
  const address = new URL(begun.headers.get('location') ?? '', app.url);
  const send = (offset: number, body: string): Promise<Response> =>
    fetch(address, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body,
    });
  expect((await send(0, 'by')).status).toBe(204);
  expect(await unfinished()).toBe(1);
  breakStore();
  expect((await send(2, 'tes')).status).toBeGreaterThanOrEqual(500);
  mendStore();
  const again = await begin('none.txt');
  breakStore();
  const next = new URL(again.headers.get('location') ?? '', app.url);
  const refused = await fetch(next, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: 'bytes',
  });
  expect(refused.status).toBeGreaterThanOrEqual(500);
  mendStore();
  const [row] = await app.sql(`select from private.resumable_uploads where name = 'none.txt'`);
  expect(row).toBeUndefined();
});

test('a hundred unfinished uploads are a reason of their own, not a size', async () => {
  await app.sql(
    `insert into private.resumable_uploads (version, bucket_id, name, caller_role, caller_sub, upsert, size, metadata, expires_at)
     select gen_random_uuid(), 'closed', 'open/' || n, 'authenticated', $1, false, 5, '{}', now() + interval '1 hour' from generate_series(1, 100) n`,
    [ada.id],
  );
  const refused = await begin('one-more.txt', 'bytes');
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([429, 'TooManyUploads']);
  expect(await refused.text()).toMatch(/^You have 100 uploads that are not finished/);
});

test('the log has the cause of each answer, and the answer the id it is found by', async () => {
  breakStore();
  const upload = await fetch(`${app.url}/storage/v1/object/closed/one.txt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'text/plain' },
    body: 'bytes',
  });
  mendStore();
  const id = upload.headers.get('x-request-id') ?? '';
  expect(await upload.json()).toMatchObject({ statusCode: '503', message: expect.stringContaining(id) });
  const lineOf = () => lines.find((one) => one.includes(id) && one.includes('answered with an error')) ?? 'null';
  await expect.poll(lineOf).not.toBe('null');
  expect(JSON.parse(lineOf())).toMatchObject({
    err: {
      causeCode: expect.stringMatching(/^E/),
      path: expect.stringContaining(directory),
      stack: expect.any(String),
    },
  });
});
