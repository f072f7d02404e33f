// Restricted tasks: the one whose people see a task.

import type { TaskRow } from '../../sync/rows/rows.ts';

/** The restricted task that it is, or stands under; null: everyone in the project sees it. */
export function audienceOf(task: TaskRow): string | null {
  return task.is_restricted === true ? task.id : (task.audience_id ?? null);
}
