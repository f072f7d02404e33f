// File store that counts its failures for metrics, whichever room meets them. Faults of the caller, such as a body that breaks off, don't count.

import { CatalogError } from '../../errors.ts';
import { type FileStore, MissingFile } from './file-store.ts';

export const storageErrors = ['full', 'unwritable', 'missing', 'failed'] as const;
export type StorageError = (typeof storageErrors)[number];

export function countedStore(store: FileStore, count: (kind: StorageError) => void): FileStore {
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const kind = kindOf(error);
      if (kind !== null) count(kind);
      throw error;
    }
  };
  return {
    put: (...given) => counted(store.put(...given)),
    append: (...given) => counted(store.append(...given)),
    lengthOf: (...given) => counted(store.lengthOf(...given)),
    finish: (...given) => counted(store.finish(...given)),
    sizeOf: (...given) => counted(store.sizeOf(...given)),
    read: (...given) => counted(store.read(...given)),
    open: (...given) => counted(store.open(...given)),
    copy: (...given) => counted(store.copy(...given)),
    remove: (...given) => counted(store.remove(...given)),
  };
}

/** Null: not the store's fault. What has no code of a system or a service is thrown by whoever sends the bytes. */
function kindOf(error: unknown): StorageError | null {
  if (error instanceof MissingFile) return 'missing';
  if (error instanceof CatalogError)
    return error.code === 'StorageFull' ? 'full' : error.code === 'StorageUnwritable' ? 'unwritable' : null;
  const { code, syscall, $metadata } = error as { code?: unknown; syscall?: unknown; $metadata?: unknown };
  const isOfSender = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
  return !isOfSender && (syscall !== undefined || $metadata !== undefined) ? 'failed' : null;
}
