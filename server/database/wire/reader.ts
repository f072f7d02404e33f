// Cuts the byte stream from Postgres into messages. A message that arrives whole inside one chunk is handed over
// in place; only one that straddles chunks is put together in a buffer of its own.

export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

const header = 5;
/** Postgres itself stops at 1 GB. */
const largest = 0x4000_0000;

export class Reader {
  readonly #onMessage: OnMessage;
  /** The message that is still arriving, and how much of it is here. */
  #partial: Buffer | null = null;
  #filled = 0;
  /** Whether the bytes at hand are the chunk itself rather than a buffer of the message's own. */
  inChunk = false;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    let at = 0;
    const size = chunk.length;
    if (this.#partial !== null) {
      at = this.#continue(chunk);
      if (at < 0) return;
    }
    while (size - at >= header) {
      const length = int32(chunk, at + 1);
      if (length < 4 || length > largest) throw new Error('The database sent a message of impossible length');
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

  #begin(chunk: Buffer, at: number, size: number): void {
    this.#partial = Buffer.allocUnsafe(size);
    this.#filled = chunk.copy(this.#partial, 0, at);
  }

  /** Where in the chunk the next message begins; -1 when the chunk is used up. */
  #continue(chunk: Buffer): number {
    let at = 0;
    let partial = this.#partial as Buffer;
    for (;;) {
      const copied = chunk.copy(partial, this.#filled, at, at + partial.length - this.#filled);
      this.#filled += copied;
      at += copied;
      if (this.#filled < partial.length) return -1;
      const length = int32(partial, 1);
      if (length < 4 || length > largest) throw new Error('The database sent a message of impossible length');
      if (partial.length === header && length > 4) {
        // Only the header was awaited: now the size is known.
        const whole = Buffer.allocUnsafe(1 + length);
        partial.copy(whole);
        this.#partial = partial = whole;
        continue;
      }
      this.#partial = null;
      this.#filled = 0;
      this.inChunk = false;
      this.#onMessage(partial[0] as number, partial, header, partial.length);
      return at;
    }
  }
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

/** The NUL-terminated text at `at`. */
export function text(bytes: Buffer, at: number): string {
  return bytes.toString('utf8', at, bytes.indexOf(0, at));
}
