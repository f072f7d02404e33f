// Props of every cell of a board: a column, or a column within a lane.

import type { Grouping } from '../../../contract/views.ts';
import type { BoardColumn, ColumnRow, TaskRow } from '../../queries.ts';
import type { DragState } from './drag-state.ts';
import type { AddPlace } from './quick-add.tsx';
import type { ColumnHandle } from './use-column-cards.ts';

export interface CellProps {
  readonly boardColumn: BoardColumn;
  readonly grouping: Grouping;
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
  /** Nothing has been written on this board yet: say what its columns are for. */
  readonly fresh: boolean;
  /** Where one starts. */
  readonly first: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onAlone: (taskId: string) => void;
  /** Where a new task is being typed. */
  readonly adding: AddPlace | null;
  readonly onAdd: (columnId: string, place: AddPlace) => void;
  /** Typing is over; the task that was added last gets the focus. */
  readonly onAdded: (addedId: string | null) => void;
  readonly handles: Map<string, ColumnHandle>;
  /** What follows the ? of the address, kept when a task is opened. */
  readonly search: string;
}
