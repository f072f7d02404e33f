// The list: tasks of a project in groups and in an order; and my tasks across projects, by when they are due.

import { type Group, type Grouping, noFilter, type Sorting } from '../../../contract/views.ts';
import type { Query } from '../../sync/react.tsx';
import { compareRanks } from '../../sync/rows/rank.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import { dayOf, daysAfter, localDay } from '../days/days.ts';
import { readColumns } from '../projects/projects.ts';
import { listOf, onlyProject, type TasksOf } from '../tasks/tasks.ts';
import { orderBy, type TaskOrder, testOf } from './filtering.ts';
import { groupTasks, type TaskGroup } from './grouping.ts';

export interface GroupedList {
  readonly groups: readonly TaskGroup[];
  readonly shown: number;
  readonly total: number;
}

export const groupedListOf: Query<
  [of: TasksOf, filter: Group, grouping: Grouping | null, sort: readonly Sorting[]],
  GroupedList
> = {
  shared: 8,
  read(store, of, filter, grouping, sort) {
    const projectId = onlyProject(of);
    const all = of === projectId ? store.read(orderedOf, projectId, sort) : listOf.read(store, of, noFilter);
    const passes = testOf(store, filter);
    const tasks = passes ? all.filter(passes) : all;
    const bare = tasks.length === 0 ? [] : [{ id: 'all', name: '', tasks }];
    const groups = grouping === null ? bare : groupTasks(store, projectId, tasks, grouping);
    return { groups, shown: tasks.length, total: all.length };
  },
};

/** All tasks of a project in an order: a filter only leaves some of them out. */
const orderedOf: Query<[projectId: string, sort: readonly Sorting[]], readonly TaskRow[]> = {
  shared: 1,
  read(store, projectId, sort) {
    const places = new Map(readColumns(store, projectId).map((column, at) => [column.id, at]));
    return listOf
      .read(store, projectId, noFilter)
      .sort(orderBy(store, sort, (columnId) => places.get(columnId) ?? places.size));
  },
};

/** Which of what a row may show none of these tasks has, separated by blanks: "labels due". */
export const emptyColumnsOf: Query<[of: TasksOf, filter: Group], string> = {
  read(store, of, filter) {
    const tasks = listOf.read(store, of, filter);
    const has = {
      labels: tasks.some((task) => store.count('task_label_links', 'task_id', task.id) > 0),
      people: tasks.some((task) => store.count('task_assignees', 'task_id', task.id) > 0),
      due: tasks.some((task) => task.due_date !== null),
    };
    return Object.entries(has)
      .flatMap(([name, there]) => (there ? [] : [name]))
      .join(' ');
  },
};

export const dueGroups = ['overdue', 'today', 'week', 'later', 'none'] as const;
export type DueGroup = (typeof dueGroups)[number];

/** A week is the seven days after today. */
export function dueGroupOf(due: string | null, now = new Date()): DueGroup {
  if (due === null) return 'none';
  const today = localDay(now);
  if (due < today) return 'overdue';
  if (due === today) return 'today';
  return due <= daysAfter(today, 7) ? 'week' : 'later';
}

export interface MyTasks {
  readonly groups: readonly { readonly id: DueGroup; readonly tasks: readonly TaskRow[] }[];
  readonly total: number;
}

/** What is assigned to me and still open, in every project that is not archived. */
export const myTasks: Query<[userId: string, projectId: string, today?: string], MyTasks> = {
  read(store, userId, projectId, today = localDay(new Date())) {
    const now = dayOf(today);
    const order = orderBy(store, [{ by: 'due_date', descending: false }]);
    const urgent: TaskOrder = (one, other) =>
      compareRanks(one.due_date ?? '', other.due_date ?? '') ||
      compareRanks(one.priority, other.priority) ||
      order(one, other);
    const byGroup = new Map<DueGroup, TaskRow[]>(dueGroups.map((group) => [group, []]));
    let total = 0;
    for (const link of store.where('task_assignees', 'user_id', userId)) {
      const task = store.get('tasks', link.task_id);
      if (task === undefined || task.completed_at !== null || task.archived_at !== null) continue;
      const project = store.get('projects', task.project_id);
      if (project === undefined || project.archived_at !== null) continue;
      if (projectId !== '' && project.id !== projectId) continue;
      byGroup.get(dueGroupOf(task.due_date, now))?.push(task);
      total++;
    }
    return {
      groups: [...byGroup].flatMap(([id, tasks]) => (tasks.length > 0 ? [{ id, tasks: tasks.sort(urgent) }] : [])),
      total,
    };
  },
};

/** Who is on every one of these tasks (ids separated by commas), and which labels every one of them has. */
export const commonAssignees: Query<[taskIds: string], string[]> = {
  read: (store, taskIds) =>
    common(taskIds, (taskId) => store.where('task_assignees', 'task_id', taskId).map((link) => link.user_id)),
};

export const commonLabels: Query<[taskIds: string], string[]> = {
  read: (store, taskIds) =>
    common(taskIds, (taskId) => store.where('task_label_links', 'task_id', taskId).map((link) => link.label_id)),
};

function common(taskIds: string, of: (taskId: string) => string[]): string[] {
  const [first, ...rest] = taskIds.split(',');
  let shared = of(first ?? '');
  for (const taskId of rest) {
    if (shared.length === 0) break;
    const here = new Set(of(taskId));
    shared = shared.filter((id) => here.has(id));
  }
  return shared;
}
