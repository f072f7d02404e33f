// Every error as PostgREST would put it: status, `{code, details, hint, message}`, headers. What Postgres reports keeps
// its SQLSTATE; this is the one table from SQLSTATE to status.

import { DatabaseTrouble } from '../../database/errors.ts';
import { PostgresError } from '../../database/types.ts';
import type { CatalogError } from '../../errors.ts';
import { SessionFault } from '../../session/types.ts';
import { DataError, type DataErrorCode } from '../errors.ts';
import { NOT_ONE, TOO_LARGE, TOO_MANY, TOO_MANY_BYTES, TOO_MANY_ROWS } from '../query/write-query.ts';
import type { ApiResponse } from './api-response.ts';

interface Rendered {
  readonly status: number;
  readonly reason?: string;
  readonly code: string;
  readonly message: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export function errorBody(error: DataError): Buffer {
  return bodyOf(renderCatalogError(error));
}

function bodyOf({ code, details, hint, message }: Rendered, verbose = true): Buffer {
  return Buffer.from(JSON.stringify(verbose ? { code, details, hint, message } : { code, message }));
}

/** `anonymous`: the caller is nobody, so a lack of rights asks them to sign in. */
export function respondToError(
  error: CatalogError | PostgresError | SessionFault,
  anonymous: boolean,
  verbose = true,
): ApiResponse {
  const rendered =
    error instanceof PostgresError
      ? renderPostgresError(error, anonymous)
      : error instanceof SessionFault
        ? renderSessionFault(error)
        : renderCatalogError(error);
  const body = bodyOf(rendered, verbose);
  const headers = [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'Proxy-Status',
    `PostgREST; error=${rendered.code.replace(/[^\x21-\x7e]/g, '?')}`,
  ];
  for (const [name, value] of Object.entries(rendered.headers)) headers.push(name, value);
  return { status: rendered.status, headers, body, ...(rendered.reason !== undefined && { reason: rendered.reason }) };
}

const TROUBLE = {
  unreachable: ['PGRST000', 'Database connection error. Retrying the connection.'],
  interrupted: ['PGRST001', 'Database client error. Retrying the connection.'],
  crowded: ['KBD07', 'Too many requests are waiting for the database.'],
  overloaded: ['PGRST003', 'Timed out acquiring connection from connection pool.'],
} as const;

/** In PostgREST's words; ours, which say more, become the details. */
function renderTrouble({ kind, message, details, hint, headers }: DatabaseTrouble): Rendered {
  const [code, words] = TROUBLE[kind];
  return renderCatalogError(new DataError(code, { message: words, details: details ?? message, hint, headers }));
}

function renderCatalogError(error: CatalogError): Rendered {
  if (error instanceof DatabaseTrouble) return renderTrouble(error);
  const structured = error instanceof DataError ? error.structuredDetails : undefined;
  return {
    status: error.status,
    code: error.code,
    message: error.message,
    details: structured ?? error.details,
    hint: error.hint,
    headers: error.headers,
  };
}

const FAULTS: Readonly<Record<SessionFault['fault'], DataErrorCode>> = {
  missing: 'PGRST302',
  no_bearer: 'PGRST301',
  malformed: 'PGRST301',
  bad_signature: 'PGRST301',
  expired: 'PGRST303',
  not_yet_valid: 'PGRST303',
  bad_claims: 'PGRST303',
};

function renderSessionFault(fault: SessionFault): Rendered {
  const description = `error_description=${JSON.stringify(fault.message.replace(/[^\x20-\x7e]/g, '?'))}`;
  return {
    status: 401,
    code: FAULTS[fault.fault],
    message: fault.message,
    details: fault.details,
    hint:
      fault.fault === 'missing'
        ? 'Send your API key in the apikey header, and the same key or an access token as "Authorization: Bearer …".'
        : null,
    headers: {
      'WWW-Authenticate': fault.fault === 'missing' ? 'Bearer' : `Bearer error="invalid_token", ${description}`,
    },
  };
}

export const isTooLarge = (error: unknown): boolean => error instanceof PostgresError && error.sqlstate === TOO_LARGE;

function renderPostgresError(error: PostgresError, anonymous: boolean): Rendered {
  if (error.sqlstate === NOT_ONE) return renderCatalogError(notOne(Number(error.detail)));
  if (error.sqlstate === TOO_MANY) return renderCatalogError(tooMany(Number(error.detail)));
  if (error.sqlstate === TOO_MANY_BYTES) return renderCatalogError(tooManyBytes(Number(error.detail)));
  if (error.sqlstate === TOO_MANY_ROWS) return renderCatalogError(tooManyRows(Number(error.detail)));
  if (error.sqlstate === 'PGRST') return renderRaised(error);
  const status = statusOf(error, anonymous);
  const named = error.sqlstate.startsWith('PT') ? reasonOf(error.message) : undefined;
  return {
    status,
    ...(named !== undefined && { reason: named }),
    code: error.sqlstate,
    message: error.message,
    details: error.detail,
    hint: error.hint,
    headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
  };
}

export const notOne = (rows: number): DataError =>
  new DataError('PGRST116', {
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  });

const tooMany = (rows: number): DataError =>
  new DataError('PGRST124', {
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${rows} rows`,
  });

export const tooManyBytes = (limit: number): DataError =>
  new DataError('KBD04', {
    message: 'The answer is too large',
    details: `It may hold ${limit} bytes, and so may the embedded lists made on the way to it together.`,
    hint: 'Select fewer columns, narrow the filters, or set a limit on what is embedded: resource.limit=10.',
  });

export const tooMuchUnread = (): DataError =>
  new DataError('KBD08', {
    message: 'Too many long answers wait to be read',
    hint: 'Read the answers that you asked for, or close their connections; then ask again.',
    headers: { 'Retry-After': '5' },
  });

const tooManyRows = (limit: number): DataError =>
  new DataError('KBD05', {
    message: 'The answer embeds too many rows',
    details: `Its embedded lists may hold ${limit} rows together.`,
    hint: 'Narrow the filters, or set a limit on what is embedded: resource.limit=10.',
  });

/** A reason phrase may hold what a header value may. */
const reasonOf = (text: string): string | undefined => (/^[\t\x20-\x7e]{1,200}$/.test(text) ? text : undefined);

const EXACT: Readonly<Record<string, number>> = {
  // More columns, or more arguments, than a statement may have: the request's, for the service writes no such thing.
  '54011': 400,
  '54023': 400,
  '57014': 504,
  '23503': 409,
  '23505': 409,
  '25006': 405,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53400': 500,
  '57P01': 503,
  KB006: 403,
  KB007: 403,
  KB013: 403,
  P0001: 400,
};

const CLASSES: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '25': 500,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '53': 503,
  '54': 500,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  KB: 409,
  P0: 500,
  XX: 500,
};

/**
 * In whatever language Postgres is: where its SQLSTATE leaves something open, the routine that raised it decides, never the words of its
 * message. One name is looked for there, which no language translates: that of a setting.
 */
function statusOf({ sqlstate, message, detail, fields, ofCaller }: PostgresError, anonymous: boolean): number {
  switch (sqlstate) {
    case '42501':
      return anonymous ? 401 : 403;
    case '21000':
      // One key twice in a bulk upsert is the body's fault, and so is a change of all rows where the extension safeupdate forbids it;
      // a view or a function is to blame for anything else.
      return ['ExecOnConflictUpdate', 'delete_needs_where_check'].includes(fields.routine ?? '') ? 400 : 500;
    case '22023':
      // The token names a role that is not there; the same statement sets the time zone, and the same routine refuses both. Of a zone with
      // leap seconds it says more; of a role it never does.
      return ofCaller && detail === null && !message.includes('TimeZone') ? 401 : 400;
  }
  if (sqlstate.startsWith('PT')) {
    const status = Number(sqlstate.slice(2));
    return Number.isInteger(status) && status >= 200 ? status : 500;
  }
  return EXACT[sqlstate] ?? CLASSES[sqlstate.slice(0, 2)] ?? 400;
}

/** `raise sqlstate 'PGRST' using message = '{…}', detail = '{…}'`: the function decides the whole answer. */
function renderRaised(error: PostgresError): Rendered {
  const message = parseObject(error.message);
  if (message === null || typeof message.code !== 'string' || typeof message.message !== 'string')
    return unreadable(
      `Invalid JSON value for MESSAGE: '${error.message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  const hint =
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";
  if (error.detail === null) return unreadable('DETAIL is missing in the RAISE statement', hint);
  const detail = parseObject(error.detail);
  const status = detail?.status;
  const headers = detail?.headers;
  if (
    typeof status !== 'number' ||
    !(status >= 200 && status <= 999) ||
    typeof headers !== 'object' ||
    headers === null
  )
    return unreadable(`Invalid JSON value for DETAIL: '${error.detail}'`, hint);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const reason = text(detail?.status_text);
  const phrase = reason === null ? undefined : reasonOf(reason);
  return {
    status: Math.trunc(status),
    ...(phrase !== undefined && { reason: phrase }),
    code: message.code,
    message: message.message,
    details: text(message.details),
    hint: text(message.hint),
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
          ? [[name, value]]
          : [],
      ),
    ),
  };
}

function unreadable(details: string, hint: string): Rendered {
  return renderCatalogError(
    new DataError('PGRST121', { message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`, details, hint }),
  );
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
