// Where backups lie: a directory, or a bucket of an S3-compatible service (s3://bucket/folder).

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import type { BackupOptions } from './write-backup.ts';
import { writeBackupFile } from './write-file.ts';

export interface BackupPlace {
  /** How a backup there is told of. */
  addressOf(name: string): string;
  write(name: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest>;
  /** Where it can be read on this machine, until it is done with. */
  open(name: string): Promise<{ readonly path: string; done(): void }>;
  /** The oldest first. */
  list(): Promise<readonly { readonly name: string; readonly at: Date }[]>;
  remove(name: string): Promise<void>;
}

export class BackupDirectory implements BackupPlace {
  readonly #path: string;

  constructor(path: string) {
    this.#path = resolve(path);
  }

  addressOf(name: string): string {
    return join(this.#path, name);
  }

  write(name: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest> {
    return writeBackupFile(this.addressOf(name), options);
  }

  async open(name: string): Promise<{ path: string; done(): void }> {
    return { path: this.addressOf(name), done: () => undefined };
  }

  async list(): Promise<{ name: string; at: Date }[]> {
    if (!existsSync(this.#path)) return [];
    return readdirSync(this.#path)
      .sort()
      .map((name) => ({ name, at: statSync(this.addressOf(name)).mtime }));
  }

  async remove(name: string): Promise<void> {
    rmSync(this.addressOf(name), { force: true });
  }
}

const s3Address = /^s3:\/\/([^/]+)\/?(.*)$/;

/** A directory, or what begins with s3://. */
export async function openBackupPlace(config: Pick<Config, 'files' | 'server'>, address: string): Promise<BackupPlace> {
  if (!address.startsWith('s3:')) return new BackupDirectory(address);
  const [, bucket, folder = ''] = s3Address.exec(address) ?? [];
  if (bucket === undefined)
    throw new BackupProblem(`${address} names no bucket: say s3://bucket, or s3://bucket/folder`);
  const { BackupBucket } = await import('./backup-bucket.ts');
  return new BackupBucket(config, bucket, folder);
}

/** One backup by its address: where it lies, and its name there. */
export async function placeOfBackup(
  config: Pick<Config, 'files' | 'server'>,
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
