// Puts the files of a backup where files belong. What is there already is passed over, so that it may be broken off and run again.

import type { Readable } from 'node:stream';
import { fileEntry } from './manifest.ts';
import type { Archive } from './open-archive.ts';

export interface FileTarget {
  sizeOf(version: string): Promise<number | null>;
  put(version: string, bytes: AsyncIterable<Buffer>): Promise<unknown>;
}

export async function restoreFiles(archive: Archive, store: FileTarget): Promise<void> {
  for (const { version, size, sha256 } of archive.manifest.files) {
    if ((await store.sizeOf(version)) === size) continue;
    const bytes: Readable = await archive.read(fileEntry(version), sha256);
    await store.put(version, bytes);
  }
}
