// A request that failed, in words: what was found wrong, with hints that name only what the caller may see.

import { type Caller, PostgresError } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import { httpError } from '../http/errors.ts';
import { SessionFault } from '../session/types.ts';
import { type Catalog, findTable } from './catalog/catalog.ts';
import { type Door, NOBODY } from './door.ts';
import { DataError } from './errors.ts';
import { grantHint } from './grant-hint.ts';
import { planRequest } from './plan/plan-request.ts';
import { SuggestingError } from './plan/suggest.ts';
import { NOT_ONE } from './query/write-query.ts';
import { type RawRequest, readRequest, readSchema } from './request/read-request.ts';
import type { ApiResponse } from './respond/api-response.ts';
import { respondToError } from './respond/errors.ts';

/** Postgres suggests columns by likeness alone; one that the caller may not read is not named. */
async function withoutSecrets(
  error: PostgresError,
  raw: RawRequest,
  door: Door,
  catalog: Catalog,
  caller: Caller,
): Promise<PostgresError> {
  if (error.sqlstate !== '42703' || error.hint === null) return error;
  const named = [...error.hint.matchAll(/"([^".]+)\.([^"]+)"/g)];
  const [schema] = readSchema(raw, door.settings.schemas);
  const visible = await door.visible.of(caller.role, catalog);
  const readable = named.every(([, rows = '', column = '']) => {
    // Embedded, `tasks` goes by `tasks_1`; where both are tables, both must be open.
    const tables = [rows, rows.replace(/_\d+$/, '')].flatMap((name) => findTable(catalog, schema, name) ?? []);
    return tables.length > 0 && tables.every((table) => visible.mayRead(table, column));
  });
  if (named.length > 0 && readable) return error;
  return new PostgresError(error.sqlstate, error.message, error.detail, null, error.fields);
}

async function reworded(
  error: PostgresError,
  raw: RawRequest,
  door: Door,
  catalog: Catalog,
  caller: Caller,
): Promise<PostgresError> {
  if (error.sqlstate === '42501' && error.hint === null && error.fields.routine?.startsWith('aclcheck_error')) {
    const plan = planRequest(readRequest(raw, door.settings), catalog, door.settings);
    const hint = await grantHint(plan, error.message, door.database, caller).catch(() => null);
    return new PostgresError(error.sqlstate, error.message, error.detail, hint, error.fields);
  }
  return withoutSecrets(error, raw, door, catalog, caller);
}

export async function answerError(
  error: unknown,
  raw: RawRequest,
  door: Door,
  catalog: Catalog | null,
  caller: Caller | null,
): Promise<ApiResponse> {
  const response = { ...(await putIntoWords(error, raw, door, catalog, caller)), cause: error };
  return hidesRows(caller) && isOfRows(error) ? { ...response, isTimed: true } : response;
}

/** Policies keep nothing from the service. */
export const hidesRows = (caller: Caller | null): boolean => caller?.role !== 'service_role';

/**
 * Rows decided: not the one row that was asked for, no right to it, none that a key leads to, or a procedure says that it is not there. What is
 * wrong with a request by itself tells of no row.
 */
const isOfRows = (error: unknown): boolean =>
  error instanceof PostgresError
    ? error.sqlstate === NOT_ONE || /^(42501|23503|PT4)/.test(error.sqlstate)
    : error instanceof DataError && error.code === 'PGRST116';

async function putIntoWords(
  error: unknown,
  raw: RawRequest,
  door: Door,
  catalog: Catalog | null,
  caller: Caller | null,
): Promise<ApiResponse> {
  const anonymous = caller === null || caller.role === NOBODY.role;
  const { verboseErrors: verbose } = door.settings;
  if (error instanceof SuggestingError && catalog !== null && caller !== null) {
    const { hint, details, message } = error.suggest(catalog, await door.visible.of(caller.role, catalog));
    const words = { message: message ?? error.message, details: error.details, hint };
    return respondToError(new DataError(error.code, words, details ?? error.structuredDetails), anonymous, verbose);
  }
  if (error instanceof PostgresError && catalog !== null && caller !== null)
    return respondToError(await reworded(error, raw, door, catalog, caller), anonymous, verbose);
  if (error instanceof PostgresError || error instanceof CatalogError || error instanceof SessionFault)
    return respondToError(error, anonymous, verbose);
  throw error;
}

/** What got past every stage. Only a request's id is told of what nobody foresaw; the caller of this has it in the log. */
export function answerUnforeseen(
  error: unknown,
  id: string,
  verbose: boolean,
): { readonly response: ApiResponse; readonly isKnown: boolean } {
  const isKnown = error instanceof Error && 'code' in error && 'status' in error && 'details' in error;
  const shown = isKnown
    ? (error as CatalogError)
    : httpError('KB500', 'Something went wrong on our side', { hint: `Look for request ${id} in the log.` });
  return { response: respondToError(shown, true, verbose), isKnown };
}
