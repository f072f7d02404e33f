// The board by keys: arrows go from card to card; Shift and Space take a card, arrows move it, Space or Enter drops it, Escape puts it back.

import type { KeyboardEvent, RefObject } from 'react';
import type { Board } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';
import type { BoardPlaces } from './board-places.ts';
import type { DragState, Target } from './drag-state.ts';
import type { ColumnHandle } from './use-column-cards.ts';

const moveKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];

interface Keyed {
  readonly board: Board;
  readonly state: DragState;
  readonly handles: Map<string, ColumnHandle>;
  readonly canWrite: boolean;
}

interface Hand {
  take(taskId: string, from: Target): void;
  drop(): void;
  cancel(): void;
  focus(taskId: string, cellId?: string): void;
}

export function createBoardKeys(held: RefObject<Keyed>, places: BoardPlaces, hand: Hand) {
  function onMovingKey(event: KeyboardEvent, taskId: string, target: Target): void {
    if (event.key === 'Tab') hand.cancel();
    else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      hand.drop();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      hand.cancel();
    } else if (moveKeys.includes(event.key)) {
      event.preventDefault();
      const to = places.neighbour(target, event.key, taskId);
      if (to) aim(taskId, to);
    }
  }

  function aim(taskId: string, to: Target): void {
    const { state, handles } = held.current;
    const others = places.others(to.columnId, taskId).length;
    state.aim(to);
    handles.get(to.columnId)?.reveal(Math.min(to.index, others - 1));
    state.columns
      .get(to.columnId)
      ?.element.current?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const column = places.columnName(to.columnId);
    const task = places.nameOf(taskId);
    announce(
      held.current.board.ordered
        ? t('board.drag.over', { task, column, place: to.index + 1, of: others + 1 })
        : t('board.drag.overGroup', { task, column }),
    );
  }

  return (event: KeyboardEvent): void => {
    const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-task-id]') : null;
    const taskId = card?.dataset.taskId;
    if (taskId === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const moving = held.current.state.get();
    if (moving?.by === 'keys') {
      onMovingKey(event, moving.taskId, moving.target);
      return;
    }
    const from = places.place(taskId, card?.closest<HTMLElement>('[data-column]')?.dataset.column);
    if (event.key === ' ') {
      if (!event.shiftKey) return;
      event.preventDefault();
      if (held.current.canWrite && from) hand.take(taskId, from);
    } else if (moveKeys.includes(event.key)) {
      event.preventDefault();
      const to = from && places.neighbour(from, event.key, null);
      const next = to && places.taskAt(to);
      if (next) hand.focus(next.id, to.columnId);
    }
  };
}
