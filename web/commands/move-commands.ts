// Moving tasks: one or many to a place among others, or many to the end of a column.

import type { SortKey } from '../../contract/views.ts';
import { readColumnTasks } from '../queries/tasks/column-tasks.ts';
import { taskKey } from '../queries/tasks/task-key.ts';
import { orderBy } from '../queries/views/filtering.ts';
import { t } from '../strings/messages.ts';
import { dataOf, Refusal } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { rankBetween } from '../sync/rows/rank.ts';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Checked, type Definition, define, list, orNull, record, text } from './define-command.ts';
import { moveTasksTo } from './send-changes.ts';
import { showChanges } from './show-changes.ts';

export interface Place {
  readonly columnId: string;
  /** The task that will follow it; null puts it at the end. */
  readonly beforeId: string | null;
}

const move = define(
  'moveTask',
  record({ taskId: text, columnId: text, beforeId: orNull(text), afterId: orNull(text), rank: text }),
  {
    apply: (store, { taskId, columnId, rank }) =>
      showChanges(store, [moveTasksTo([{ id: taskId, column_id: columnId, order_rank: rank }])]),
    async send(door, { taskId, columnId, beforeId, afterId, rank }) {
      const to = async (place: { before_id?: string; after_id?: string; order_rank?: string }): Promise<TaskRow> =>
        dataOf(await door.rpc('move_task', { task_id: taskId, column_id: columnId, ...place }));
      const beside = beforeId !== null ? { before_id: beforeId } : afterId !== null ? { after_id: afterId } : {};
      const row = await to(beside).catch((refusal: unknown) => {
        // Its neighbour has left or is gone: then the place as it was shown.
        const lost = refusal instanceof Refusal && (refusal.code === 'KB004' || refusal.status === 404);
        if (lost && (beforeId ?? afterId) !== null) return to({ order_rank: rank });
        throw refusal;
      });
      return [{ table: 'tasks', row }];
    },
  },
);

export function moveTask(store: Reader, taskId: string, { columnId, beforeId }: Place): Mutation {
  const others = readColumnTasks(store, columnId).filter((one) => one.id !== taskId);
  const found = beforeId === null ? -1 : others.findIndex((one) => one.id === beforeId);
  const at = found < 0 ? others.length : found;
  const previous = others[at - 1];
  const following = others[at];
  const task = store.get('tasks', taskId);
  const stays =
    task?.column_id === columnId &&
    (previous === undefined || previous.order_rank < task.order_rank) &&
    (following === undefined || task.order_rank < following.order_rank);
  const rank = stays ? task.order_rank : rankBetween(previous?.order_rank ?? null, following?.order_rank ?? null);
  const key = task ? taskKey(store.get('projects', task.project_id), task) : '';
  const column = store.get('workflow_columns', columnId)?.name ?? '';
  return move(
    { taskId, columnId, beforeId: following?.id ?? null, afterId: previous?.id ?? null, rank },
    task?.column_id === columnId
      ? t('board.done.reordered', { task: key })
      : t('board.done.moved', { task: key, column }),
  );
}

const toColumn = record({ taskIds: list(text), columnId: text });

const movingAll: Definition<{ readonly taskIds: readonly string[]; readonly columnId: string }> = {
  changes: ({ taskIds, columnId }) => [moveTasksTo(taskIds.map((id) => ({ id, column_id: columnId })))],
};

const moveAll = define('moveTasks', toColumn, movingAll);
const complete = define('completeTask', toColumn, { ...movingAll, announced: true });

/** To the end of a done column: out of the sight of whoever looks for what there is to do; or of one where work begins, back into it. */
export function completeTasks(store: Reader, ids: readonly string[], columnId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('tasks', id)?.column_id !== columnId);
  const column = store.get('workflow_columns', columnId)?.name ?? '';
  const only = taskIds.length === 1 ? store.get('tasks', taskIds[0] ?? '') : undefined;
  const label = only
    ? t('board.done.moved', { task: taskKey(store.get('projects', only.project_id), only), column })
    : t('board.done.movedMany', { n: taskIds.length, column });
  return complete({ taskIds, columnId }, label);
}

/** To the end of the column, in their order; those that stand in it stay where they are. */
export function moveTasks(store: Reader, ids: readonly string[], columnId: string): Mutation {
  const taskIds = ids.filter((id) => store.get('tasks', id)?.column_id !== columnId);
  const column = store.get('workflow_columns', columnId)?.name ?? '';
  return moveAll({ taskIds, columnId }, t('board.done.movedMany', { n: taskIds.length, column }));
}

const places = record({ columnId: text, places: list(record({ id: text, rank: text })) });

const toPlaces: Definition<Checked<typeof places>> = {
  changes: ({ columnId, places }) => [
    moveTasksTo(places.map(({ id, rank }) => ({ id, column_id: columnId, order_rank: rank }))),
  ],
};

const drop = define('dropTasks', places, toPlaces);

/** All of them to one place, in the order they are named, wherever they stood. */
export function dropTasks(store: Reader, ids: readonly string[], { columnId, beforeId }: Place): Mutation {
  const dropped = new Set(ids);
  const standing = readColumnTasks(store, columnId);
  const at = beforeId === null ? -1 : standing.findIndex(({ id }) => id === beforeId);
  const from = at < 0 ? standing.length : at;
  const following = standing.slice(from).find(({ id }) => !dropped.has(id));
  let rank = standing.slice(0, from).findLast(({ id }) => !dropped.has(id))?.order_rank ?? null;
  const places = ids.map((id) => {
    rank = rankBetween(rank, following?.order_rank ?? null);
    return { id, rank };
  });
  const column = store.get('workflow_columns', columnId)?.name ?? '';
  return drop({ columnId, places }, t('board.done.movedMany', { n: ids.length, column }));
}

const sort = define('sortColumn', places, toPlaces);

/** The tasks of a column in another order, once; those that stand right already stay. The places are those there are. */
export function sortColumn(store: Reader, columnId: string, by: SortKey): Mutation {
  const tasks = readColumnTasks(store, columnId);
  const order = orderBy(store, [{ by, descending: false }]);
  const places = [...tasks]
    .sort(order)
    .map((task, at) => ({ id: task.id, rank: tasks[at]?.order_rank ?? '', was: task.order_rank }))
    .filter(({ rank, was }) => rank !== was)
    .map(({ id, rank }) => ({ id, rank }));
  return sort(
    { columnId, places },
    t('board.done.sorted', { column: store.get('workflow_columns', columnId)?.name ?? '' }),
  );
}
