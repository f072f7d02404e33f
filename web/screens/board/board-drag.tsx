// What lets the cards inside be taken up by mouse or touch, and shows the one that is in the hand. Where it lands is decided elsewhere.

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
import type { ReactNode } from 'react';
import type { TaskRow } from '../../queries.ts';
import styles from './card.module.css';
import { CardFace } from './card.tsx';
import type { DragState } from './drag-state.ts';
import type { BoardMoves } from './use-board-moves.ts';

/** While a card is on its way columns neither come nor go; their places are measured once. */
const measuring = { droppable: { strategy: MeasuringStrategy.WhileDragging } };
/** Made once: new ones would draw every card again whenever the board is. */
const byMouse = { activationConstraint: { distance: 6 } };
const byTouch = { activationConstraint: { delay: 220, tolerance: 8 } };

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

interface BoardDragProps {
  readonly moves: BoardMoves;
  readonly state: DragState;
  /** In the hand of a pointer. */
  readonly dragged: TaskRow | null;
  readonly children: ReactNode;
}

export function BoardDrag({ moves, state, dragged, children }: BoardDragProps) {
  const sensors = useSensors(useSensor(MouseSensor, byMouse), useSensor(TouchSensor, byTouch));
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      measuring={measuring}
      accessibility={silence}
      onDragStart={(event: DragStartEvent) => moves.start(String(event.active.id))}
      onDragEnd={moves.drop}
      onDragCancel={moves.cancel}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={`${styles.card} ${styles.cardOverlay}`} data-held-card>
            <CardFace task={dragged} />
            <HeldCount state={state} />
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** How many are in the hand, where it is more than the one that is seen. */
function HeldCount({ state }: { state: DragState }) {
  const n = state.get()?.all.length ?? 1;
  return n > 1 && <span className={`${styles.heldCount} numbers`}>{n}</span>;
}
