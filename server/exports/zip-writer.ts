// A zip that is written entry by entry: the next begins when the last is in it, so that no more than one waits in memory.

import { once } from 'node:events';
import { type Duplex, PassThrough, type Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
  readonly state: number;
  /** Its part of the list at the end of the zip. */
  getCentralDirectoryRecord(): Buffer;
}
const isWritten = 3;
const pieceLength = 64 * 1024;
/** Packing so little costs more than it saves, when there are many. */
const shortBytes = 1024;

/** A zip knows no time before it, and none after. */
const [earliest, latest] = [Date.UTC(1980, 0, 1), Date.UTC(2106, 0, 1)];
const inZip = (at: Date): Date => new Date(Math.min(Math.max(at.getTime() || 0, earliest), latest));

export function openZipWriter(out: Writable): Zip {
  const zip = new yazl.ZipFile() as yazl.ZipFile & { entries: Entry[] };
  const list = new ListOfEntries();
  /** yazl looks through all its entries for each that it writes: of those that are written only their part of the list is kept. */
  const putAside = (): void => {
    for (let first = zip.entries[0]; first !== undefined && first.state === isWritten; first = zip.entries[0]) {
      list.add(first.getCentralDirectoryRecord());
      zip.entries.shift();
    }
  };
  const stop = new AbortController();
  const packed = zip.outputStream as Duplex;
  const packing = pipeline(packed, out, { end: false });
  packing.catch((error: unknown) => stop.abort(error));
  (zip as unknown as Readable).on('error', (error: Error) => stop.abort(error));

  async function add(name: string, content: Readable | Buffer, at: Date, isPacked: boolean): Promise<void> {
    stop.signal.throwIfAborted();
    putAside();
    if (Buffer.isBuffer(content)) return addWhole(name, content, at, isPacked);
    // It is given away, not kept, when its turn comes.
    let given: Readable | null = content;
    zip.addReadStreamLazy(name, { mtime: inZip(at), compress: !isPacked }, (take) => {
      if (given !== null) take(null, given);
      given = null;
    });
    await finished(content, { signal: stop.signal });
  }

  /** A stream for each of many small ones would cost more than they do. */
  async function addWhole(name: string, content: Buffer, at: Date, isPacked: boolean): Promise<void> {
    zip.addBuffer(content, name, { mtime: inZip(at), compress: !isPacked && content.length > shortBytes });
    const entry = zip.entries.at(-1);
    while (entry !== undefined && entry.state !== isWritten) {
      await nextTurn();
      stop.signal.throwIfAborted();
    }
    if (packed.writableNeedDrain) await once(packed, 'drain', { signal: stop.signal });
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
      zip.entries = [...list.entries(), ...zip.entries];
      zip.end();
      await packing;
    },
  };
}

/** Parts of the list as bytes: an object for each would be several times as large. */
class ListOfEntries {
  readonly #pieces: Buffer[] = [];
  #recent: Buffer[] = [];
  #length = 0;
  #count = 0;

  add(part: Buffer): void {
    this.#count++;
    this.#recent.push(part);
    this.#length += part.length;
    if (this.#length >= pieceLength) this.#gather();
  }

  #gather(): void {
    if (this.#recent.length > 0) this.#pieces.push(Buffer.concat(this.#recent));
    this.#recent = [];
    this.#length = 0;
  }

  /** As many as were added, for yazl counts them; the first ones bring all parts. */
  entries(): Entry[] {
    this.#gather();
    const bringing = (part: Buffer): Entry => ({ state: isWritten, getCentralDirectoryRecord: () => part });
    const nothing = bringing(Buffer.alloc(0));
    return Array.from({ length: this.#count }, (_, at) => {
      const piece = this.#pieces[at];
      return piece === undefined ? nothing : bringing(piece);
    });
  }
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
