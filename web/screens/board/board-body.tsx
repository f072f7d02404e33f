// The cards of a board in columns and lanes, moved between them by mouse, touch or keys: those of one project, or of several.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Board,
  type ColumnRow,
  cellsOf,
  storedName,
  type TaskRow,
  useReader,
  useTellPresence,
  useUserId,
  withoutEmpty,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { recall } from '../../ui/fields/draft.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useArrowStart } from '../../ui/lists/use-arrow-start.ts';
import { usePhone } from '../../ui/use-narrow.ts';
import { BulkBar } from '../list/bulk-bar.tsx';
import { usePersonCards } from '../people/use-person-cards.tsx';
import { useOwnSearch, type ViewHandle } from '../project/view-handle.ts';
import { performOn } from '../task/swipe-tasks.tsx';
import { AddColumn } from './add-column.tsx';
import styles from './board.module.css';
import { BoardColumns } from './board-columns.tsx';
import { type BoardContext, BoardShared } from './board-context.ts';
import { BoardDrag } from './board-drag.tsx';
import { CardShown, hidesEmpty, partsShown } from './card-shown.ts';
import { createDragState, type DragState } from './drag-state.ts';
import { useAdding } from './use-adding.ts';
import { useBoardActions } from './use-board-actions.tsx';
import { useBoardMoves } from './use-board-moves.ts';
import { useBoardSelection } from './use-board-selection.tsx';
import { useCardDrop } from './use-card-drop.ts';
import type { ColumnHandle } from './use-column-cards.ts';
import { useMoveAnimation } from './use-move-animation.ts';

/** Fetched on a phone alone. */
const ColumnStrip = lazyComponent(() => import('./column-strip.tsx'));
/** Fetched where a view has lanes: a board without them is none the slower. */
const BoardLanes = lazyComponent(() => import('./board-lanes.tsx'));

interface BoardBodyProps {
  /** Empty: of several projects. */
  readonly projectId: string;
  readonly handle: ViewHandle;
  readonly board: Board;
  /** Where a new task begins whose place is no state; null: none is begun here. */
  readonly home: ColumnRow | null;
  readonly canWrite: boolean;
  readonly mayMove: (task: TaskRow) => boolean;
}

export function BoardBody({ projectId, handle, board: whole, home, canWrite, mayMove }: BoardBodyProps) {
  const search = useOwnSearch();
  const { shown } = handle.view;
  const parts = useMemo(() => partsShown(shown), [shown]);
  const hideEmpty = hidesEmpty(shown);
  const board = useMemo(() => (hideEmpty ? withoutEmpty(whole) : whole), [whole, hideEmpty]);
  const [state] = useState(createDragState);
  const [handles] = useState(() => new Map<string, ColumnHandle>());
  const [dragged, setDragged] = useState<TaskRow | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const selection = useBoardSelection(board, canWrite, projectId !== '');
  const selected = selection.list;
  const moves = useBoardMoves({ board, state, handles, canWrite, mayMove, frame, selected, onDragged: setDragged });
  const files = useCardDrop(mayMove);
  useMoveAnimation(frame, board);
  const faces = usePersonCards(projectId);
  const phone = usePhone();
  const [collapsed, onCollapse] = useCollapsed(projectId);
  useTellDragged(state);
  const { adding, onAdd, onAdded } = useAdding(moves.focus);
  useBoardActions({
    // Across projects cards have no keys of their own.
    canWrite: canWrite && projectId !== '',
    selection: selection.actions,
    onAdd:
      home === null
        ? null
        : () => {
            const columnId = moves.focusedColumn() ?? cellsOf(board)[0]?.id;
            if (columnId !== undefined) onAdd(columnId, 'end');
          },
  });
  useArrowStart(frame);

  const { grouping, laneGrouping, ordered } = board;
  const common: BoardContext = {
    ...{ grouping, laneGrouping, ordered, home, state, canWrite, mayMove, handles, search },
    ...{ filtered: handle.active, selected: selection.ids, onAlone: selection.onAlone, onCollapse, onAdd, onAdded },
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same as long as all that is in it
  const shared = useMemo(() => common, Object.values(common));
  const drawn = { board, collapsed, adding };

  return (
    <>
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
            className={`${shapes.fillDown} ${shapes.unrolled} ${styles.board} ${board.lanes === null ? '' : styles.boardInLanes} ${dragged ? styles.boardDragging : ''}`}
            data-board
            ref={frame}
            onKeyDown={moves.onKeyDown}
            {...selection.handlers}
            {...faces.handlers}
            {...files}
          >
            <BoardShared value={shared}>
              {board.lanes === null ? <BoardColumns {...drawn} /> : <BoardLanes {...drawn} frame={frame} />}
            </BoardShared>
            {home !== null && canWrite && board.grouping === 'column' && board.lanes === null && (
              <AddColumn projectId={projectId} />
            )}
          </div>
        </BoardDrag>
        {phone && selected.length === 0 && board.lanes === null && board.columns.length > 1 && (
          <ColumnStrip board={board} frame={frame} />
        )}
      </CardShown>
      {faces.over}
      {selected.length > 0 && <BulkBar projectId={projectId} taskIds={selected} onClear={selection.clear} />}
    </>
  );
}

/** Collapsed columns of this person, on this device. */
function useCollapsed(projectId: string): readonly [ReadonlySet<string>, (columnId: string) => void] {
  const name = storedName(useUserId(), 'collapsed', projectId);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(
    () => new Set((recall(name) ?? '').split(' ').filter(Boolean)),
  );
  const turn = useCallback(
    (columnId: string): void =>
      setCollapsed((old) => {
        const next = new Set(old);
        if (!next.delete(columnId)) next.add(columnId);
        try {
          localStorage.setItem(name, [...next].join(' '));
        } catch {
          // A device that keeps nothing: until the page is left.
        }
        return next;
      }),
    [name],
  );
  return [collapsed, turn];
}

/** Tells the others on the board which card is in one's hand, until it is out of it or the board is left. */
function useTellDragged(state: DragState): void {
  const signal = useTellPresence();
  const store = useReader();
  useEffect(() => {
    let projectId: string | undefined;
    const tell = (taskId: string | null): void => {
      projectId = store.get('tasks', taskId ?? '')?.project_id ?? projectId;
      if (projectId !== undefined) signal(projectId, 'drag', taskId);
    };
    const stop = state.subscribe(() => tell(state.get()?.taskId ?? null));
    return () => {
      stop();
      tell(null);
    };
  }, [state, signal, store]);
}
