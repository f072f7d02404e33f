// Tasks that come again: the rule of each, where it has one.

import type { Query } from '../../sync/react.tsx';
import type { RecurrenceRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

export function readRecurrence(store: Reader, taskId: string): RecurrenceRow | null {
  return store.where('task_recurrences', 'task_id', taskId)[0] ?? null;
}

export const recurrenceOf: Query<[taskId: string], RecurrenceRow | null> = {
  read: readRecurrence,
};
