// A zip that is written entry by entry: the next begins when the last is in it, so that no more than one waits in memory.

import { PassThrough, Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/** `isPacked`: pictures and the like, which do not get smaller. */
export type Add = (name: string, content: Readable | Buffer, at: Date, isPacked: boolean) => Promise<void>;

export interface Zip {
  readonly add: Add;
  /** An entry that is written bit by bit. */
  write(name: string, at: Date, write: (out: Writable) => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

export function packInto(out: Writable): Zip {
  const zip = new yazl.ZipFile();
  const stop = new AbortController();
  const packing = pipeline(zip.outputStream as Readable, out, { end: false });
  packing.catch((error: unknown) => stop.abort(error));
  (zip as unknown as Readable).on('error', (error: Error) => stop.abort(error));

  async function add(name: string, content: Readable | Buffer, at: Date, isPacked: boolean): Promise<void> {
    stop.signal.throwIfAborted();
    const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    zip.addReadStream(stream, name, { mtime: at, compress: !isPacked });
    await finished(stream, { signal: stop.signal });
  }

  return {
    add,
    async write(name, at, write) {
      const entry = new PassThrough();
      stop.signal.addEventListener('abort', () => entry.destroy(stop.signal.reason as Error), { once: true });
      const added = add(name, entry, at, false);
      added.catch(() => undefined);
      await write(entry);
      entry.end();
      await added;
    },
    async end() {
      zip.end();
      await packing;
    },
  };
}

/** "a.txt", "a (2).txt": some file systems take a.txt and A.txt for the same. */
export function freeName(taken: Set<string>, wanted: string): string {
  const dot = wanted.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
  let name = wanted;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem} (${n})${ending}`;
  taken.add(name.toLowerCase());
  return name;
}
