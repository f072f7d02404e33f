// Rows from Postgres' text format to JSON: once so that Postgres reads them back (`jsonb_populate_record`), once as
// clients of the data door know them (`to_jsonb`). Pure.

import type { Values } from './change.ts';
import type { Column, Table } from './tables.ts';

const json = new Set([114, 3802]);
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
/** Element types of arrays whose elements are more than text. */
const arrays = new Map<number, number>([
  [1000, 16],
  [1016, 20],
  [1005, 21],
  [1007, 23],
  [1028, 26],
  [1021, 700],
  [1022, 701],
  [1231, 1700],
  [1009, 25],
  [1015, 1043],
  [1002, 18],
  [1003, 19],
  [2951, 2950],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [199, 114],
  [3807, 3802],
]);

/** An object that `jsonb_populate_record` makes the same values of. Columns that are not known are left out. */
export function rowJson(table: Table, columns: readonly string[], row: Values): string {
  const parts: string[] = [];
  for (const name of columns) {
    const value = row[name];
    if (value === undefined) continue;
    const column = table.columns.find((one) => one.name === name);
    const isJson = column !== undefined && json.has(column.baseType);
    parts.push(`${JSON.stringify(name)}:${value === null ? 'null' : isJson ? value : JSON.stringify(value)}`);
  }
  return `{${parts.join(',')}}`;
}

/** The row as the data door would answer it, with these columns in the table's order. */
export function recordJson(columns: readonly Column[], row: Values, longest = Number.POSITIVE_INFINITY): string {
  const parts: string[] = [];
  for (const column of columns) {
    const value = row[column.name];
    if (value === undefined || (value !== null && value.length > longest)) continue;
    parts.push(`${JSON.stringify(column.name)}:${valueJson(column.baseType, value)}`);
  }
  return `{${parts.join(',')}}`;
}

export function valueJson(type: number, value: string | null): string {
  if (value === null) return 'null';
  if (type === 16) return value === 't' || value === 'true' ? 'true' : 'false';
  if (numbers.has(type)) return /^-?\d/.test(value) ? value : JSON.stringify(value);
  if (json.has(type)) return value;
  if (type === 1114) return JSON.stringify(value.replace(' ', 'T'));
  if (type === 1184) return JSON.stringify(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  const element = arrays.get(type);
  return element === undefined ? JSON.stringify(value) : (arrayJson(element, value) ?? JSON.stringify(value));
}

/** `{1,"a,b",NULL,{2}}`; null when it is none (bounds before the braces, for one). */
function arrayJson(element: number, text: string): string | null {
  if (!text.startsWith('{')) return null;
  let at = 0;
  const read = (): string | null => {
    at++;
    const items: string[] = [];
    while (text[at] !== '}') {
      if (at >= text.length) return null;
      if (text[at] === '{') {
        const inner = read();
        if (inner === null) return null;
        items.push(inner);
      } else if (text[at] === '"') items.push(valueJson(element, readQuoted()));
      else {
        const end = text.slice(at).search(/[,}]/) + at;
        const item = text.slice(at, end);
        items.push(item === 'NULL' ? 'null' : valueJson(element, item));
        at = end;
      }
      if (text[at] === ',') at++;
    }
    at++;
    return `[${items.join(',')}]`;
  };
  const readQuoted = (): string => {
    let item = '';
    for (at++; at < text.length && text[at] !== '"'; at++) {
      if (text[at] === '\\') at++;
      item += text[at] ?? '';
    }
    at++;
    return item;
  };
  return read();
}
