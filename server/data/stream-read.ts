// Runs a long read: the answer's head is ready when the first row is, its body follows as the client takes it.

import type { Caller, Database, RunOptions } from '../database/types.ts';
import { Page, withLength } from './page.ts';
import type { CallPlan, ReadPlan, WritePlan } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { STREAM_LAYOUT } from './query/write-stream.ts';
import type { ApiRequest } from './request/api-request.ts';
import type { Answer, WriteChunk } from './respond/answer.ts';
import { respond } from './respond/respond.ts';

export interface Stream {
  readonly database: Database;
  readonly caller: Caller;
  readonly options: RunOptions;
  readonly plan: ReadPlan | WritePlan | CallPlan;
  readonly query: Query;
  readonly request: ApiRequest;
  readonly maxRows: number | null;
  readonly estimate: number | null;
}

class Cancelled extends Error {}

export async function streamRead(stream: Stream): Promise<Answer> {
  const { database, caller, options, plan, query, request, maxRows, estimate } = stream;
  const page = new Page();
  let head: Answer | null = null;
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
          if (head !== null) return page.line(row);
          const outcome = { row, binaryBody: false, estimate };
          head = withLength(respond(plan, outcome, { request, layout: STREAM_LAYOUT, maxRows }), row);
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
        page.end();
        return toReader();
      });
    const pump = (write: WriteChunk): Promise<void> => {
      reader(write);
      return done;
    };
    done.catch(reject);
  });
}
