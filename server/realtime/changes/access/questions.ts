// Questions about who may see what, and the statement that asks them of a table's policies.

import type { ShapeCache } from '../../../database/shape-cache.ts';
import type { Caller, Result } from '../../../database/types.ts';
import type { Step } from '../../../database/wire/exchange.ts';
import type { Condition, Table } from '../tables.ts';

export interface Question {
  readonly caller: Caller;
  /** The same for callers who are the same to every policy. */
  readonly callerKey: string;
  readonly table: Table;
  readonly condition: Condition;
  /** What of the row the condition reads, as JSON. */
  readonly row: string;
}

/** `a.b` is the row's own name within its policies. */
export function stepOf(shapes: ShapeCache, group: readonly Question[]): Step {
  const { table, condition, caller } = group[0] as Question;
  const name = quote(table.name);
  const text =
    'select kanbase_rows.kanbase_place from jsonb_array_elements($1::jsonb) with ordinality as kanbase_rows(kanbase_value, kanbase_place), ' +
    `lateral jsonb_populate_record(null::${quote(table.schema)}.${name}, kanbase_rows.kanbase_value) as ${name} where ${condition.text}`;
  const rows = `[${group.map(({ row }) => row).join(',')}]`;
  return { shape: shapes.of(caller.role, text), statement: { text, values: [rows] } };
}

export function seenOf(result: Result): Set<number> {
  return new Set(result.rows.map(([place]) => Number(place?.toString())));
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
