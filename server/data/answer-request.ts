// A request, from the first byte to the last, in one function:
//
//     readRequest → planRequest → writeQuery → runAs(caller) → respond
//
// The first three find what was asked before ready (plan-cache.ts). Every stage but `run` is pure. Errors belong to the stage that finds them and are put into words at the end.

import { payerOf, shareOwnerOf } from '../database/pool-share.ts';
import { type Caller, PostgresError, type Result, type RunOptions } from '../database/types.ts';
import { inSession } from '../session/agent-session.ts';
import { checkResource } from '../session/check-resource.ts';
import { underClaim } from '../session/claim-fence.ts';
import type { Credentials } from '../session/read-credentials.ts';
import type { Session } from '../session/types.ts';
import { answerError, hidesRows } from './answer-error.ts';
import type { Catalog, TransactionSettings } from './catalog/catalog.ts';
import { type Door, type DoorSettings, NOBODY } from './door.ts';
import { DataError } from './errors.ts';
import { asksByKey } from './plan/by-key.ts';
import type { CallPlan, ReadPlan, WritePlan } from './plan/plan.ts';
import { planRequest } from './plan/plan-request.ts';
import { planKeyOf } from './plan-cache.ts';
import { isProposed, proposeChange } from './propose-change.ts';
import { type Query, streamedFrom } from './query/query.ts';
import { writeQuery } from './query/write-query.ts';
import type { ApiRequest } from './request/api-request.ts';
import { readLong } from './request/parse-payload.ts';
import { contentTypeOf, type RawRequest, type RequestHead, readRequest } from './request/read-request.ts';
import { requestSettings } from './request-settings.ts';
import type { ApiResponse } from './respond/api-response.ts';
import { Clock } from './respond/clock.ts';
import { isTooLarge } from './respond/errors.ts';
import { type Outcome, respond, respondToInfo, respondWithPlan } from './respond/respond.ts';
import { spoolResponse } from './spool-response.ts';

const NO_BODY = Buffer.alloc(0);
/** They name the claim themselves, or want another one than that which has ended. */
const endsOrGivesClaims = /^\/rpc\/(claim_next_task|keep_claim|release_claim)$/;

export interface Arrival {
  readonly credentials: Credentials;
  /** Asked only once the caller is known: nobody without a key makes the service take a body. */
  readonly readBody: () => Buffer | Promise<Buffer>;
}

export async function answerRequest(
  head: RequestHead,
  { credentials, readBody }: Arrival,
  door: Door,
): Promise<ApiResponse> {
  let caller: Caller | null = null;
  let catalog: Catalog | null = null;
  let raw: RawRequest = { ...head, body: NO_BODY };
  const clock = door.settings.serverTiming ? new Clock() : null;
  try {
    caller = await readCaller(credentials, door);
    caller = inSession(caller, head.headers, head.path);
    if (head.headers['claim-fence'] !== undefined && !endsOrGivesClaims.test(head.path))
      caller = underClaim(caller, head.headers);
    if (caller.keyId !== undefined) door.sessions.noteUse(caller.keyId, raw.address?.() ?? '');
    const body = readBody();
    raw = { ...head, body: body instanceof Promise ? await body : body };
    if (raw.body.length > 0) raw = { ...raw, read: await readLong(raw.body, contentTypeOf(head)) };
    clock?.mark('jwt');
    catalog = door.catalog.current();
    if (catalog === null) throw notReady();
    const begun = performance.now();
    // Runs as far as the statement before it waits for anything.
    const answered = answer(raw, door, catalog, caller, clock);
    door.budget.chargeLoop(payerOf(caller, addressThatPays(raw, caller)), performance.now() - begun);
    return await answered;
  } catch (error) {
    // The database may have changed since the catalog was read: if so, the request is worth another try.
    if (
      catalog !== null &&
      caller !== null &&
      missesSomething(error) &&
      (await door.catalog.hasChangedSince(catalog))
    ) {
      const fresh = door.catalog.current();
      if (fresh !== null) return answerWith(raw, door, fresh, caller, clock);
    }
    return answerError(error, raw, door, catalog, caller);
  }
}

/** All who are not signed in have one key: each address pays for itself. */
function addressThatPays({ network }: RawRequest, caller: Caller): string | undefined {
  return network !== undefined && shareOwnerOf(caller) === caller.role ? `address ${network()}` : undefined;
}

