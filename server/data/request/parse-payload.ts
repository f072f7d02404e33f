// The body: JSON, CSV, form or raw. Postgres takes JSON apart itself; here it is only read for the names of its
// columns (unless `columns` names them), and every object must have the same ones.

import { parse as parseCsv } from 'csv-parse/sync';
import { DataError } from '../errors.ts';
import type { Payload } from './api-request.ts';
import { type MediaType, mediaTypeName } from './media-types.ts';
import { splitQuery } from './parse-query.ts';

interface ReadPayload {
  readonly payload: Payload;
  readonly columns: readonly string[];
}

const EMPTY_ARRAY = Buffer.from('[]');
const EMPTY_OBJECT = Buffer.from('{}');
const invalid = (message: string): DataError => new DataError('PGRST102', { message });

export function parsePayload(
  body: Buffer,
  type: MediaType,
  columns: readonly string[] | null,
  isProcedure: boolean,
): ReadPayload {
  switch (type.kind) {
    case 'json': {
      if (columns !== null) return { payload: jsonPayload(body), columns: [...new Set(columns)].sort() };
      if (body.length === 0 && isProcedure) return { payload: jsonPayload(EMPTY_OBJECT), columns: [] };
      return fromJson(body);
    }
    case 'csv':
      return fromCsv(body);
    case 'form': {
      const pairs = splitQuery(body.toString()).map(([name, value]): [string, string] => [name, value ?? '']);
      const names = [...new Set(pairs.map(([name]) => name))].sort();
      if (isProcedure) return { payload: { kind: 'form', pairs }, columns: names };
      return { payload: jsonPayload(Buffer.from(JSON.stringify(Object.fromEntries(pairs)))), columns: names };
    }
    case 'text':
    case 'xml':
    case 'binary':
      if (isProcedure) return { payload: { kind: 'raw', body }, columns: [] };
  }
  throw invalid(`Content-Type not acceptable: ${mediaTypeName(type)}`);
}

function jsonPayload(body: Buffer): Payload {
  let at = 0;
  while (at < body.length && ' \t\r\n'.includes(String.fromCharCode(body[at] ?? 0))) at++;
  return { kind: 'json', body, isObject: body[at] === 123 };
}

function fromJson(body: Buffer): ReadPayload {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw invalid('Empty or invalid json');
  }
  return fromValue(body, value, 'All object keys must match');
}

/** More than anybody means; Postgres gives up some thousands deep. */
const DEEPEST = 1_000;

/** Asked when Postgres ran out of stack: was it over the body? Brackets within strings count as well, which is near enough. */
export function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  for (const byte of body) {
    if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

export const tooDeep = (): DataError =>
  new DataError('PGRST102', {
    message: 'The body is nested too deeply',
    hint: `Send it with fewer levels: ${DEEPEST} are sure to be read.`,
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromValue(body: Buffer, value: unknown, uneven: string): ReadPayload {
  if (isObject(value)) return { payload: jsonPayload(body), columns: Object.keys(value).sort() };
  const empty: ReadPayload = { payload: jsonPayload(EMPTY_ARRAY), columns: [] };
  if (!Array.isArray(value) || value.length === 0) return empty;
  const first: unknown = value[0];
  if (!isObject(first)) throw invalid(uneven);
  const names = Object.keys(first);
  const matches = (one: unknown): boolean => {
    if (!isObject(one)) return false;
    const own = Object.keys(one);
    return own.length === names.length && names.every((name) => Object.hasOwn(one, name));
  };
  if (!value.every(matches)) throw invalid(uneven);
  return { payload: jsonPayload(body), columns: names.sort() };
}

function fromCsv(body: Buffer): ReadPayload {
  let rows: string[][];
  try {
    rows = parseCsv(body, { relax_column_count: true, skip_empty_lines: true, bom: true });
  } catch (fault) {
    throw invalid(fault instanceof Error ? fault.message : 'Invalid CSV');
  }
  const [header, ...lines] = rows;
  if (header === undefined) throw invalid('not enough input');
  const objects = lines.map((line) =>
    Object.fromEntries(
      line.slice(0, header.length).map((value, index) => [header[index] ?? '', value === 'NULL' ? null : value]),
    ),
  );
  if (lines.some((line) => line.length !== header.length)) throw invalid('All lines must have same number of fields');
  return fromValue(Buffer.from(JSON.stringify(objects)), objects, 'All lines must have same number of fields');
}
