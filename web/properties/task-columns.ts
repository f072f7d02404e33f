// Columns of a task's row that people write beside its title and description. A new one is a word here.

import type { TaskRow } from '../sync/rows/rows.ts';

export const taskColumns = ['priority', 'start_date', 'due_date', 'estimate'] as const satisfies (keyof TaskRow)[];
export type TaskColumn = (typeof taskColumns)[number];
export type TaskPatch = Partial<Pick<TaskRow, 'title' | 'description' | TaskColumn>>;
