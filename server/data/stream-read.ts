// Runs a long read: the answer's head is ready when the first row is, its body follows as the client takes it.

import type { Caller, Database, RunOptions } from '../database/types.ts';
import type { CallPlan, ReadPlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { Answer, WriteChunk } from './respond/answer.ts';
import { respond } from './respond/respond.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');

interface Stream {
  readonly database: Database;
  readonly caller: Caller;
  readonly options: RunOptions;
  readonly plan: ReadPlan | CallPlan;
  readonly query: Query;
  readonly request: ApiRequest;
  readonly maxRows: number | null;
  readonly estimate: number | null;
}

class Cancelled extends Error {}

/** One buffer for all pages of an answer: it is filled again only when the socket has taken it. */
class Page {
  #bytes = Buffer.allocUnsafeSlow(640 * 1024);
  #filled = 0;

  add(part: Buffer): void {
    const end = this.#filled + part.length;
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(end * 2);
      this.#bytes.copy(grown, 0, 0, this.#filled);
      this.#bytes = grown;
    }
    part.copy(this.#bytes, this.#filled);
    this.#filled = end;
  }

  async flush(write: WriteChunk): Promise<void> {
    const full = this.#bytes.subarray(0, this.#filled);
    this.#filled = 0;
    if (full.length > 0) await write(full);
  }
}

export async function streamRead(stream: Stream): Promise<Answer> {
  const { database, caller, options, plan, query, request, maxRows, estimate } = stream;
  const page = new Page();
  let head: Answer | null = null;
  let rows = 0;
  let reader = (_write: WriteChunk | null): void => undefined;
  const reading = new Promise<WriteChunk | null>((resolve) => {
    reader = resolve;
  });
  /** Waits for whoever reads the body; null: nobody will. */
  const toReader = async (): Promise<void> => {
    const write = await reading;
    if (write === null) throw new Cancelled();
    await page.flush(write);
  };

  return new Promise((resolve, reject) => {
    const done = database
      .streamAs(
        caller,
        query.statement,
        (row) => {
          rows += 1;
          if (rows === 1) {
            const outcome = { row, binaryBody: false, estimate };
            head = withLength(respond(plan, outcome, { request, layout: STREAM_LAYOUT, maxRows }), row);
            page.add(OPEN);
            return;
          }
          if (rows > 2) page.add(COMMA);
          page.add(row[0] ?? CLOSE);
        },
        options,
        async () => {
          if (head === null) throw new Error('A long read answered nothing');
          if (head.status === 416) {
            resolve(head);
            throw new Cancelled();
          }
          resolve({ ...head, body: { pump, cancel: () => reader(null) } });
          await toReader();
        },
      )
      .then(() => {
        page.add(CLOSE);
        return toReader();
      });
    const pump = (write: WriteChunk): Promise<void> => {
      reader(write);
      return done;
    };
    done.catch(reject);
  });
}

/** The head of the answer, with the length that all rows have together. */
function withLength(answer: Answer, row: ReadonlyArray<Buffer | null>): Answer {
  if (answer.status === 416) return answer;
  const commas = Math.max(0, Number(row[STREAM_LAYOUT.rows]) - 1);
  answer.headers[answer.headers.indexOf('Content-Length') + 1] = String(2 + Number(row[STREAM_LAYOUT.bytes]) + commas);
  return answer;
}
