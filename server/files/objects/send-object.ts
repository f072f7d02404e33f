// A download: conditions, ranges, and headers under which a file of a stranger cannot attack whoever opens it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { filesError, noSuchKey } from '../errors.ts';
import type { FilesContext } from '../files-context.ts';
import { type ByteRange, MissingFile } from '../store/file-store.ts';
import type { ObjectRow } from './object-row.ts';

export interface Delivery {
  /** Reads the row again when its bytes have just been replaced. */
  readonly find: () => Promise<ObjectRow>;
  /** Only the one who asked may keep a copy. */
  readonly isPrivate: boolean;
  /** A copy is kept no longer than the link is good for. */
  readonly secondsLeft?: number;
}

/** What browsers show without running anything; all else is saved, in this origin at least. No `+`: whatever ends in `+xml` is a page to them. */
const shownInline =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)|audio\/[\w.-]+|video\/[\w.-]+|font\/[\w.-]+|application\/(pdf|json)|text\/(plain|csv|markdown)) *(;|$)/i;

export function sendObject(
  files: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  delivery: Delivery,
): Promise<FastifyReply> {
  return withBytesOf(files, delivery, (row) => send(files, request, reply, row, delivery));
}

/** Tries again with the row as it is now when the bytes of the first have just been replaced. */
export async function withBytesOf<T>(
  files: FilesContext,
  delivery: Delivery,
  use: (row: ObjectRow) => Promise<T>,
): Promise<T> {
  const row = await delivery.find();
  try {
    return await use(row);
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
    const again = await delivery.find();
    if (again.version === row.version) {
      files.log.error({ object: row.id, version: row.version }, 'the bytes of an object are missing in the file store');
      throw noSuchKey();
    }
    return use(again);
  }
}

async function send(
  files: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ObjectRow,
  delivery: Delivery,
): Promise<FastifyReply> {
  const { metadata, version } = row;
  if (metadata === null || version === null) throw noSuchKey();
  const { eTag: etag, size, mimetype: type } = metadata;
  const lastModified = new Date(metadata.lastModified);
  reply.headers({ ...headersOf(request, row, type, delivery), etag, 'accept-ranges': 'bytes' });
  if (isUnchanged(request, etag, lastModified)) return reply.code(304).send();

  const range = readRange(request, size, etag, lastModified);
  const length = range === null ? size : range.end - range.start + 1;
  const bytes = request.method === 'HEAD' || length === 0 ? null : await files.store.read(version, range ?? undefined);
  reply.headers({ 'content-type': type, 'content-length': String(length) });
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return bytes === null ? reply.send() : reply.send(bytes);
}

/** Whatever is sent of an object, all of it or an image made of it. */
export function headersOf(
  request: FastifyRequest,
  row: ObjectRow,
  type: string,
  delivery: Delivery,
): Readonly<Record<string, string>> {
  const isShown = shownInline.test(type);
  const disposition = dispositionOf(request, row, isShown);
  return {
    'last-modified': new Date(row.metadata?.lastModified ?? row.updated_at).toUTCString(),
    'cache-control': cachingOf(row.metadata?.cacheControl ?? 'no-cache', delivery),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
    ...(isShown ? {} : { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }),
  };
}

function dispositionOf(request: FastifyRequest, row: ObjectRow, isShown: boolean): string | null {
  const { download } = request.query as { download?: string | string[] };
  if (download === undefined && isShown) return null;
  const asked = Array.isArray(download) ? download[0] : download;
  const filename = asked || row.name.slice(row.name.lastIndexOf('/') + 1);
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename=${encoded}; filename*=UTF-8''${encoded};`;
}

function cachingOf(cacheControl: string, { isPrivate, secondsLeft }: Delivery): string {
  if (!isPrivate) return cacheControl;
  const kept =
    secondsLeft === undefined
      ? cacheControl
      : cacheControl.replace(/max-age=(\d+)/, (_all, age: string) => `max-age=${Math.min(Number(age), secondsLeft)}`);
  return kept.includes('private') ? kept : `private, ${kept}`;
}

export function isUnchanged(request: FastifyRequest, etag: string, lastModified: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
  if (tags !== undefined)
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  return since !== undefined && isNotAfter(lastModified, since);
}

/** Dates of HTTP know whole seconds only. */
function isNotAfter(lastModified: Date, text: string): boolean {
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= Date.parse(text);
}

/** One range is answered as such; several, or a unit other than bytes, with the whole, as is everybody's right. */
function readRange(request: FastifyRequest, size: number, etag: string, lastModified: Date): ByteRange | null {
  const { range, 'if-range': condition } = request.headers;
  if (range === undefined) return null;
  if (typeof condition === 'string' && condition !== etag && !isNotAfter(lastModified, condition)) return null;
  const match = /^bytes=(\d*)-(\d*)$/.exec(range.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end || start >= size)
    throw filesError('InvalidRange', 'invalid range provided', { 'content-range': `bytes */${size}` });
  return { start, end };
}
