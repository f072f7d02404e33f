// The bytes of a download as a file store hands them over: short ones at once, long ones piece by piece, each when the receiver has taken the
// one before. What that costs is bounded by the size of two pieces, however slow the receiver is.

import { close, open, read } from 'node:fs';
import type { Readable } from 'node:stream';

export type Opened = Buffer | Pieces;

/** Says that a piece has been taken, or why it never will be. */
export type Taken = (error?: Error | null) => void;

export interface Pieces {
  /**
   * From the first byte, or from where someone else has come to. A piece is good until it has been taken: its memory serves the next but one.
   * Rejects when bytes are missing or nobody takes them.
   */
  readonly pump: (take: (piece: Buffer, taken: Taken) => void, from?: number) => Promise<void>;
  /** Instead of `pump`, when nobody wants them any more. */
  readonly cancel: () => void;
  /** Where they lie, when they are on this machine; open until `pump` or `cancel` is through. */
  readonly part?: FilePart;
}

export interface FilePart {
  readonly path: string;
  readonly file: number;
  readonly start: number;
  readonly length: number;
}

/** Up to here all of it is held at once. */
export const shortBytes = 128 * 1024;
const pieceBytes = 512 * 1024;

/** Three calls and no stream: for small files a stream is most of what a download costs. */
export function readShort(path: string, start: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (noFile, file) => {
      if (noFile !== null) return reject(noFile);
      const bytes = Buffer.allocUnsafe(length);
      read(file, bytes, 0, length, start, (error, count) => {
        close(file, () => undefined);
        if (error !== null) reject(error);
        else if (count < length) reject(cutShort(path));
        else resolve(bytes);
      });
    });
  });
}

/** The next piece is read while the one before is on its way. With callbacks, which were measured to send more than promises for each piece. */
export function openPieces(path: string, start: number, length: number): Promise<Pieces> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (noFile, file) => {
      if (noFile !== null) return reject(noFile);
      resolve({
        cancel: () => close(file, () => undefined),
        pump: (take, from = 0) => pumpFile(path, file, start + from, start + length, take),
        part: { path, file, start, length },
      });
    });
  });
}

function pumpFile(
  path: string,
  file: number,
  start: number,
  end: number,
  take: Parameters<Pieces['pump']>[0],
): Promise<void> {
  // Memory of its own only for what is there to read.
  const size = Math.min(end - start, pieceBytes);
  const memory = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const;
  return new Promise((resolve, reject) => {
    let [at, turn] = [start, 0];
    let ready: Buffer | null = null;
    let [isReading, isTaking, isOver] = [false, false, false];
    let failed: Error | null = null;

    const readNext = (): void => {
      isReading = true;
      const into = turn === 0 ? memory[0] : memory[1];
      turn = 1 - turn;
      read(file, into, 0, Math.min(end - at, pieceBytes), at, (error, count) => {
        isReading = false;
        if (error !== null || count === 0) failed ??= error ?? cutShort(path);
        else {
          at += count;
          ready = into.subarray(0, count);
        }
        goOn();
      });
    };
    const give = (piece: Buffer): void => {
      ready = null;
      isTaking = true;
      take(piece, (error) => {
        isTaking = false;
        if (error) failed ??= error;
        goOn();
      });
    };
    const goOn = (): void => {
      if (failed === null && ready !== null && !isTaking) give(ready);
      if (failed === null && ready === null && !isReading && at < end) readNext();
      if (isOver || isReading || isTaking || (failed === null && (ready !== null || at < end))) return;
      isOver = true;
      close(file, () => undefined);
      if (failed === null) resolve();
      else reject(failed);
    };
    goOn();
  });
}

/** Of bytes that come from elsewhere anyway. They are counted: one more or less would be taken for the beginning of the next answer, or the other way round. */
export async function openStream(stream: Readable, length: number, name: string): Promise<Opened> {
  const pieces = counted(stream, length, name);
  if (length > shortBytes)
    return {
      cancel: () => void stream.destroy(),
      async pump(take) {
        for await (const piece of pieces)
          await new Promise<void>((resolve, reject) => take(piece, (error) => (error ? reject(error) : resolve())));
      },
    };
  const parts: Buffer[] = [];
  for await (const part of pieces) parts.push(part);
  return Buffer.concat(parts);
}

async function* counted(stream: Readable, length: number, name: string): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > length) break;
    yield piece;
  }
  if (size !== length) throw cutShort(name);
}

export const cutShort = (path: string): Error => new Error(`The file ${path} has other bytes than its row says`);
