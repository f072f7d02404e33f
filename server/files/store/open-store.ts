// Opens the configured file stores: the disk, an S3-compatible service with the disk as fallback, or the reverse.

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { DiskStore } from './disk-store.ts';
import type { FileStore } from './file-store.ts';
import { MovingStore } from './moving-store.ts';
import type { S3Settings } from './s3-store.ts';

export interface Stores {
  /** Where files belong. */
  readonly first: FileStore;
  /** Where they may still lie. */
  readonly second: FileStore | null;
}

export async function openStores({ files, server }: Pick<Config, 'files' | 'server'>): Promise<Stores> {
  const disk = new DiskStore(files.directory ?? join(server.dataDir, 'files'));
  const { s3Bucket } = files;
  if (s3Bucket === null) {
    if (files.backend === 's3') throw new Error('STORAGE_BACKEND=s3 needs STORAGE_S3_BUCKET');
    return { first: disk, second: null };
  }
  const settings = s3SettingsOf(files, s3Bucket);
  const { S3Store } = await import('./s3-store.ts');
  const s3 = new S3Store(settings);
  return files.backend === 'disk' ? { first: disk, second: s3 } : { first: s3, second: disk };
}

/** The service and its keys, for this bucket of it. */
export function s3SettingsOf(files: Config['files'], bucket: string): S3Settings {
  const { s3AccessKeyId, s3SecretAccessKey } = files;
  if ((s3AccessKeyId === null) !== (s3SecretAccessKey === null))
    throw new Error('STORAGE_S3_ACCESS_KEY_ID and STORAGE_S3_SECRET_ACCESS_KEY belong together: set both or neither');
  return {
    bucket,
    region: files.s3Region,
    endpoint: files.s3Endpoint,
    credentials:
      s3AccessKeyId === null || s3SecretAccessKey === null
        ? null
        : { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey },
    pathStyle: files.s3PathStyle ?? files.s3Endpoint !== null,
  };
}

export function inTurn({ first, second }: Stores): FileStore {
  return second === null ? first : new MovingStore(first, second);
}
