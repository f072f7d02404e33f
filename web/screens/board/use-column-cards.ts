// Drawn cards of a column (those near the screen, and the few that must stay), and the handles by which the board and a drag reach them.
// Also of a collapsed column: cards are dropped there, too.

import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { TaskRow } from '../../queries.ts';
import { focusedLine, virtualLines } from '../../ui/lists/virtual-lines.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useDensity } from '../project/display/density.tsx';
import { type CardVirtualizer, compactGap, gap, indexAt } from './column-places.ts';
import { type DragState, useLanding, useMovingId } from './drag-state.ts';

export interface ColumnHandle {
  readonly columnId: string;
  /** Scrolls a card into view. */
  reveal(index: number): void;
}

export interface CardsOnScreen {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly virtualizer: CardVirtualizer;
  /** Where in this column a card would land; null when elsewhere. */
  readonly landing: number | null;
  readonly movingId: string | null;
  /** For what happens between renders. */
  readonly latest: RefObject<readonly TaskRow[]>;
  readonly live: RefObject<CardVirtualizer>;
}

export function useColumnCards(
  columnId: string,
  tasks: readonly TaskRow[],
  state: DragState,
  handles: Map<string, ColumnHandle>,
): CardsOnScreen {
  const list = useRef<HTMLUListElement>(null);
  const compact = useDensity() === 'compact';
  const landing = useLanding(state, columnId);
  const movingId = useMovingId(state);
  const latest = useLatest(tasks);
  const movingAt = movingId === null ? -1 : tasks.findIndex((task) => task.id === movingId);
  const rangeExtractor = useCallback(
    // The first card takes the tab key; the moving one and the one with the focus must stay in the page.
    (range: Range) => virtualLines(range, [0, movingAt, focusedLine(list.current, 'index')]),
    [movingAt],
  );
  const virtualizer = useVirtualizer<HTMLUListElement, Element>({
    count: tasks.length,
    getScrollElement: () => list.current,
    estimateSize: () => (compact ? 56 : 96),
    getItemKey: (index) => tasks[index]?.id ?? index,
    overscan: 5,
    gap: compact ? compactGap : gap,
    rangeExtractor,
  });
  const live = useLatest(virtualizer);

  useEffect(() => {
    state.columns.set(columnId, {
      element: list,
      indexAt: (clientY, id) => indexAt(live.current, latest.current, list.current, clientY, id),
    });
    handles.set(columnId, {
      columnId,
      reveal: (index) => live.current.scrollToIndex(index, { align: 'auto' }),
    });
    return () => {
      state.columns.delete(columnId);
      handles.delete(columnId);
    };
  }, [state, handles, columnId, latest, live]);

  return { list, virtualizer, landing, movingId, latest, live };
}
