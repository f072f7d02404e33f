// Positions of cards on the board as it is shown, and the target of a key or a drop.

import type { Grouping } from '../../../contract/views.ts';
import { keyIn } from '../../commands.ts';
import {
  type Board,
  type BoardColumn,
  type ColumnKind,
  cellsOf,
  type Reader,
  readColumns,
  readColumnTasks,
  type TaskRow,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { Target } from './drag-state.ts';
import { sayGroup } from './group-label.tsx';

export interface BoardPlaces {
  columnName(columnId: string): string;
  /** Key and title of a task. */
  nameOf(taskId: string): string;
  /** The tasks of a column without the one that is moved. */
  others(columnId: string, movingId: string): TaskRow[];
  /** A card may stand in several columns: `cellId` says in which it is meant. */
  place(taskId: string, cellId?: string): Target | null;
  cell(cellId: string): BoardColumn | undefined;
  /** Why a task cannot stand there; null: it can. */
  refusal(cellId: string, taskId: string): string | null;
  taskAt(target: Target): TaskRow | undefined;
  /** Where an arrow key, Home or End leads; `movingId`: the card in the hand of the keys, if there is one. */
  neighbour(from: Target, key: string, movingId: string | null): Target | null;
  /** Which task will follow the dropped one, counting also those a filter hides. */
  follower(target: Target, taskId: string): string | null;
}

export function placesOn(board: () => Board, store: Reader): BoardPlaces {
  const cell = (cellId: string): BoardColumn | undefined => cellsOf(board()).find(({ id }) => id === cellId);
  const tasksIn = (cellId: string): readonly TaskRow[] => cell(cellId)?.tasks ?? [];
  const others = (columnId: string, movingId: string): TaskRow[] =>
    tasksIn(columnId).filter((task) => task.id !== movingId);

  function neighbour(from: Target, key: string, movingId: string | null): Target | null {
    const { ordered, lanes } = board();
    const { lane = null } = cell(from.columnId) ?? {};
    const columns = lanes?.find(({ head }) => head.id === lane?.id)?.columns ?? board().columns;
    const last = (columnId: string): number =>
      movingId === null ? tasksIn(columnId).length - 1 : others(columnId, movingId).length;
    // What has no place of its own goes to another lane at once.
    const moves = movingId === null || ordered;
    if (key === 'ArrowUp')
      return moves && from.index > 0 ? { ...from, index: from.index - 1 } : (inLane(from, -1, last) ?? from);
    if (key === 'ArrowDown')
      return moves && from.index < last(from.columnId)
        ? { ...from, index: from.index + 1 }
        : (inLane(from, 1, last) ?? from);
    if (key === 'Home') return { ...from, index: 0 };
    if (key === 'End') return { ...from, index: last(from.columnId) };
    const step = key === 'ArrowLeft' ? -1 : 1;
    for (let at = columns.findIndex(({ id }) => id === from.columnId) + step; columns[at]; at += step) {
      const columnId = columns[at]?.id ?? '';
      // Without a card in the hand empty columns have nothing to focus.
      if (last(columnId) >= 0) return { columnId, index: Math.min(from.index, last(columnId)) };
    }
    return null;
  }

  /** The same column in the next lane that has room for it. */
  function inLane(from: Target, step: 1 | -1, last: (cellId: string) => number): Target | null {
    const { lanes, columns } = board();
    if (lanes === null) return null;
    const start = lanes.findIndex((lane) => lane.columns.some(({ id }) => id === from.columnId));
    const column = lanes[start]?.columns.findIndex(({ id }) => id === from.columnId) ?? 0;
    for (let at = start + step; lanes[at]; at += step) {
      const { id = '' } = lanes[at]?.columns[column] ?? columns[column] ?? {};
      if (last(id) >= 0) return { columnId: id, index: step > 0 ? 0 : last(id) };
    }
    return null;
  }

  return {
    columnName(cellId) {
      const found = cell(cellId);
      if (found === undefined) return '';
      const { grouping, laneGrouping } = board();
      const column = sayGroup(found.group, grouping);
      return found.lane === null ? column : t('board.inLane', { column, lane: sayGroup(found.lane, laneGrouping) });
    },
    cell,
    refusal(cellId, taskId) {
      const [task, to] = [store.get('tasks', taskId), cell(cellId)];
      if (task === undefined || to === undefined) return null;
      const { grouping, laneGrouping } = board();
      const enters = (by: Grouping): string | undefined =>
        by === grouping ? to.group.id : by === laneGrouping ? to.lane?.id : undefined;
      const projectId = enters('project');
      if (projectId !== undefined && projectId !== task.project_id) return t('board.drag.otherProject');
      const kind = enters('kind') as ColumnKind | undefined;
      if (kind === undefined || readColumns(store, task.project_id).some((column) => column.kind === kind)) return null;
      const project = store.get('projects', task.project_id)?.name ?? '';
      return t('board.drag.noColumn', { project, kind: t(`common.kinds.${kind}`) });
    },
    nameOf(taskId) {
      const task = store.get('tasks', taskId);
      return task ? `${keyIn(store, task)} ${task.title}` : '';
    },
    others,
    place(taskId, cellId) {
      const meant = cellId === undefined ? undefined : cell(cellId);
      for (const { id, tasks } of [...(meant ? [meant] : []), ...cellsOf(board())]) {
        const index = tasks.findIndex((task) => task.id === taskId);
        if (index >= 0) return { columnId: id, index };
      }
      return null;
    },
    taskAt: ({ columnId, index }) => tasksIn(columnId)[index],
    neighbour,
    follower(target, taskId) {
      const shown = others(target.columnId, taskId);
      const next = shown[target.index];
      if (next) return next.id;
      const last = shown.at(-1);
      const all = readColumnTasks(store, cell(target.columnId)?.group.id ?? '').filter((task) => task.id !== taskId);
      return last ? (all[all.findIndex((task) => task.id === last.id) + 1]?.id ?? null) : null;
    },
  };
}
