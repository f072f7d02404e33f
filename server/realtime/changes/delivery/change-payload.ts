// Writes the payload of a change for a subscriber: the same bytes for all who may see the same columns. Pure.

import type { Change, ChangeKind, Values } from '../change.ts';
import { recordJson } from '../row-json.ts';
import type { Column, Table } from '../tables.ts';

/** Values longer than this are left out of a row that is too large to be sent. */
const shortValue = 64;

export interface PayloadOptions {
  /** Columns this subscriber may and wants to see. */
  readonly columns: readonly Column[];
  /** DELETE also for a row that has gone out of sight by an update. */
  readonly kind: ChangeKind;
  readonly maxBytes: number;
}

export function changePayload(table: Table, change: Change, { columns, kind, maxBytes }: PayloadOptions): string {
  const error = errorOf(table, columns);
  const named = `"schema":${JSON.stringify(table.schema)},"table":${JSON.stringify(table.name)}`;
  const head = `{${named},"commit_timestamp":"${new Date(change.committedAt).toISOString()}","type":"${kind}"`;
  if (error !== null) return `${head},"errors":[${JSON.stringify(error)}]}`;
  const described = columns.map(({ name, type }) => `{"name":${JSON.stringify(name)},"type":${JSON.stringify(type)}}`);
  const write = (longest?: number): string => {
    const record = kind === 'DELETE' ? '' : `,"record":${recordJson(columns, change.new ?? {}, longest)}`;
    const old =
      kind === 'INSERT' ? '' : `,"old_record":${recordJson(...oldRow(table, change, columns, kind), longest)}`;
    return `,"columns":[${described.join(',')}]${record}${old}`;
  };
  const body = write();
  if (Buffer.byteLength(body) <= maxBytes) return `${head}${body},"errors":null}`;
  return `${head}${write(shortValue)},"errors":["Error 413: Payload Too Large"]}`;
}

/** Under row security an old row is its key and nothing else: the rest may not have been theirs to see. */
function oldRow(
  table: Table,
  change: Change,
  columns: readonly Column[],
  kind: ChangeKind,
): [readonly Column[], Values] {
  const keys = columns.filter(({ isKey }) => isKey);
  if (!table.hasRowSecurity && change.old !== null) return [columns, change.old];
  const { old, new: fresh } = change;
  if (kind === 'DELETE') return [keys, old ?? {}];
  // A key that was changed belongs to the old row alone.
  const same = old === null || keys.every(({ name }) => old[name] === fresh?.[name]);
  return [keys, same ? (fresh ?? {}) : {}];
}

function errorOf(table: Table, columns: readonly Column[]): string | null {
  if (table.hasRowSecurity && !table.hasKey) return 'Error 400: Bad Request, no primary key';
  return columns.length === 0 ? 'Error 401: Unauthorized' : null;
}
