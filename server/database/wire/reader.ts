// Cuts the byte stream from Postgres into messages. A message that arrives whole inside one chunk is handed over
// in place; only one that straddles chunks is put together in a buffer of its own, a slab if it is large.

import { giveSlab, slabMinimum, takeSlab } from './slabs.ts';

/** What follows a broken message cannot be understood: `error` is why, and nothing more is handed over. */
export type OnBroken = (error: Error) => void;
export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

const header = 5;
/** Postgres itself stops at 1 GB. */
const largest = 0x4000_0000;
/** Only these are ever longer than this: rows and their descriptions, parameters, copied data, errors, notices, notifications. */
const ordinary = 30_000;
const mayBeLong = new Set(Array.from('DTtdENA', (kind) => kind.charCodeAt(0)));

export class Reader {
  readonly #onMessage: OnMessage;
  readonly #onBroken: OnBroken;
  /** The message that is still arriving, and how much of it is here. */
  #partial: Buffer | null = null;
  #filled = 0;
  #size = 0;
  #broken = false;
  /** Whether the bytes at hand are the chunk itself rather than a buffer of the message's own. */
  inChunk = false;
  /** The slab the message at hand lies in; whoever keeps it sets this to null. */
  slab: Buffer | null = null;

  /** What `onMessage` throws goes to `onBroken` as well. */
  constructor(onMessage: OnMessage, onBroken: OnBroken) {
    this.#onMessage = onMessage;
    this.#onBroken = onBroken;
  }

  push(chunk: Buffer): void {
    if (this.#broken) return;
    try {
      this.#cut(chunk);
    } catch (error) {
      this.#break(error);
    }
  }

  #cut(chunk: Buffer): void {
    let at = 0;
    const size = chunk.length;
    if (this.#partial !== null) {
      at = this.#continue(chunk);
      if (at < 0) return;
    }
    while (size - at >= header) {
      const length = readLength(chunk, at);
      const end = at + 1 + length;
      if (end > size) {
        this.#begin(chunk, at, 1 + length);
        return;
      }
      this.inChunk = true;
      this.#onMessage(chunk[at] as number, chunk, at + header, end);
      at = end;
    }
    if (at < size) this.#begin(chunk, at, header);
  }

  /** Where the next bytes of a large message may be read to, with no copy on the way; `filled` tells how many came. */
  get wanted(): Buffer | null {
    const rest = this.#size - this.#filled;
    return this.#partial !== null && rest >= slabMinimum ? this.#partial.subarray(this.#filled, this.#size) : null;
  }

  filled(bytes: number): void {
    this.#filled += bytes;
    if (this.#filled < this.#size) return;
    try {
      this.#finish();
    } catch (error) {
      this.#break(error);
    }
  }

  #break(error: unknown): void {
    this.#broken = true;
    this.#onBroken(error instanceof Error ? error : new Error(String(error)));
  }

  #begin(chunk: Buffer, at: number, size: number): void {
    this.#partial = size < slabMinimum ? Buffer.allocUnsafe(size) : takeSlab(size);
    this.#size = size;
    this.#filled = chunk.copy(this.#partial, 0, at);
  }

  /** Where in the chunk the next message begins; -1 when the chunk is used up. */
  #continue(chunk: Buffer): number {
    let at = 0;
    for (;;) {
      const partial = this.#partial as Buffer;
      const copied = chunk.copy(partial, this.#filled, at, at + this.#size - this.#filled);
      this.#filled += copied;
      at += copied;
      if (this.#filled < this.#size) return -1;
      const length = readLength(partial, 0);
      if (this.#size === header && length > 4) {
        // Only the header was awaited: now the size is known.
        this.#begin(partial, 0, 1 + length);
        this.#filled = header;
        continue;
      }
      this.#finish();
      return at;
    }
  }

  #finish(): void {
    const partial = this.#partial as Buffer;
    const size = this.#size;
    this.#partial = null;
    this.#filled = 0;
    this.#size = 0;
    this.inChunk = false;
    this.slab = size < slabMinimum ? null : partial;
    this.#onMessage(partial[0] as number, partial, header, size);
    if (this.slab !== null) giveSlab(this.slab);
    this.slab = null;
  }
}

/** Length of the message whose header begins at `at`, without its first byte. */
function readLength(bytes: Buffer, at: number): number {
  const length = int32(bytes, at + 1);
  if (length < 4 || length > largest || (length > ordinary && !mayBeLong.has(bytes[at] as number)))
    throw new Error('The database sent a message of impossible length');
  return length;
}

export function int16(bytes: Buffer, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

export function int32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

/** Where the NUL-terminated text at `at` ends; what is beyond `end` belongs to another message. */
export function endOfText(bytes: Buffer, at: number, end: number): number {
  const zero = bytes.indexOf(0, at);
  if (zero < 0 || zero >= end) throw garbled();
  return zero;
}

/** The NUL-terminated text at `at`. */
export function text(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at, endOfText(bytes, at, bytes.length));
}

/** A message whose parts do not add up to its length. */
export const garbled = (): Error => new Error('The database sent a message that cannot be read');
