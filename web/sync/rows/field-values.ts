// Reads values of tasks in custom fields, whether they came as rows or as whole columns.

import type { FieldColumn, FieldValue, Numbered } from './field-columns.ts';
import type { Reader, Store } from './store.ts';

/** Quicker than the row, and without one. */
export function fieldValue(store: Reader, task: Numbered, fieldId: string): FieldValue | undefined {
  const columns = store.under.task_field_values;
  // Sums and filters ask this hundreds of thousands of times: of most tasks no key has to be put together.
  const over = columns.isCovered(task.id) ? store.over('task_field_values', `${task.id} ${fieldId}`) : undefined;
  return over === undefined ? columns.value(fieldId, task) : over?.value;
}

/** What the tasks of a project hold in some fields, as asked at `since`. */
export function putColumns(
  store: Store,
  projectId: string,
  columns: ReadonlyMap<string, FieldColumn>,
  since: number,
): void {
  if (columns.size === 0) return;
  for (const [fieldId, column] of columns) store.under.task_field_values.put(projectId, fieldId, column);
  store.uncover('task_field_values', (key) => columns.has(key.slice(key.indexOf(' ') + 1)), since);
}
