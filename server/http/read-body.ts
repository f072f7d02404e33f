// A request's body as bytes, for doors that take it off the socket themselves. What is too large is refused as soon as
// that is known, which with a Content-Length is before any of it is read.

import type { IncomingMessage } from 'node:http';
import { httpError } from './errors.ts';

const NO_BODY = Buffer.alloc(0);

export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      reject(tooLarge(limit));
      return;
    }
    if (request.destroyed) {
      reject(endedEarly());
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.removeAllListeners('data');
      request.resume();
      reject(tooLarge(limit));
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? NO_BODY) : Buffer.concat(chunks)));
    const gone = (): void => {
      chunks.length = 0;
      reject(endedEarly());
    };
    request.on('error', gone);
    request.on('close', () => {
      if (!request.complete) gone();
    });
  });
}

const endedEarly = (): Error => httpError('KB400', 'The request ended before its body was there');

const tooLarge = (limit: number): Error =>
  httpError('KB413', 'The request body is too large', {
    hint: `At most ${limit} bytes are read here.`,
    // What is left of it is not waited for.
    headers: { Connection: 'close' },
  });
