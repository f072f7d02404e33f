// The tasks of a project as a calendar and a timeline show them: those with a day, and those that still want one.

import { type Group, noFilter, partsOf } from '../../../contract/views.ts';
import type { Query } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows/rows.ts';
import { byRank } from '../tasks/column-tasks.ts';
import { listOf } from '../tasks/tasks.ts';
import { lyingBetween } from './spans.ts';

export interface ScheduledTasks {
  /** In the order of their days. */
  readonly dated: readonly TaskRow[];
  /** Open tasks without a day. */
  readonly undated: readonly TaskRow[];
  readonly shown: number;
  /** Before filtering. */
  readonly total: number;
}

export const scheduledTasksOf: Query<[projectId: string, filter: Group], ScheduledTasks> = {
  shared: 8,
  read(store, projectId, filter) {
    const tasks = listOf.read(store, projectId, filter);
    const isNarrow = partsOf(filter).length > 0;
    const dated: TaskRow[] = [];
    const undated: TaskRow[] = [];
    for (const task of tasks)
      if (task.start_date !== null || task.due_date !== null) dated.push(task);
      else if (task.completed_at === null) undated.push(task);
    return {
      dated: lyingBetween(dated, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).map(({ task }) => task),
      undated: undated.sort(byRank),
      shown: tasks.length,
      total: isNarrow ? listOf.read(store, projectId, noFilter).length : tasks.length,
    };
  },
};
