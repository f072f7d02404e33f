// Any table with a line of names on top. What its columns hold is guessed from their names, shown, and changed by hand where wrong.

import type { Read } from '../neutral.ts';
import type { Table } from '../read-table.ts';
import { type Choices, fromTable } from './table.ts';

/** The ids of a table are unique in files of that name: an export that is made again is usually called the same. */
export function fromCsv(table: Table, choices: Choices & { readonly fileName?: string }): Read {
  return fromTable({ source: 'csv', scope: () => `csv:${(choices.fileName ?? '').toLowerCase()}` }, table, choices);
}
