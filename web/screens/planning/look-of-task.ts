// How a task looks on its days: the colour of the column it is in, and whether it is done or late.

import { dueState } from '../../queries/days.ts';
import type { ColumnKind, TaskRow } from '../../queries.ts';
import type { Scene } from './scene.ts';

const kindColours: Readonly<Record<ColumnKind, string>> = {
  backlog: 'var(--edge)',
  todo: 'var(--edge)',
  in_progress: 'var(--sun)',
  done: 'var(--good)',
  custom: 'var(--mark)',
};

/** The colour of the column it is in. */
export function colourOf(scene: Scene, task: TaskRow): string {
  const column = scene.columnOf(task);
  return column?.color ?? kindColours[column?.kind ?? 'todo'];
}

export function stateOf(scene: Scene, task: TaskRow): string | undefined {
  if (task.completed_at !== null) return 'done';
  return task.due_date !== null && dueState(task.due_date, null, scene.today) === 'overdue' ? 'overdue' : undefined;
}
