// The lines of the list: tasks and the heads of their groups, which of them are drawn, and which has the focus.

import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { GroupedList, TaskRow } from '../../queries.ts';
import { focusOnceDrawn } from '../../ui/lists/focus-once-drawn.ts';
import { focusedLine, virtualLines } from '../../ui/lists/virtual-lines.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useNarrow, useTouch } from '../../ui/use-narrow.ts';
import { useRem } from '../../ui/use-rem.ts';
import { useDensity } from '../project/display/density.tsx';
import type { EditedTitle, Item } from './list-item.ts';
import { type OutlinedTask, outlined } from './outline.ts';

/** Of an outline, whether parts stand in its own order or as they are sorted. */
export type Outline = 'own' | 'sorted' | null;

function flatten(list: GroupedList, folded: ReadonlySet<string>, outline: Outline): Item[] {
  const bare = list.groups.length === 1 && list.groups[0]?.id === 'all';
  const linesOf = (tasks: readonly TaskRow[]): readonly OutlinedTask[] =>
    outline === null ? tasks.map((task) => ({ task, depth: 0 })) : outlined(tasks, outline === 'own');
  return list.groups.flatMap((group): Item[] => [
    ...(bare ? [] : [{ kind: 'head', key: `group ${group.id}`, group } as const]),
    ...(folded.has(group.id)
      ? []
      : linesOf(group.tasks).map((line) => ({ kind: 'task', key: `${group.id} ${line.task.id}`, ...line }) as const)),
  ]);
}

export interface ListRowsState {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly items: readonly Item[];
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** What is there now, for what happens between renders. */
  readonly live: RefObject<{
    readonly items: readonly Item[];
    readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  }>;
  readonly folded: ReadonlySet<string>;
  fold(groupId: string): void;
  /** The line whose title is edited, or was last; -1: none, or it is not there. */
  readonly editedAt: number;
  /** The line of the task that has the focus, or -1. */
  focusedRow(): number;
  focusRow(index: number): void;
  taskIdAt(index: number): string | null;
}

/** `even`: all lines are as high as each other, also in a narrow window. `edited`: drawn however far away it stands. */
export function useListRows(
  list: GroupedList,
  even: boolean,
  outline: Outline,
  edited: EditedTitle | null,
): ListRowsState {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const frame = useRef<HTMLDivElement>(null);
  const focusedRow = useCallback(() => focusedLine(frame.current, 'row'), []);
  const items = useMemo(() => flatten(list, folded, outline), [list, folded, outline]);
  const editedAt = useMemo(() => items.findIndex(({ key }) => key === edited?.key), [items, edited]);
  const narrow = useNarrow() && !even;
  const rem = useRem();
  const compact = useDensity() === 'compact';
  const roomy = useTouch() ? 2.75 : 2.5;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => {
      const isHead = items[index]?.kind === 'head';
      return (!isHead && narrow ? 3.75 : compact ? 2 : isHead ? 2.5 : roomy) * rem;
    },
    getItemKey: (index) => items[index]?.key ?? index,
    // A row of a table is many cells.
    overscan: even ? 6 : 12,
    rangeExtractor: useCallback(
      (range: Range) => virtualLines(range, [focusedRow(), editedAt]),
      [focusedRow, editedAt],
    ),
  });
  const live = useLatest({ items, virtualizer });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as the width and the type say
  useEffect(() => virtualizer.measure(), [narrow, rem, compact, roomy, virtualizer]);

  const taskIdAt = useCallback(
    (index: number): string | null => {
      const item = live.current.items[index];
      return item?.kind === 'task' ? item.task.id : null;
    },
    [live],
  );

  const focusRow = useCallback(
    (index: number): void => {
      live.current.virtualizer.scrollToIndex(index, { align: 'auto' });
      focusOnceDrawn(() => frame.current?.querySelector(`[data-row-link="${index}"],[data-group="${index}"]`));
    },
    [live],
  );

  const fold = useCallback((groupId: string): void => {
    setFolded((old) => {
      const next = new Set(old);
      if (!next.delete(groupId)) next.add(groupId);
      return next;
    });
  }, []);

  return { frame, items, virtualizer, live, folded, fold, editedAt, focusedRow, focusRow, taskIdAt };
}
