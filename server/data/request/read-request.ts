// First stage: from HTTP to meaning. Pure; throws DataErrors for what cannot be read.

import type { Name } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import {
  ALL_ROWS,
  type ApiRequest,
  type Payload,
  type QueryParameters,
  type RowRange,
  type Target,
} from './api-request.ts';
import type { BodyKeys } from './body-keys.ts';
import type { CsvRows } from './csv-rows.ts';
import { JSON_TYPE, type MediaType, parseAccept, parseMediaType } from './media-types.ts';
import { parsePayload } from './parse-payload.ts';
import { parsePreferences } from './parse-preferences.ts';
import { decode, parseQuery } from './parse-query.ts';

/** A request as any transport can give it, before its body was looked at. Header names are lower case. */
export interface RequestHead {
  readonly method: string;
  /** Below the door's own prefix: `/tasks`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Where it comes from. */
  readonly address?: () => string;
  /** The network of that: pays for those who are not signed in. */
  readonly network?: () => string;
  /** Aborted when nobody waits for the answer any more: the statement is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

export interface RawRequest extends RequestHead {
  readonly body: Buffer;
  /** Of a long body, what was read of it already. */
  readonly read?: BodyKeys | CsvRows | null;
}

export interface ReadSettings {
  readonly schemas: readonly string[];
  readonly transactionOverride: boolean;
  /** A function that answers at the root. */
  readonly rootFunction?: Name | null;
}

export function header(request: RequestHead, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

export function readRequest(raw: RawRequest, settings: ReadSettings): ApiRequest {
  const asked = readTarget(raw.path);
  const root = asked.kind === 'root' ? (settings.rootFunction ?? null) : null;
  const target: Target = root === null ? asked : { kind: 'routine', name: root.name };
  const [chosen, schemaNegotiated] = readSchema(raw, settings.schemas);
  const schema = root?.schema ?? chosen;
  checkMethod(target, raw.method);
  const preferences = parsePreferences(header(raw, 'prefer'), settings.transactionOverride);
  const isProcedure = target.kind === 'routine';
  const query = parseQuery(raw.query, isProcedure && raw.method !== 'POST');
  const range = readRange(raw, query);
  const contentType = contentTypeOf(raw);
  let payload: Payload | null = null;
  let columns: readonly string[] = [];
  if (raw.method === 'POST' || ((raw.method === 'PATCH' || raw.method === 'PUT') && target.kind === 'relation')) {
    const named = raw.method === 'PUT' ? null : query.columns;
    ({ payload, columns } = parsePayload(raw.body, contentType, named, isProcedure, raw.read));
  }
  return {
    method: raw.method,
    target,
    schema,
    schemaNegotiated,
    query,
    range,
    preferences,
    accept: parseAccept(header(raw, 'accept')),
    contentType,
    payload,
    columns,
  };
}

export function contentTypeOf(head: RequestHead): MediaType {
  const sent = header(head, 'content-type');
  return sent === undefined ? JSON_TYPE : parseMediaType(sent);
}

export function readTarget(path: string): Target {
  const parts = path.split('/').map(decode);
  if (parts[0] === '') parts.shift();
  if (parts.length > 0 && parts[parts.length - 1] === '') parts.pop();
  const [first, second] = parts;
  if (first === undefined) return { kind: 'root' };
  if (second === undefined) return { kind: 'relation', name: first };
  if (first === 'rpc' && parts.length === 2) return { kind: 'routine', name: second };
  throw new DataError('PGRST125', { message: 'Invalid path specified in request URL' });
}

const METHODS: Readonly<Record<Target['kind'], readonly string[]>> = {
  root: ['GET', 'HEAD', 'OPTIONS'],
  relation: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
  routine: ['GET', 'HEAD', 'POST', 'OPTIONS'],
};

function checkMethod(target: Target, method: string): void {
  if (METHODS[target.kind].includes(method)) return;
  if (target.kind === 'routine') throw new DataError('PGRST101', { message: `Cannot use the ${method} method on RPC` });
  throw new DataError('PGRST117', { message: `Unsupported HTTP method: ${method}` });
}

export function readSchema(raw: RawRequest, schemas: readonly string[]): [schema: string, negotiated: boolean] {
  const writes = raw.method !== 'GET' && raw.method !== 'HEAD' && raw.method !== 'OPTIONS';
  const profile = header(raw, writes ? 'content-profile' : 'accept-profile');
  if (profile === undefined) return [schemas[0] ?? 'public', schemas.length !== 1];
  if (!schemas.includes(profile))
    throw new DataError('PGRST106', {
      message: `Invalid schema: ${profile}`,
      hint: `Only the following schemas are exposed: ${schemas.join(', ')}`,
    });
  return [profile, true];
}

const unsatisfiable = (details: string): DataError =>
  new DataError('PGRST103', { message: 'Requested range not satisfiable', details });

/** The rows both the Range header and `limit`/`offset` allow. */
function readRange(raw: RawRequest, query: QueryParameters): RowRange {
  const asked = query.ranges.find(({ path }) => path.length === 0)?.value ?? ALL_ROWS;
  const sent = raw.method === 'GET' ? header(raw, 'range') : undefined;
  const match = sent === undefined ? null : /^([0-9]{1,15})-([0-9]{0,15})$/.exec(sent);
  const lower = Number(match?.[1] ?? 0);
  const upper = match?.[2] === undefined || match[2] === '' ? null : Number(match[2]);
  if (raw.method === 'PUT') {
    if (asked.limit === null && asked.offset <= 0) return ALL_ROWS;
    throw new DataError('PGRST114', { message: 'limit/offset querystring parameters are not allowed for PUT' });
  }
  if (asked.limit === 0 && asked.offset === 0) return { offset: 0, limit: 0 };
  if (upper !== null && lower > upper)
    throw unsatisfiable('The lower boundary must be lower than or equal to the upper boundary in the Range header.');
  const last = Math.min(upper ?? Infinity, asked.limit === null ? Infinity : asked.offset + asked.limit - 1);
  const offset = Math.max(lower, asked.offset);
  if (last < offset) throw unsatisfiable('Limit should be greater than or equal to zero.');
  return { offset, limit: last === Infinity ? null : last - offset + 1 };
}
