// Reads any table with names of columns in the first line. The contents of a column are guessed from its name; people see the guess and can correct it.

import type { TableFormat } from './table.ts';

/** The ids of a table are unique in files of that name: an export that is made again is usually called the same. */
export const csv: TableFormat = { source: 'csv', scope: (_, fileName) => `csv:${fileName.toLowerCase()}` };
