// Value for one property of a task, as a command takes it: columns of its row, its column on the board, people, labels, or a field.

import type { Json } from '../../contract/database.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { TaskColumn } from '../sync/tables.ts';

export type TaskPatch = Partial<Pick<TaskRow, 'title' | 'description' | TaskColumn>>;

export type CellValue =
  | { readonly of: 'task'; readonly patch: TaskPatch }
  | { readonly of: 'column'; readonly columnId: string }
  | { readonly of: 'people'; readonly ids: readonly string[] }
  | { readonly of: 'labels'; readonly ids: readonly string[] }
  | { readonly of: 'field'; readonly fieldId: string; readonly value: Json };
