// Values of whole fields, as the server gave them: one list of values for each field, by the number of the task. 10,000 tasks with 20
// fields are 200,000 rows; as rows of the store they took a second and 90 MB, as columns some milliseconds. The store lays its own, newer
// rows over them.

import type { FieldValueRow, TaskRow } from './rows.ts';

export type FieldValue = FieldValueRow['value'];

/** As it comes: numbers of tasks, and what each holds. */
export interface FieldColumn {
  readonly numbers: readonly number[];
  readonly values: readonly FieldValue[];
}

/** How a column names a task. */
export type Numbered = Pick<TaskRow, 'id' | 'project_id' | 'number'>;

export class FieldColumns {
  private readonly taskOf: (id: string) => TaskRow | undefined;
  /** Tasks of which the store holds, or held, rows of its own. */
  private readonly covered = new Set<string>();
  private readonly byField = new Map<
    string,
    { readonly projectId: string; readonly values: (FieldValue | undefined)[] }
  >();

  constructor(taskOf: (id: string) => TaskRow | undefined) {
    this.taskOf = taskOf;
  }

  put(projectId: string, fieldId: string, { numbers, values }: FieldColumn): void {
    const most = numbers.reduce((most, number) => Math.max(most, number), 0);
    const held: (FieldValue | undefined)[] = new Array(most + 1).fill(undefined);
    numbers.forEach((number, at) => {
      held[number] = values[at];
    });
    this.byField.set(fieldId, { projectId, values: held });
  }

  has(fieldId: string): boolean {
    return this.byField.has(fieldId);
  }

  /** By task alone: nobody asks for all rows of a field. */
  keysOf(column: string, value: unknown): string[] {
    return column === 'task_id' ? [...this.byField.keys()].map((fieldId) => `${String(value)} ${fieldId}`) : [];
  }

  cover(key: string): void {
    this.covered.add(key.slice(0, key.indexOf(' ')));
  }

  coverOnly(keys: Iterable<string>): void {
    this.covered.clear();
    for (const key of keys) this.cover(key);
  }

  drop(fieldId: string): void {
    this.byField.delete(fieldId);
  }

  isCovered(taskId: string): boolean {
    return this.covered.has(taskId);
  }

  /** Numbers of tasks begin anew in each project. */
  value(fieldId: string, { project_id, number }: Numbered): FieldValue | undefined {
    const column = this.byField.get(fieldId);
    return number === null || column?.projectId !== project_id ? undefined : column.values[number];
  }

  row(key: string): FieldValueRow | undefined {
    const [taskId = '', fieldId = ''] = key.split(' ');
    const task = this.taskOf(taskId);
    if (task === undefined) return undefined;
    const value = this.value(fieldId, task);
    if (value === undefined) return undefined;
    return { project_id: task.project_id, task_id: task.id, field_id: fieldId, value };
  }

  clear(): void {
    this.byField.clear();
    this.covered.clear();
  }
}

/** What the store lets ask and put of them. */
interface Asked {
  readonly fieldColumns: FieldColumns;
  overlay(table: 'task_field_values', key: string): FieldValueRow | null | undefined;
}
interface Put {
  readonly fieldColumns: FieldColumns;
  uncover(table: 'task_field_values', covers: (key: string) => boolean, since: number): void;
}

/** Quicker than the row, and without one. */
export function fieldValue(store: Asked, task: Numbered, fieldId: string): FieldValue | undefined {
  const columns = store.fieldColumns;
  // Sums and filters ask this hundreds of thousands of times: of most tasks no key has to be put together.
  const row = columns.isCovered(task.id) ? store.overlay('task_field_values', `${task.id} ${fieldId}`) : undefined;
  return row === undefined ? columns.value(fieldId, task) : row?.value;
}

/** What the tasks of a project hold in some fields, as asked at `since`. */
export function putColumns(
  store: Put,
  projectId: string,
  columns: ReadonlyMap<string, FieldColumn>,
  since: number,
): void {
  if (columns.size === 0) return;
  for (const [fieldId, column] of columns) store.fieldColumns.put(projectId, fieldId, column);
  store.uncover('task_field_values', (key) => columns.has(key.slice(key.indexOf(' ') + 1)), since);
}
