// The board: columns side by side, cards moved between them by mouse, touch or keys.

import type { DragStartEvent } from '@dnd-kit/core';
import {
  DndContext,
  DragOverlay,
  MeasuringStrategy,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Plus } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { listedKeys, useActions } from '../../actions/registry.tsx';
import { boardOf, mayWrite, roleIn, type TaskRow, useQuery, useTellPresence, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { BulkBar } from '../list/bulk-bar.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useTaskFilter } from '../project/task-filter.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { AddColumn } from './add-column.tsx';
import styles from './board.module.css';
import cardStyles from './card.module.css';
import { CardFace } from './card.tsx';
import { Column, type ColumnHandle } from './column.tsx';
import { createDragState, type DragState } from './drag-state.ts';
import type { AddPlace } from './quick-add.tsx';
import { useBoardMoves } from './use-board-moves.ts';
import { useBoardSelection } from './use-board-selection.tsx';
import { useCardDrop } from './use-card-drop.ts';
import { useCardFaces } from './use-card-faces.tsx';
import { useCollapsed } from './use-collapsed.ts';
import { useGlide } from './use-glide.ts';

/** While a card is on its way columns neither come nor go; their places are measured once. */
const measuring = { droppable: { strategy: MeasuringStrategy.WhileDragging } };
/** Made once: new ones would draw every card again whenever the board is. */
const byMouse = { activationConstraint: { distance: 6 } };
const byTouch = { activationConstraint: { delay: 220, tolerance: 8 } };

/** What a card does with the keys by itself; here to be listed. */
const cardKeys = () =>
  listedKeys('card', 'card', [
    ['enter', t('board.keys.open')],
    ['up down left right', t('board.keys.go')],
    ['shift+space', t('board.keys.pickUp')],
    ['escape', t('board.keys.putBack')],
  ]);

export default function Board({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const handle = useTaskFilter();
  const search = useSearch();
  const board = useQuery(boardOf, project.id, handle.text);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [state] = useState(createDragState);
  const [handles] = useState(() => new Map<string, ColumnHandle>());
  const [adding, setAdding] = useState<{ readonly columnId: string; readonly place: AddPlace } | null>(null);
  const [dragged, setDragged] = useState<TaskRow | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const selection = useBoardSelection(board, canWrite);
  const selected = selection.list;
  const moves = useBoardMoves({ board, state, handles, canWrite, frame, selected, onDragged: setDragged });
  const files = useCardDrop(canWrite);
  useGlide(frame, board);
  const faces = useCardFaces(project.id);
  const { ids: isSelected, onAlone } = selection;
  const [collapsed, onCollapse] = useCollapsed(project.id);
  const signal = useTellPresence();
  useEffect(() => {
    const stop = state.subscribe(() => signal(project.id, 'drag', state.get()?.taskId ?? null));
    return () => {
      stop();
      signal(project.id, 'drag', null);
    };
  }, [state, signal, project.id]);
  const sensors = useSensors(useSensor(MouseSensor, byMouse), useSensor(TouchSensor, byTouch));
  const onAdd = useCallback((columnId: string, place: AddPlace) => setAdding({ columnId, place }), []);
  const { focus } = moves;
  const onAdded = useCallback(
    (addedId: string | null): void => {
      setAdding(null);
      if (addedId !== null) focus(addedId);
    },
    [focus],
  );
  useActions(
    canWrite
      ? [
          {
            id: 'add-task',
            label: t('board.add'),
            group: 'project',
            keys: 'c',
            icon: <Plus size={16} />,
            effect: () => {
              const columnId = moves.focusedColumn() ?? board.columns[0]?.column.id;
              if (columnId !== undefined) setAdding({ columnId, place: 'end' });
            },
          },
          ...selection.actions,
          ...cardKeys(),
        ]
      : cardKeys().slice(0, 2),
  );
  useArrowStart(frame);
  const columns = useMemo(
    () =>
      board.columns.map((boardColumn, at) => (
        <Column
          key={boardColumn.column.id}
          boardColumn={boardColumn}
          state={state}
          canWrite={canWrite}
          filtered={handle.active}
          fresh={board.total === 0}
          first={at === 0}
          collapsed={collapsed.has(boardColumn.column.id)}
          onCollapse={onCollapse}
          selected={isSelected}
          onAlone={onAlone}
          adding={adding?.columnId === boardColumn.column.id ? adding.place : null}
          onAdd={onAdd}
          onAdded={onAdded}
          handles={handles}
          search={search}
        />
      )),
    [
      board,
      state,
      canWrite,
      handle.active,
      collapsed,
      onCollapse,
      isSelected,
      onAlone,
      adding,
      onAdd,
      onAdded,
      handles,
      search,
    ],
  );

  if (loading) return <BoardSkeleton />;
  if (board.columns.length === 0)
    return (
      <EmptyState
        title={t('board.emptyBoard')}
        action={
          canWrite && (
            <ButtonLink href={paths.project(project.id, 'settings')} look="main">
              {t('projects.views.settings')}
            </ButtonLink>
          )
        }
      >
        <p>{t('board.emptyBoardWords')}</p>
      </EmptyState>
    );
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={board.shown} total={board.total} />
      <p id="card-help" hidden>
        {canWrite ? t('board.cardHelp') : t('board.viewerCardHelp')}
      </p>
      <DndContext
        sensors={sensors}
        collisionDetection={pointerWithin}
        measuring={measuring}
        accessibility={silence}
        onDragStart={(event: DragStartEvent) => moves.start(String(event.active.id))}
        onDragEnd={moves.drop}
        onDragCancel={moves.cancel}
      >
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
          {columns}
          {canWrite && <AddColumn projectId={project.id} />}
        </div>
        <DragOverlay dropAnimation={null}>
          {dragged && (
            <div className={`${cardStyles.card} ${cardStyles.cardOverlay}`} data-held-card>
              <CardFace task={dragged} />
              <HeldCount state={state} />
            </div>
          )}
        </DragOverlay>
      </DndContext>
      {faces.over}
      {selected.length > 0 && <BulkBar projectId={project.id} taskIds={selected} onClear={selection.clear} />}
    </>
  );
}

/** How many are in the hand, where it is more than the one that is seen. */
function HeldCount({ state }: { state: DragState }) {
  const n = state.get()?.all.length ?? 1;
  return n > 1 && <span className={`${cardStyles.heldCount} numbers`}>{n}</span>;
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

/** We speak ourselves, in whole sentences, for pointers and keys alike. */
const silence = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
};

function BoardSkeleton() {
  return (
    <Loading label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={styles.board} data-board>
        {[3, 4, 2, 3].map((cards, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
          <div className={styles.column} key={column} data-column>
            <div className={styles.columnHead}>
              <Skeleton width="40%" />
            </div>
            <div className={`${styles.columnCards} ${styles.columnWaiting}`}>
              {Array.from({ length: cards }, (_, card) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
                <div className={cardStyles.card} key={card}>
                  <Skeleton width="25%" height="0.625rem" />
                  <Skeleton width={card % 2 ? '70%' : '90%'} />
                </div>
              ))}
            </div>
          </div>
        ))}
        <div className={styles.addColumn}>
          <span className={styles.addColumnWaiting} />
        </div>
      </div>
    </Loading>
  );
}
