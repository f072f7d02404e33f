// Fifth stage: status and headers around the bytes that Postgres made. Pure.

import { isVoid } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { CallPlan, ReadNode, ReadPlan, WritePlan } from '../plan/plan.ts';
import type { Layout } from '../query/query.ts';
import { isGrouped } from '../query/write-select.ts';
import type { ApiRequest, RowRange } from '../request/api-request.ts';
import { contentTypeOf, JSON_TYPE } from '../request/media-types.ts';
import { appliedPreferences, type Preferences } from '../request/parse-preferences.ts';
import { encode } from '../request/parse-query.ts';
import type { ApiResponse } from './api-response.ts';
import { errorBody, notOne } from './errors.ts';
import { guardFormulas } from './guard-formulas.ts';
import { overrideHeaders, overrideStatus } from './overrides.ts';

/** The one row of the answer, and the planner's guess if it was asked for. */
export interface Outcome {
  readonly row: ReadonlyArray<Buffer | null>;
  readonly binaryBody: boolean;
  readonly estimate: number | null;
}

export interface ResponseNeeds {
  readonly request: ApiRequest;
  readonly layout: Layout;
  readonly maxRows: number | null;
  /** Cells of CSV that look like formulas are made plain text. */
  readonly csvGuard?: boolean;
  /** The request is such that how long an empty answer took could tell of rows that the caller does not see. */
  readonly hides?: () => boolean;
}

export const VARY = 'Accept, Prefer, Range';
/** Characters; Node's own clients read 16 KB of headers. */
const LONGEST_LOCATION = 8_000;
const LONGEST_WARNING = 2_000;
const JSON_CONTENT_TYPE = contentTypeOf(JSON_TYPE);

export function respond(plan: ReadPlan | WritePlan | CallPlan, outcome: Outcome, needs: ResponseNeeds): ApiResponse {
  const { layout } = needs;
  const response =
    plan.kind === 'read'
      ? respondToRead(plan, outcome, needs)
      : plan.kind === 'write'
        ? respondToWrite(plan, outcome, needs)
        : respondToCall(plan, outcome, needs);
  const ownHeaders = outcome.row[layout.headers] ?? null;
  const ownStatus = outcome.row[layout.status] ?? null;
  const guarded = needs.csvGuard === true && plan.handler.kind === 'csv' ? guardCells(response) : response;
  let { headers } = guarded;
  if (ownHeaders !== null) headers = overrideHeaders(headers, ownHeaders);
  if (!hasHeader(headers, 'vary')) headers.push('Vary', VARY);
  if (plan.read.renamed.length > 0) headers.push('Warning', warning(plan.read.renamed));
  const isTimed = isEmpty(plan.read, outcome, layout) && needs.hides?.() === true;
  return { ...guarded, headers, status: ownStatus === null ? response.status : overrideStatus(ownStatus), isTimed };
}

/** What is summed up is one row also where there is nothing to sum up. */
const isEmpty = (read: ReadNode, { row }: Outcome, layout: Layout): boolean =>
  number(row[layout.rows]) === 0 || isGrouped(read);

function guardCells(response: ApiResponse): ApiResponse {
  if (!Buffer.isBuffer(response.body) || response.status >= 300) return response;
  const body = guardFormulas(response.body);
  const at = response.headers.indexOf('Content-Length') + 1;
  return {
    ...response,
    body,
    headers: response.headers.map((one, index) => (index === at ? String(body.length) : one)),
  };
}

function warning(renamed: readonly (readonly [name: string, alias: string])[]): string {
  const updates = renamed.map(([name, alias]) => `\`${name}\` to \`${alias}\``).join(', ');
  const text = `Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update ${updates} in query string filters, orders or limits.`;
  return `299 PostgRESTv16.2 "${text.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_WARNING)}"`;
}

/** An explained plan: its lines. */
export function respondWithPlan(
  plan: ReadPlan | WritePlan | CallPlan,
  rows: ReadonlyArray<ReadonlyArray<Buffer | null>>,
  request: ApiRequest,
): ApiResponse {
  const body = Buffer.concat(rows.flatMap(([line]) => [line ?? Buffer.alloc(0), NEWLINE]));
  const headers = ['Content-Length', String(body.length), 'Content-Type', contentTypeOf(plan.mediaType)];
  addProfile(headers, request);
  headers.push('Vary', VARY);
  return { status: 200, headers, body };
}

