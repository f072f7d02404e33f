// What tasks hold in whole fields, as the server gave it: one list of values for each field, by the number of the task. 10,000 tasks with
// 20 fields are 200,000 rows; as rows of the store they took a second and 90 MB, as columns some milliseconds. The store lays its own rows
// over them: what came or was done since.

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
  private readonly byField = new Map<
    string,
    { readonly projectId: string; readonly values: (FieldValue | undefined)[] }
  >();

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

  fields(): Iterable<string> {
    return this.byField.keys();
  }

  /** Numbers of tasks begin anew in each project. */
  value(fieldId: string, { project_id, number }: Numbered): FieldValue | undefined {
    const column = this.byField.get(fieldId);
    return number === null || column?.projectId !== project_id ? undefined : column.values[number];
  }

  row(fieldId: string, task: Numbered): FieldValueRow | undefined {
    const value = this.value(fieldId, task);
    if (value === undefined) return undefined;
    return { project_id: task.project_id, task_id: task.id, field_id: fieldId, value };
  }

  clear(): void {
    this.byField.clear();
  }
}
