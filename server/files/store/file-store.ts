// Interface of the store of objects' bytes: all that this room knows of disks and S3. A file is written once under a version that the
// server made, read any number of times, and removed; nothing is changed in place.

import type { Readable } from 'node:stream';
import type { Opened } from './opened-file.ts';

export interface StoredFile {
  readonly size: number;
  /** MD5 of the bytes in hex, as S3 makes its ETags. */
  readonly md5: string;
}

/** From the first to the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface FileStore {
  /** Resolves once the bytes are on the disk for good; when it rejects, nothing is left. */
  put(version: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile>;
  /**
   * Adds bytes to a file that arrives in parts, from `at` on, and gives back how many there are then. When they break off, those that came
   * are kept, and it rejects.
   */
  append(version: string, at: number, bytes: AsyncIterable<Buffer>): Promise<number>;
  /** How many bytes of it have arrived for good. */
  lengthOf(version: string): Promise<number>;
  /** Makes the parts, which are `size` bytes, a file as `put` would have; doing it twice does no harm, nor does doing it on two nodes at once. */
  finish(version: string, size: number): Promise<StoredFile>;
  /** Of a whole file; null when there is none. */
  sizeOf(version: string): Promise<number | null>;
  /** Rejects with `MissingFile` when there is none, before a byte is sent. */
  read(version: string, range?: ByteRange): Promise<Readable>;
  /** The same for a download, of bytes that are known to be there. */
  open(version: string, range: ByteRange): Promise<Opened>;
  copy(from: string, to: string): Promise<void>;
  /** Removes what there is of it, half an upload too; no error when there is nothing. */
  remove(version: string): Promise<void>;
}

/** Versions become paths and keys, and are UUIDs. */
export function checkVersion(version: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(version)) throw new MissingFile(version);
}

export class MissingFile extends Error {
  constructor(version: string) {
    super(`There are no bytes for version ${version}`);
    this.name = 'MissingFile';
  }
}
