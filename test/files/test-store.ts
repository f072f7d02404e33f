// File store of an app under test: on disk, or in an S3-compatible server of its own.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { DiskStore } from '../../server/files/store/disk-store.ts';
import type { FileStore } from '../../server/files/store/file-store.ts';
import { S3Store } from '../../server/files/store/s3-store.ts';

export const storeKinds = ['disk', 's3'] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface TestStore {
  readonly settings: Readonly<Record<string, string>>;
  /** For what a crash leaves behind. */
  readonly store: FileStore;
  /** The names of all whole files, sorted. */
  stored(): string[];
  /** What has arrived of files that are not whole. */
  incoming(): string[];
  close(): Promise<void>;
}

export async function openTestStore(kind: StoreKind): Promise<TestStore> {
  const root = mkdtempSync(join(tmpdir(), 'kanbase-files-'));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  if (kind === 'disk') {
    const isIncoming = (path: string) => path.includes('incoming');
    return {
      settings: { STORAGE_DIR: root },
      store: new DiskStore(root),
      stored: () =>
        filesBelow(root)
          .filter((path) => !isIncoming(path))
          .map(nameOf)
          .sort(),
      incoming: () => filesBelow(root).filter(isIncoming).map(nameOf),
      close: async () => remove(),
    };
  }
  const bucket = 'kanbase';
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: root,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const ending = '._S3rver_object';
  const objects = () => filesBelow(join(root, bucket)).filter((path) => path.endsWith(ending));
  const isIncoming = (path: string) => path.includes('/incoming/');
  return {
    settings: {
      STORAGE_S3_BUCKET: bucket,
      STORAGE_S3_ENDPOINT: endpoint,
      STORAGE_S3_ACCESS_KEY_ID: keys.accessKeyId,
      STORAGE_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    store: new S3Store({ bucket, endpoint, region: 'us-east-1', credentials: keys, pathStyle: true }),
    stored: () =>
      objects()
        .filter((path) => !isIncoming(path))
        .map((path) => nameOf(path).slice(0, -ending.length))
        .sort(),
    incoming: () => objects().filter(isIncoming),
    async close() {
      await server.close();
      remove();
    },
  };
}

export function filesBelow(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