async function answerWith(
  raw: RawRequest,
  door: Door,
  catalog: Catalog,
  caller: Caller,
  clock: Clock | null,
): Promise<ApiResponse> {
  try {
    clock?.restart();
    return await answer(raw, door, catalog, caller, clock);
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
): Promise<ApiResponse> {
  const { settings, known } = door;
  const { maxRows, csvGuard } = settings;
  const seesAll = caller.role === 'service_role';
  const asked = planKeyOf(raw, seesAll);
  const read = asked === null ? undefined : known.find(asked, catalog);
  const request = read?.request ?? readRequest(raw, settings);
  clock?.mark('parse');
  const plan = read?.plan ?? planRequest(request, catalog, settings);
  if (plan.kind === 'info') return timed(respondToInfo(plan.allow), clock);
  if (plan.kind === 'inspect') {
    clock?.mark('plan');
    const described = await door.describe(catalog, caller, request, plan.headersOnly);
    clock?.mark('transaction');
    return timed(described, clock);
  }
  const { preferences, range } = request;
  const needs = { catalog, preferences, range, maxRows, limits: settings.limits, seesAll };
  const query = read?.query ?? writeQuery(plan, needs);
  if (read === undefined && asked !== null && plan.kind === 'read')
    known.keep(asked, { request, plan, query }, (words) => {
      const other = readRequest({ ...raw, query: words }, settings);
      const same = planRequest(other, catalog, settings) as ReadPlan;
      return { request: other, plan: same, query: writeQuery(same, needs) };
    });
  clock?.mark('plan');
  const payer = addressThatPays(raw, caller);
  const wanted = runOptions(raw, request, plan, query, settings, catalog.roleSettings.get(caller.role));
  const { options, estimate } = withEstimate(payer === undefined ? wanted : { ...wanted, payer }, query);
  const { database } = door;
  const respondWith = (given: Result): ApiResponse => {
    const told = honoured(request, given.fromReplica === true);
    return query.explains
      ? respondWithPlan(plan, given.rows, told)
      : respond(plan, outcomeOf(given, query, estimate()), {
          request: told,
          layout: query.layout,
          maxRows,
          csvGuard,
          hides,
        });
  };
  const hides = (): boolean => hidesRows(caller) && asksByKey(catalog, plan);
  const long = { database, caller, options, plan, request: honoured(request, false), maxRows, estimate, hides };
  const spool = async (streamed: Query, maxBytes: number): Promise<ApiResponse> => {
    const onLength = (bytes: number): void => door.large.note(query, bytes);
    const response = await spoolResponse({ ...long, query: streamed, maxBytes, onLength });
    clock?.mark('transaction');
    return timed(response, clock);
  };
  if (query.streams === true) return spool(query, settings.limits.bytes);
  if (door.large.has(query)) return spool(streamedFrom(query) ?? query, settings.limits.bytes);
  let result: Result;
  try {
    result = await database.runAs(caller, query.statement, options);
  } catch (error) {
    if (isProposed(error, caller)) {
      const proposed = await proposeChange({ database, caller, options, raw, statement: query.statement, respondWith });
      clock?.mark('transaction');
      return timed(proposed, clock);
    }
    const streamed = isTooLarge(error) ? streamedFrom(query) : undefined;
    if (streamed === undefined) throw error;
    // What a write answers was sent to it, or is known to be wanted.
    return spool(streamed, plan.kind === 'write' ? 0 : settings.limits.bytes);
  }
  clock?.mark('transaction');
  const response = respondWith(result);
  return timed(result.release === undefined ? response : { ...response, release: result.release }, clock);
}

/** Only who was answered by a replica hears that it was one. */
function honoured(request: ApiRequest, fromReplica: boolean): ApiRequest {
  const { preferences } = request;
  const read = fromReplica && preferences.read === 'replica' ? 'replica' : null;
  return read === preferences.read ? request : { ...request, preferences: { ...preferences, read } };
}

function timed(response: ApiResponse, clock: Clock | null): ApiResponse {
  if (clock !== null) response.headers.push('Server-Timing', clock.read('response'));
  return response;
}

function outcomeOf(result: Result, query: Query, estimate: number | null): Outcome {
  const binaryBody = result.fields[query.layout.body]?.type === BYTEA;
  return { row: result.rows[0] ?? [], binaryBody, estimate };
}

const BYTEA = 17;

/** How many rows the planner expects, where that was asked: in the transaction of the statement, just before it. */
function withEstimate(options: RunOptions, query: Query): { options: RunOptions; estimate: () => number | null } {
  if (query.estimate === undefined) return { options, estimate: () => null };
  let expected: number | null = null;
  const onBefore = (results: readonly Result[]): void => {
    const cell = results.at(-1)?.rows[0]?.[0];
    const plans = JSON.parse(cell?.toString() ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
    expected = plans[0]?.Plan?.['Plan Rows'] ?? null;
  };
  const before = [...(options.before ?? []), query.estimate];
  return { options: { ...options, before, onBefore }, estimate: () => expected };
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
  const wantsReplica = settings.replicaForAll
    ? request.preferences.read !== 'primary'
    : request.preferences.read === 'replica';
  return {
    begins: true,
    readOnly: query.readOnly,
    ...(plan.kind === 'call' && { alone: true }),
    ...(wantsReplica && { replica: query.readOnly }),
    settings: requestSettings(raw, request, settings, role, routine),
    ...(settings.preRequest !== null && { before: [settings.preRequest] }),
    ...(request.preferences.transaction === 'rollback' && { rollback: true }),
    ...(isolation !== null && { isolation }),
    ...(timeoutMs !== null && { timeoutMs }),
    ...(raw.signal !== undefined && { signal: raw.signal }),
  };
}

function readCaller({ apikey, authorization }: Credentials, { sessions, settings }: Door): Caller | Promise<Caller> {
  const alone = settings.anonymous && apikey === undefined;
  const token = alone ? bearer(authorization) : null;
  if (alone && token === null) return NOBODY;
  const read = settings.keyAlone ? sessions.fromHeadersOrKey : sessions.fromHeaders;
  const session = token === null ? read({ apikey, authorization }) : sessions.verify(token);
  return session instanceof Promise ? session.then(callerOf) : callerOf(session);
}

function callerOf(session: Session): Caller {
  checkResource(session, '/rest/v1');
  return session.caller;
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
