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
import { useCallback, useMemo, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { heardKeys, useActions } from '../../actions/registry.tsx';
import { boardOf, mayWrite, roleIn, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useTaskFilter } from '../project/task-filter.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { CardFace } from './card.tsx';
import { Column, type ColumnHandle } from './column.tsx';
import { createDragState } from './drag-state.ts';
import { useBoardMoves } from './use-board-moves.ts';
import './board.css';

const say = words.board;
/** While a card is on its way columns neither come nor go; their places are measured once. */
const measuring = { droppable: { strategy: MeasuringStrategy.WhileDragging } };
/** Made once: new ones would draw every card again whenever the board is. */
const byMouse = { activationConstraint: { distance: 6 } };
const byTouch = { activationConstraint: { delay: 220, tolerance: 8 } };

/** What a card does with the keys by itself; here to be listed. */
const cardKeys = heardKeys('card', 'card', [
  ['enter', say.keys.open],
  ['up down left right', say.keys.go],
  ['space', say.keys.pickUp],
  ['escape', say.keys.putBack],
]);

export default function Board({ project, loading }: ProjectViewProps) {
  const { userId } = useSync();
  const handle = useTaskFilter();
  const search = useSearch();
  const board = useQuery(boardOf, project.id, handle.text);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const [state] = useState(createDragState);
  const [handles] = useState(() => new Map<string, ColumnHandle>());
  const [adding, setAdding] = useState<string | null>(null);
  const [dragged, setDragged] = useState<TaskRow | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const moves = useBoardMoves({ board, state, handles, canWrite, frame, onDragged: setDragged });
  const sensors = useSensors(useSensor(MouseSensor, byMouse), useSensor(TouchSensor, byTouch));
  const onAdd = useCallback((columnId: string | null) => setAdding(columnId), []);
  useActions(
    canWrite
      ? [
          {
            id: 'add-task',
            label: say.add,
            group: 'project',
            keys: 'c',
            icon: <Plus size={16} />,
            effect: () => setAdding(moves.focusedColumn() ?? board.columns[0]?.column.id ?? null),
          },
          ...cardKeys,
        ]
      : cardKeys.slice(0, 2),
  );
  const columns = useMemo(
    () =>
      board.columns.map((shelf, at) => (
        <Column
          key={shelf.column.id}
          shelf={shelf}
          state={state}
          canWrite={canWrite}
          filtered={handle.active}
          fresh={board.total === 0}
          first={at === 0}
          adding={adding === shelf.column.id}
          onAdd={onAdd}
          handles={handles}
          search={search}
        />
      )),
    [board, state, canWrite, handle.active, adding, onAdd, handles, search],
  );

  if (loading) return <BoardSkeleton />;
  if (board.columns.length === 0)
    return (
      <EmptyState
        title={say.emptyBoard}
        action={
          canWrite && (
            <Link href={paths.project(project.id, 'settings')} className="button button-main">
              {words.projects.views.settings}
            </Link>
          )
        }
      >
        <p>{say.emptyBoardWords}</p>
      </EmptyState>
    );
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={board.shown} total={board.total} />
      <p id="card-help" hidden>
        {canWrite ? say.cardHelp : say.viewerCardHelp}
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
        <div className={`board ${dragged ? 'board-dragging' : ''}`} ref={frame} onKeyDown={moves.onKeyDown}>
          {columns}
        </div>
        <DragOverlay dropAnimation={null}>
          {dragged && (
            <div className="card card-overlay">
              <CardFace task={dragged} />
            </div>
          )}
        </DragOverlay>
      </DndContext>
    </>
  );
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
    <Loading label={words.common.loading}>
      <FilterBarSkeleton />
      <div className="board">
        {[3, 4, 2, 3].map((cards, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
          <div className="column" key={column}>
            <div className="column-head">
              <Skeleton width="40%" />
            </div>
            <div className="column-cards column-waiting">
              {Array.from({ length: cards }, (_, card) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
                <div className="card" key={card}>
                  <Skeleton width="25%" height="0.625rem" />
                  <Skeleton width={card % 2 ? '70%' : '90%'} />
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}
