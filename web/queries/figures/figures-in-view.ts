// The figures of those tasks of a project that pass a filter, counted from the rows that are here. What only the server remembers (how
// columns filled day by day, when a task was begun) comes from task-flow.ts.

import { type Group, priorities } from '../../../contract/views.ts';
import type { Query } from '../../sync/react.tsx';
import type { ColumnKind, TaskRow } from '../../sync/rows/rows.ts';
import { dayOf, daysAfter } from '../days/days.ts';
import { nameOf } from '../people/people.ts';
import { readColumns } from '../projects/projects.ts';
import { listOf, onlyProject, readOpenPredecessors, type TasksOf } from '../tasks/tasks.ts';
import { readFieldFigures } from './field-figures.ts';
import type { Metrics } from './metrics.ts';
import { shareOf } from './task-flow.ts';

const kinds: readonly ColumnKind[] = ['backlog', 'todo', 'in_progress', 'done', 'custom'];
const weeks = 12;

/** Days and weeks that were recorded are UTC, as the server counts them; what is due is measured by `today`, the reader's. */
export const figuresInView: Query<[of: TasksOf, filter: Group, today: string], Metrics> = {
  read(store, of, filter, today) {
    const tasks = listOf.read(store, of, filter);
    const open = tasks.filter((task) => task.completed_at === null);
    const columns = readColumns(store, onlyProject(of));
    const inColumn = countBy(tasks, (task) => task.column_id);
    const byKind = countBy(tasks, (task) => store.get('workflow_columns', task.column_id)?.kind ?? '');
    const byPriority = countBy(tasks, (task) => task.priority);
    const people = new Map<string, { open: number; completed: number }>();
    let unassigned = 0;
    for (const task of tasks) {
      const links = store.where('task_assignees', 'task_id', task.id);
      if (links.length === 0 && task.completed_at === null) unassigned++;
      for (const { user_id } of links) {
        const one = people.get(user_id) ?? { open: 0, completed: 0 };
        people.set(user_id, one);
        one[task.completed_at === null ? 'open' : 'completed']++;
      }
    }
    const done = byKind.get('done') ?? 0;
    const soon = daysAfter(today, 6);
    const dueIn = (fits: (day: string) => boolean): number =>
      open.filter(({ due_date: day }) => day !== null && fits(day)).length;
    return {
      project_id: onlyProject(of) || null,
      generated_at: new Date().toISOString(),
      tasks: {
        total: tasks.length,
        open: tasks.length - done,
        completed: done,
        overdue: dueIn((day) => day < today),
        due_this_week: dueIn((day) => day >= today && day <= soon),
        unassigned,
        blocked: open.filter(({ id }) => readOpenPredecessors(store, id).length > 0).length,
      },
      by_kind: Object.fromEntries(kinds.map((kind) => [kind, byKind.get(kind) ?? 0])) as Metrics['by_kind'],
      by_priority: Object.fromEntries(
        priorities.map((priority) => [priority, byPriority.get(priority) ?? 0]),
      ) as Metrics['by_priority'],
      by_column: columns.map(({ id, name, kind, wip_limit }) => ({
        column_id: id,
        name,
        kind,
        count: inColumn.get(id) ?? 0,
        wip_limit,
      })),
      by_assignee: [...people]
        .map(([user_id, counts]) => ({ user_id, display_name: nameOf(store.get('profiles', user_id)), ...counts }))
        .sort((one, other) => other.open - one.open || other.completed - one.completed),
      throughput: throughputOf(tasks),
      cumulative_flow: [],
      cycle_time_days: { p50: null, p90: null },
      lead_time_days: leadOf(tasks),
      by_field: readFieldFigures(store, onlyProject(of), tasks),
    };
  },
};

function countBy(tasks: readonly TaskRow[], of: (task: TaskRow) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks) counts.set(of(task), (counts.get(of(task)) ?? 0) + 1);
  return counts;
}

/** The Monday of its week. */
function weekOf(moment: string): string {
  const day = new Date(moment).toISOString().slice(0, 10);
  return daysAfter(day, -((dayOf(day).getDay() + 6) % 7));
}

function throughputOf(tasks: readonly TaskRow[]): Metrics['throughput'] {
  const created = countBy(tasks, (task) => weekOf(task.created_at));
  const completed = countBy(tasks, (task) => (task.completed_at ? weekOf(task.completed_at) : ''));
  const first = daysAfter(weekOf(new Date().toISOString()), -7 * (weeks - 1));
  return Array.from({ length: weeks }, (_, at) => {
    const week = daysAfter(first, 7 * at);
    return { week, created: created.get(week) ?? 0, completed: completed.get(week) ?? 0 };
  });
}

function leadOf(tasks: readonly TaskRow[]): Metrics['lead_time_days'] {
  const days = tasks.flatMap(({ created_at, completed_at }) =>
    completed_at ? [(Date.parse(completed_at) - Date.parse(created_at)) / 86_400_000] : [],
  );
  return { p50: shareOf(days, 0.5), p90: shareOf(days, 0.9) };
}
