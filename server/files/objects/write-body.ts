// The body of a download onto its connection: long ones as pages of the system's cache where that can be, else piece by piece.

import type { ServerResponse } from 'node:http';
import type { Sendfile } from '../store/load-sendfile.ts';
import type { Pieces, Taken } from '../store/opened-file.ts';
import { sendPages } from './send-pages.ts';

/** Below it the calls cost as much as the copies. */
const longBytes = 1024 * 1024;

/** Rejects when bytes are missing or nobody takes them; the file is closed either way. */
export async function writeBody(
  response: ServerResponse,
  body: Pieces,
  sendfile: () => Promise<Sendfile | null>,
): Promise<void> {
  const take = writerTo(response);
  const { part } = body;
  let from = 0;
  if (part !== undefined && part.length >= longBytes) {
    try {
      const pages = await sendfile();
      if (pages !== null) from = await sendPages(response, part, pages, take);
    } catch (error) {
      body.cancel();
      throw error;
    }
  }
  await body.pump(take, from);
}

/** A write to a response that is closed meanwhile is dropped without a word: whoever waits for it is told here. */
function writerTo(response: ServerResponse): (piece: Buffer, taken: Taken) => void {
  let waiting: Taken | null = null;
  response.once('close', () => waiting?.(new Error('The client hung up')));
  return (piece, taken) => {
    waiting = (error) => {
      waiting = null;
      taken(error);
    };
    if (response.destroyed) waiting(new Error('The client hung up'));
    else response.write(piece, (error) => waiting?.(error));
  };
}
