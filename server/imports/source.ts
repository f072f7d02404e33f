// Source of an imported file: memory, disk or an entry of a zip. Read as a stream, or as a whole where its reader needs all of it.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FilesOfImport } from './files-in-zip.ts';
import type { MemoryCounter } from './memory-limits.ts';
import { UnreadableFile } from './neutral.ts';
import { openZip, tooLarge } from './open-zip.ts';

export interface Source {
  readonly fileName: string;
  /** Of what is read, in bytes, unpacked. */
  readonly size: number;
  /** What came beside it in a zip. */
  readonly files: FilesOfImport | null;
  stream(): Promise<Readable>;
  all(): Promise<Buffer>;
  close(): void;
}

/** A file that is no zip, packed by gzip: unpacked each time it is read, so that it is not held beside what is made of it. */
export interface Packed {
  readonly packed: readonly Buffer[];
  /** Unpacked. */
  readonly size: number;
}

export type Given = Buffer | string | Packed;

const zipMark = Buffer.from('PK\x03\x04');

interface Opening {
  readonly fileName: string;
  readonly mostBytes: number;
  readonly part: string | null;
  /** Held in memory. */
  readonly atOnce: MemoryCounter | null;
}

export const isZip = (start: Buffer): boolean => start.subarray(0, zipMark.length).equals(zipMark);

const isBytes = (given: Given): given is Buffer => Buffer.isBuffer(given);
const nothingOpen = (): void => undefined;

/** `given`: the bytes, a path, or what is packed. */
export async function openSource(given: Given, opening: Opening, isWithin = false): Promise<Source> {
  const { fileName, mostBytes, part, atOnce } = opening;
  const held = async (name: string, bytes: number, stream: () => Promise<Readable>): Promise<Buffer> => {
    atOnce?.checkBytes(name, bytes);
    return gathered(stream, bytes);
  };
  const { start, size } =
    typeof given === 'string'
      ? await beginning(given)
      : isBytes(given)
        ? { start: given, size: given.length }
        : { start: Buffer.alloc(0), size: given.size };
  if ((typeof given === 'string' || isBytes(given)) && isZip(start)) {
    const zip = await openZip(given, mostBytes, part);
    const stream = zip.read;
    // Everything that was exported here is a zip of zips.
    if (!isWithin && /\.zip$/i.test(zip.fileName)) {
      const inner = await held(zip.fileName, zip.size, stream).finally(() => zip.close());
      return openSource(inner, { ...opening, fileName: zip.fileName, part: null }, true);
    }
    return { ...zip, stream, all: () => held(zip.fileName, zip.size, stream) };
  }
  if (size > mostBytes) throw tooLarge('The file', mostBytes);
  const stream = async (): Promise<Readable> => {
    if (typeof given === 'string') return createReadStream(given);
    return isBytes(given) ? Readable.from([given]) : Readable.from(given.packed).pipe(createGunzip());
  };
  return {
    fileName,
    size,
    files: null,
    stream,
    all: async () => {
      atOnce?.checkBytes(fileName, size);
      return isBytes(given) ? given : gathered(stream, size);
    },
    close: nothingOpen,
  };
}

/** Into one piece of memory, as large as it will be. */
async function gathered(stream: () => Promise<Readable>, size: number): Promise<Buffer> {
  const all = Buffer.allocUnsafeSlow(size);
  let length = 0;
  try {
    for await (const piece of (await stream()) as AsyncIterable<Buffer>) {
      if (length + piece.length > size) throw new Error('it is longer than it says');
      length += piece.copy(all, length);
    }
    return all.subarray(0, length);
  } catch (error) {
    throw error instanceof UnreadableFile
      ? error
      : new UnreadableFile(`It cannot be read: ${(error as Error).message}`);
  }
}

async function beginning(path: string): Promise<{ start: Buffer; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer: bytes, bytesRead } = await file.read(Buffer.alloc(zipMark.length), 0, zipMark.length, 0);
    return { start: bytes.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}
