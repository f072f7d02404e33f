// Timeline of a project: tasks with a day, grouped and sorted, and unscheduled tasks.

import { type Group, type Grouping, noFilter, partsOf, type Sorting } from '../../../contract/views.ts';
import type { Query } from '../../sync/react.tsx';
import type { DependencyRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { readColumns } from '../projects/projects.ts';
import { byRank } from '../tasks/column-tasks.ts';
import { readSubtasks } from '../tasks/subtasks.ts';
import { listOf, onlyProject, type TasksOf } from '../tasks/tasks.ts';
import { orderBy } from './filtering.ts';
import { groupTasks, type TaskGroup } from './grouping.ts';
import { criticalPath, daysTooEarly } from './schedule.ts';
import { type Span, spanOf } from './spans.ts';

export interface Timeline {
  readonly groups: readonly TaskGroup[];
  /** All that have a day, each once. */
  readonly dated: readonly TaskRow[];
  /** Open tasks without a day. */
  readonly undated: readonly TaskRow[];
  readonly shown: number;
  /** Before filtering. */
  readonly total: number;
}

/** What begins first stands first; of those what ends first. */
function byDays(one: TaskRow, other: TaskRow): number {
  const [mine, theirs] = [spanOf(one), spanOf(other)];
  if (mine === null || theirs === null) return 0;
  return (
    mine.from - theirs.from ||
    mine.to - theirs.to ||
    (one.number ?? Number.MAX_SAFE_INTEGER) - (other.number ?? Number.MAX_SAFE_INTEGER)
  );
}

export const timelineOf: Query<
  [of: TasksOf, filter: Group, grouping: Grouping | null, sort: readonly Sorting[]],
  Timeline
> = {
  shared: 8,
  read(store, of, filter, grouping, sort) {
    const projectId = onlyProject(of);
    const tasks = listOf.read(store, of, filter);
    const dated: TaskRow[] = [];
    const undated: TaskRow[] = [];
    for (const task of tasks)
      if (task.start_date !== null || task.due_date !== null) dated.push(task);
      else if (task.completed_at === null) undated.push(task);
    const places = new Map(readColumns(store, projectId).map((column, at) => [column.id, at]));
    dated.sort(sort.length === 0 ? byDays : orderBy(store, sort, (columnId) => places.get(columnId) ?? places.size));
    const bare = dated.length === 0 ? [] : [{ id: 'all', name: '', tasks: dated }];
    return {
      groups: grouping === null ? bare : groupTasks(store, projectId, dated, grouping),
      dated,
      undated: undated.sort(byRank),
      shown: tasks.length,
      total: partsOf(filter).length > 0 ? listOf.read(store, of, noFilter).length : tasks.length,
    };
  },
};

/** What waits for what, in a whole project or among some tasks of several. */
export const dependenciesOf: Query<[of: TasksOf], DependencyRow[]> = {
  shared: 8,
  read: (store, of) =>
    typeof of === 'string'
      ? store.where('task_dependencies', 'project_id', of)
      : of.flatMap((id) => store.where('task_dependencies', 'successor_id', id)),
};

/** What is done holds nothing up, and waits for nothing. */
function openSpans(store: Reader, of: TasksOf): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const task of listOf.read(store, of, noFilter)) {
    if (task.completed_at !== null) continue;
    const span = spanOf(task);
    if (span !== null) spans.set(task.id, span);
  }
  return spans;
}

/** A task that begins before what it waits for has ended, and the days between are over. */
export interface Early {
  readonly id: string;
  readonly predecessorId: string;
  readonly successorId: string;
  readonly days: number;
}

/** Whatever the filter, as those it hides hold up others all the same. */
export const earlyOf: Query<[of: TasksOf], Early[]> = {
  shared: 8,
  read(store, of) {
    const links = dependenciesOf.read(store, of);
    if (links.length === 0) return [];
    const spans = openSpans(store, of);
    return links.flatMap(({ id, predecessor_id, successor_id, lag_days }) => {
      const [before, after] = [spans.get(predecessor_id), spans.get(successor_id)];
      const days = before && after ? daysTooEarly(before, after, lag_days) : 0;
      return days > 0 ? [{ id, predecessorId: predecessor_id, successorId: successor_id, days }] : [];
    });
  },
};

/** The tasks that decide when all of it is done; of no project: none. */
export const criticalOf: Query<[projectId: string], string[]> = {
  shared: 8,
  read: (store, projectId) => [
    ...criticalPath(openSpans(store, projectId), store.where('task_dependencies', 'project_id', projectId)),
  ],
};

export interface Progress {
  readonly done: number;
  readonly of: number;
}

/** Subtasks and checklist items together; what has neither has none. */
export const progressOf: Query<[taskId: string], Progress | null> = {
  read(store, taskId) {
    const items = store.where('task_checklist_items', 'task_id', taskId);
    const subtasks = readSubtasks(store, taskId);
    const all = items.length + subtasks.length;
    if (all === 0) return null;
    const done = items.filter((item) => item.is_done).length + subtasks.filter((one) => one.completed_at).length;
    return { done, of: all };
  },
};
