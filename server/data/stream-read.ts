// Runs a long read: the answer's head is ready when the first row is, its body follows as the client takes it.

import type { Caller, Database, RunOptions } from '../database/types.ts';
import type { CallPlan, ReadPlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { Answer, WriteChunk } from './respond/answer.ts';
import { respond } from './respond/respond.ts';

const CHUNK_BYTES = 128 * 1024;
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

export function streamRead({
  database,
  caller,
  options,
  plan,
  query,
  request,
  maxRows,
  estimate,
}: Stream): Promise<Answer> {
  return new Promise((resolveAnswer, rejectAnswer) => {
    let write: WriteChunk | null = null;
    let opened = (): void => undefined;
    let cancelled = false;
    let count = 0;
    // One buffer for all chunks: it is filled again only when the socket has taken it.
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let filled = 0;
    const opening = new Promise<void>((resolve) => {
      opened = resolve;
    });

    const flush = async (): Promise<void> => {
      const full = chunk.subarray(0, filled);
      filled = 0;
      await write?.(full);
    };
    const add = (part: Buffer): void => {
      filled += part.copy(chunk, filled);
    };
    /** A row that does not fit goes out by itself, after what came before it. */
    const addRow = async (row: Buffer): Promise<void> => {
      await flush();
      if (row.length < CHUNK_BYTES) add(row);
      else await write?.(row);
    };

    const head = async (row: ReadonlyArray<Buffer | null>): Promise<void> => {
      const answer = respond(plan, { row, binaryBody: false, estimate }, { request, layout: STREAM_LAYOUT, maxRows });
      if (answer.status === 416) {
        resolveAnswer(answer);
        throw new Cancelled();
      }
      const length = 2 + Number(row[STREAM_LAYOUT.bytes]) + Math.max(0, Number(row[STREAM_LAYOUT.rows]) - 1);
      const at = answer.headers.indexOf('Content-Length');
      answer.headers[at + 1] = String(length);
      resolveAnswer({
        ...answer,
        body: {
          pump: (next) => {
            write = next;
            opened();
            return done;
          },
          cancel: () => {
            cancelled = true;
            opened();
          },
        },
      });
      add(OPEN);
      await opening;
      if (cancelled) throw new Cancelled();
    };

    const done = database
      .streamAs(
        caller,
        query.statement,
        (row) => {
          if (cancelled) throw new Cancelled();
          if (count++ === 0) return head(row);
          const line = row[0] ?? CLOSE;
          if (count > 2) add(COMMA);
          // One byte is kept for the comma or the bracket after it.
          if (filled + line.length >= CHUNK_BYTES) return addRow(line);
          add(line);
          return undefined;
        },
        options,
      )
      .then(() => {
        add(CLOSE);
        return flush();
      });
    done.catch((error: unknown) => rejectAnswer(error));
  });
}
