// A part of a file as pages of the system's cache, handed to the connection by sendfile(2) on another thread. One thing is under way at a time:
// the head, a call, a read, or a write.
//
// - The call goes to a descriptor of our own for the connection. The number that Node has may be closed while the call runs, and at once be
//   another connection's; ours is closed here alone, when no call runs. Until then the connection is still there, and takes nothing or what is its own.
// - The call never waits. When the connection takes no more, the next bytes go as an ordinary write: it is done when the receiver has made room,
//   and a receiver that is gone or closed is noticed there as ever.
// - Where it does not work at all (encryption, a file system without it), the rest goes the usual way.

import { close, read } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Sendfile } from '../store/load-sendfile.ts';
import { cutShort, type FilePart, type Taken } from '../store/opened-file.ts';

/** More than a connection takes at once, in most cases. */
const callBytes = 4 * 1024 * 1024;
/** What is written while the connection is full. */
const pieceBytes = 256 * 1024;
/** After so many calls in a row that sent nothing it is taken for something that does not work here. */
const mostInVain = 8;

/** Resolves with how many bytes of the part went, which may be fewer than there are; rejects when bytes are missing or nobody takes them. Leaves the file open. */
export function sendPages(
  response: ServerResponse,
  part: FilePart,
  sendfile: Sendfile,
  take: (piece: Buffer, taken: Taken) => void,
): Promise<number> {
  const { path, file, start, length } = part;
  return new Promise((resolve, reject) => {
    let [sent, inVain] = [0, 0];
    let connection = -1;
    let piece: Buffer | null = null;

    const end = (error?: Error): void => {
      if (connection >= 0) close(connection, () => undefined);
      // A number that was closed is somebody else's.
      connection = -1;
      if (error === undefined) resolve(sent);
      else reject(error);
    };
    const call = (): void => {
      const count = Math.min(length - sent, callBytes);
      if (response.destroyed) end(new Error('The client hung up'));
      else if (count === 0) end();
      else callFor(count);
    };
    const callFor = (count: number): void => {
      try {
        sendfile.send(connection, file, start + sent, count, (taken) => {
          if (taken === 0) return end(cutShort(path));
          if (taken > 0) sent += taken;
          inVain = taken > 0 ? 0 : inVain + 1;
          if (inVain === mostInVain) end();
          else if (taken === count || sent === length) call();
          else writePiece();
        });
      } catch {
        // Too many calls wait for a thread.
        end();
      }
    };
    const writePiece = (): void => {
      piece ??= Buffer.allocUnsafeSlow(pieceBytes);
      read(file, piece, 0, Math.min(length - sent, pieceBytes), start + sent, (error, count) => {
        if (error !== null || count === 0) return end(error ?? cutShort(path));
        take((piece as Buffer).subarray(0, count), (failed) => {
          if (failed) return end(failed);
          sent += count;
          call();
        });
      });
    };
    // The head first: it is through, and the connection is this response's, when the write is done.
    take(Buffer.alloc(0), (error) => {
      if (error) return end(error);
      // Nothing else runs between reading the number and having one of our own.
      const number = descriptorOf(response.socket);
      if (number >= 0) connection = sendfile.duplicate(number);
      if (connection < 0) end();
      else call();
    });
  });
}

/** Of a plain connection to which everything so far has gone; else negative. */
function descriptorOf(socket: Socket | null): number {
  if (socket === null || Object.getPrototypeOf(socket) !== Socket.prototype || socket.writableLength > 0) return -1;
  const { _handle: handle } = socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null };
  return typeof handle?.fd === 'number' ? handle.fd : -1;
}