export function respondToInfo(allow: string): ApiResponse {
  const headers = ['Content-Length', '0', 'Allow', allow, 'Vary', VARY];
  return { status: 200, headers, body: EMPTY };
}

const EMPTY = Buffer.alloc(0);
const NEWLINE = Buffer.from('\n');

const number = (cell: Buffer | null | undefined): number | null =>
  cell === null || cell === undefined ? null : Number(cell.toString('latin1'));

function hasHeader(headers: readonly string[], name: string): boolean {
  for (let at = 0; at < headers.length; at += 2) if (headers[at]?.toLowerCase() === name) return true;
  return false;
}

export function addProfile(headers: string[], request: ApiRequest): void {
  if (request.schemaNegotiated) headers.push('Content-Profile', request.schema);
}

function contentRange(lower: number, upper: number, total: number | null): string {
  const rows = total !== 0 && lower <= upper ? `${lower}-${upper}` : '*';
  return `${rows}/${total ?? '*'}`;
}

function statusOfRange(lower: number, upper: number, total: number | null): number {
  if (total === null) return 200;
  if (lower > total) return 416;
  return 1 + upper - lower < total ? 206 : 200;
}

/** A range past the end, answered as an error with the headers of the answer. */
function outOfBounds(range: RowRange, total: number | null): Buffer {
  const error = new DataError('PGRST103', {
    message: 'Requested range not satisfiable',
    details: `An offset of ${range.offset} was requested, but there are only ${total ?? 0} rows.`,
  });
  return errorBody(error);
}

function totalOf(
  preferences: Preferences,
  { row, estimate }: Outcome,
  layout: Layout,
  maxRows: number | null,
): number | null {
  const counted = layout.total === undefined ? null : number(row[layout.total]);
  if (preferences.count === 'planned') return estimate ?? counted;
  if (preferences.count !== 'estimated' || counted === null || estimate === null) return counted;
  return maxRows === null || counted > maxRows ? Math.max(counted, estimate) : counted;
}

function respondToRead(plan: ReadPlan, outcome: Outcome, { request, layout, maxRows }: ResponseNeeds): ApiResponse {
  const { row } = outcome;
  const { preferences, range, query } = request;
  const rows = number(row[layout.rows]) ?? 0;
  refuseNotOne(plan, rows);
  const total = totalOf(preferences, outcome, layout, maxRows);
  const upper = range.offset + rows - 1;
  const status = statusOfRange(range.offset, upper, total);
  const body = status === 416 ? outOfBounds(range, total) : bodyOf(outcome, layout);
  const headers = ['Content-Range', contentRange(range.offset, upper, total)];
  // It repeats the whole query, and clients read so many bytes of headers only: a long one would lose them the answer.
  if (query.canonical.length <= LONGEST_LOCATION)
    headers.push(
      'Content-Location',
      `/${encodePath(plan.name.name)}${query.canonical === '' ? '' : `?${query.canonical}`}`,
    );
  if (!plan.headersOnly) headers.push('Content-Length', String(body.length));
  headers.push('Content-Type', plan.mediaType === JSON_TYPE ? JSON_CONTENT_TYPE : contentTypeOf(plan.mediaType));
  addProfile(headers, request);
  addApplied(headers, request, 'read', false);
  return { status, headers, body: plan.headersOnly ? null : body };
}

const encodePath = (name: string): string => (/^[\w.~-]+$/.test(name) ? name : encodeURIComponent(name));

function refuseNotOne({ mediaType }: { mediaType: ReadPlan['mediaType'] }, rows: number): void {
  if (mediaType.kind === 'object' && rows !== 1) throw notOne(rows);
}

/** Text formats are the bytes themselves; a binary one is written in hex by Postgres. */
function bodyOf({ row, binaryBody }: Outcome, layout: Layout): Buffer {
  const cell = row[layout.body] ?? null;
  if (cell === null) return EMPTY;
  return binaryBody && cell[0] === 92 && cell[1] === 120 ? Buffer.from(cell.toString('latin1', 2), 'hex') : cell;
}

