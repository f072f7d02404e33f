// The body: JSON, CSV, form or raw. Postgres takes JSON apart itself; here it is only checked, and read for the names of
// its columns (unless `columns` names them), and every object must have the same ones.

import { httpError } from '../../http/errors.ts';
import { shortText } from '../../json/parse-json.ts';
import { DataError } from '../errors.ts';
import type { Payload } from './api-request.ts';
import { BodyKeys, readBodyKeys } from './body-keys.ts';
import { CsvRows, readCsv, readLongCsv } from './csv-rows.ts';
import { type MediaType, mediaTypeName } from './media-types.ts';
import { splitQuery } from './parse-query.ts';

interface ReadPayload {
  readonly payload: Payload;
  readonly columns: readonly string[];
}

const EMPTY_ARRAY = Buffer.from('[]');
const EMPTY_OBJECT = Buffer.from('{}');
const LARGEST_FORM = 1024 * 1024;
const MOST_FIELDS = 2000;
const invalid = (message: string): DataError => new DataError('PGRST102', { message });

export function parsePayload(
  body: Buffer,
  type: MediaType,
  columns: readonly string[] | null,
  isProcedure: boolean,
  read: BodyKeys | CsvRows | null = null,
): ReadPayload {
  switch (type.kind) {
    case 'json': {
      if (body.length === 0 && columns === null && isProcedure)
        return { payload: jsonPayload(EMPTY_OBJECT), columns: [] };
      const keys = read instanceof BodyKeys ? read : (readBodyKeys(body) as BodyKeys);
      // Postgres tells itself what is wrong with it then.
      if (columns !== null) return { payload: jsonPayload(body), columns: [...new Set(columns)].sort() };
      return fromJson(body, keys);
    }
    case 'csv': {
      const rows = read instanceof CsvRows ? read : readCsv(body);
      return { payload: jsonPayload(rows.json()), columns: rows.columns };
    }
    case 'form':
      return fromForm(body, isProcedure);
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

function fromJson(body: Buffer, keys: BodyKeys): ReadPayload {
  if (keys.fault !== null) throw invalid('Empty or invalid json');
  const { columns } = keys;
  if (columns === null) throw invalid('All object keys must match');
  return keys.isEmpty ? { payload: jsonPayload(EMPTY_ARRAY), columns: [] } : { payload: jsonPayload(body), columns };
}

function fromForm(body: Buffer, isProcedure: boolean): ReadPayload {
  if (body.length > LARGEST_FORM)
    throw httpError('KB413', 'The form is too large', { hint: `At most ${LARGEST_FORM} bytes are read.` });
  const pairs = splitQuery(body.toString()).map(([name, value]): [string, string] => [name, value ?? '']);
  if (pairs.length > MOST_FIELDS) throw invalid(`A form has ${MOST_FIELDS} fields at most`);
  const names = [...new Set(pairs.map(([name]) => name))].sort();
  if (isProcedure) return { payload: { kind: 'form', pairs }, columns: names };
  return { payload: jsonPayload(Buffer.from(JSON.stringify(Object.fromEntries(pairs)))), columns: names };
}

/** Reads a body that takes its time; null for what is read with its request. Throws DataErrors, and KB413 for what holds too much. */
export async function readLong(body: Buffer, type: MediaType): Promise<BodyKeys | CsvRows | null> {
  if (body.length <= shortText) return null;
  if (type.kind === 'json') return readBodyKeys(body);
  return type.kind === 'csv' ? readLongCsv(body) : null;
}
