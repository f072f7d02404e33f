// Files in a bucket of an S3-compatible service, as ab/cd/<version>; parts of resumable uploads beside them until they are put together.
// Loaded only when the service is configured to use it.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { filesError } from '../errors.ts';
import { type ByteRange, checkVersion, type FileStore, MissingFile, type StoredFile } from './file-store.ts';
import { hashOf } from './hash-of.ts';
import { type Opened, openStream } from './opened-file.ts';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | null;
  /** Without them the SDK looks where it always does: environment, shared files, the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  readonly pathStyle: boolean;
}

/** Held in memory, two at a time for each upload; 10,000 of them are the largest file. */
const partBytes = 8 * 1024 * 1024;

/** Each download under way holds one for as long as its receiver takes: the 50 that are usual would be held by 50 slow ones, and nobody else got anything. */
const connections = { keepAlive: true, maxSockets: 5000 };
const connectsWithinMs = 10_000;
/** A connection over which nothing goes for so long is closed: the service hangs, or the receiver takes nothing. */
const silentForMs = 5 * 60_000;

interface Part {
  readonly key: string;
  readonly start: number;
  readonly size: number;
}

export class S3Store implements FileStore {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor(settings: S3Settings) {
    this.#bucket = settings.bucket;
    this.#client = openS3(settings);
  }

  async put(version: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
    const hash = createHash('md5');
    let size = 0;
    let broken: unknown = null;
    async function* counted(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of bytes) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      } catch (error) {
        broken = error;
        throw error;
      }
    }
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: keyOf(version), Body: Readable.from(counted(), { objectMode: false }) },
      partSize: partBytes,
      queueSize: 2,
    });
    try {
      await upload.done();
    } catch (error) {
      // What broke off says more than what came of it.
      throw asFull(broken ?? error);
    }
    return { size, md5: hash.digest('hex') };
  }

  async append(version: string, at: number, bytes: AsyncIterable<Buffer>): Promise<number> {
    let start = at;
    let held: Buffer[] = [];
    let heldBytes = 0;
    const keep = async (): Promise<void> => {
      if (heldBytes === 0) return;
      const Body = Buffer.concat(held);
      await this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: partKey(version, start), Body }));
      start += Body.length;
      held = [];
      heldBytes = 0;
    };
    try {
      for await (const chunk of bytes) {
        held.push(chunk);
        heldBytes += chunk.length;
        if (heldBytes >= partBytes) await keep();
      }
    } catch (error) {
      // What came is kept.
      await keep().catch(() => undefined);
      throw asFull(error);
    }
    await keep().catch((error: unknown) => {
      throw asFull(error);
    });
    return start;
  }

  async lengthOf(version: string): Promise<number> {
    const parts = await this.#parts(version);
    return parts.length === 0 ? ((await this.sizeOf(version)) ?? 0) : lengthOf(parts);
  }

  async finish(version: string, size: number): Promise<StoredFile> {
    const parts = await this.#parts(version);
    // Put together before; another node may be removing the parts just now.
    if (lengthOf(parts) !== size && (await this.sizeOf(version)) === size) return hashOf(await this.read(version));
    const stored = await this.put(version, this.#readParts(parts));
    for (const { key } of parts) await this.#delete(key);
    return stored;
  }

  async sizeOf(version: string): Promise<number | null> {
    try {
      const head = await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: keyOf(version) }));
      return head.ContentLength ?? 0;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(version: string, range?: ByteRange): Promise<Readable> {
    try {
      return await this.#get(keyOf(version), range);
    } catch (error) {
      throw isMissing(error) ? new MissingFile(version) : error;
    }
  }

  async open(version: string, range: ByteRange): Promise<Opened> {
    return openStream(await this.read(version, range), range.end - range.start + 1, version);
  }

  async copy(from: string, to: string): Promise<void> {
    try {
      await this.#client.send(
        new CopyObjectCommand({ Bucket: this.#bucket, Key: keyOf(to), CopySource: `${this.#bucket}/${keyOf(from)}` }),
      );
    } catch (error) {
      throw isMissing(error) ? new MissingFile(from) : asFull(error);
    }
  }

  async remove(version: string): Promise<void> {
    await this.#delete(keyOf(version));
    for (const { key } of await this.#parts(version)) await this.#delete(key);
  }

  async #get(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key, Range }));
    if (!(Body instanceof Readable)) throw new Error('The S3 service sent no bytes');
    return Body;
  }

  #delete(key: string): Promise<unknown> {
    return this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async *#readParts(parts: readonly Part[]): AsyncGenerator<Buffer> {
    for (const { key } of parts) for await (const chunk of await this.#get(key)) yield chunk as Buffer;
  }

  /** Those that follow one another without a gap; a part that was written again replaced the one before. */
  async #parts(version: string): Promise<readonly Part[]> {
    const prefix = partKey(version, null);
    const found: Part[] = [];
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
      );
      for (const { Key = '', Size = 0 } of page.Contents ?? [])
        found.push({ key: Key, start: Number(Key.slice(prefix.length)), size: Size });
      token = page.NextContinuationToken;
    } while (token !== undefined);
    let end = 0;
    return found.filter(({ start, size }) => {
      if (start !== end) return false;
      end += size;
      return true;
    });
  }
}

export function openS3({ region, endpoint, credentials, pathStyle }: S3Settings): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    requestHandler: {
      httpAgent: connections,
      httpsAgent: connections,
      connectionTimeout: connectsWithinMs,
      socketTimeout: silentForMs,
    },
    // Other services than Amazon's do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  });
}

/** Of parts that follow one another from the first byte on. */
function lengthOf(parts: readonly Part[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.start + last.size;
}

function keyOf(version: string): string {
  checkVersion(version);
  return `${version.slice(0, 2)}/${version.slice(2, 4)}/${version}`;
}

/** Sorted by where they belong. */
function partKey(version: string, start: number | null): string {
  checkVersion(version);
  return `incoming/${version}/${start === null ? '' : String(start).padStart(16, '0')}`;
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404;
}

function asFull(error: unknown): unknown {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const isFull = /QuotaExceeded|StorageFull|InsufficientStorage/.test(name ?? '') || $metadata?.httpStatusCode === 507;
  return isFull ? filesError('StorageFull', 'There is no room left for files on the server') : error;
}
