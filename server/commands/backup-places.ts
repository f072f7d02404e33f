// Addresses of backups: a path, or s3://bucket/folder at the service that STORAGE_S3_* names.

import { basename, dirname } from 'node:path';
import { BackupDirectory, type BackupPlace } from '../backup/backup-place.ts';
import { BackupProblem } from '../backup/manifest.ts';
import type { Config } from '../config/config.ts';
import { s3SettingsOf } from '../files/store/open-store.ts';

const s3Address = /^s3:\/\/([^/]+)\/?(.*)$/;

/** A directory, or what begins with s3://. */
export async function openBackupPlace(config: Pick<Config, 'files'>, address: string): Promise<BackupPlace> {
  if (!address.startsWith('s3:')) return new BackupDirectory(address);
  const [, bucket, folder = ''] = s3Address.exec(address) ?? [];
  if (bucket === undefined)
    throw new BackupProblem(`${address} names no bucket: say s3://bucket, or s3://bucket/folder`);
  const settings = s3SettingsOf(config.files, bucket);
  const [{ BackupBucket }, { openS3 }] = await Promise.all([
    import('../backup/backup-bucket.ts'),
    import('../files/store/s3-store.ts'),
  ]);
  return new BackupBucket(openS3(settings), bucket, folder);
}

/** One backup by its address: where it lies, and its name there. */
export async function placeOfBackup(
  config: Pick<Config, 'files'>,
  address: string,
): Promise<{ readonly place: BackupPlace; readonly name: string }> {
  if (!address.startsWith('s3:')) return { place: new BackupDirectory(dirname(address)), name: basename(address) };
  const [, bucket = '', key = ''] = s3Address.exec(address) ?? [];
  if (key === '' || key.endsWith('/'))
    throw new BackupProblem(`${address} names no backup: say s3://bucket/kanbase-monday.zip`);
  const end = key.lastIndexOf('/') + 1;
  const place = await openBackupPlace(config, `s3://${bucket}/${key.slice(0, end)}`);
  return { place, name: key.slice(end) };
}
