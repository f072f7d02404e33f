// Writes of sessions of agents: done at once, or in mode propose tried in a transaction that is rolled back, and stored with exactly what they would
// change for a person to accept (sql/rules/agents/proposals.sql). The transaction of a trial holds a row that keeps it from being committed.

import {
  type Caller,
  type Database,
  PostgresError,
  type Result,
  type RunOptions,
  type Statement,
} from '../database/types.ts';
import { contentTypeOf, type RawRequest } from './request/read-request.ts';
import type { ApiResponse } from './respond/api-response.ts';

interface Write {
  readonly database: Pick<Database, 'objectsAs' | 'runAs' | 'transactAs'>;
  readonly caller: Proposing;
  readonly options: RunOptions;
  readonly raw: RawRequest;
  readonly statement: Statement;
  readonly respondWith: (result: Result) => ApiResponse;
}

/** What a transaction was begun for, thrown so that nothing of it is kept. */
class Tried extends Error {
  constructor(
    readonly result: Result,
    readonly difference: string | null,
    readonly isToNote: boolean,
  ) {
    super('Tried');
  }
}

const service: Caller = { role: 'service_role', claims: '{"role":"service_role"}' };

type Proposing = Caller & Required<Pick<Caller, 'entering'>>;

/** The session is in mode propose, and the write was not begun. */
export const isProposed = (error: unknown, caller: Caller): caller is Proposing =>
  error instanceof PostgresError && error.sqlstate === 'KB025' && caller.entering !== undefined;

export async function proposeChange({
  database,
  caller,
  options,
  raw,
  statement,
  respondWith,
}: Write): Promise<ApiResponse> {
  const { entering } = caller;
  const { result, difference } = await tryChange(
    database,
    { ...caller, entering: { ...entering, toWrite: entering.toPropose } },
    { options, statement },
  );
  const response = respondWith(result);
  if (difference === null || options.rollback === true || response.status >= 300) return response;
  const { beforeWrites: _fence, ...storing } = { ...caller, entering: { ...entering, toWrite: entering.toStore } };
  const [stored] = await database.objectsAs<{ id: string }>(storing, {
    text: 'select private.store_proposal($1, $2) as id',
    values: [JSON.stringify(callOf(raw)), difference],
  });
  return { ...response, status: 202, headers: [...response.headers, 'Proposal', stored?.id ?? ''] };
}

async function tryChange(
  database: Write['database'],
  caller: Caller,
  { options, statement }: Pick<Write, 'options' | 'statement'>,
): Promise<Tried> {
  const { leaving } = caller;
  try {
    return await database.transactAs<never>(
      caller,
      async (transaction) => {
        const result = await transaction.run(statement);
        const [found] = await transaction.objects<{ difference: string | null }>({
          text: 'select private.difference_in_trial()::text as difference',
          values: [],
        });
        const asked = leaving === undefined ? undefined : await transaction.run(leaving.ask);
        throw new Tried(result, found?.difference ?? null, asked?.rows[0]?.[0]?.toString() === 't');
      },
      { ...options, begins: false },
    );
  } catch (error) {
    if (!(error instanceof Tried)) throw error;
    if (error.isToNote && leaving !== undefined) await database.runAs(service, leaving.note);
    return error;
  }
}

function callOf(raw: RawRequest): Readonly<Record<string, unknown>> {
  const text = raw.body.toString();
  const path = raw.query === '' ? raw.path : `${raw.path}?${raw.query}`;
  return {
    method: raw.method,
    path,
    body: contentTypeOf(raw).kind === 'json' && text !== '' ? JSON.parse(text) : text,
  };
}
