// Common to all columns, lanes and cards of a board: the board says it once, each reads what it uses.

import { createContext, useContext } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import type { BoardColumn, ColumnRow, TaskRow } from '../../queries.ts';
import type { DragState } from './drag-state.ts';
import type { AddPlace } from './quick-add.tsx';
import type { ColumnHandle } from './use-column-cards.ts';

export interface BoardContext {
  readonly grouping: Grouping;
  /** Null: it has no lanes. */
  readonly laneGrouping: Grouping | null;
  /** Cards have places of their own. */
  readonly ordered: boolean;
  /** The state in which a new task begins where columns are not states; null: of several projects none begins here. */
  readonly home: ColumnRow | null;
  readonly state: DragState;
  readonly canWrite: boolean;
  /** Of several projects some may only be looked at. */
  readonly mayMove: (task: TaskRow) => boolean;
  readonly filtered: boolean;
  readonly selected: ReadonlySet<string>;
  /** Before something is done with one card alone. */
  readonly onAlone: (taskId: string) => void;
  readonly onCollapse: (columnId: string) => void;
  readonly onAdd: (columnId: string, place: AddPlace) => void;
  /** Typing is over; the task that was added last gets the focus. */
  readonly onAdded: (addedId: string | null) => void;
  readonly handles: Map<string, ColumnHandle>;
  /** What follows the ? of the address, kept when a task is opened. */
  readonly search: string;
}

/** Of a column, or of a column within a lane. */
export interface CellProps {
  readonly boardColumn: BoardColumn;
  /** Nothing has been written on this board yet: say what its columns are for. */
  readonly fresh: boolean;
  /** Where one starts. */
  readonly first: boolean;
  /** Where a new task is being typed. */
  readonly adding: AddPlace | null;
}

export const BoardShared = createContext<BoardContext | null>(null);

export function useBoard(): BoardContext {
  const board = useContext(BoardShared);
  if (board === null) throw new Error('no board here');
  return board;
}
