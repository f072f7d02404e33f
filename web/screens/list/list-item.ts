// A line of the list: the head of a group, or a task.

import type { TaskGroup, TaskRow } from '../../queries.ts';

export type Item =
  | { readonly kind: 'head'; readonly key: string; readonly group: TaskGroup }
  | { readonly kind: 'task'; readonly key: string; readonly task: TaskRow; readonly depth: number };

/** The title that is edited, or was last. */
export interface EditedTitle {
  /** The line: a task may have several. */
  readonly key: string;
  /** Its place, for when it is gone afterwards. */
  readonly index: number;
  /** `left`: the focus is elsewhere already. */
  readonly state: 'open' | 'done' | 'left';
}
