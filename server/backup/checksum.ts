// A stream on its way is counted and summed.

import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

export interface Summed {
  readonly stream: Transform;
  /** Once all of it has gone through. */
  readonly result: () => { sha256: string; bytes: number; lines: number };
}

const lineEnd = 0x0a;

export function summed(): Summed {
  const hash = createHash('sha256');
  let [bytes, lines] = [0, 0];
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, at + 1)) lines++;
      done(null, chunk);
    },
  });
  let sha256: string | null = null;
  return {
    stream,
    result: () => {
      sha256 ??= hash.digest('hex');
      return { sha256, bytes, lines };
    },
  };
}
