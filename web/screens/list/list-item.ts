// A line of the list: the head of a group, or a task.

import type { TaskGroup, TaskRow } from '../../queries.ts';

export type Item =
  | { readonly kind: 'head'; readonly key: string; readonly group: TaskGroup }
  | { readonly kind: 'task'; readonly key: string; readonly task: TaskRow; readonly depth: number };
