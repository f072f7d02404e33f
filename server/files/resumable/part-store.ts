// Store for the library of the tus protocol: rows describe an upload, the file store knows its offset.

import type { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { FilesContext } from '../files-context.ts';
import {
  beginsWithinMs,
  declareSize,
  expiresAfterMs,
  findUploadRow,
  prolongUpload,
  removeUpload,
  type UploadRow,
} from './upload-rows.ts';

export class PartStore extends DataStore {
  readonly #files: FilesContext;
  override extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];

  constructor(files: FilesContext) {
    super();
    this.#files = files;
  }

  /** The row is written before, by who knows whose it is. */
  override async create(upload: Upload): Promise<Upload> {
    upload.creation_date = new Date(Date.now() - expiresAfterMs + beginsWithinMs).toISOString();
    return upload;
  }

  override async write(bytes: Readable, version: string, offset: number): Promise<number> {
    await prolongUpload(this.#files, version);
    // Stays open when it stops early: what went wrong is told by the rejection, where a stream that is destroyed says only that it was.
    const parts = bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    return this.#files.store.append(version, offset, parts);
  }

  override async getUpload(version: string): Promise<Upload> {
    const row = await findUploadRow(this.#files, version);
    if (row === null) throw ERRORS.FILE_NOT_FOUND;
    return new Upload({
      id: version,
      offset: await this.lengthOf(row),
      metadata: row.metadata,
      // The library counts a day from then on, whenever the upload will be given up.
      creation_date: new Date(Date.parse(row.expires_at) - expiresAfterMs).toISOString(),
      ...(row.size === null ? {} : { size: row.size }),
    });
  }

  async lengthOf(row: UploadRow): Promise<number> {
    if (row.finished_at !== null) return row.size ?? 0;
    return this.#files.store.lengthOf(row.version);
  }

  override declareUploadLength(version: string, size: number): Promise<void> {
    return declareSize(this.#files, version, size);
  }

  override remove(version: string): Promise<void> {
    return removeUpload(this.#files, version);
  }

  /** The sweeper removes what nobody went on with. */
  override async deleteExpired(): Promise<number> {
    return 0;
  }

  override getExpiration(): number {
    return expiresAfterMs;
  }
}
