// The cards of a column in their order: asked by commands too, and so part of the first load, which the rest of tasks.ts is not.

import { compareRanks } from '../../sync/rows/rank.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Query, Reader } from '../../sync/rows/store.ts';

export function byRank(one: TaskRow, other: TaskRow): number {
  return compareRanks(one.order_rank, other.order_rank) || (one.id < other.id ? -1 : 1);
}

/** A board is read again whenever one of its tasks changes: the order of the other columns stays. */
const columnTasksOf: Query<[columnId: string], readonly TaskRow[]> = {
  shared: 200,
  read: (store, columnId) =>
    store
      .where('tasks', 'column_id', columnId)
      .filter((task) => task.archived_at === null)
      .sort(byRank),
};

export const readColumnTasks = (store: Reader, columnId: string): readonly TaskRow[] =>
  store.read(columnTasksOf, columnId);
