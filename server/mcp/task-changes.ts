// A change of a task as a model says it, turned into changes of `apply_changes`; and what differs between two states of a row.

import { choice, flag, list, object, orNull, type Schema, text, type ValueOf } from '../http/open-api.ts';
import type { Board } from './board.ts';
import { findLabels, findNamed, findPeople, readColumns } from './names.ts';
import type { TaskRow } from './tasks.ts';

export const figure: Schema<number> = { type: 'number' };
export const names = (description?: string) => list(text(), description, { maxItems: 50 });

export const taskChange = {
  'title?': text(),
  'description?': text('Replaces the whole description'),
  'column?': text(),
  'priority?': choice(['p0', 'p1', 'p2']),
  'start?': orNull(text('YYYY-MM-DD')),
  'due?': orNull(text('YYYY-MM-DD')),
  'estimate?': orNull(figure),
  'archived?': flag(),
  'assign?': names(),
  'unassign?': names(),
  'add_labels?': names(),
  'remove_labels?': names(),
} as const;

const shape = object(taskChange);
export type TaskChange = ValueOf<typeof shape>;

const direct = {
  title: 'title',
  description: 'description',
  priority: 'priority',
  start: 'start_date',
  due: 'due_date',
  estimate: 'estimate',
} as const;

/** `version`: the one it was based on; null: whichever the row has. */
export async function changesOf(
  board: Board,
  task: TaskRow,
  change: TaskChange,
  version: number | null,
): Promise<object[]> {
  const of = version === null ? { id: task.id } : { id: task.id, version };
  const link = { project_id: task.project_id, task_id: task.id };
  const named = Object.entries(direct).filter(([name]) => change[name as keyof typeof direct] !== undefined);
  const values: Record<string, unknown> = Object.fromEntries(
    named.map(([name, column]) => [column, change[name as keyof typeof direct]]),
  );
  if (change.archived !== undefined) values.archived_at = change.archived ? new Date().toISOString() : null;
  const [assign, unassign, add, remove, columns] = await Promise.all([
    findPeople(board, task.project_id, change.assign ?? []),
    findPeople(board, task.project_id, change.unassign ?? []),
    findLabels(board, task.project_id, change.add_labels ?? []),
    findLabels(board, task.project_id, change.remove_labels ?? []),
    change.column === undefined ? [] : readColumns(board, task.project_id),
  ]);
  const column = change.column === undefined ? null : findNamed('column', columns, change.column);
  const rows = (verb: 'insert' | 'delete', table: string, of: readonly object[]): object[] =>
    of.length === 0 ? [] : [{ change: verb, table, rows: of }];
  return [
    ...(Object.keys(values).length > 0 || version !== null
      ? [{ change: 'update', table: 'tasks', rows: [{ ...of, ...values }] }]
      : []),
    ...(column === null || column.id === task.column_id
      ? []
      : [{ change: 'move', table: 'tasks', rows: [{ id: task.id, column_id: column.id }] }]),
    ...rows(
      'insert',
      'task_assignees',
      assign.map((user_id) => ({ ...link, user_id })),
    ),
    ...rows(
      'delete',
      'task_assignees',
      unassign.map((user_id) => ({ ...link, user_id })),
    ),
    ...rows(
      'insert',
      'task_label_links',
      add.map((label_id) => ({ ...link, label_id })),
    ),
    ...rows(
      'delete',
      'task_label_links',
      remove.map((label_id) => ({ ...link, label_id })),
    ),
  ];
}

/** Of `apply_changes`. */
export type Saved = readonly {
  readonly table: string;
  readonly rows: readonly Pick<TaskRow, 'id' | 'project_id' | 'number' | 'version'>[];
}[];

/** The last state of each comes last. */
export const savedTasks = (saved: Saved): Saved[number]['rows'] =>
  saved.flatMap(({ table, rows }) => (table === 'tasks' ? rows : []));
