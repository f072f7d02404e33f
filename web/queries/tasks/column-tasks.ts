// The cards of a column in their order: asked by commands too, and so part of the first load, which the rest of tasks.ts is not.

import { compareRanks } from '../../sync/rows/rank.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

export function byRank(one: TaskRow, other: TaskRow): number {
  return compareRanks(one.order_rank, other.order_rank) || (one.id < other.id ? -1 : 1);
}

/** The cards of each column in their order, kept while the rows are the same ones: a board is read again whenever any task changes. */
const mostColumns = 200;
const sortedColumns = new WeakMap<Reader, Map<string, SortedColumn>>();

interface SortedColumn {
  readonly rows: readonly TaskRow[];
  readonly sorted: readonly TaskRow[];
}

export function readColumnTasks(store: Reader, columnId: string): readonly TaskRow[] {
  const columns = sortedColumns.get(store) ?? new Map<string, SortedColumn>();
  sortedColumns.set(store, columns);
  const rows = store.where('tasks', 'column_id', columnId);
  const kept = columns.get(columnId);
  if (kept?.rows.length === rows.length && rows.every((row, at) => row === kept.rows[at])) return kept.sorted;
  const sorted = rows.filter((task) => task.archived_at === null).sort(byRank);
  // Those of projects that were left are not kept for good.
  if (columns.size >= mostColumns) columns.clear();
  columns.set(columnId, { rows, sorted });
  return sorted;
}
