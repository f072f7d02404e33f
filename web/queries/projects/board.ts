// The board: columns of tasks that have something in common, in lanes across it where a view has some. Columns of states keep the cards'
// own order; others stand in the order of the view.

import { type Group, type Grouping, noFilter, type Sorting } from '../../../contract/views.ts';
import type { TaskTest } from '../../properties/property.ts';
import type { Query } from '../../sync/react.tsx';
import type { ColumnRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { readColumnTasks } from '../tasks/column-tasks.ts';
import { listOf, onlyProject, type TasksOf } from '../tasks/tasks.ts';
import { orderBy, testOf } from '../views/filtering.ts';
import { groupTasks, type TaskGroup } from '../views/grouping.ts';
import { readColumns } from './projects.ts';

export interface BoardColumn {
  /** The place of these cards on the board. */
  readonly id: string;
  /** What they have in common; empty: they have none of it. */
  readonly group: Omit<TaskGroup, 'tasks'>;
  /** The lane it is in. */
  readonly lane: Omit<TaskGroup, 'tasks'> | null;
  /** Where columns are states. */
  readonly column: ColumnRow | null;
  readonly tasks: readonly TaskRow[];
  /** Tasks in the column before filtering. */
  readonly total: number;
}

export interface BoardLane {
  readonly head: Omit<TaskGroup, 'tasks'>;
  readonly columns: readonly BoardColumn[];
  readonly count: number;
}

export interface Board {
  readonly grouping: Grouping;
  readonly laneGrouping: Grouping | null;
  readonly columns: readonly BoardColumn[];
  /** Null: the columns stand alone. */
  readonly lanes: readonly BoardLane[] | null;
  /** Cards have places of their own, which can be changed. */
  readonly ordered: boolean;
  readonly shown: number;
  readonly total: number;
}

export const boardOf: Query<
  [of: TasksOf, filter: Group, grouping: Grouping | null, lanes: Grouping | null, sort: readonly Sorting[]],
  Board
> = {
  shared: 8,
  read(store, of, filter, said, lanes, sort) {
    const grouping = said ?? 'column';
    const projectId = onlyProject(of);
    const passes = testOf(store, filter);
    if (grouping === 'column' && lanes === null && sort.length === 0) return readStates(store, projectId, passes);
    const places = new Map(readColumns(store, projectId).map((column, at) => [column.id, at]));
    const tasks = listOf.read(store, of, noFilter);
    if (of === projectId) tasks.sort(orderBy(store, sort, (columnId) => places.get(columnId) ?? places.size));
    const passing = passes ? tasks.filter(passes) : tasks;
    const columns = groupTasks(store, projectId, tasks, grouping, true).map((group) => columnOf(store, group, passes));
    return {
      grouping,
      laneGrouping: lanes,
      columns,
      lanes: lanes === null ? null : readLanes(store, projectId, passing, columns, grouping, lanes),
      ordered: grouping === 'column' && sort.length === 0,
      shown: passing.length,
      total: tasks.length,
    };
  },
};

function readStates(store: Reader, projectId: string, passes: TaskTest | null): Board {
  let shown = 0;
  let total = 0;
  const columns = readColumns(store, projectId).map((column): BoardColumn => {
    const all = readColumnTasks(store, column.id);
    const tasks = passes ? all.filter(passes) : all;
    shown += tasks.length;
    total += all.length;
    const { id, name, kind, color } = column;
    return { id, group: { id, name, kind, color }, lane: null, column, tasks, total: all.length };
  });
  return { grouping: 'column', laneGrouping: null, columns, lanes: null, ordered: true, shown, total };
}

/** The place of what has none. */
const none = 'none';

function columnOf(store: Reader, { tasks, ...group }: TaskGroup, passes: TaskTest | null): BoardColumn {
  return {
    id: group.id || none,
    group,
    lane: null,
    column: store.get('workflow_columns', group.id) ?? null,
    tasks: passes ? tasks.filter(passes) : tasks,
    total: tasks.length,
  };
}

function readLanes(
  store: Reader,
  projectId: string,
  tasks: readonly TaskRow[],
  columns: readonly BoardColumn[],
  grouping: Grouping,
  lanes: Grouping,
): BoardLane[] {
  return groupTasks(store, projectId, tasks, lanes, true).map(({ tasks: inLane, ...head }) => {
    const cells = new Map(groupTasks(store, projectId, inLane, grouping).map((cell) => [cell.id, cell.tasks]));
    return {
      head,
      count: inLane.length,
      columns: columns.map((column): BoardColumn => {
        const some = cells.get(column.group.id) ?? [];
        return { ...column, id: `${head.id || none}/${column.id}`, lane: head, tasks: some, total: some.length };
      }),
    };
  });
}

/** Every place that cards stand in. */
export function cellsOf({ lanes, columns }: Board): readonly BoardColumn[] {
  return lanes === null ? columns : lanes.flatMap((lane) => lane.columns);
}

/** Without columns and lanes in which nothing stands; all of them where nothing stands anywhere. */
export function withoutEmpty(board: Board): Board {
  if (board.shown === 0) return board;
  const full = board.columns.map(({ tasks }) => tasks.length > 0);
  const withCards = <T>(columns: readonly T[]): readonly T[] => columns.filter((_, at) => full[at]);
  const lanes = board.lanes
    ?.filter(({ count }) => count > 0)
    .map((lane) => ({ ...lane, columns: withCards(lane.columns) }));
  return { ...board, columns: withCards(board.columns), lanes: lanes ?? null };
}
