// The board: columns side by side, cards moved between them by mouse, touch or keys.

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { boardOf, mayWrite, roleIn, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { BulkBar } from '../list/bulk-bar.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { useTaskFilter } from '../project/task-filter.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { AddColumn } from './add-column.tsx';
import styles from './board.module.css';
import { BoardColumns } from './board-columns.tsx';
import { BoardDrag } from './board-drag.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';
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

export default function Board({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const handle = useTaskFilter();
  const search = useSearch();
  const board = useQuery(boardOf, project.id, handle.filter);
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
      const columnId = moves.focusedColumn() ?? board.columns[0]?.column.id;
      if (columnId !== undefined) onAdd(columnId, 'end');
    },
  });
  useArrowStart(frame);

  if (loading) return <BoardSkeleton />;
  if (board.columns.length === 0) return <EmptyBoard projectId={project.id} canWrite={canWrite} />;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={board.shown} total={board.total} />
      <p id="card-help" hidden>
        {canWrite ? t('board.cardHelp') : t('board.viewerCardHelp')}
      </p>
      <BoardDrag moves={moves} state={state} dragged={dragged}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up here from the cards, which are links */}
        <div
          className={`${styles.board} ${dragged ? styles.boardDragging : ''}`}
          data-board
          ref={frame}
          onKeyDown={moves.onKeyDown}
          {...selection.handlers}
          {...faces.handlers}
          {...files}
        >
          <BoardColumns
            board={board}
            state={state}
            canWrite={canWrite}
            filtered={handle.active}
            collapsed={collapsed}
            onCollapse={onCollapse}
            selected={selection.ids}
            onAlone={selection.onAlone}
            adding={adding}
            onAdd={onAdd}
            onAdded={onAdded}
            handles={handles}
            search={search}
          />
          {canWrite && <AddColumn projectId={project.id} />}
        </div>
      </BoardDrag>
      {faces.over}
      {selected.length > 0 && <BulkBar projectId={project.id} taskIds={selected} onClear={selection.clear} />}
    </>
  );
}

/** The arrows find the board without a Tab before them. */
function useArrowStart(frame: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const start = (event: KeyboardEvent): void => {
      const idle = event.target === document.body || (event.target as Element).id === 'content';
      if (!idle || event.defaultPrevented || !/^Arrow/.test(event.key)) return;
      event.preventDefault();
      frame.current?.querySelector<HTMLElement>('[data-task-id]')?.focus();
    };
    document.addEventListener('keydown', start);
    return () => document.removeEventListener('keydown', start);
  }, [frame]);
}
