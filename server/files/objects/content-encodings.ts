// Content encodings: which may be noted of an object, and what is under one. Bytes are stored and sent as they came; only
// readers that look into them (to know a type, to resize an image, to put them into a zip) have them decoded.

import { PassThrough, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { filesError } from '../errors.ts';
import { beginningBytes } from './detect-type.ts';

const encodings = /^[a-z0-9-]+( *, *[a-z0-9-]+)*$/;
const longest = 100;

/** Null: none, also where a word says so. */
export function readEncoding(said: unknown): string | null {
  const text = typeof said === 'string' ? said.trim().toLowerCase() : '';
  if (text === '' || text === 'identity') return null;
  if (text.length > longest || !encodings.test(text))
    throw filesError('InvalidRequest', 'The content encoding makes no sense');
  return text;
}

/** Null where there is none that is known here. */
function decoderOf(encoding: string | null): Transform | null {
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(zlib);
    case 'deflate':
      return createInflate(zlib);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return null;
  }
}

export const knowsEncoding = (encoding: string): boolean => decoderOf(encoding) !== null;

/** What the bytes begin with under their encoding. What is not encoded as it says is looked at as it is. */
export async function decodeStart(start: Buffer, encoding: string | null): Promise<Buffer> {
  const decoder = decoderOf(encoding);
  if (decoder === null) return start;
  decoder.end(start);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of decoder as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= beginningBytes) break;
    }
  } catch {
    return start;
  }
  return Buffer.concat(parts);
}

/** The bytes without their encoding, where it is known here. */
export function decoded(source: Readable, encoding: string | null): Readable {
  const decoder = decoderOf(encoding) ?? new PassThrough();
  source.on('error', (error) => decoder.destroy(error));
  return source.pipe(decoder);
}
