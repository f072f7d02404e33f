// Sends a download: conditions, ranges, and headers that keep a stranger's file from attacking its reader.

import { filesError, noSuchKey } from '../errors.ts';
import type { FilesContext } from '../files-context.ts';
import { attachmentNamed } from '../names.ts';
import { type ByteRange, MissingFile } from '../store/file-store.ts';
import type { Opened } from '../store/opened-file.ts';
import type { ObjectRow } from './object-row.ts';
import type { Asked, Delivery } from './read-delivery.ts';

/** What goes over the wire, whichever way. */
export interface DownloadResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Opened | null;
}

/** What browsers show without running anything; all else is saved, in this origin at least. No `+`: whatever ends in `+xml` is a page to them. */
const shownInline =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)|audio\/[\w.-]+|video\/[\w.-]+|font\/[\w.-]+|application\/(pdf|json)|text\/(plain|csv|markdown)) *(;|$)/i;

export function answerDownload(files: FilesContext, asked: Asked, delivery: Delivery): Promise<DownloadResponse> {
  return withBytesOf(files, delivery.find, (row) => answer(files, asked, row, delivery));
}

/** Tries again with the row as it is now when the bytes of the first have just been replaced. */
export async function withBytesOf<T>(
  files: FilesContext,
  find: Delivery['find'],
  use: (row: ObjectRow) => Promise<T>,
): Promise<T> {
  const row = await find();
  try {
    return await use(row);
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
    const again = await find();
    if (again.version === row.version) {
      files.log.error({ object: row.id, version: row.version }, 'the bytes of an object are missing in the file store');
      throw noSuchKey();
    }
    return use(again);
  }
}

async function answer(
  files: FilesContext,
  asked: Asked,
  row: ObjectRow,
  delivery: Delivery,
): Promise<DownloadResponse> {
  const { metadata, version } = row;
  if (metadata === null || version === null) throw noSuchKey();
  const { eTag: etag, size, mimetype: type, contentEncoding = null } = metadata;
  const lastModified = new Date(metadata.lastModified);
  const elsewhere = shownElsewhere(files, asked, type, delivery);
  if (elsewhere === 'now') return sendOn(files, asked);
  const shown = headersOf(files, asked, row, type, delivery);
  const head = { ...shown, ...(elsewhere === null ? {} : { vary: 'Sec-Fetch-Dest' }), etag, 'accept-ranges': 'bytes' };
  if (isUnchanged(asked, etag, lastModified)) return { status: 304, headers: head, body: null };

  const range = readRange(asked, size, etag, lastModified);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  const headers = {
    ...head,
    'content-type': type,
    'content-length': String(length),
    ...(contentEncoding === null ? {} : { 'content-encoding': contentEncoding }),
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  };
  const isBare = asked.method === 'HEAD' || length === 0;
  return {
    status: range === null ? 200 : 206,
    headers,
    body: isBare ? null : await files.store.open(version, { start, end }),
  };
}

/** Whatever is sent of an object, all of it or an image made of it. */
export function headersOf(
  files: Pick<FilesContext, 'publicUrl'>,
  asked: Pick<Asked, 'download' | 'headers'>,
  row: ObjectRow,
  type: string,
  delivery: Delivery,
): Readonly<Record<string, string>> {
  const isSafe = shownInline.test(type);
  const isOwn = isOnOwnOrigin(files, asked);
  const disposition = dispositionOf(asked, row, isSafe || isOwn);
  return {
    'last-modified': new Date(row.metadata?.lastModified ?? row.updated_at).toUTCString(),
    'cache-control': cachingOf(row.metadata?.cacheControl ?? 'no-cache', delivery),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    ...(disposition === null ? {} : { 'content-disposition': disposition }),
    ...(isSafe ? {} : { 'content-security-policy': isOwn ? ownPolicy : closedPolicy }),
    // A signed address is not told to what a page loads.
    ...(isOwn ? { 'referrer-policy': 'no-referrer' } : {}),
  };
}

/** Nothing runs, should a browser open it after all. */
const closedPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
/** What runs belongs to no origin: it reaches no storage, no cookie and no other file as the one who looks at it. */
const ownPolicy = 'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads';

function isOnOwnOrigin({ publicUrl }: Pick<FilesContext, 'publicUrl'>, { headers }: Pick<Asked, 'headers'>): boolean {
  return publicUrl !== null && headers.host === new URL(publicUrl).host;
}

/** Whether a browser is to open it at the origin for files: now, as it comes to show it, or some other time; null: never. */
function shownElsewhere(
  files: FilesContext,
  asked: Asked,
  type: string,
  { isByAddress }: Delivery,
): 'now' | 'other times' | null {
  if (files.publicUrl === null || !isByAddress || shownInline.test(type) || isOnOwnOrigin(files, asked)) return null;
  const isOpened = /^(document|iframe|frame|embed|object)$/.test(String(asked.headers['sec-fetch-dest']));
  return isOpened && asked.download === undefined ? 'now' : 'other times';
}

function sendOn({ publicUrl }: FilesContext, { url }: Asked): DownloadResponse {
  const headers = { location: `${publicUrl}${url}`, 'cache-control': 'no-store', 'content-length': '0' };
  return { status: 302, headers: { ...headers, 'referrer-policy': 'no-referrer' }, body: null };
}

function dispositionOf({ download }: Pick<Asked, 'download'>, row: ObjectRow, isShown: boolean): string | null {
  if (download === undefined && isShown) return null;
  return attachmentNamed(download || row.name.slice(row.name.lastIndexOf('/') + 1));
}

function cachingOf(cacheControl: string, { isPrivate, secondsLeft }: Delivery): string {
  if (!isPrivate) return cacheControl;
  const sent =
    secondsLeft === undefined
      ? cacheControl
      : cacheControl.replace(/max-age=(\d+)/, (_all, age: string) => `max-age=${Math.min(Number(age), secondsLeft)}`);
  return sent.includes('private') ? sent : `private, ${sent}`;
}

export function isUnchanged({ headers }: Pick<Asked, 'headers'>, etag: string, lastModified: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined)
    return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
  return since !== undefined && isNotAfter(lastModified, since);
}

/** Dates of HTTP know whole seconds only. */
function isNotAfter(lastModified: Date, text: string): boolean {
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= Date.parse(text);
}

/** One range is answered as such; several, or a unit other than bytes, with the whole, as is everybody's right. */
function readRange(
  { headers }: Pick<Asked, 'headers'>,
  size: number,
  etag: string,
  lastModified: Date,
): ByteRange | null {
  const { range, 'if-range': condition } = headers;
  if (range === undefined) return null;
  if (typeof condition === 'string' && condition !== etag && !isNotAfter(lastModified, condition)) return null;
  const match = /^bytes=(\d*)-(\d*)$/.exec(range.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end || start >= size)
    throw filesError('InvalidRange', 'invalid range provided', {
      headers: { 'content-range': `bytes */${size}` },
    });
  return { start, end };
}
