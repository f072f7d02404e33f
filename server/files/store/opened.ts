// The bytes of a download as a file store hands them over: short ones at once, long ones piece by piece, each when the receiver has taken the
// one before. What that costs is bounded by the size of two pieces, however slow the receiver is.

import { close, open, read } from 'node:fs';
import { open as openHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

export type Opened = Buffer | Pieces;

export interface Pieces {
  /** A piece is good until `take` resolves: its memory serves the next but one. Rejects when bytes are missing or nobody takes them. */
  readonly pump: (take: (piece: Buffer) => Promise<void>) => Promise<void>;
  /** Instead of `pump`, when nobody wants them any more. */
  readonly cancel: () => void;
}

/** Up to here all of it is held at once. */
export const shortBytes = 128 * 1024;
const pieceBytes = 256 * 1024;

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

/** The next piece is read while the one before is on its way. */
export async function openPieces(path: string, start: number, length: number): Promise<Pieces> {
  const handle = await openHandle(path, 'r');
  const end = start + length;
  return {
    cancel: () => void handle.close().catch(() => undefined),
    async pump(take) {
      const memory = [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)] as const;
      const readAt = async (at: number, into: Buffer): Promise<Buffer> => {
        const wanted = Math.min(end - at, pieceBytes);
        if (wanted === 0) return into.subarray(0, 0);
        const { bytesRead } = await handle.read(into, 0, wanted, at);
        if (bytesRead === 0) throw cutShort(path);
        return into.subarray(0, bytesRead);
      };
      let reading = readAt(start, memory[0]);
      try {
        for (let at = start, turn = 1; at < end; turn = 1 - turn) {
          const piece = await reading;
          at += piece.length;
          reading = readAt(at, turn === 0 ? memory[0] : memory[1]);
          // Looked at in the next round, or below.
          reading.catch(() => undefined);
          await take(piece);
        }
      } finally {
        await reading.catch(() => undefined);
        await handle.close();
      }
    },
  };
}

/** Of bytes that come from elsewhere anyway. */
export async function openStream(stream: Readable, length: number): Promise<Opened> {
  if (length > shortBytes)
    return {
      cancel: () => void stream.destroy(),
      async pump(take) {
        for await (const piece of stream as AsyncIterable<Buffer>) await take(piece);
      },
    };
  const parts: Buffer[] = [];
  for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

const cutShort = (path: string): Error => new Error(`The file ${path} has fewer bytes than its row says`);
