// The length and the MD5 of bytes, by reading them.

import { createHash } from 'node:crypto';
import type { StoredFile } from './file-store.ts';

export async function hashOf(bytes: AsyncIterable<Buffer>): Promise<StoredFile> {
  const hash = createHash('md5');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, md5: hash.digest('hex') };
}
