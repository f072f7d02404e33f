// Moving cards: takes one by pointer or keys, tells what happens, and hands the drop to the command.

import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useMemo } from 'react';
import { focusedLine } from '../../actions/target.ts';
import { dropTasks, moveTask, type Regrouping, type Run, regroupTasks, sayRefusal, useRun } from '../../commands.ts';
import { type Board, type Reader, type TaskRow, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { createBoardKeys } from './board-keys.ts';
import { type BoardPlaces, placesOn } from './board-places.ts';
import { cardIn } from './card-id.ts';
import { createDragPointer } from './drag-pointer.ts';
import type { DragState, Moving, Target } from './drag-state.ts';
import type { ColumnHandle } from './use-column-cards.ts';

export interface MovesProps {
  readonly board: Board;
  readonly state: DragState;
  readonly handles: Map<string, ColumnHandle>;
  readonly canWrite: boolean;
  /** Of several projects some may only be looked at. */
  readonly mayMove: (task: TaskRow) => boolean;
  readonly frame: RefObject<HTMLElement | null>;
  /** In the order they stand in: taken up together by any of them. */
  readonly selected: readonly string[];
  readonly onDragged: (task: TaskRow | null) => void;
}

export interface BoardMoves {
  /** `card`: its place and its task. */
  start(card: string): void;
  drop(): void;
  cancel(): void;
  /** Where it was, without a word: it was not on its way anywhere. */
  putBack(): void;
  cardOf(taskId: string): HTMLElement | null;
  onKeyDown(event: KeyboardEvent): void;
  focusedColumn(): string | null;
  /** Gives a card the focus, once it is drawn. */
  focus(taskId: string, cellId?: string): void;
}

export function useBoardMoves(props: MovesProps): BoardMoves {
  const run = useRun();
  const store = useReader();
  const held = useLatest(props);
  const moves = useMemo(() => createMoves(held, store, run), [held, store, run]);
  useEffect(() => moves.stop, [moves]);
  return moves;
}

function createMoves(held: RefObject<MovesProps>, store: Reader, run: Run): BoardMoves & { stop(): void } {
  const places = placesOn(() => held.current.board, store);
  const pointer = createDragPointer(() => held.current.state);

  function take(taskId: string, from: Target, by: Moving['by']): void {
    const { selected, state } = held.current;
    const all = selected.length > 1 && selected.includes(taskId) ? selected : [taskId];
    state.set({ taskId, from, by, target: from, all });
    const column = places.columnName(from.columnId);
    const of = places.others(from.columnId, taskId).length + 1;
    announce(
      all.length > 1
        ? t('board.drag.pickedMany', { n: all.length, column })
        : t('board.drag.picked', { task: places.nameOf(taskId), column, place: from.index + 1, of }),
    );
  }

  function stop(): void {
    pointer.stop();
    window.removeEventListener('pointerdown', cancel, true);
  }

  function finish(): void {
    stop();
    held.current.state.set(null);
    held.current.onDragged(null);
  }

  function cancel(): void {
    const moving = held.current.state.get();
    finish();
    if (moving) announce(t('board.drag.cancelled', { task: places.nameOf(moving.taskId) }));
  }

  function drop(): void {
    const moving = held.current.state.get();
    if (moving?.by === 'pointer') pointer.aim();
    const target = held.current.state.get()?.target;
    // Before the hand is empty: then the board may be another.
    const beforeId = moving && target ? places.follower(target, moving.taskId) : null;
    finish();
    if (!moving || !target) return;
    const { taskId, all } = moving;
    const place = { columnId: target.columnId, beforeId };
    if (sayRefused(places, target, taskId)) return;
    const focusIfByKeys = (): void => {
      if (moving.by === 'keys') focusTask(taskId, target.columnId);
    };
    const { board } = held.current;
    const plain = board.ordered && board.lanes === null;
    announce(sayDropped(board, places, target, all, taskId));
    const regrouping = plain ? null : regroupingOf(board, places, moving.from, target, beforeId);
    const done = regrouping
      ? run(regroupTasks, [taskId, ...all.filter((id) => id !== taskId)], regrouping)
      : all.length > 1
        ? run(dropTasks, all, place)
        : run(moveTask, taskId, place);
    done.catch((reason: unknown) => {
      announce(t('board.drag.returned', { task: places.nameOf(taskId), why: sayRefusal(reason) }));
      focusIfByKeys();
    });
    focusIfByKeys();
  }

  const cardOf = (taskId: string, cellId?: string): HTMLElement | null =>
    findCard(held.current.frame.current, taskId, cellId);

  /** A card that was moved is drawn elsewhere in a moment. */
  function focusTask(taskId: string, cellId?: string, tries = 12): void {
    requestAnimationFrame(() => focusNow(taskId, cellId, tries));
  }

  /** At once where it is drawn, so that the next key is for it already. */
  function focusNow(taskId: string, cellId?: string, tries = 12): void {
    const at = places.place(taskId, cellId);
    if (at === null) return;
    const card = cardOf(taskId, at.columnId);
    if (card) {
      card.focus();
      card.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (tries > 0) {
      held.current.handles.get(at.columnId)?.reveal(at.index);
      focusTask(taskId, cellId, tries - 1);
    }
  }

  const onKeyDown = createBoardKeys(held, places, {
    take(taskId, from) {
      const task = store.get('tasks', taskId);
      if (task === undefined || !held.current.mayMove(task)) return;
      take(taskId, from, 'keys');
      // It goes back when the mouse is used for something else.
      window.addEventListener('pointerdown', cancel, true);
    },
    drop,
    cancel,
    focus: (taskId, cellId) => focusNow(taskId, cellId),
  });

  return {
    start(card) {
      const { taskId, cellId } = cardIn(card);
      const from = places.place(taskId, cellId);
      const task = store.get('tasks', taskId);
      if (from === null || task === undefined) return;
      held.current.onDragged(task);
      take(taskId, from, 'pointer');
      pointer.follow();
    },
    drop,
    cancel,
    putBack: finish,
    cardOf: (taskId) => cardOf(taskId),
    stop,
    onKeyDown,
    focus: (taskId, cellId) => focusTask(taskId, cellId),
    focusedColumn: () => focusedLine()?.closest<HTMLElement>('[data-column]')?.dataset.column ?? null,
  };
}

/** What the card stood in and stands in now: a column, and a lane where there are some. */
function regroupingOf(
  { grouping, laneGrouping, ordered }: Board,
  places: BoardPlaces,
  from: Target,
  target: Target,
  beforeId: string | null,
): Regrouping | null {
  const [left, entered] = [places.cell(from.columnId), places.cell(target.columnId)];
  if (left === undefined || entered === undefined) return null;
  const standing = ({ group, lane }: typeof left) => [
    { grouping, id: group.id },
    ...(lane && laneGrouping ? [{ grouping: laneGrouping, id: lane.id }] : []),
  ];
  return {
    from: standing(left),
    to: standing(entered),
    beforeId: ordered ? beforeId : undefined,
    name: places.columnName(target.columnId),
  };
}

function findCard(frame: HTMLElement | null, taskId: string, cellId: string | undefined): HTMLElement | null {
  const place = cellId === undefined ? '' : `[data-column="${CSS.escape(cellId)}"] `;
  return frame?.querySelector<HTMLElement>(`${place}[data-task-id="${CSS.escape(taskId)}"]`) ?? null;
}

/** True: it cannot stand there, and why is said. */
function sayRefused(places: BoardPlaces, target: Target, taskId: string): boolean {
  const why = places.refusal(target.columnId, taskId);
  if (why === null) return false;
  showMessage(why);
  announce(t('board.drag.returned', { task: places.nameOf(taskId), why }));
  return true;
}

function sayDropped(
  { ordered }: Board,
  places: BoardPlaces,
  target: Target,
  all: readonly string[],
  taskId: string,
): string {
  const where = { column: places.columnName(target.columnId), place: target.index + 1 };
  const task = places.nameOf(taskId);
  if (!ordered) return t('board.drag.droppedInGroup', { n: all.length, task, column: where.column });
  return all.length > 1
    ? t('board.drag.droppedMany', { n: all.length, ...where })
    : t('board.drag.dropped', { task, ...where });
}
