// Lines that people put into an order, by mouse, touch or keys; screen readers announce names and places.
// Uses: the list around them, and in each line its own properties and a grip to pick it up by.

import type { DragEndEvent, UniqueIdentifier } from '@dnd-kit/core';
import { closestCenter, DndContext, KeyboardSensor, useSensor, useSensors } from '@dnd-kit/core';
import {
  horizontalListSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Finger, Mouse } from './drag-sensors.ts';
import styles from './sortable.module.css';

export interface Line {
  readonly id: string;
  /** What it is called aloud. */
  readonly name: string;
}

/** Made once: new ones would draw every line again whenever one of them is. */
const byMouse = { activationConstraint: { distance: 4 } };
const byTouch = { activationConstraint: { delay: 180, tolerance: 8 } };
const byKeys = { coordinateGetter: sortableKeyboardCoordinates };

export function SortableLines({
  lines,
  across = false,
  onMove,
  children,
}: {
  lines: readonly Line[];
  /** Side by side. */
  across?: boolean;
  /** `index`: its place among the other lines. */
  onMove: (id: string, index: number) => void;
  children: ReactNode;
}) {
  const sensors = useSensors(useSensor(Mouse, byMouse), useSensor(Finger, byTouch), useSensor(KeyboardSensor, byKeys));
  const away = useRef(false);
  const placeOf = (id: UniqueIdentifier): number => lines.findIndex((line) => line.id === id) + 1;
  const nameOf = (id: UniqueIdentifier): string => lines.find((line) => line.id === id)?.name ?? '';

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (over !== null && over.id !== active.id) onMove(String(active.id), placeOf(over.id) - 1);
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: { draggable: t('common.sorting.help') },
        announcements: {
          onDragStart({ active }) {
            away.current = false;
            return t('common.sorting.picked', { name: nameOf(active.id), place: placeOf(active.id), of: lines.length });
          },
          onDragOver({ active, over }) {
            // A line just picked up lies over its own place; that would talk over the sentence above.
            away.current ||= over?.id !== active.id;
            return over && away.current
              ? t('common.sorting.over', { name: nameOf(active.id), place: placeOf(over.id), of: lines.length })
              : undefined;
          },
          onDragEnd: ({ active, over }) =>
            t('common.sorting.dropped', { name: nameOf(active.id), place: placeOf((over ?? active).id) }),
          onDragCancel: ({ active }) => t('common.sorting.cancelled', { name: nameOf(active.id) }),
        },
      }}
    >
      <SortableContext
        items={lines.map((line) => line.id)}
        strategy={across ? horizontalListSortingStrategy : verticalListSortingStrategy}
      >
        {children}
      </SortableContext>
    </DndContext>
  );
}

export interface SortableLine {
  /** For the line's own element. */
  readonly line: { readonly ref: (element: HTMLElement | null) => void; readonly style: CSSProperties };
  readonly moving: boolean;
  /** A button; its label says what it moves. */
  grip(label: string): ReactNode;
}

export function useSortableLine(id: string, fixed = false, across = false): SortableLine {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled: fixed,
  });
  return {
    line: {
      ref: setNodeRef,
      style: {
        transform: transform
          ? across
            ? `translate3d(${transform.x}px, 0, 0)`
            : `translate3d(0, ${transform.y}px, 0)`
          : undefined,
        transition,
      },
    },
    moving: isDragging,
    grip: (label) => (
      <button
        type="button"
        className={`${shapes.middle} ${shapes.pressInk} ${shapes.quiet} ${shapes.rigid} ${styles.checkGrip}`}
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={label}
      >
        <GripVertical size={14} aria-hidden="true" />
      </button>
    ),
  };
}
