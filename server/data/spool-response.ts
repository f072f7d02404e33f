// Runs a statement whose answer may be long. Its rows are put aside as Postgres hands them over, in memory while they are
// few and else in a file; the transaction ends, and then they are sent. So no connection, no lock and no time limit
// waits for a slow client, what a write changed stands before anything of it is answered, and an error is still an error.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareOwnerOf } from '../database/pool-share.ts';
import type { Caller, Database, RunOptions } from '../database/types.ts';
import { Page, withLength } from './page.ts';
import type { CallPlan, ReadPlan, WritePlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { ApiResponse, BodyStream, WriteChunk } from './respond/api-response.ts';
import { tooManyBytes, tooMuchUnread } from './respond/errors.ts';
import { respond } from './respond/respond.ts';

export interface LongResponse {
  readonly database: Database;
  readonly caller: Caller;
  readonly options: RunOptions;
  readonly plan: ReadPlan | WritePlan | CallPlan;
  readonly query: Query;
  readonly request: ApiRequest;
  readonly maxRows: number | null;
  /** What is read may weigh so much; 0: any size. What a write answers was sent to it, or is known to be wanted. */
  readonly maxBytes: number;
  /** How many rows the planner expects, once the statement has begun; null where nobody asked. */
  readonly estimate: () => number | null;
  /** As `respond` needs it. */
  readonly hides: () => boolean;
  /** How many bytes it was in the end. */
  readonly onLength?: (bytes: number) => void;
}

export async function spoolResponse(long: LongResponse): Promise<ApiResponse> {
  const { database, caller, options, plan, query, request, maxRows, maxBytes, estimate, hides } = long;
  const owner = shareOwnerOf(caller) || caller.role;
  spooled.check(owner);
  const spool = new Spool(owner);
  const page = new Page();
  const append = (chunk: Buffer): Promise<void> => spool.append(chunk);
  let head: ApiResponse | null = null;
  try {
    await database.streamAs(
      caller,
      query.statement,
      (row) => {
        if (head !== null) return page.line(row);
        if (maxBytes > 0 && Number(row[STREAM_LAYOUT.bytes]) > maxBytes) throw tooManyBytes(maxBytes);
        const outcome = { row, binaryBody: false, estimate: estimate() };
        const layout = { ...STREAM_LAYOUT, ...query.layout };
        head = withLength(
          respond(plan, outcome, { request, layout: plan.kind === 'write' ? layout : STREAM_LAYOUT, maxRows, hides }),
          row,
        );
      },
      options,
      () => page.flush(append),
    );
    if (head === null) throw new Error('A long answer had no first row');
    if ((head as ApiResponse).status === 416) {
      spool.cancel();
      return head;
    }
    page.end();
    await page.flush(append);
    long.onLength?.(spool.bytes);
    return { ...(head as ApiResponse), body: spool };
  } catch (error) {
    spool.cancel();
    throw error;
  }
}

/** So much is put aside in memory; what comes after it goes into a file. */
const HELD_BYTES = 256 * 1024;
const PIECE = 128 * 1024;
/** Of answers that wait to be read: those of one caller, and all. */
const MOST_OF_CALLER = 256 * 1024 * 1024;
const MOST_OF_ALL = 2048 * 1024 * 1024;

/** Bytes put aside, by whom they were asked for. */
class Spooled {
  readonly #of = new Map<string, number>();
  #all = 0;

  /** Another answer may be put aside beside those that wait already. */
  check(owner: string): void {
    if ((this.#of.get(owner) ?? 0) > MOST_OF_CALLER || this.#all > MOST_OF_ALL) throw tooMuchUnread();
  }

  add(owner: string, bytes: number): void {
    this.#of.set(owner, (this.#of.get(owner) ?? 0) + bytes);
    this.#all += bytes;
  }

  remove(owner: string, bytes: number): void {
    const own = (this.#of.get(owner) ?? 0) - bytes;
    if (own > 0) this.#of.set(owner, own);
    else this.#of.delete(owner);
    this.#all -= bytes;
  }
}

const spooled = new Spooled();

/** Bytes put aside. The file has no name any more where the system allows that, so that nothing can be left behind. */
class Spool implements BodyStream {
  readonly #owner: string;
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #file: FileHandle | null = null;
  #path = '';
  #written = 0;
  #counted = 0;

  constructor(owner: string) {
    this.#owner = owner;
  }

  get bytes(): number {
    return this.#heldBytes + this.#written;
  }

  async append(chunk: Buffer): Promise<void> {
    spooled.add(this.#owner, chunk.length);
    this.#counted += chunk.length;
    if (this.#file === null && this.#heldBytes + chunk.length <= HELD_BYTES) {
      this.#held.push(Buffer.from(chunk));
      this.#heldBytes += chunk.length;
      return;
    }
    this.#file ??= await this.#open();
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, at, chunk.length - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }

  async #open(): Promise<FileHandle> {
    this.#path = join(tmpdir(), `kanbase-answer-${randomBytes(9).toString('hex')}`);
    const file = await open(this.#path, 'wx+', 0o600);
    if (process.platform !== 'win32') await rm(this.#path, { force: true });
    return file;
  }

  async pump(write: WriteChunk): Promise<void> {
    try {
      for (let chunk = this.#held.shift(); chunk !== undefined; chunk = this.#held.shift()) await write(chunk);
      if (this.#file === null) return;
      const piece = Buffer.allocUnsafeSlow(PIECE);
      for (let at = 0; at < this.#written; ) {
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
    this.#held.length = 0;
    spooled.remove(this.#owner, this.#counted);
    this.#counted = 0;
    await this.#file?.close().catch(() => undefined);
    if (this.#file !== null && process.platform === 'win32')
      await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
