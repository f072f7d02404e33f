// Opens files for exports with their content encoding removed, since a zip has no header for it. A file that can't be decoded, or would exceed the
// upload limit, keeps its encoding and gets an ending that names it.

import type { Readable } from 'node:stream';
import type { Config } from '../config/config.ts';
import { decoded, knowsEncoding } from './objects/content-encodings.ts';
import type { FileStore } from './store/file-store.ts';
import { inTurn, openStores } from './store/open-store.ts';

export interface PlainFile {
  readonly bytes: Readable;
  /** Behind the name: empty where the bytes are what the name says. */
  readonly ending: string;
}

export interface FilesForExports extends Pick<FileStore, 'put' | 'read'> {
  readPlain(version: string, encoding: string | null): Promise<PlainFile>;
}

export async function openForExports(config: Pick<Config, 'files' | 'server'>): Promise<FilesForExports> {
  const store = inTurn(await openStores(config));
  const { sizeLimit } = config.files;
  return {
    put: (version, bytes) => store.put(version, bytes),
    read: (version) => store.read(version),
    async readPlain(version, encoding) {
      if (encoding === null) return { bytes: await store.read(version), ending: '' };
      const found = knowsEncoding(encoding)
        ? await tryDecoding(await store.read(version), encoding, sizeLimit)
        : 'large';
      const bytes = await store.read(version);
      if (found === 'fits') return { bytes: decoded(bytes, encoding), ending: '' };
      return { bytes, ending: found === 'large' ? endingOf(encoding) : '' };
    },
  };
}

/** Read once before it is written: an entry of a zip that was begun cannot be taken back. */
async function tryDecoding(
  source: Readable,
  encoding: string,
  most: number,
): Promise<'fits' | 'large' | 'not encoded'> {
  let size = 0;
  try {
    for await (const part of decoded(source, encoding) as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > most) return 'large';
    }
    return 'fits';
  } catch (error) {
    // Of the store, not of the decoder: the file is missing, or was cut off.
    if (source.errored) throw error;
    return 'not encoded';
  } finally {
    source.destroy();
  }
}

/** In the order in which they were applied: `gzip, br` is `.gz.br`. */
const endingOf = (encoding: string): string =>
  encoding
    .split(',')
    .map(
      (one) =>
        `.${one
          .trim()
          .replace(/^x-/, '')
          .replace(/^gzip$/, 'gz')}`,
    )
    .join('');
