// Colour and state of a task on its days: its column, and done or late.

import { dueState } from '../../queries/days/days.ts';
import type { ColumnKind, ColumnRow, TaskRow } from '../../queries.ts';

const kindColours: Readonly<Record<ColumnKind, string>> = {
  backlog: 'var(--edge)',
  todo: 'var(--edge)',
  in_progress: 'var(--sun)',
  done: 'var(--good)',
  custom: 'var(--mark)',
};

export function columnColour(column: ColumnRow | undefined): string {
  return column?.color ?? kindColours[column?.kind ?? 'todo'];
}

export function stateOf({ today }: { readonly today: string }, task: TaskRow): string | undefined {
  if (task.completed_at !== null) return 'done';
  return task.due_date !== null && dueState(task.due_date, null, today) === 'overdue' ? 'overdue' : undefined;
}
