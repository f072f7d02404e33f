// Two file stores while files move from one to the other: what is new goes into the first, what is not there yet is found in the second.

import type { Readable } from 'node:stream';
import { type ByteRange, type FileStore, MissingFile, type StoredFile } from './file-store.ts';
import type { Opened } from './opened-file.ts';

export class MovingStore implements FileStore {
  readonly #first: FileStore;
  readonly #second: FileStore;

  constructor(first: FileStore, second: FileStore) {
    this.#first = first;
    this.#second = second;
  }

  put(version: string, bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
    return this.#first.put(version, bytes);
  }

  append(version: string, at: number, bytes: AsyncIterable<Buffer>): Promise<number> {
    return this.#first.append(version, at, bytes);
  }

  lengthOf(version: string): Promise<number> {
    return this.#first.lengthOf(version);
  }

  finish(version: string, size: number): Promise<StoredFile> {
    return this.#first.finish(version, size);
  }

  async sizeOf(version: string): Promise<number | null> {
    return (await this.#first.sizeOf(version)) ?? this.#second.sizeOf(version);
  }

  read(version: string, range?: ByteRange): Promise<Readable> {
    return this.#inTurn((store) => store.read(version, range));
  }

  open(version: string, range: ByteRange): Promise<Opened> {
    return this.#inTurn((store) => store.open(version, range));
  }

  async copy(from: string, to: string): Promise<void> {
    try {
      await this.#first.copy(from, to);
    } catch (error) {
      if (!(error instanceof MissingFile)) throw error;
      await this.#first.put(to, await this.#second.read(from));
    }
  }

  async remove(version: string): Promise<void> {
    await Promise.all([this.#first.remove(version), this.#second.remove(version)]);
  }

  #inTurn<T>(read: (store: FileStore) => Promise<T>): Promise<T> {
    return read(this.#first).catch((error: unknown) => {
      if (!(error instanceof MissingFile)) throw error;
      return read(this.#second);
    });
  }
}
