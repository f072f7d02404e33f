// A line of the list: the head of a group, or a task.

import type { TaskGroup, TaskRow } from '../../queries.ts';

export type Item =
  | { readonly kind: 'head'; readonly key: string; readonly group: TaskGroup }
  | { readonly kind: 'task'; readonly key: string; readonly task: TaskRow; readonly depth: number };

/** The title that is edited, or was last. */
export interface EditedTitle {
  readonly taskId: string;
  /** The line, where a task has several; null: it was just begun, and comes with the next drawing. */
  readonly key: string | null;
  /** Its place, for when it is gone afterwards. */
  readonly index: number;
  /** `left`: the focus is elsewhere already. */
  readonly state: 'open' | 'done' | 'left';
}

/** Its line; -1: there is none. */
export function editedRow(items: readonly Item[], edited: EditedTitle | null): number {
  if (edited === null) return -1;
  const { key, taskId } = edited;
  return items.findIndex((item) => (key === null ? item.kind === 'task' && item.task.id === taskId : item.key === key));
}
