// ErrorResponse and NoticeResponse messages as PostgresError.

import { PostgresError } from '../types.ts';
import { endOfText } from './reader.ts';

const fieldNames: Readonly<Record<string, string>> = {
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'datatype',
  n: 'constraint',
  W: 'where',
  P: 'position',
  p: 'internalPosition',
  q: 'internalQuery',
  R: 'routine',
  V: 'severity',
};

export function readError(bytes: Buffer, start: number, end: number, ofCaller = false): PostgresError {
  let sqlstate = 'XX000';
  let message = '';
  let detail: string | null = null;
  let hint: string | null = null;
  const fields: Record<string, string> = {};
  let at = start;
  while (at < end && bytes[at] !== 0) {
    const key = String.fromCharCode(bytes[at] as number);
    const zero = endOfText(bytes, at + 1, end);
    const value = bytes.toString('utf8', at + 1, zero);
    at = zero + 1;
    if (key === 'C') sqlstate = value;
    else if (key === 'M') message = value;
    else if (key === 'D') detail = value;
    else if (key === 'H') hint = value;
    else {
      const name = fieldNames[key];
      if (name !== undefined) fields[name] = value;
    }
  }
  return new PostgresError(sqlstate, message, detail, hint, fields, ofCaller);
}
