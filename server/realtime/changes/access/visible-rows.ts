// Finds the rows that a SELECT shows to a caller now, by their keys and these values in `columns`. Used where a right and the change came
// within half a second of each other, which the policies' condition over the row of the change cannot decide; that is rare.

import { ident, join, sql, statement } from '../../../database/sql.ts';
import type { Caller, Database } from '../../../database/types.ts';
import type { Values } from '../change.ts';
import { rowJson } from '../row-json.ts';
import type { Table } from '../tables.ts';
import { isPolicyError } from './policy-error.ts';

/** Null where rows cannot be asked about: no key, or no right to read it. */
export async function visibleRows(
  database: Pick<Database, 'objectsAs'>,
  caller: Caller,
  table: Table,
  rows: readonly Values[],
  columns: readonly string[] = [],
): Promise<ReadonlySet<Values> | null> {
  const keys = table.columns.filter(({ isKey }) => isKey).map(({ name }) => name);
  if (keys.length === 0) return null;
  const name = ident(table.schema, table.name);
  const same = [
    ...keys.map((key) => sql`kanbase_shown.${ident(key)} = kanbase_asked.${ident(key)}`),
    // A long value that an update left alone is not in the change.
    ...columns.map(
      (column) => sql`(not jsonb_exists(kanbase_rows.kanbase_value, ${column})
        or kanbase_shown.${ident(column)}::text is not distinct from kanbase_asked.${ident(column)}::text)`,
    ),
  ];
  const asked = `[${rows.map((row) => rowJson(table, [...new Set([...keys, ...columns])], row)).join(',')}]`;
  try {
    const found = await database.objectsAs<{ place: number }>(
      caller,
      statement(sql`
        select kanbase_rows.kanbase_place as place
        from jsonb_array_elements(${asked}::jsonb) with ordinality as kanbase_rows(kanbase_value, kanbase_place),
        lateral jsonb_populate_record(null::${name}, kanbase_rows.kanbase_value) as kanbase_asked
        where exists (select from ${name} as kanbase_shown where ${join(same, ' and ')})`),
      { readOnly: true },
    );
    return new Set(found.map(({ place }) => rows[place - 1] as Values));
  } catch (error) {
    if (isPolicyError(error)) return null;
    throw error;
  }
}
