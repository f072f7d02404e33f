// Saves files on behalf of a person, as if uploaded by them; used by imports. The same policies, limits and media types hold.

import type { Readable } from 'node:stream';
import type { Caller } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import type { Services } from '../services.ts';
import { filesErrors } from './errors.ts';
import { checkKey } from './names.ts';
import { readFrom } from './objects/read-upload.ts';
import { type SavingFiles, saveUpload } from './objects/save-object.ts';
import { quotasOf } from './quotas.ts';
import { inTurn, openStores } from './store/open-store.ts';

interface FileToSave {
  readonly caller: Caller;
  readonly userId: string;
  /** In the bucket `attachments`. */
  readonly key: string;
  readonly type: string;
  readonly bytes: Readable;
}

/** Gives back how many bytes there are. What the limits refuse is thrown as `asRefusal` makes it. */
export async function openFileSaver(
  { config, database, log }: Pick<Services, 'config' | 'database' | 'log'>,
  asRefusal: (words: string) => Error,
): Promise<(file: FileToSave) => Promise<number>> {
  const files: SavingFiles = {
    database,
    store: inTurn(await openStores(config)),
    quotas: quotasOf(config.files),
    // Rounds come by themselves.
    sweeper: { sweepSoon: () => undefined },
    log,
  };
  return async ({ caller, userId, key, type, bytes }) => {
    let size = 0;
    async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        size += piece.length;
        yield piece;
      }
    }
    try {
      // What broke off between these bytes and what tells of them brings them once more.
      const target = { caller, sub: userId, name: { bucket: 'attachments', key: checkKey(key) }, upsert: true };
      await saveUpload(files, target, async (bucket) => {
        const upload = readFrom(bytes, type, bucket, config.files.sizeLimit);
        return { ...upload, bytes: counted(upload.bytes) };
      });
      return size;
    } catch (error) {
      if (error instanceof CatalogError && Object.hasOwn(filesErrors, error.code)) throw asRefusal(error.message);
      throw error;
    } finally {
      bytes.destroy();
    }
  };
}
