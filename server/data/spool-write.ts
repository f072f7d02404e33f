// A write that answers more than is held in memory. What it changed must stand before anything is told, and no lock may
// wait for a slow client: so its rows go to a file as Postgres hands them over, the transaction ends, and then the
// file is sent.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Page, withLength } from './page.ts';
import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { Answer, BodyStream, WriteChunk } from './respond/answer.ts';
import { respond } from './respond/respond.ts';
import type { Stream } from './stream-read.ts';

const PIECE = 256 * 1024;

export async function spoolWrite(stream: Stream): Promise<Answer> {
  const { database, caller, options, plan, query, request, maxRows } = stream;
  const spool = await Spool.open();
  const page = new Page();
  const append = (chunk: Buffer): Promise<void> => spool.append(chunk);
  let head: Answer | null = null;
  try {
    await database.streamAs(
      caller,
      query.statement,
      (row) => {
        if (head !== null) return page.line(row);
        const outcome = { row, binaryBody: false, estimate: null };
        head = withLength(
          respond(plan, outcome, { request, layout: { ...STREAM_LAYOUT, ...query.layout }, maxRows }),
          row,
        );
      },
      options,
      () => page.flush(append),
    );
    if (head === null) throw new Error('A long write answered nothing');
    page.end();
    await page.flush(append);
    return { ...(head as Answer), body: spool };
  } catch (error) {
    spool.cancel();
    throw error;
  }
}

/** A file that has no name any more where the system allows that, so that nothing can be left behind. */
class Spool implements BodyStream {
  readonly #file: FileHandle;
  readonly #path: string;
  #size = 0;

  static async open(): Promise<Spool> {
    const path = join(tmpdir(), `kanbase-answer-${randomBytes(9).toString('hex')}`);
    const file = await open(path, 'wx+', 0o600);
    if (process.platform !== 'win32') await rm(path, { force: true });
    return new Spool(file, path);
  }

  private constructor(file: FileHandle, path: string) {
    this.#file = file;
    this.#path = path;
  }

  async append(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, at, chunk.length - at, this.#size);
      at += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  async pump(write: WriteChunk): Promise<void> {
    const piece = Buffer.allocUnsafeSlow(PIECE);
    try {
      for (let at = 0; at < this.#size; ) {
        const { bytesRead } = await this.#file.read(piece, 0, PIECE, at);
        if (bytesRead === 0) throw new Error('The file of an answer ended early');
        at += bytesRead;
        await write(piece.subarray(0, bytesRead));
      }
    } finally {
      await this.#close();
    }
  }

  cancel(): void {
    void this.#close();
  }

  async #close(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    if (process.platform === 'win32') await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
