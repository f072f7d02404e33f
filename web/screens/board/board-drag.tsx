// Drag context of the board: cards are picked up by mouse or touch, and the dragged one is drawn. The target is decided elsewhere.

import type { DragEndEvent, DragStartEvent } from '@dnd-kit/core';
import { DndContext, DragOverlay, MeasuringStrategy, pointerWithin, useSensor, useSensors } from '@dnd-kit/core';
import type { ReactNode } from 'react';
import type { TaskRow } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { Finger, Mouse } from '../../ui/lists/drag-sensors.ts';
import styles from './card.module.css';
import { CardFace } from './card.tsx';
import { cardIn } from './card-id.ts';
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

const hasRested = ({ activatorEvent, delta }: DragEndEvent): boolean =>
  activatorEvent.type === 'touchstart' && Math.hypot(delta.x, delta.y) < byTouch.activationConstraint.tolerance;

/** The finger that put a card down has not tapped its link: the browser would follow it. */
function refuseTap({ type, target }: Event): void {
  if (type !== 'touchstart') return;
  const over = new AbortController();
  const end = (event: Event): void => {
    if (event.type === 'touchend') event.preventDefault();
    over.abort();
  };
  for (const kind of ['touchend', 'touchcancel']) target?.addEventListener(kind, end, { signal: over.signal });
}

interface BoardDragProps {
  readonly moves: BoardMoves;
  readonly state: DragState;
  /** In the hand of a pointer. */
  readonly dragged: TaskRow | null;
  /** A finger that took a card up and put it back without going anywhere. */
  readonly onRest: (taskId: string) => void;
  readonly children: ReactNode;
}

export function BoardDrag({ moves, state, dragged, onRest, children }: BoardDragProps) {
  const sensors = useSensors(useSensor(Mouse, byMouse), useSensor(Finger, byTouch));
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      measuring={measuring}
      accessibility={silence}
      onDragStart={({ active, activatorEvent }: DragStartEvent) => {
        refuseTap(activatorEvent);
        moves.start(String(active.id));
      }}
      onDragEnd={(event) => (hasRested(event) ? onRest(cardIn(String(event.active.id)).taskId) : moves.drop())}
      onDragCancel={moves.cancel}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <div className={`${styles.card} ${shapes.outlined} ${shapes.holder} ${styles.cardOverlay}`} data-held-card>
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
  return n > 1 && <span className={`${shapes.middle} ${shapes.accent} ${styles.heldCount} numbers`}>{n}</span>;
}
