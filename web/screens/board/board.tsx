// The board: columns side by side, cards moved between them by mouse, touch or keys.

import { useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import {
  boardOf,
  cellsOf,
  columnsOf,
  mayWrite,
  roleIn,
  type TaskRow,
  useQuery,
  useUserId,
  withoutEmpty,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { later } from '../../ui/later.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { BulkBar } from '../list/bulk-bar.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { performOn } from '../task/task-fingers.tsx';
import { AddColumn } from './add-column.tsx';
import styles from './board.module.css';
import { BoardColumns } from './board-columns.tsx';
import { BoardDrag } from './board-drag.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
import { CardShown, hidesEmpty, partsShown } from './card-shown.ts';
import { DisplayButton } from './display-button.tsx';
import { createDragState } from './drag-state.ts';
import { EmptyBoard } from './empty-board.tsx';
import { useAdding } from './use-adding.ts';
import { useBoardActions } from './use-board-actions.tsx';
import { useBoardMoves } from './use-board-moves.ts';
import { useBoardSelection } from './use-board-selection.tsx';
import { useCardDrop } from './use-card-drop.ts';
import { useCardFaces } from './use-card-faces.tsx';
import { useCollapsed } from './use-collapsed.ts';
import type { ColumnHandle } from './use-column-cards.ts';
import { useGlide } from './use-glide.ts';
import { useTellDragged } from './use-tell-dragged.ts';

/** Fetched where a view has lanes: a board without them is none the slower. */
const BoardLanes = later(() => import('./board-lanes.tsx'));

export default function Board({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const handle = useView('board');
  const search = useSearch();
  const { grouping, lanes, sort, shown } = handle.view;
  const parts = useMemo(() => partsShown(shown), [shown]);
  const whole = useQuery(boardOf, project.id, handle.filter, grouping, lanes, sort);
  const hideEmpty = hidesEmpty(shown);
  const board = useMemo(() => (hideEmpty ? withoutEmpty(whole) : whole), [whole, hideEmpty]);
  const columns = useQuery(columnsOf, project.id);
  const home = columns.find(({ kind }) => kind === 'todo') ?? columns[0] ?? null;
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [state] = useState(createDragState);
  const [handles] = useState(() => new Map<string, ColumnHandle>());
  const [dragged, setDragged] = useState<TaskRow | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const selection = useBoardSelection(board, canWrite);
  const selected = selection.list;
  const moves = useBoardMoves({ board, state, handles, canWrite, frame, selected, onDragged: setDragged });
  const files = useCardDrop(canWrite);
  useGlide(frame, board);
  const faces = useCardFaces(project.id);
  const [collapsed, onCollapse] = useCollapsed(project.id);
  useTellDragged(project.id, state);
  const { adding, onAdd, onAdded } = useAdding(moves.focus);
  useBoardActions({
    canWrite,
    selection: selection.actions,
    onAdd: () => {
      const columnId = moves.focusedColumn() ?? cellsOf(board)[0]?.id;
      if (columnId !== undefined) onAdd(columnId, 'end');
    },
  });
  useArrowStart(frame);

  const drawn = {
    board,
    home,
    state,
    canWrite,
    filtered: handle.active,
    collapsed,
    onCollapse,
    selected: selection.ids,
    onAlone: selection.onAlone,
    adding,
    onAdd,
    onAdded,
    handles,
    search,
  };

  if (loading || handle.state === 'waiting') return <BoardSkeleton />;
  if (columns.length === 0) return <EmptyBoard projectId={project.id} canWrite={canWrite} />;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={board.shown} total={board.total}>
        <DisplayButton projectId={project.id} handle={handle} />
      </FilterBar>
      <p id="card-help" hidden>
        {canWrite ? t('board.cardHelp') : t('board.viewerCardHelp')}
      </p>
      <CardShown value={parts}>
        <BoardDrag
          moves={moves}
          state={state}
          dragged={dragged}
          onRest={(taskId) => {
            moves.putBack();
            performOn(moves.cardOf(taskId), 'task-menu');
          }}
        >
          {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up here from the cards, which are links */}
          <div
            className={`${styles.board} ${board.lanes === null ? '' : styles.boardInLanes} ${dragged ? styles.boardDragging : ''}`}
            data-board
            ref={frame}
            onKeyDown={moves.onKeyDown}
            {...selection.handlers}
            {...faces.handlers}
            {...files}
          >
            {board.lanes === null ? <BoardColumns {...drawn} /> : <BoardLanes {...drawn} frame={frame} />}
            {canWrite && board.grouping === 'column' && board.lanes === null && <AddColumn projectId={project.id} />}
          </div>
        </BoardDrag>
      </CardShown>
      {faces.over}
      {selected.length > 0 && <BulkBar projectId={project.id} taskIds={selected} onClear={selection.clear} />}
    </>
  );
}
