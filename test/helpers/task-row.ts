// A task with every column filled, for tests of the store and of commands.

import type { TaskRow } from '../../web/sync/rows/rows.ts';
import { type TaskColumn, taskColumns } from '../../web/sync/tables.ts';

export function taskRow(id: string, patch: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    project_id: 'p',
    column_id: 'todo',
    number: 1,
    title: id,
    ...(Object.fromEntries(taskColumns.map((name) => [name, null])) as Record<TaskColumn, null>),
    priority: 'p2',
    order_rank: id,
    completed_at: null,
    archived_at: null,
    created_by: null,
    created_at: '2026-01-01',
    updated_at: '2026-01-01',
    ...patch,
  };
}
