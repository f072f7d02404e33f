// The database with a span around each statement and each transaction that a traced request asks for. Background jobs are not traced.

import type * as Api from '@opentelemetry/api';
import type { Span, Tracer } from '@opentelemetry/api';
import { type Database, PostgresError, type Statement, type Transaction } from '../database/types.ts';

const longestText = 2000;

export function traceDatabase(database: Database, api: typeof Api, tracer: Tracer): Database {
  async function within<T>(name: string, text: string | null, work: () => Promise<T>): Promise<T> {
    if (api.trace.getActiveSpan() === undefined) return work();
    return tracer.startActiveSpan(
      name,
      { kind: api.SpanKind.CLIENT, attributes: describeStatement(text) },
      async (span) => {
        try {
          return await work();
        } catch (error) {
          noteFailure(span, error);
          throw error;
        } finally {
          span.end();
        }
      },
    );
  }

  function noteFailure(span: Span, error: unknown): void {
    span.setStatus({ code: api.SpanStatusCode.ERROR });
    // The message may tell values.
    if (error instanceof PostgresError) span.setAttribute('db.response.status_code', error.sqlstate);
    span.setAttribute('error.type', error instanceof PostgresError ? error.sqlstate : String((error as Error).name));
  }

  const statement = <T>(one: Statement, work: () => Promise<T>): Promise<T> =>
    within(operationOf(one.text), one.text, work);

  const traced = (transaction: Transaction): Transaction => ({
    run: (one) => statement(one, () => transaction.run(one)),
    objects: (one) => statement(one, () => transaction.objects(one)),
  });

  return {
    ...database,
    runAs: (caller, one, options) => statement(one, () => database.runAs(caller, one, options)),
    objectsAs: (caller, one, options) => statement(one, () => database.objectsAs(caller, one, options)),
    transactAs: (caller, work, options) =>
      within('transaction', null, () => database.transactAs(caller, (one) => work(traced(one)), options)),
    streamAs: (caller, one, onRow, options, onPage) =>
      statement(one, () => database.streamAs(caller, one, onRow, options, onPage)),
  };
}

export const describeStatement = (text: string | null): Record<string, string> => ({
  'db.system.name': 'postgresql',
  ...(text === null ? {} : { 'db.query.text': text.slice(0, longestText) }),
});

/** `SELECT`, `INSERT`, …: the first word. */
export const operationOf = (text: string): string => /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';
