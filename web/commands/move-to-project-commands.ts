// Moving tasks to another project. The server previews the changes (queries/projects/other-projects.ts) and moves them in one call; here the tasks move to the
// other board at once. Undo has the server restore what they left behind.

import { t } from '../strings/messages.ts';
import { type Door, dataOf } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { type Diff, type RowDiff, remove, update } from '../sync/rows/diff.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader, RowChange } from '../sync/rows/store.ts';
import { define, list, only, record, text } from './define-command.ts';
import { openEnds } from './show-changes.ts';
import { keyIn } from './task-commands.ts';

/** Where the tasks of a column come in the other project. */
interface ColumnMatch {
  readonly from: string;
  readonly to: string;
}

/** Without number and place: the other project gives them. */
function changeProject(task: TaskRow, projectId: string, columnId: string, rank: string): RowDiff {
  const { project_id, column_id, number, order_rank } = task;
  return {
    kind: 'update',
    table: 'tasks',
    key: task.id,
    before: { project_id, column_id, number, order_rank },
    after: { project_id: projectId, column_id: columnId, number: null, order_rank: rank },
    guessed: ['number', 'order_rank'],
    by: 'project',
  };
}

const moveAcross = define(
  'moveTasksToProject',
  record({ taskIds: list(text), projectId: text, columns: list(record({ from: text, to: text })) }),
  {
    announced: true,
    apply(store, { taskIds, projectId, columns }) {
      const rankAtEnd = openEnds(store);
      return taskIds.flatMap((id) => {
        const task = store.get('tasks', id);
        if (task === undefined || task.project_id === projectId) return [];
        const columnId = columns.find(({ from }) => from === task.column_id)?.to ?? columns[0]?.to ?? task.column_id;
        return only(
          changeProject(task, projectId, columnId, rankAtEnd(columnId)),
          ...store.where('task_label_links', 'task_id', id).map((link) => remove('task_label_links', link)),
          ...store
            .where('task_assignees', 'task_id', id)
            .map((one) =>
              store.get('project_members', `${projectId} ${one.user_id}`)
                ? update('task_assignees', one, { project_id: projectId })
                : remove('task_assignees', one),
            ),
        );
      });
    },
    send: (door, { taskIds, projectId }) => send(door, taskIds, projectId, false),
  },
);

async function send(door: Door, taskIds: readonly string[], projectId: string, back: boolean): Promise<RowChange[]> {
  const rows = dataOf(
    await door.rpc('move_tasks_to_project', { task_ids: [...taskIds], project_id: projectId, brings_back: back }),
  );
  return rows.map((row) => ({ table: 'tasks', row }));
}

export function moveTasksToProject(
  store: Reader,
  taskIds: readonly string[],
  to: { readonly projectId: string; readonly columns: readonly ColumnMatch[] },
): Mutation {
  const project = store.get('projects', to.projectId)?.name ?? '';
  const first = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  return moveAcross(
    { taskIds, projectId: to.projectId, columns: to.columns },
    first
      ? t('task.did.movedToProject', { key: keyIn(store, first), project })
      : t('task.did.movedManyToProject', { n: taskIds.length, project }),
  );
}

/** By project the tasks that a diff takes back to it. */
export function returning(diff: Diff): ReadonlyMap<string, readonly string[]> {
  const back = new Map<string, string[]>();
  for (const one of diff) {
    if (one.kind !== 'update' || one.table !== 'tasks' || one.by !== 'project') continue;
    const projectId = one.after.project_id ?? '';
    back.set(projectId, [...(back.get(projectId) ?? []), one.key]);
  }
  return back;
}

export async function bringBack(door: Door, back: ReadonlyMap<string, readonly string[]>): Promise<RowChange[]> {
  const rows: RowChange[] = [];
  for (const [projectId, taskIds] of back) rows.push(...(await send(door, taskIds, projectId, true)));
  return rows;
}