function respondToWrite(plan: WritePlan, outcome: Outcome, { request, layout }: ResponseNeeds): ApiResponse {
  const { row } = outcome;
  const { preferences } = request;
  const rows = number(row[layout.rows]) ?? 0;
  const shows = preferences.representation === 'representation';
  const counted = preferences.count === 'exact' || preferences.count === 'estimated' ? rows : null;
  const body = shows ? bodyOf(outcome, layout) : null;
  const headers: string[] = [];
  let status = shows ? 200 : 204;
  switch (plan.mutation) {
    case 'insert': {
      status = insertStatus(preferences, layout.inserted === undefined ? undefined : number(row[layout.inserted]));
      const location = layout.location === undefined ? null : (row[layout.location] ?? null);
      if (location !== null) headers.push('Location', locationOf(plan.table.name, location));
      headers.push('Content-Range', contentRange(1, 0, counted), 'Content-Length', String(body?.length ?? 0));
      break;
    }
    case 'upsert-one':
      if (rows !== 1) throw mismatchedKey();
      if (shows) status = (number(row[layout.inserted ?? -1]) ?? 0) > 0 ? 201 : 200;
      break;
    case 'update':
      headers.push('Content-Range', contentRange(0, rows - 1, counted));
      break;
    case 'delete':
      headers.push('Content-Range', contentRange(1, 0, counted));
  }
  if (body !== null) {
    if (plan.mutation !== 'insert') headers.push('Content-Length', String(body.length));
    headers.push('Content-Type', contentTypeOf(plan.mediaType));
    addProfile(headers, request);
  }
  const hasConflictTarget = plan.table.primaryKey.length > 0 || request.query.onConflict !== null;
  addApplied(headers, request, plan.mutation, hasConflictTarget);
  return { status, headers, body: plan.mutation === 'insert' ? (body ?? EMPTY) : body };
}

function insertStatus(preferences: Preferences, inserted: number | null | undefined): number {
  if (inserted === undefined) return 201;
  if (inserted === null) return 200;
  return inserted <= 0 && preferences.resolution === 'merge-duplicates' ? 200 : 201;
}

function locationOf(table: string, cell: Buffer): string {
  const pairs = Object.entries(JSON.parse(cell.toString()) as Record<string, string>);
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return `/${encodePath(table)}?${query}`;
}

export function mismatchedKey(): DataError {
  return new DataError('PGRST115', { message: 'Payload values do not match URL in primary key column(s)' });
}

function respondToCall(plan: CallPlan, outcome: Outcome, { request, layout, maxRows }: ResponseNeeds): ApiResponse {
  const { row } = outcome;
  const { range } = request;
  const rows = number(row[layout.rows]) ?? 0;
  refuseNotOne(plan, rows);
  const total =
    request.preferences.count === 'planned'
      ? null
      : totalOf(
          {
            ...request.preferences,
            count: request.preferences.count === 'estimated' ? 'exact' : request.preferences.count,
          },
          outcome,
          layout,
          maxRows,
        );
  const upper = range.offset + rows - 1;
  const status = statusOfRange(range.offset, upper, total);
  const headers = ['Content-Range', contentRange(range.offset, upper, total)];
  addApplied(headers, request, 'call', false);
  if (isVoid(plan.routine)) return { status: 204, headers, body: null };
  const body = status === 416 ? outOfBounds(range, total) : bodyOf(outcome, layout);
  if (!plan.headersOnly) headers.push('Content-Length', String(body.length));
  headers.push('Content-Type', contentTypeOf(plan.mediaType));
  addProfile(headers, request);
  return { status, headers, body: plan.headersOnly ? null : body };
}

type Kind = 'read' | 'call' | WritePlan['mutation'];

/** Echoes what was honoured; what does not apply to this kind of request is left out. */
function addApplied(headers: string[], { preferences }: ApiRequest, kind: Kind, hasConflictTarget: boolean): void {
  const writes = kind !== 'read' && kind !== 'call';
  const applied = appliedPreferences({
    ...preferences,
    resolution: kind === 'insert' && hasConflictTarget ? preferences.resolution : null,
    representation: writes ? preferences.representation : null,
    missing: kind === 'insert' || kind === 'update' ? preferences.missing : null,
    maxAffected: kind === 'update' || kind === 'delete' || kind === 'call' ? preferences.maxAffected : null,
  });
  if (applied !== null) headers.push('Preference-Applied', applied);
}
