// Applies the database settings `response.headers` and `response.status`, with which a procedure sets headers and status of its HTTP response.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { DataError } from '../errors.ts';

const badHeaders = (): DataError =>
  new DataError('PGRST111', {
    message: 'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  });

/** Headers set in SQL take the place of ours. */
export function overrideHeaders(headers: readonly string[], cell: Buffer): string[] {
  const own = readHeaders(cell);
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!names.has(name.toLowerCase())) kept.push(name, headers[at + 1] ?? '');
  }
  return [...kept, ...own.flat()];
}

function readHeaders(cell: Buffer): [name: string, value: string][] {
  let value: unknown;
  try {
    value = JSON.parse(cell.toString());
  } catch {
    throw badHeaders();
  }
  if (!Array.isArray(value)) throw badHeaders();
  return value.map((one: unknown) => {
    const entries = typeof one === 'object' && one !== null ? Object.entries(one) : [];
    const [entry] = entries;
    if (entries.length !== 1 || entry === undefined || typeof entry[1] !== 'string') throw badHeaders();
    return checkHeader(entry[0], entry[1]);
  });
}

function checkHeader(name: string, value: string): [string, string] {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw badHeaders();
  }
  return [name, value];
}

export function overrideStatus(cell: Buffer): number {
  const digits = /^\d+/.exec(cell.toString())?.[0];
  const status = Number(digits ?? Number.NaN);
  if (!(status >= 200 && status <= 999))
    throw new DataError('PGRST112', { message: 'response.status guc must be a valid status code' });
  return status;
}
