// A step is the smallest change to the store that has an exact reverse: a row appears, goes, or some of its columns change.
// Commands are lists of steps; undo is the same list reversed; rollback is forgetting them. Nothing here knows the network.

import type { Rows, TableName } from './rows.ts';
import { keyOf } from './rows.ts';

export interface InsertStep<T extends TableName = TableName> {
  readonly kind: 'insert';
  readonly table: T;
  readonly row: Rows[T];
}

export interface DeleteStep<T extends TableName = TableName> {
  readonly kind: 'delete';
  readonly table: T;
  readonly row: Rows[T];
}

export interface UpdateStep<T extends TableName = TableName> {
  readonly kind: 'update';
  readonly table: T;
  readonly key: string;
  readonly before: Partial<Rows[T]>;
  readonly after: Partial<Rows[T]>;
  /** How the move is said to `move_task`; without it the rank itself is sent. */
  readonly beside?: { readonly before_id?: string; readonly after_id?: string };
}

/** One table at a time, so that a step of a union of tables still knows which rows it holds. */
export type Step = { [T in TableName]: InsertStep<T> | DeleteStep<T> | UpdateStep<T> }[TableName];

export function insert<T extends TableName>(table: T, row: Rows[T]): Step {
  return { kind: 'insert', table, row } as Step;
}

export function remove<T extends TableName>(table: T, row: Rows[T]): Step {
  return { kind: 'delete', table, row } as Step;
}

/** Only what really differs; null when nothing does. */
export function update<T extends TableName>(table: T, row: Rows[T], patch: Partial<Rows[T]>): Step | null {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(patch)) {
    const old: unknown = row[column as keyof Rows[T]];
    if (Object.is(old, value)) continue;
    before[column] = old;
    after[column] = value;
  }
  if (Object.keys(after).length === 0) return null;
  return { kind: 'update', table, key: keyOf(table, row), before, after } as Step;
}

/** The same change, backwards. */
export function reverseStep(step: Step): Step {
  if (step.kind === 'insert') return { ...step, kind: 'delete' } as Step;
  if (step.kind === 'delete') return { ...step, kind: 'insert' } as Step;
  return { kind: 'update', table: step.table, key: step.key, before: step.after, after: step.before } as Step;
}

export function reverseSteps(steps: readonly Step[]): Step[] {
  return steps.map(reverseStep).reverse();
}

export function stepKey(step: Step): string {
  return step.kind === 'update' ? step.key : keyOf(step.table, step.row);
}

/** What the server writes by itself, so that it says nothing of who changed a row. */
const written = new Set([
  'number',
  'order_rank',
  'created_by',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
]);

/** Whether the row is no longer as the step left it: someone has changed it since. A row that is gone is told by the server. */
export function isOvertaken(step: Step, row: Readonly<Record<string, unknown>> | undefined): boolean {
  if (step.kind === 'delete' || row === undefined) return false;
  const left = Object.entries(step.kind === 'insert' ? step.row : step.after);
  return left.some(([column, value]) => {
    const now = row[column];
    if (written.has(column) || now === undefined || value === undefined) return false;
    // The moment is the server's.
    return column.endsWith('_at') ? (now === null) !== (value === null) : !Object.is(now, value);
  });
}
