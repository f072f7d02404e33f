// Moving cards: follows the pointer, listens to the keys, tells what happens, and hands the drop to the command.

import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useMemo, useRef } from 'react';
import { keyIn, moveTask, sayRefusal } from '../../commands.ts';
import { type Board, readColumnTasks } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { announce } from '../../ui/announcer.tsx';
import type { ColumnHandle } from './column.tsx';
import type { DragState, Target } from './drag-state.ts';

const say = words.board.drag;

export interface MovesProps {
  readonly board: Board;
  readonly state: DragState;
  readonly handles: Map<string, ColumnHandle>;
  readonly canWrite: boolean;
  readonly frame: RefObject<HTMLElement | null>;
  readonly onDragged: (task: TaskRow | null) => void;
}

export interface BoardMoves {
  start(taskId: string): void;
  drop(): void;
  cancel(): void;
  onKeyDown(event: KeyboardEvent): void;
  focusedColumn(): string | null;
}

export function useBoardMoves(props: MovesProps): BoardMoves {
  const sync = useSync();
  const held = useRef(props);
  held.current = props;
  const moves = useMemo(() => createMoves(held, sync), [sync]);
  useEffect(() => moves.stop, [moves]);
  return moves;
}

function createMoves(
  held: RefObject<MovesProps>,
  { store, journal }: ReturnType<typeof useSync>,
): BoardMoves & { stop(): void } {
  let pointer: { x: number; y: number } | null = null;
  let ticking = 0;

  const others = (columnId: string, movingId: string): TaskRow[] =>
    held.current.board.columns
      .find((shelf) => shelf.column.id === columnId)
      ?.tasks.filter((task) => task.id !== movingId) ?? [];
  const columnName = (columnId: string): string => store.get('workflow_columns', columnId)?.name ?? '';
  const nameOf = (taskId: string): string => {
    const task = store.get('tasks', taskId);
    return task ? `${keyIn(store, task)} ${task.title}` : '';
  };

  function place(taskId: string): Target | null {
    for (const shelf of held.current.board.columns) {
      const index = shelf.tasks.findIndex((task) => task.id === taskId);
      if (index >= 0) return { columnId: shelf.column.id, index };
    }
    return null;
  }

  // ── pointer ────────────────────────────────────────────────────────────────

  const follow = (event: Event): void => {
    // Firefox and Safari on a desk have no TouchEvent to compare with.
    const at = 'touches' in event ? (event as TouchEvent).touches[0] : event instanceof MouseEvent ? event : undefined;
    if (at) pointer = { x: at.clientX, y: at.clientY };
  };

  /** Every frame, because a list may scroll under a pointer that rests. */
  function tick(): void {
    const { state } = held.current;
    const moving = state.get();
    if (moving === null) return;
    if (pointer) {
      const columnId = columnAt(pointer.x);
      const column = columnId === null ? undefined : state.columns.get(columnId);
      if (columnId !== null && column) state.aim({ columnId, index: column.indexAt(pointer.y, moving.taskId) });
    }
    ticking = requestAnimationFrame(tick);
  }

  function columnAt(x: number): string | null {
    let nearest: string | null = null;
    let distance = Number.POSITIVE_INFINITY;
    for (const [columnId, { element }] of held.current.state.columns) {
      const box = element.current?.getBoundingClientRect();
      if (box === undefined) continue;
      const away = x < box.left ? box.left - x : x > box.right ? x - box.right : 0;
      if (away < distance) {
        distance = away;
        nearest = columnId;
      }
    }
    return nearest;
  }

  /** A card in the hand of the keys goes back when the mouse is used for something else. */
  const letGo = (): void => cancel();

  function stop(): void {
    cancelAnimationFrame(ticking);
    window.removeEventListener('pointerdown', letGo, true);
    window.removeEventListener('pointermove', follow, true);
    window.removeEventListener('mousemove', follow, true);
    window.removeEventListener('touchmove', follow, true);
    pointer = null;
  }

  function finish(): void {
    stop();
    held.current.state.set(null);
    held.current.onDragged(null);
  }

  function start(taskId: string): void {
    const from = place(taskId);
    const task = store.get('tasks', taskId);
    if (from === null || task === undefined) return;
    held.current.state.set({ taskId, from, by: 'pointer', target: from });
    held.current.onDragged(task);
    window.addEventListener('pointermove', follow, true);
    window.addEventListener('mousemove', follow, true);
    window.addEventListener('touchmove', follow, { capture: true, passive: true });
    ticking = requestAnimationFrame(tick);
    announce(
      say.picked(nameOf(taskId), columnName(from.columnId), from.index + 1, others(from.columnId, taskId).length + 1),
    );
  }

  // ── the drop ───────────────────────────────────────────────────────────────

  function drop(): void {
    const moving = held.current.state.get();
    if (moving === null) {
      finish();
      return;
    }
    if (pointer && moving.by === 'pointer') {
      // The last move may not have been drawn yet.
      const columnId = columnAt(pointer.x);
      const column = columnId === null ? undefined : held.current.state.columns.get(columnId);
      if (columnId !== null && column)
        held.current.state.aim({ columnId, index: column.indexAt(pointer.y, moving.taskId) });
    }
    const target = held.current.state.get()?.target ?? moving.target;
    const byKeys = moving.by === 'keys';
    const { taskId } = moving;
    const beforeId = followerOf(target, taskId);
    finish();
    announce(say.dropped(nameOf(taskId), columnName(target.columnId), target.index + 1));
    journal.run(moveTask(store, taskId, { columnId: target.columnId, beforeId })).catch((reason: unknown) => {
      announce(say.returned(nameOf(taskId), sayRefusal(reason)));
      if (byKeys) focusTask(taskId);
    });
    if (byKeys) focusTask(taskId);
  }

  /** Which task will follow the dropped one, counting also those a filter hides. */
  function followerOf(target: Target, taskId: string): string | null {
    const shown = others(target.columnId, taskId);
    const next = shown[target.index];
    if (next) return next.id;
    const last = shown.at(-1);
    const all = readColumnTasks(store, target.columnId).filter((task) => task.id !== taskId);
    return last ? (all[all.findIndex((task) => task.id === last.id) + 1]?.id ?? null) : null;
  }

  function cancel(): void {
    const moving = held.current.state.get();
    finish();
    if (moving) announce(say.cancelled(nameOf(moving.taskId)));
  }

  // ── keys ───────────────────────────────────────────────────────────────────

  function focusTask(taskId: string, tries = 12): void {
    requestAnimationFrame(() => {
      const at = place(taskId);
      if (at === null) return;
      const card = held.current.frame.current?.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(taskId)}"]`);
      if (card) {
        card.focus();
        card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else if (tries > 0) {
        held.current.handles.get(at.columnId)?.reveal(at.index);
        focusTask(taskId, tries - 1);
      }
    });
  }

  function neighbour(from: Target, key: string, movingId: string | null): Target | null {
    const columns = held.current.board.columns;
    const length = (columnId: string): number =>
      movingId === null
        ? (columns.find((shelf) => shelf.column.id === columnId)?.tasks.length ?? 0) - 1
        : others(columnId, movingId).length;
    if (key === 'ArrowUp') return { ...from, index: Math.max(0, from.index - 1) };
    if (key === 'ArrowDown') return { ...from, index: Math.min(length(from.columnId), from.index + 1) };
    if (key === 'Home') return { ...from, index: 0 };
    if (key === 'End') return { ...from, index: length(from.columnId) };
    const step = key === 'ArrowLeft' ? -1 : 1;
    for (let at = columns.findIndex((shelf) => shelf.column.id === from.columnId) + step; columns[at]; at += step) {
      const columnId = columns[at]?.column.id ?? '';
      // Without a card in the hand empty columns have nothing to focus.
      if (length(columnId) >= 0) return { columnId, index: Math.min(from.index, length(columnId)) };
    }
    return null;
  }

  const moveKeys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'];

  function onKeyDown(event: KeyboardEvent): void {
    const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-task-id]') : null;
    const taskId = card?.dataset.taskId;
    if (taskId === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const { state } = held.current;
    const moving = state.get();
    if (moving?.by === 'keys') {
      onMovingKey(event, moving.taskId, moving.target);
      return;
    }
    if (event.key === ' ') {
      event.preventDefault();
      const from = place(taskId);
      if (!held.current.canWrite || from === null) return;
      state.set({ taskId, from, by: 'keys', target: from });
      window.addEventListener('pointerdown', letGo, true);
      announce(
        say.picked(nameOf(taskId), columnName(from.columnId), from.index + 1, others(from.columnId, taskId).length + 1),
      );
      return;
    }
    if (!moveKeys.includes(event.key)) return;
    event.preventDefault();
    const from = place(taskId);
    const to = from && neighbour(from, event.key, null);
    const next = to && held.current.board.columns.find((shelf) => shelf.column.id === to.columnId)?.tasks[to.index];
    if (next) focusTask(next.id);
  }

  function onMovingKey(event: KeyboardEvent, taskId: string, target: Target): void {
    const { state, handles } = held.current;
    if (event.key === 'Tab') {
      cancel();
      return;
    }
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      drop();
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      cancel();
      return;
    }
    if (!moveKeys.includes(event.key)) return;
    event.preventDefault();
    const to = neighbour(target, event.key, taskId);
    if (to === null) return;
    state.aim(to);
    handles.get(to.columnId)?.reveal(Math.min(to.index, others(to.columnId, taskId).length - 1));
    state.columns
      .get(to.columnId)
      ?.element.current?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    announce(say.over(nameOf(taskId), columnName(to.columnId), to.index + 1, others(to.columnId, taskId).length + 1));
  }

  return {
    start,
    drop,
    cancel,
    stop,
    onKeyDown,
    focusedColumn() {
      const card = document.activeElement?.closest<HTMLElement>('[data-task-id]');
      return card?.dataset.taskId ? (place(card.dataset.taskId)?.columnId ?? null) : null;
    },
  };
}
