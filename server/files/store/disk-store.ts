// Files on a local disk: <root>/ab/cd/<version>, written beside it under incoming/, synced, then renamed into place. Names of objects
// never become paths; a version that is not a UUID is refused.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { filesError } from '../errors.ts';
import { type ByteRange, checkVersion, type FileStore, MissingFile, type StoredFile } from './file-store.ts';
import { hashOf } from './hash-of.ts';
import { type Opened, openPieces, readShort, shortBytes } from './opened.ts';

export class DiskStore implements FileStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(version: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
    const place = this.#place(version);
    const incoming = this.#incoming(version);
    await Promise.all([mkdir(dirname(place), { recursive: true }), mkdir(dirname(incoming), { recursive: true })]);
    try {
      const stored = await writeSynced(incoming, bytes);
      await rename(incoming, place);
      await syncFolder(dirname(place));
      return stored;
    } catch (error) {
      await this.remove(version);
      throw asFull(error);
    }
  }

  async append(version: string, at: number, bytes: AsyncIterable<Buffer>): Promise<number> {
    const incoming = this.#incoming(version);
    await mkdir(dirname(incoming), { recursive: true });
    const handle = await open(incoming, constants.O_CREAT | constants.O_WRONLY);
    try {
      let end = at;
      for await (const chunk of bytes) {
        for (let written = 0; written < chunk.length; ) {
          const { bytesWritten } = await handle.write(chunk, written, chunk.length - written, end);
          written += bytesWritten;
          end += bytesWritten;
        }
      }
      return end;
    } catch (error) {
      throw asFull(error);
    } finally {
      await handle.sync().finally(() => handle.close());
    }
  }

  async lengthOf(version: string): Promise<number> {
    for (const path of [this.#incoming(version), this.#place(version)]) {
      const found = await stat(path).catch(noneWhenMissing);
      if (found !== null) return found.size;
    }
    return 0;
  }

  async finish(version: string): Promise<StoredFile> {
    const [incoming, place] = [this.#incoming(version), this.#place(version)];
    await Promise.all([mkdir(dirname(place), { recursive: true }), mkdir(dirname(incoming), { recursive: true })]);
    // There without a part only when the upload is empty, or when this was done before.
    if ((await stat(place).catch(noneWhenMissing)) === null) {
      await (await open(incoming, 'a')).close();
      await rename(incoming, place);
      await syncFolder(dirname(place));
    }
    return hashOf(createReadStream(place, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>);
  }

  async sizeOf(version: string): Promise<number | null> {
    return (await stat(this.#place(version)).catch(noneWhenMissing))?.size ?? null;
  }

  async read(version: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(this.#place(version), 'r').catch(asMissing(version));
    return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  }

  open(version: string, { start, end }: ByteRange): Promise<Opened> {
    const length = end - start + 1;
    const opened: Promise<Opened> =
      length <= shortBytes
        ? readShort(this.#place(version), start, length)
        : openPieces(this.#place(version), start, length);
    return opened.catch(asMissing(version));
  }

  async copy(from: string, to: string): Promise<void> {
    const source = this.#place(from);
    const place = this.#place(to);
    await mkdir(dirname(place), { recursive: true });
    try {
      // Files never change, so a second name for the same bytes is as good as a copy.
      await link(source, place).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new MissingFile(from);
        return copyFile(source, place, constants.COPYFILE_FICLONE);
      });
      await syncFolder(dirname(place));
    } catch (error) {
      await this.remove(to);
      throw asFull(error);
    }
  }

  async remove(version: string): Promise<void> {
    await Promise.all([rm(this.#place(version), { force: true }), rm(this.#incoming(version), { force: true })]);
  }

  #place(version: string): string {
    checkVersion(version);
    return join(this.#root, version.slice(0, 2), version.slice(2, 4), version);
  }

  #incoming(version: string): string {
    return join(dirname(this.#place(version)), '..', '..', 'incoming', version);
  }
}

async function writeSynced(path: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
  const handle = await open(path, 'wx');
  try {
    const hash = createHash('md5');
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      // Waits for the disk, and so does the sender.
      await handle.writeFile(chunk);
      size += chunk.length;
    }
    await handle.sync();
    return { size, md5: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

/** The new name is as lasting as the bytes only once its folder is synced; Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const asMissing =
  (version: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? new MissingFile(version) : error;
  };

function noneWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function asFull(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return isFull ? filesError('StorageFull', 'There is no room left for files on the server') : error;
}
