// Any table with a line of names on top. What its columns hold is guessed from their names, shown, and changed by hand where wrong.

import type { TableFormat } from './table.ts';

/** The ids of a table are unique in files of that name: an export that is made again is usually called the same. */
export const csv: TableFormat = { source: 'csv', scope: (_, fileName) => `csv:${fileName.toLowerCase()}` };
