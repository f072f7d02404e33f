// Value for one property of a task, as a command takes it: columns of its row, its column on the board, people, labels, or a field.

import type { Json } from '../../contract/database.ts';
import type { TaskRow } from '../sync/rows/rows.ts';

export type TaskPatch = Partial<
  Pick<TaskRow, 'title' | 'description' | 'priority' | 'start_date' | 'due_date' | 'estimate'>
>;

export type CellValue =
  | { readonly of: 'task'; readonly patch: TaskPatch }
  | { readonly of: 'column'; readonly columnId: string }
  | { readonly of: 'people'; readonly ids: readonly string[] }
  | { readonly of: 'labels'; readonly ids: readonly string[] }
  | { readonly of: 'field'; readonly fieldId: string; readonly value: Json };
