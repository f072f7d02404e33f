// Writes text to a file in pieces and waits while its reader is busy, so that memory stays flat.

import { once } from 'node:events';
import type { Writable } from 'node:stream';

const pieceLength = 128 * 1024;

export class TextOut {
  readonly #out: Writable;
  #waiting: string[] = [];
  #length = 0;

  constructor(out: Writable) {
    this.#out = out;
  }

  add(text: string): void {
    this.#waiting.push(text);
    this.#length += text.length;
  }

  /** Between two rows: gives away what has gathered. */
  async rest(): Promise<void> {
    if (this.#length >= pieceLength) await this.flush();
  }

  async flush(): Promise<void> {
    const piece = this.#waiting.join('');
    this.#waiting = [];
    this.#length = 0;
    if (this.#out.destroyed) throw this.#out.errored ?? new Error('nobody takes the export any more');
    // `once` rejects when the stream breaks meanwhile.
    if (piece !== '' && !this.#out.write(piece)) await once(this.#out, 'drain');
  }
}
