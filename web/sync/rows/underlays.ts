// Tables of which something comes otherwise than row by row, and what holds it. It lies below the store's own rows: what came or was done
// since lies over it.

import { FieldColumns } from './field-columns.ts';
import type { AnyRow, Rows, TableName } from './rows.ts';

export interface Underlay {
  row(key: string): AnyRow | undefined;
  /** Of rows that may be found by this value of an indexed column. */
  keysOf(column: string, value: unknown): Iterable<string>;
  /** From now on the store may hold a row of its own with this key. */
  cover(key: string): void;
  /** It holds no others. */
  coverOnly(keys: readonly string[]): void;
  clear(): void;
}

export interface Underlays extends Partial<Record<TableName, Underlay>> {
  readonly task_field_values: FieldColumns;
}

/** `get` reads rows of other tables. */
export function openUnderlays(get: <T extends TableName>(table: T, key: string) => Rows[T] | undefined): Underlays {
  return { task_field_values: new FieldColumns((id) => get('tasks', id)) };
}
