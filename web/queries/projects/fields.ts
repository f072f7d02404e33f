// Fields that a project gives its tasks, and what tasks hold in them.

import type { Query } from '../../sync/react.tsx';
import { fieldValue } from '../../sync/rows/field-columns.ts';
import type { FieldRow, FieldValueRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

export { fieldValue };

export interface FieldOption {
  readonly id: string;
  readonly name: string;
  readonly color?: string | null;
}

/** As the database keeps them; it lets nothing else in. */
export function optionsOf(field: Pick<FieldRow, 'options'>): readonly FieldOption[] {
  return Array.isArray(field.options) ? (field.options as unknown as readonly FieldOption[]) : [];
}

export function readFields(store: Reader, projectId: string): FieldRow[] {
  return store
    .where('custom_fields', 'project_id', projectId)
    .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}

export const fieldsOf: Query<[projectId: string], FieldRow[]> = {
  shared: 8,
  read: readFields,
};

/** What a task holds, by field. */
export const fieldValuesOf: Query<[taskId: string], ReadonlyMap<string, FieldValueRow['value']>> = {
  read: (store, taskId) =>
    new Map(store.where('task_field_values', 'task_id', taskId).map((row) => [row.field_id, row.value])),
};

/** Of a field that is gone nothing is held any more. */
export function readFieldValue(
  store: Reader,
  task: Pick<TaskRow, 'id' | 'project_id' | 'number'>,
  fieldId: string,
): FieldValueRow['value'] | null {
  return store.get('custom_fields', fieldId) === undefined ? null : (fieldValue(store, task, fieldId) ?? null);
}

/** Another number whenever anything that tasks hold in fields has changed: for what is computed of thousands of them. */
export const valueChanges: Query<[], number> = { read: (store) => store.version('task_field_values') };
