// Files on a local disk: <root>/ab/cd/<version>, written beside it under incoming/, synced, then renamed into place. Names of objects
// never become paths; a version that is not a UUID is refused.

import { createHash } from 'node:crypto';
import { constants, copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { filesError } from '../errors.ts';
import { type ByteRange, checkVersion, type FileStore, MissingFile, type StoredFile } from './file-store.ts';
import { hashOf } from './hash-of.ts';
import { type Opened, openPieces, readShort, shortBytes } from './opened-file.ts';

export class DiskStore implements FileStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(version: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
    const place = this.#place(version);
    const incoming = this.#incoming(version);
    try {
      await this.#makeFolders(version);
      const stored = await writeSynced(incoming, bytes);
      await rename(incoming, place);
      await syncFolder(dirname(place));
      return stored;
    } catch (error) {
      await this.#removeHalf(version);
      throw asRefusal(error);
    }
  }

  async append(version: string, at: number, bytes: AsyncIterable<Buffer>): Promise<number> {
    const incoming = this.#incoming(version);
    const handle = await makeFolder(dirname(incoming))
      // What has been begun is there, unless another node has made a file of it meanwhile.
      .then(() => open(incoming, constants.O_WRONLY | (at === 0 ? constants.O_CREAT : 0)))
      .catch(refuse);
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
      throw asRefusal(error);
    } finally {
      await handle
        .sync()
        .catch(refuse)
        .finally(() => handle.close());
    }
  }

  async lengthOf(version: string): Promise<number> {
    for (const path of [this.#incoming(version), this.#place(version)]) {
      const found = await stat(path).catch(noneWhenMissing);
      if (found !== null) return found.size;
    }
    return 0;
  }

  async finish(version: string, size: number): Promise<StoredFile> {
    const [incoming, place] = [this.#incoming(version), this.#place(version)];
    await this.#makeFolders(version).catch(refuse);
    if ((await stat(place).catch(noneWhenMissing)) === null) {
      // Another node may be first: nothing is made here that could take the place of what it has put there.
      const renamed = await rename(incoming, place).then(() => true, noneWhenMissing);
      if (renamed === null && size === 0) await makeEmpty(place);
      await syncFolder(dirname(place));
    }
    return hashOf(await this.read(version));
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
    try {
      await makeFolder(dirname(place));
      // Files never change, so a second name for the same bytes is as good as a copy.
      await link(source, place).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new MissingFile(from);
        await copyFile(source, place, constants.COPYFILE_FICLONE);
        await syncFile(place);
      });
      await syncFolder(dirname(place));
    } catch (error) {
      await this.#removeHalf(to);
      throw asRefusal(error);
    }
  }

  async remove(version: string): Promise<void> {
    await Promise.all([rm(this.#place(version), { force: true }), rm(this.#incoming(version), { force: true })]);
  }

  /** After a failure, whose cause may be in the way of this as well: that is what is told. */
  async #removeHalf(version: string): Promise<void> {
    await this.remove(version).catch(() => undefined);
  }

  async #makeFolders(version: string): Promise<void> {
    const folders = [this.#place(version), this.#incoming(version)].map(dirname);
    await Promise.all(folders.map(makeFolder));
  }

  #place(version: string): string {
    checkVersion(version);
    return join(this.#root, version.slice(0, 2), version.slice(2, 4), version);
  }

  #incoming(version: string): string {
    return join(dirname(this.#place(version)), '..', '..', 'incoming', version);
  }
}

/** On a read-only disk Node says of a folder that it cannot make that there is none. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? Object.assign(error, { code: 'EROFS' }) : error;
  });
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

async function makeEmpty(path: string): Promise<void> {
  const handle = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  await handle?.close();
}

/** The new name is as lasting as the bytes only once its folder is synced; Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await sync(path, 'r');
}

/** Windows syncs only what may be written. */
function syncFile(path: string): Promise<void> {
  return sync(path, 'r+');
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
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

/** What is the disk's fault, in words. */
function asRefusal(error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return filesError('StorageFull', 'There is no room left for files on the server', { cause: error });
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
    case 'ENOTDIR':
    case 'EIO':
    case 'EMFILE':
    case 'ENFILE':
      return filesError('StorageUnwritable', 'Files cannot be written on the server at the moment', {
        cause: error,
      });
    default:
      return error;
  }
}

function refuse(error: unknown): never {
  throw asRefusal(error);
}
