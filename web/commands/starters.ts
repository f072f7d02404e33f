// A new project's first columns, labels and tasks.

import { dataOf } from '../sync/door.ts';
import { newId } from '../sync/ids.ts';
import type { Change } from '../sync/procedures.ts';
import type { Priority } from '../sync/rows.ts';
import type { Sync } from '../sync/sync.ts';
import { insertRows, sendChanges, updateRows } from './send-changes.ts';

export interface Starter {
  /** By name: the first, second and third, and the last, are those that every project begins with. */
  readonly columns: readonly string[];
  readonly labels: readonly { readonly name: string; readonly color: string }[];
  readonly tasks: readonly {
    readonly title: string;
    readonly description: string;
    /** Places in the lists above; -1: none. */
    readonly column: number;
    readonly label: number;
    readonly priority: Priority;
    readonly dueDate: string | null;
  }[];
}

export async function fillProject(sync: Sync, projectId: string, starter: Starter): Promise<void> {
  const made = dataOf(
    await sync.door
      .from('workflow_columns')
      .select('id,position')
      .eq('project_id', projectId)
      .order('position', { ascending: true }),
  );
  const last = made.length - 1;
  const extra = starter.columns.slice(last, -1).map((name, at) => ({
    id: newId(),
    project_id: projectId,
    name,
    kind: 'custom' as const,
    position: (made[last - 1]?.position ?? 0) + (at + 1) / (starter.columns.length + 1),
  }));
  const columns = [...made.slice(0, last), ...extra, ...made.slice(last)].map((column) => column.id);
  const renamed = columns.flatMap((id, at) => {
    const name = starter.columns[at];
    return name === undefined || extra.some((one) => one.id === id) ? [] : [{ id, name }];
  });
  const labels = starter.labels.map((label) => ({ id: newId(), project_id: projectId, ...label }));
  const tasks = starter.tasks.map((task) => ({ ...task, id: newId() }));
  const changes: Change[] = [
    updateRows('workflow_columns', renamed),
    insertRows('workflow_columns', extra),
    insertRows('task_labels', labels),
    insertRows(
      'tasks',
      tasks.map(({ id, title, description, column, priority, dueDate }) => ({
        id,
        project_id: projectId,
        column_id: columns[column] ?? columns[0] ?? '',
        title,
        description,
        priority,
        due_date: dueDate,
      })),
    ),
    insertRows(
      'task_label_links',
      tasks.flatMap(({ id, label }) => {
        const label_id = labels[label]?.id;
        return label_id === undefined ? [] : [{ project_id: projectId, task_id: id, label_id }];
      }),
    ),
  ];
  const rows = await sendChanges(
    sync.door,
    changes.filter(({ rows }) => rows.length > 0),
  );
  sync.store.receive(rows);
}
