// Rows as objects, decoded by type: what the server's own work reads. The data door passes bytes on and never comes here.

import type { Result } from './types.ts';

type Decode = (text: string) => unknown;

const number: Decode = Number;
const json: Decode = (text) => JSON.parse(text);
/** `2026-01-02 03:04:05.6+00` as Postgres writes it, to ISO 8601. Infinity stays as it is. */
const instant: Decode = (text) => {
  const date = new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
};

const decoders = new Map<number, Decode>([
  [16, (text) => text === 't'],
  [20, number],
  [21, number],
  [23, number],
  [26, number],
  [700, number],
  [701, number],
  [114, json],
  [3802, json],
  [1184, instant],
]);

export function decodeRows<T>(result: Result): T[] {
  return result.rows.map((row) => {
    const object: Record<string, unknown> = {};
    result.fields.forEach((field, index) => {
      const cell = row[index];
      if (cell === null || cell === undefined) object[field.name] = null;
      else {
        const decode = decoders.get(field.type);
        const text = cell.toString('utf8');
        object[field.name] = decode === undefined ? text : decode(text);
      }
    });
    return object as T;
  });
}
