// Where cards stand on the board as it is shown, and where a key or a drop would take one.

import { keyIn } from '../../commands.ts';
import { type Board, type Reader, readColumnTasks, type TaskRow } from '../../queries.ts';
import type { Target } from './drag-state.ts';

export interface BoardPlaces {
  columnName(columnId: string): string;
  /** Key and title of a task. */
  nameOf(taskId: string): string;
  /** The tasks of a column without the one that is moved. */
  others(columnId: string, movingId: string): TaskRow[];
  place(taskId: string): Target | null;
  taskAt(target: Target): TaskRow | undefined;
  /** Where an arrow key, Home or End leads; `movingId`: the card in the hand of the keys, if there is one. */
  neighbour(from: Target, key: string, movingId: string | null): Target | null;
  /** Which task will follow the dropped one, counting also those a filter hides. */
  follower(target: Target, taskId: string): string | null;
}

export function placesOn(board: () => Board, store: Reader): BoardPlaces {
  const tasksIn = (columnId: string): readonly TaskRow[] =>
    board().columns.find(({ column }) => column.id === columnId)?.tasks ?? [];
  const others = (columnId: string, movingId: string): TaskRow[] =>
    tasksIn(columnId).filter((task) => task.id !== movingId);

  function neighbour(from: Target, key: string, movingId: string | null): Target | null {
    const { columns } = board();
    const last = (columnId: string): number =>
      movingId === null ? tasksIn(columnId).length - 1 : others(columnId, movingId).length;
    if (key === 'ArrowUp') return { ...from, index: Math.max(0, from.index - 1) };
    if (key === 'ArrowDown') return { ...from, index: Math.min(last(from.columnId), from.index + 1) };
    if (key === 'Home') return { ...from, index: 0 };
    if (key === 'End') return { ...from, index: last(from.columnId) };
    const step = key === 'ArrowLeft' ? -1 : 1;
    for (let at = columns.findIndex(({ column }) => column.id === from.columnId) + step; columns[at]; at += step) {
      const columnId = columns[at]?.column.id ?? '';
      // Without a card in the hand empty columns have nothing to focus.
      if (last(columnId) >= 0) return { columnId, index: Math.min(from.index, last(columnId)) };
    }
    return null;
  }

  return {
    columnName: (columnId) => store.get('workflow_columns', columnId)?.name ?? '',
    nameOf(taskId) {
      const task = store.get('tasks', taskId);
      return task ? `${keyIn(store, task)} ${task.title}` : '';
    },
    others,
    place(taskId) {
      for (const { column, tasks } of board().columns) {
        const index = tasks.findIndex((task) => task.id === taskId);
        if (index >= 0) return { columnId: column.id, index };
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
      const all = readColumnTasks(store, target.columnId).filter((task) => task.id !== taskId);
      return last ? (all[all.findIndex((task) => task.id === last.id) + 1]?.id ?? null) : null;
    },
  };
}
