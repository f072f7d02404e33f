// State of a drag on a board: the moved cards and their target. Outside React, so that a moving pointer redraws two columns at most.

import type { RefObject } from 'react';
import { useSyncExternalStore } from 'react';

export interface Target {
  readonly columnId: string;
  /** The place among the column's other cards as shown. */
  readonly index: number;
}

export interface Moving {
  readonly taskId: string;
  readonly from: Target;
  readonly by: 'pointer' | 'keys';
  readonly target: Target;
  /** All that are in the hand with it, itself too, in the order they stand in. */
  readonly all: readonly string[];
}

/** A column as the pointer meets it. */
export interface ColumnGeometry {
  /** The card list on the screen. */
  readonly element: RefObject<HTMLElement | null>;
  /** Which place a height on the screen means. */
  indexAt(clientY: number, movingId: string): number;
}

/** A lane that is folded, as the pointer meets it: a card that rests on its head opens it. */
export interface FoldedLane {
  readonly head: RefObject<HTMLElement | null>;
  open(): void;
}

export interface DragState {
  readonly columns: Map<string, ColumnGeometry>;
  readonly folded: Map<string, FoldedLane>;
  get(): Moving | null;
  set(moving: Moving | null): void;
  aim(target: Target): void;
  subscribe(listener: () => void): () => void;
}

export function createDragState(): DragState {
  let moving: Moving | null = null;
  const listeners = new Set<() => void>();
  const set = (next: Moving | null): void => {
    moving = next;
    for (const listener of listeners) listener();
  };
  return {
    columns: new Map(),
    folded: new Map(),
    get: () => moving,
    set,
    aim(target) {
      if (moving === null) return;
      if (moving.target.columnId === target.columnId && moving.target.index === target.index) return;
      set({ ...moving, target });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Where in this column a card would land; null when elsewhere. */
export function useLanding(state: DragState, columnId: string): number | null {
  return useSyncExternalStore(state.subscribe, () => {
    const moving = state.get();
    return moving?.target.columnId === columnId ? moving.target.index : null;
  });
}

/** Whether a card goes along with another one that is on its way. */
export function useGoesAlong(state: DragState, taskId: string): boolean {
  return useSyncExternalStore(state.subscribe, () => state.get()?.all.includes(taskId) ?? false);
}

/** The card on its way, and how it travels ("id keys"); null when none is. */
export function useMovingId(state: DragState): string | null {
  return useSyncExternalStore(state.subscribe, () => state.get()?.taskId ?? null);
}
