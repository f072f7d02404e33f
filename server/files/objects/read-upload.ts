// Reads the body of an upload, raw or as a form: its bytes as a stream, and its fields. One piece at a time is held in memory.

import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { parseJson } from '../../json/parse-json.ts';
import { filesError, tooLarge } from '../errors.ts';
import type { FileStore } from '../store/file-store.ts';
import { decodeStart, readEncoding } from './content-encodings.ts';
import { beginningBytes, detectType } from './detect-type.ts';
import { anyBytes, bareOf, cleanType, isCaching } from './media-type.ts';
import type { BucketLimits, ObjectMetadata } from './object-row.ts';

export interface Upload {
  readonly bytes: AsyncIterable<Buffer>;
  readonly type: string;
  readonly cacheControl: string;
  /** Of the bytes as they come and are kept; null: none. */
  readonly contentEncoding: string | null;
  readonly userMetadata: Readonly<Record<string, unknown>>;
}

const fieldBytes = 64 * 1024;
const metadataBounds = { depth: 20, values: 5000 };

export async function readUpload(request: FastifyRequest, bucket: BucketLimits, sizeLimit: number): Promise<Upload> {
  const limit = Math.min(bucket.file_size_limit ?? sizeLimit, sizeLimit);
  const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true;
  if (!isForm && Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const { source, type, cacheControl, encoding, metadata } = isForm ? await readForm(request.raw) : readRaw(request);
  checkType(type, bucket.allowed_mime_types);
  const contentEncoding = readEncoding(encoding);
  const check = (start: Buffer) => checkStart(start, type, bucket.allowed_mime_types, contentEncoding);
  const bytes = checked(source, limit, check);
  return { bytes, type, cacheControl, contentEncoding, userMetadata: readMetadata(metadata) };
}

/** Bytes that come from elsewhere than a request. */
export function readFrom(source: Readable, said: string, bucket: BucketLimits, sizeLimit: number): Upload {
  const type = cleanType(said);
  checkType(type, bucket.allowed_mime_types);
  const limit = Math.min(bucket.file_size_limit ?? sizeLimit, sizeLimit);
  const bytes = checked(source, limit, (start) => checkStart(start, type, bucket.allowed_mime_types, null));
  return { bytes, type, cacheControl: 'no-cache', contentEncoding: null, userMetadata: {} };
}

interface Source {
  readonly source: Readable;
  readonly type: string;
  readonly cacheControl: string;
  readonly encoding: string | undefined;
  readonly metadata: string | undefined;
}

function readRaw({ raw, headers }: FastifyRequest): Source {
  const metadata = headers['x-metadata'];
  const cacheControl = headers['cache-control'] ?? '';
  return {
    source: raw,
    type: cleanType(headers['content-type']),
    cacheControl: isCaching(cacheControl) ? cacheControl : 'no-cache',
    encoding: headers['content-encoding'],
    metadata: typeof metadata === 'string' ? Buffer.from(metadata, 'base64').toString('utf8') : undefined,
  };
}

/** Fields count when they stand before the file, where the client puts them. */
function readForm(request: IncomingMessage): Promise<Source> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    let file: Readable | null = null;
    const fail = (error: Error): void => {
      reject(error);
      file?.destroy(error);
    };
    const unreadable = (error: Error) => filesError('InvalidRequest', `The form cannot be read: ${error.message}`);
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({
        headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
        limits: { files: 1, fields: 20, fieldSize: fieldBytes },
      });
    } catch (error) {
      reject(unreadable(error as Error));
      return;
    }
    form.on('field', (name, value) => void fields.set(name, value));
    form.on('file', (_field, stream, _filename, _encoding, type) => {
      file = stream;
      // The sender may go away before anyone reads; whoever reads then is told.
      stream.on('error', () => undefined);
      const seconds = fields.get('cacheControl') ?? '';
      resolve({
        source: stream,
        type: cleanType(type),
        cacheControl: /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : 'no-cache',
        encoding: fields.get('contentEncoding'),
        metadata: fields.get('metadata'),
      });
    });
    form.on('finish', () => reject(filesError('InvalidRequest', 'No file was sent in the form')));
    form.on('error', (error: unknown) => fail(unreadable(error as Error)));
    finished(request, { writable: false }, (error) => {
      if (error) fail(error);
    });
    request.pipe(form);
  });
}

export function checkType(type: string, allowed: readonly string[] | null): void {
  if (allowed === null || allowed.length === 0) return;
  const bare = bareOf(type);
  const group = `${bare.split('/', 1)[0]}/*`;
  if (!allowed.some((one) => one === '*/*' || one.toLowerCase() === bare || one.toLowerCase() === group))
    throw filesError('InvalidMimeType', `mime type ${bare} is not supported`);
}

export function readMetadata(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text === '') return {};
  let value: unknown;
  try {
    value = parseJson(text, metadataBounds);
  } catch {
    throw filesError('InvalidRequest', 'metadata must be a JSON object');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw filesError('InvalidRequest', 'metadata must be a JSON object');
  return value as Record<string, unknown>;
}

/** Shown, played or set as what they say they are. */
const neverMarkup = /^(image\/(?!svg\+xml$)|audio\/|video\/|font\/|application\/pdf$)/;

/** What the bytes are, where they say so, must go with the type: never markup as a picture, and in a bucket that takes some types only nothing else as one of them. */
async function checkStart(
  start: Buffer,
  type: string,
  allowed: readonly string[] | null,
  encoding: string | null,
): Promise<void> {
  const bare = bareOf(type);
  const kind = detectType(await decodeStart(start, encoding));
  if (kind === null || kind.isTrueOf(bare)) return;
  const isNarrow = allowed !== null && allowed.length > 0 && !allowed.includes('*/*') && bare !== anyBytes;
  if (isNarrow || (kind.name === 'markup' && neverMarkup.test(bare)))
    throw filesError('InvalidMimeType', `The bytes are ${kind.name}, not ${bare}`);
}

/** The same of what is stored already. */
export async function checkBytes(
  store: FileStore,
  version: string,
  { size, mimetype, contentEncoding = null }: Pick<ObjectMetadata, 'size' | 'mimetype' | 'contentEncoding'>,
  allowed: readonly string[] | null,
): Promise<void> {
  if (size === 0) return;
  const parts: Buffer[] = [];
  for await (const part of await store.read(version, { start: 0, end: Math.min(size, beginningBytes) - 1 }))
    parts.push(part as Buffer);
  await checkStart(Buffer.concat(parts), mimetype, allowed, contentEncoding);
}

/** Holds the beginning until it is enough to know it, however small the pieces are that it comes in. Stays open when it stops early: the connection is still needed for the answer. */
async function* checked(
  source: Readable,
  limit: number,
  check: (start: Buffer) => Promise<void>,
): AsyncGenerator<Buffer> {
  let size = 0;
  let held: Buffer[] | null = [];
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    if (held === null) {
      yield chunk;
      continue;
    }
    held.push(chunk);
    if (size < beginningBytes) continue;
    const start = Buffer.concat(held);
    held = null;
    await check(start);
    yield start;
  }
  if (held === null || size === 0) return;
  const all = Buffer.concat(held);
  await check(all);
  yield all;
}
