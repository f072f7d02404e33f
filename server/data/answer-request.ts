// A request, from the first byte to the last, in one function:
//
//     readRequest → planRequest → writeQuery → runAs(caller) → respond
//
// Every stage but `run` is pure. Errors belong to the stage that finds them and are put into words at the end.

import {
  type Caller,
  type Database,
  PostgresError,
  type Result,
  type RunOptions,
  type Statement,
} from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import { SessionFault, type Sessions } from '../session/types.ts';
import { type Catalog, findTable, type TransactionSettings } from './catalog/catalog.ts';
import type { VisibleToRoles } from './catalog/visible.ts';
import type { CatalogWatch } from './catalog/watch-catalog.ts';
import { DataError } from './errors.ts';
import type { CallPlan, ReadPlan, WritePlan } from './plan/plan.ts';
import { type PlanSettings, planRequest } from './plan/plan-request.ts';
import { SuggestingError } from './plan/suggest.ts';
import type { Query } from './query/query.ts';
import { writeQuery } from './query/write-query.ts';
import type { ApiRequest } from './request/api-request.ts';
import { isTooDeep, tooDeep } from './request/parse-payload.ts';
import { header, type RawRequest, type ReadSettings, readRequest, readSchema } from './request/read-request.ts';
import { requestSettings } from './request-settings.ts';
import type { Answer } from './respond/answer.ts';
import { Clock } from './respond/clock.ts';
import { isTooLarge, respondToError } from './respond/errors.ts';
import { type Outcome, respond, respondToInfo, respondWithPlan } from './respond/respond.ts';
import { spoolWrite } from './spool-write.ts';
import { streamRead } from './stream-read.ts';

export interface DoorSettings extends ReadSettings, PlanSettings {
  /** `search_path` for each exposed schema. */
  readonly searchPaths: ReadonlyMap<string, string>;
  /** Requests without any key are let in as `anon`. */
  readonly anonymous: boolean;
  /** Answers carry Server-Timing. */
  readonly serverTiming: boolean;
  /** Runs before every request: `select "schema"."function"()`. */
  readonly preRequest: Statement | null;
}

export interface Door {
  readonly settings: DoorSettings;
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'fromHeaders' | 'verify'>;
  readonly catalog: CatalogWatch;
  readonly visible: VisibleToRoles;
  /** The document at the root, for what a caller may see. */
  readonly describe: (catalog: Catalog, caller: Caller, request: ApiRequest, headersOnly: boolean) => Promise<Answer>;
}

const NOBODY: Caller = { role: 'anon', claims: '{"role":"anon"}' };

export async function answerRequest(raw: RawRequest, door: Door): Promise<Answer> {
  let caller: Caller | null = null;
  let catalog: Catalog | null = null;
  const clock = door.settings.serverTiming ? new Clock() : null;
  try {
    caller = await readCaller(raw, door);
    clock?.mark('jwt');
    catalog = door.catalog.current();
    if (catalog === null) throw notReady();
    return await answer(raw, door, catalog, caller, clock);
  } catch (error) {
    // The database may have changed since the catalog was read: if so, the request is worth another try.
    if (
      catalog !== null &&
      caller !== null &&
      missesSomething(error) &&
      (await door.catalog.hasChangedSince(catalog))
    ) {
      const fresh = door.catalog.current();
      if (fresh !== null) return answerWith(raw, door, fresh, caller);
    }
    return answerError(error, raw, door, catalog, caller);
  }
}

async function answerWith(raw: RawRequest, door: Door, catalog: Catalog, caller: Caller): Promise<Answer> {
  try {
    return await answer(raw, door, catalog, caller, null);
  } catch (error) {
    return answerError(error, raw, door, catalog, caller);
  }
}

async function answer(
  raw: RawRequest,
  door: Door,
  catalog: Catalog,
  caller: Caller,
  clock: Clock | null,
): Promise<Answer> {
  const { settings } = door;
  const { maxRows } = settings;
  const request = readRequest(raw, settings);
  clock?.mark('parse');
  const plan = planRequest(request, catalog, settings);
  if (plan.kind === 'info') return timed(respondToInfo(plan.allow), clock);
  if (plan.kind === 'inspect') {
    clock?.mark('plan');
    const described = await door.describe(catalog, caller, request, plan.headersOnly);
    clock?.mark('transaction');
    return timed(described, clock);
  }
  const query = writeQuery(plan, { catalog, preferences: request.preferences, range: request.range, maxRows });
  clock?.mark('plan');
  const options = runOptions(raw, request, plan, query, settings, catalog.roleSettings.get(caller.role));
  if (query.streams === true && plan.kind !== 'write') {
    const estimate = await planned(door.database, caller, query, options);
    return streamRead({ database: door.database, caller, options, plan, query, request, maxRows, estimate });
  }
  let result: Result;
  let estimate: number | null;
  try {
    [result, estimate] = await Promise.all([
      door.database.runAs(caller, query.statement, options),
      planned(door.database, caller, query, options),
    ]);
  } catch (error) {
    if (query.whenLarge === undefined || !isTooLarge(error)) throw error;
    const large = query.whenLarge();
    return spoolWrite({
      database: door.database,
      caller,
      options,
      plan,
      query: large,
      request,
      maxRows,
      estimate: null,
    });
  }
  clock?.mark('transaction');
  const reply = query.explains
    ? respondWithPlan(plan, result.rows, request)
    : respond(plan, outcomeOf(result, query, estimate), { request, layout: query.layout, maxRows });
  return timed(result.release === undefined ? reply : { ...reply, release: result.release }, clock);
}

