// Selection of cards: by Ctrl or Shift and a press, or by keys; one by one, or a range in the same column. Cards hidden by a filter are not
// in it. A press with the other button opens the menu of a card, or of all selected ones.

import { type MouseEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { Action } from '../../actions/registry.tsx';
import { pointedTask } from '../../actions/target.ts';
import { type Board, cellsOf } from '../../queries.ts';
import { selectActions } from '../task/select-actions.tsx';
import { performOn } from '../task/swipe-tasks.tsx';

export interface BoardSelection {
  readonly ids: ReadonlySet<string>;
  readonly list: readonly string[];
  clear(): void;
  /** Before something is done with one card alone. */
  onAlone(taskId: string): void;
  /** For the keys. */
  readonly actions: readonly Action[];
  /** For the room the cards are in. */
  readonly handlers: {
    onClickCapture(event: MouseEvent): void;
    onContextMenu(event: MouseEvent): void;
  };
}

/** The same one on a board that changes: then nothing is drawn anew for it. */
const none: readonly string[] = [];

/** `several`: what is selected can be changed together, as it is of one project. */
export function useBoardSelection(board: Board, canWrite: boolean, several: boolean): BoardSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef('');
  const columns = useMemo(() => cellsOf(board).map(({ tasks }) => tasks.map((task) => task.id)), [board]);
  // A filter must not hide what a bulk edit would change. In the order they stand in.
  const list = useMemo(
    () => (chosen.size === 0 ? none : [...new Set(columns.flat())].filter((id) => chosen.has(id))),
    [chosen, columns],
  );
  const ids = useMemo(() => new Set(list), [list]);
  const pick = useCallback(
    (taskId: string, range: boolean): void => {
      const column = columns.find((one) => one.includes(taskId)) ?? [];
      const from = column.indexOf(anchor.current);
      if (range && from >= 0) {
        const to = column.indexOf(taskId);
        const some = column.slice(Math.min(from, to), Math.max(from, to) + 1);
        setChosen((old) => new Set([...old, ...some]));
        return;
      }
      anchor.current = taskId;
      setChosen((old) => {
        const next = new Set(old);
        if (!next.delete(taskId)) next.add(taskId);
        return next;
      });
    },
    [columns],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  const onAlone = useCallback(
    (taskId: string): void => {
      if (!ids.has(taskId)) clear();
    },
    [ids, clear],
  );
  const selecting = selectActions(
    () => {
      const taskId = pointedTask();
      if (taskId !== undefined) pick(taskId, false);
    },
    () => setChosen(new Set(columns.flat())),
  );
  const handlers: BoardSelection['handlers'] = {
    onClickCapture(event) {
      const taskId =
        canWrite && several && (event.shiftKey || event.ctrlKey || event.metaKey) && cardAt(event)?.dataset.taskId;
      if (!taskId) return;
      event.preventDefault();
      event.stopPropagation();
      pick(taskId, event.shiftKey);
    },
    onContextMenu(event) {
      const card = cardAt(event);
      // A finger that rests takes the card up instead.
      const byTouch = (event.nativeEvent as PointerEvent).pointerType === 'touch';
      if (!canWrite || byTouch || card?.dataset.taskId === undefined) return;
      event.preventDefault();
      card.focus();
      onAlone(card.dataset.taskId);
      performOn(card, 'task-menu');
    },
  };
  return { ids, list, clear, onAlone, actions: several ? selecting : [], handlers };
}

const cardAt = (event: MouseEvent): HTMLElement | null =>
  (event.target as Element).closest<HTMLElement>('[data-task-id]');
