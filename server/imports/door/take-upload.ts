// An uploaded file, packed as it comes in, so that the whole of it is never in the server's memory.

import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { httpError } from '../../http/errors.ts';
import { importError } from './errors.ts';
import { mostUploaded } from './read-upload.ts';

export async function takeUpload(body: Readable): Promise<Buffer> {
  let size = 0;
  const packer = createGzip();
  const packed = buffer(packer);
  packed.catch(() => undefined);
  try {
    // A body that is too large stays on its connection, so that its sender reads the answer.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > mostUploaded) throw httpError('KB413', 'The file is larger than 64 MB');
      if (!packer.write(piece)) await new Promise((next) => packer.once('drain', next));
    }
  } catch (error) {
    packer.destroy();
    throw error;
  }
  if (size === 0) throw importError('KB824', 'The body must be the file');
  packer.end();
  return packed;
}
