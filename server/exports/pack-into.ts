// A zip that is written entry by entry: the next begins when the last is in it, so that no more than one waits in memory.

import { PassThrough, Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/** `isPacked`: pictures and the like, which do not get smaller. */
export type Add = (name: string, content: Readable | Buffer, at: Date, isPacked: boolean) => Promise<void>;

export interface Zip {
  readonly add: Add;
  /** An entry that is written bit by bit. */
  write(name: string, at: Date, write: (out: Writable) => Promise<void>, isPacked?: boolean): Promise<void>;
  end(): Promise<void>;
}

/** What is touched of yazl's entries. */
interface Entry {
  state: number;
  doFileDataPump: (() => void) | null;
}
const isWritten = 3;

export function packInto(out: Writable): Zip {
  const zip = new yazl.ZipFile() as yazl.ZipFile & { entries: Entry[] };
  /** yazl looks through all its entries for each that it writes: those that are written wait elsewhere for the list at the end. */
  const written: Entry[] = [];
  const putAside = (): void => {
    for (let first = zip.entries[0]; first !== undefined && first.state === isWritten; first = zip.entries[0]) {
      // Nor is kept what they were read from.
      first.doFileDataPump = null;
      written.push(first);
      zip.entries.shift();
    }
  };
  const stop = new AbortController();
  const packing = pipeline(zip.outputStream as Readable, out, { end: false });
  packing.catch((error: unknown) => stop.abort(error));
  (zip as unknown as Readable).on('error', (error: Error) => stop.abort(error));

  async function add(name: string, content: Readable | Buffer, at: Date, isPacked: boolean): Promise<void> {
    stop.signal.throwIfAborted();
    putAside();
    const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    // It is given away, not kept, when its turn comes.
    let given: Readable | null = stream;
    zip.addReadStreamLazy(name, { mtime: at, compress: !isPacked }, (take) => {
      if (given !== null) take(null, given);
      given = null;
    });
    await finished(stream, { signal: stop.signal });
  }

  return {
    add,
    async write(name, at, write, isPacked = false) {
      const entry = new PassThrough();
      stop.signal.addEventListener('abort', () => entry.destroy(stop.signal.reason as Error), { once: true });
      const added = add(name, entry, at, isPacked);
      added.catch(() => undefined);
      await write(entry);
      entry.end();
      await added;
    },
    async end() {
      zip.entries = [...written, ...zip.entries];
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
