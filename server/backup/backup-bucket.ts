// Backups in a bucket of an S3-compatible service. One is written on this machine first, sent
// once it is whole, and fetched again to be read. Loaded only where such an address is given.

import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BackupPlace } from './backup-place.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import type { BackupOptions } from './write-backup.ts';
import { writeBackupFile } from './write-file.ts';

/** 10,000 of them are the largest backup. */
const partBytes = 64 * 1024 * 1024;

export class BackupBucket implements BackupPlace {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #folder: string;

  constructor(client: S3Client, bucket: string, folder: string) {
    this.#client = client;
    this.#bucket = bucket;
    this.#folder = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  }

  addressOf(name: string): string {
    return `s3://${this.#bucket}/${this.#folder}${name}`;
  }

  async write(name: string, options: Omit<BackupOptions, 'out'>): Promise<Manifest> {
    const here = roomFor(name);
    try {
      const manifest = await writeBackupFile(here.path, options);
      options.signal?.throwIfAborted();
      const Body = createReadStream(here.path);
      const params = { Bucket: this.#bucket, Key: this.#folder + name, Body };
      const upload = new Upload({ client: this.#client, params, partSize: partBytes, queueSize: 1 });
      const { signal } = options;
      const breakOff = (): void => {
        void upload.abort();
        Body.destroy();
      };
      signal?.addEventListener('abort', breakOff);
      await this.#explained(name, 'written', upload.done()).finally(() =>
        signal?.removeEventListener('abort', breakOff),
      );
      return manifest;
    } finally {
      here.done();
    }
  }

  async open(name: string, signal?: AbortSignal): Promise<{ path: string; done(): void }> {
    const here = roomFor(name);
    try {
      const asked = new GetObjectCommand({ Bucket: this.#bucket, Key: this.#folder + name });
      const { Body } = await this.#explained(name, 'read', this.#client.send(asked, { abortSignal: signal }));
      if (!(Body instanceof Readable)) throw new BackupProblem(`${this.addressOf(name)} has no bytes`);
      await pipeline(Body, createWriteStream(here.path, { mode: 0o600 }), { signal });
      return here;
    } catch (error) {
      here.done();
      throw error;
    }
  }

  async list(): Promise<{ name: string; at: Date }[]> {
    const found: { name: string; at: Date }[] = [];
    let token: string | undefined;
    do {
      const asked = { Bucket: this.#bucket, Prefix: this.#folder, Delimiter: '/', ContinuationToken: token };
      const page = await this.#explained('', 'listed', this.#client.send(new ListObjectsV2Command(asked)));
      for (const { Key = '', LastModified } of page.Contents ?? [])
        found.push({ name: Key.slice(this.#folder.length), at: LastModified ?? new Date(0) });
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return found;
  }

  async remove(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#folder + name }));
  }

  /** What the service refuses is said with the address and what to look at. */
  async #explained<T>(name: string, what: string, asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      throw new BackupProblem(
        `${this.addressOf(name)} cannot be ${what} (${why}): see whether the bucket is there, and STORAGE_S3_ENDPOINT and its keys`,
        { cause: error },
      );
    }
  }
}

function roomFor(name: string): { path: string; done(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-backup-'));
  return { path: join(directory, name), done: () => rmSync(directory, { recursive: true, force: true }) };
}
