// Value for one property of a task, as a command takes it: columns of its row, its column on the board, people, labels, or a field.

import type { Json } from '../../contract/database.ts';
import type { TaskPatch } from './task-columns.ts';

export type CellValue =
  | { readonly of: 'task'; readonly patch: TaskPatch }
  | { readonly of: 'column'; readonly columnId: string }
  | { readonly of: 'people'; readonly ids: readonly string[] }
  | { readonly of: 'labels'; readonly ids: readonly string[] }
  | { readonly of: 'field'; readonly fieldId: string; readonly value: Json };
