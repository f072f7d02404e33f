// The list: tasks of a project in groups and in an order; and my tasks across projects, by when they are due.

import { compareRanks } from '../sync/rank.ts';
import type { Query } from '../sync/react.tsx';
import type { ColumnKind, Priority, TaskRow } from '../sync/rows.ts';
import type { Reader } from '../sync/store.ts';
import { dayOf, daysAfter, localDay } from './days.ts';
import { readColumns } from './projects.ts';
import { listOf, readAssignees, readLabels, type TaskFilter } from './tasks.ts';

export const groupings = ['column', 'assignee', 'priority', 'label', 'none'] as const;
export type Grouping = (typeof groupings)[number];

export const sortings = ['rank', 'priority', 'due', 'title', 'updated', 'number'] as const;
export type Sorting = (typeof sortings)[number];

export interface TaskGroup {
  /** What the group is of: a column's, person's or label's id, a priority; empty for "none of them". */
  readonly id: string;
  readonly name: string;
  readonly kind?: ColumnKind;
  readonly color?: string | null;
  readonly priority?: Priority;
  readonly tasks: readonly TaskRow[];
}

export interface GroupedList {
  readonly groups: readonly TaskGroup[];
  readonly shown: number;
  readonly total: number;
}

const titles = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

export type TaskOrder = (one: TaskRow, other: TaskRow) => number;

/** Ties fall back to the number, so that an order is always the same order. */
export function orderBy(sorting: Sorting, columnPlace: (columnId: string) => number): TaskOrder {
  const byNumber: TaskOrder = (one, other) =>
    (one.number ?? Number.MAX_SAFE_INTEGER) - (other.number ?? Number.MAX_SAFE_INTEGER);
  const orders: Record<Sorting, TaskOrder> = {
    rank: (one, other) =>
      columnPlace(one.column_id) - columnPlace(other.column_id) || compareRanks(one.order_rank, other.order_rank),
    priority: (one, other) => compareRanks(one.priority, other.priority),
    due: (one, other) => compareRanks(one.due_date ?? '9999', other.due_date ?? '9999'),
    title: (one, other) => titles.compare(one.title, other.title),
    // The latest first: what people look for is what just changed.
    updated: (one, other) => compareRanks(other.updated_at, one.updated_at),
    number: byNumber,
  };
  const order = orders[sorting];
  return (one, other) => order(one, other) || byNumber(one, other) || (one.id < other.id ? -1 : 1);
}

export const groupedListOf: Query<
  [projectId: string, filter: TaskFilter, grouping: Grouping, sorting: Sorting, backwards: boolean],
  GroupedList
> = {
  tables: ['tasks', 'task_assignees', 'task_label_links', 'task_labels', 'workflow_columns', 'profiles'],
  shared: true,
  read(store, projectId, filter, grouping, sorting, backwards) {
    const tasks = listOf.read(store, projectId, filter);
    const isNarrow = Object.keys(filter).length > 0;
    const total = isNarrow ? listOf.read(store, projectId, {}).length : tasks.length;
    const places = new Map(readColumns(store, projectId).map((column, at) => [column.id, at]));
    const order = orderBy(sorting, (columnId) => places.get(columnId) ?? places.size);
    tasks.sort(backwards ? (one, other) => order(other, one) : order);
    return { groups: groupTasks(store, projectId, tasks, grouping), shown: tasks.length, total };
  },
};

function groupTasks(store: Reader, projectId: string, tasks: readonly TaskRow[], grouping: Grouping): TaskGroup[] {
  if (grouping === 'none') return tasks.length === 0 ? [] : [{ id: 'all', name: '', tasks }];
  const byGroup = new Map<string, TaskRow[]>();
  const put = (id: string, task: TaskRow): void => {
    const members = byGroup.get(id);
    if (members) members.push(task);
    else byGroup.set(id, [task]);
  };
  if (grouping === 'column') {
    for (const task of tasks) put(task.column_id, task);
    return readColumns(store, projectId).flatMap((column) => {
      const members = byGroup.get(column.id);
      return members
        ? [{ id: column.id, name: column.name, kind: column.kind, color: column.color, tasks: members }]
        : [];
    });
  }
  if (grouping === 'priority') {
    for (const task of tasks) put(task.priority, task);
    return (['p0', 'p1', 'p2'] as const).flatMap((priority) => {
      const members = byGroup.get(priority);
      return members ? [{ id: priority, name: '', priority, tasks: members }] : [];
    });
  }
  // A task of two people or with two labels stands in both groups.
  const names = new Map<string, { name: string; color?: string | null }>();
  for (const task of tasks) {
    const of =
      grouping === 'assignee'
        ? readAssignees(store, task.id).map((person) => ({ id: person.userId, name: person.name }))
        : readLabels(store, task.id);
    for (const one of of) {
      names.set(one.id, one);
      put(one.id, task);
    }
    if (of.length === 0) put('', task);
  }
  const groups = [...names].map(([id, named]): TaskGroup => ({ ...named, id, tasks: byGroup.get(id) ?? [] }));
  groups.sort((one, other) => titles.compare(one.name, other.name));
  const rest = byGroup.get('');
  return rest ? [...groups, { id: '', name: '', tasks: rest }] : groups;
}

/** Which of what a row may show none of these tasks has, separated by blanks: "labels due". */
export const lackingIn: Query<[projectId: string, filter: TaskFilter], string> = {
  tables: ['tasks', 'task_assignees', 'task_label_links'],
  read(store, projectId, filter) {
    const tasks = listOf.read(store, projectId, filter);
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

/** A week is the seven days from today on. */
export function dueGroupOf(due: string | null, now = new Date()): DueGroup {
  if (due === null) return 'none';
  const today = localDay(now);
  if (due < today) return 'overdue';
  if (due === today) return 'today';
  return due <= daysAfter(today, 6) ? 'week' : 'later';
}

export interface MyTasks {
  readonly groups: readonly { readonly id: DueGroup; readonly tasks: readonly TaskRow[] }[];
  readonly total: number;
}

/** What is assigned to me and still open, in every project that is not archived. */
export const myTasks: Query<[userId: string, projectId: string, today?: string], MyTasks> = {
  tables: ['tasks', 'task_assignees', 'projects'],
  read(store, userId, projectId, today = localDay(new Date())) {
    const now = dayOf(today);
    const order = orderBy('due', () => 0);
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
  tables: ['task_assignees'],
  read: (store, taskIds) =>
    common(taskIds, (taskId) => store.where('task_assignees', 'task_id', taskId).map((link) => link.user_id)),
};

export const commonLabels: Query<[taskIds: string], string[]> = {
  tables: ['task_label_links'],
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
