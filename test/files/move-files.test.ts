// `kanbase files move`: from disk to an S3-compatible service and back, after it was broken off too; files are found wherever they lie meanwhile.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { type AppOptions, startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { guideBlock } from '../helpers/guide-block.ts';
import { runKanbase } from '../helpers/kanbase.ts';
import { openTestStore } from './test-store.ts';

const contents = new Map(Array.from({ length: 5 }, (_, n) => [`file ${n}.bin`, randomBytes(1000 * n + 1)]));

const disk = forSuite(() => openTestStore('disk'));
const s3 = forSuite(() => openTestStore('s3'));
const app = forSuite(() => startApp({ settings: disk.settings }));
beforeAll(async () => {
  const service = app.client({ key: app.serviceKey });
  await service.storage.createBucket('kept');
  for (const [name, bytes] of contents) await service.storage.from('kept').upload(name, bytes);
});

/** As the guide has it. */
const [, , ...command] = guideBlock('build/files', 'sh', 'files move').trim().split(' ');

async function move(settings: Readonly<Record<string, string>>) {
  const env = {
    DATABASE_URL: app.databaseUrl,
    DATABASE_DIRECT_URL: app.ownerUrl,
    DATA_DIR: app.dataDir,
    ...disk.settings,
    ...settings,
  };
  const { code, stdout, stderr } = await runKanbase([...command, '--json'], { env });
  return { code, done: code === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : null, stderr };
}

/** Through another app on the same database that keeps its files so. */
async function expectAllReadable(settings: AppOptions['settings']): Promise<void> {
  const database = { url: app.databaseUrl, directUrl: app.ownerUrl, drop: async () => undefined };
  const other = await startApp({ database, settings: { ...disk.settings, ...settings } });
  try {
    for (const [name, bytes] of contents) {
      const { data } = await other.client({ key: other.serviceKey }).storage.from('kept').download(name);
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes), name).toBe(true);
    }
  } finally {
    await other.close();
  }
}

test('files move to the service and back, each found at any time', { timeout: 180_000 }, async () => {
  const all = disk.stored();
  expect(all).toHaveLength(contents.size);
  await expectAllReadable(s3.settings);
  // An earlier run was broken off: one file was half copied, another moved.
  const [half = '', moved = '', copied = ''] = all;
  async function* some(): AsyncGenerator<Buffer> {
    yield Buffer.from('half');
  }
  await s3.store.put(half, some());
  await s3.store.put(moved, await disk.store.read(moved));
  await disk.store.remove(moved);
  // And one was copied, and not removed yet.
  await s3.store.put(copied, await disk.store.read(copied));

  // While one runs, no other does: it would remove what the first has just copied.
  const client = new pg.Client(connectionOptions(app.ownerUrl));
  await client.connect();
  await client.query(`select pg_advisory_lock(hashtextextended('kanbase files move', 0))`);
  expect(await move(s3.settings)).toMatchObject({ code: 1, stderr: expect.stringContaining('another run') });
  expect(disk.stored()).toHaveLength(all.length - 1);
  await client.end();

  expect(await move(s3.settings)).toMatchObject({
    code: 0,
    done: { moved: contents.size - 1, present: 1, broken: [] },
  });
  expect(disk.stored()).toEqual([]);
  expect(s3.stored()).toEqual(all);
  await expectAllReadable(s3.settings);

  const back = { ...s3.settings, STORAGE_BACKEND: 'disk' };
  await expectAllReadable(back);
  expect(await move(back)).toMatchObject({ code: 0, done: { moved: contents.size, present: 0, broken: [] } });
  expect(disk.stored()).toEqual(all);
  expect(s3.stored()).toEqual([]);
  await expectAllReadable({});
});

test('without a service there is nowhere to move to', { timeout: 120_000 }, async () => {
  const { code, stderr } = await move({});
  expect(code).toBe(2);
  expect(stderr).toContain('STORAGE_S3_BUCKET');
});
