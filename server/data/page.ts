// The body of a long response while it is sent: rows are collected in one buffer, which is written whenever the receiver is ready.

import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { ApiResponse, WriteChunk } from './respond/api-response.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
const NULL = Buffer.from('null');

/** One buffer for all pages of an answer: it is filled again only when the socket has taken it. */
export class Page {
  #bytes = Buffer.allocUnsafeSlow(640 * 1024);
  #filled = 0;
  #lines = 0;

  private add(part: Buffer): void {
    const end = this.#filled + part.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(end * 2);
      this.#bytes.copy(grown, 0, 0, this.#filled);
      this.#bytes = grown;
    }
    part.copy(this.#bytes, this.#filled);
    this.#filled = end;
  }

  /** A row of the answer, which is a JSON list. */
  line(row: ReadonlyArray<Buffer | null>): void {
    this.add(this.#lines++ === 0 ? OPEN : COMMA);
    this.add(row[0] ?? NULL);
  }

  /** The list is whole. */
  end(): void {
    if (this.#lines === 0) this.add(OPEN);
    this.add(CLOSE);
  }

  async flush(write: WriteChunk): Promise<void> {
    const full = this.#bytes.subarray(0, this.#filled);
    this.#filled = 0;
    if (full.length > 0) await write(full);
  }
}

/** The head of the answer, with the length that all rows have together. */
export function withLength(response: ApiResponse, row: ReadonlyArray<Buffer | null>): ApiResponse {
  if (response.status === 416) return response;
  const commas = Math.max(0, Number(row[STREAM_LAYOUT.rows]) - 1);
  response.headers[response.headers.indexOf('Content-Length') + 1] = String(
    2 + Number(row[STREAM_LAYOUT.bytes]) + commas,
  );
  return response;
}