function timed(reply: Answer, clock: Clock | null): Answer {
  if (clock !== null) reply.headers.push('Server-Timing', clock.read('response'));
  return reply;
}

function outcomeOf(result: Result, query: Query, estimate: number | null): Outcome {
  const binaryBody = result.fields[query.layout.body]?.type === BYTEA;
  return { row: result.rows[0] ?? [], binaryBody, estimate };
}

const BYTEA = 17;

/** How many rows the planner expects, where that was asked. */
async function planned(database: Database, caller: Caller, query: Query, options: RunOptions): Promise<number | null> {
  if (query.estimate === undefined) return null;
  const { rows } = await database.runAs(caller, query.estimate, options);
  const plans = JSON.parse(rows[0]?.[0]?.toString() ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
  return plans[0]?.Plan?.['Plan Rows'] ?? null;
}

function runOptions(
  raw: RawRequest,
  request: ApiRequest,
  plan: ReadPlan | WritePlan | CallPlan,
  query: Query,
  settings: DoorSettings,
  role: TransactionSettings | undefined,
): RunOptions {
  // What a function wants counts for more than what its caller's role does.
  const routine = plan.kind === 'call' ? plan.routine.settings : undefined;
  const isolation = routine?.isolation ?? role?.isolation ?? null;
  const timeoutMs = routine?.timeoutMs ?? role?.timeoutMs ?? null;
  return {
    readOnly: query.readOnly,
    settings: requestSettings(raw, request, settings.searchPaths, role, routine),
    ...(settings.preRequest !== null && { before: [settings.preRequest] }),
    ...(request.preferences.transaction === 'rollback' && { rollback: true }),
    ...(isolation !== null && { isolation }),
    ...(timeoutMs !== null && { timeoutMs }),
  };
}

function readCaller(raw: RawRequest, { sessions, settings }: Door): Caller | Promise<Caller> {
  const apikey = header(raw, 'apikey');
  const authorization = header(raw, 'authorization');
  const alone = settings.anonymous && apikey === undefined;
  const token = alone ? bearer(authorization) : null;
  if (alone && token === null) return NOBODY;
  const session = token === null ? sessions.fromHeaders({ apikey, authorization }) : sessions.verify(token);
  return session instanceof Promise ? session.then(({ caller }) => caller) : session.caller;
}

/** Where no key is asked for, a token alone is enough, as with PostgREST itself; other schemes are not ours to read. */
function bearer(authorization: string | undefined): string | null {
  const match = authorization === undefined ? null : /^bearer(?:\s+(.*))?$/i.exec(authorization);
  return match === null ? null : (match[1] ?? '');
}

const notReady = (): DataError =>
  new DataError('PGRST002', {
    message: 'Could not query the database for the schema cache. Retrying.',
    headers: { 'Retry-After': '1' },
  });

/** Errors that a table, column, function or key made a moment ago would explain. */
function missesSomething(error: unknown): boolean {
  if (error instanceof PostgresError) return /^(42P01|42703|42883|42704|42P10|0A000)$/.test(error.sqlstate);
  return error instanceof DataError && /^PGRST(108|120|20[0-5])$/.test(error.code);
}

/** Postgres suggests columns by likeness alone; one that the caller may not read is not named. */
async function withoutSecrets(
  error: PostgresError,
  raw: RawRequest,
  door: Door,
  catalog: Catalog,
  caller: Caller,
): Promise<PostgresError> {
  if (error.sqlstate !== '42703' || error.hint === null) return error;
  const named = [...error.hint.matchAll(/"([^"]+)\.([^"]+)"/g)];
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

async function answerError(
  error: unknown,
  raw: RawRequest,
  door: Door,
  catalog: Catalog | null,
  caller: Caller | null,
): Promise<Answer> {
  const anonymous = caller === null || caller.role === NOBODY.role;
  if (error instanceof PostgresError && error.sqlstate === '54001' && isTooDeep(raw.body))
    return respondToError(tooDeep(), anonymous);
  if (error instanceof SuggestingError && catalog !== null && caller !== null) {
    const { hint, details, message } = error.suggest(catalog, await door.visible.of(caller.role, catalog));
    const words = { message: message ?? error.message, details: error.details, hint };
    return respondToError(new DataError(error.code, words, details ?? error.structuredDetails), anonymous);
  }
  if (error instanceof PostgresError && catalog !== null && caller !== null)
    return respondToError(await withoutSecrets(error, raw, door, catalog, caller), anonymous);
  if (error instanceof PostgresError || error instanceof CatalogError || error instanceof SessionFault)
    return respondToError(error, anonymous);
  throw error;
}
