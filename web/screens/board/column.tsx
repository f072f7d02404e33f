// One column: its name and count, its cards (only those near the screen are drawn), and where a new one is typed.

import { useDroppable } from '@dnd-kit/core';
import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { Plus } from 'lucide-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import type { BoardColumn, TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { drawnLines, focusedLine } from '../../ui/drawn-lines.ts';
import { showMessage } from '../../ui/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { useDensity } from '../project/density.tsx';
import styles from './board.module.css';
import { ColumnCard } from './column-card.tsx';
import { CollapsedColumn, ColumnHead } from './column-head.tsx';
import type { DragState } from './drag-state.ts';
import { useLanding, useMovingId } from './drag-state.ts';
import { type AddPlace, QuickAdd } from './quick-add.tsx';

/** Between cards; and where things stand closer. */
const gap = 8;
const compactGap = 4;

export interface ColumnHandle {
  readonly columnId: string;
  /** Scrolls a card into view. */
  reveal(index: number): void;
}

export interface ColumnProps {
  readonly boardColumn: BoardColumn;
  readonly state: DragState;
  readonly canWrite: boolean;
  readonly filtered: boolean;
  /** Nothing has been written on this board yet: say what its columns are for. */
  readonly fresh: boolean;
  /** Where one starts. */
  readonly first: boolean;
  readonly collapsed: boolean;
  readonly onCollapse: (columnId: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onAlone: (taskId: string) => void;
  /** Where a new task is being typed. */
  readonly adding: AddPlace | null;
  readonly onAdd: (columnId: string, place: AddPlace) => void;
  /** Typing is over; the task that was added last gets the focus. */
  readonly onAdded: (addedId: string | null) => void;
  readonly handles: Map<string, ColumnHandle>;
  /** What follows the ? of the address, kept when a task is opened. */
  readonly search: string;
}

export const Column = memo(function Column({
  boardColumn,
  state,
  canWrite,
  filtered,
  fresh,
  first,
  collapsed,
  onCollapse,
  selected,
  onAlone,
  adding,
  onAdd,
  onAdded,
  handles,
  search,
}: ColumnProps) {
  const { column, tasks, total } = boardColumn;
  const list = useRef<HTMLUListElement>(null);
  const compact = useDensity() === 'compact';
  const landing = useLanding(state, column.id);
  const movingId = useMovingId(state);
  const { setNodeRef } = useDroppable({ id: column.id });
  const latest = useLatest(tasks);
  const movingAt = movingId === null ? -1 : tasks.findIndex((task) => task.id === movingId);
  const rangeExtractor = useCallback(
    // The first card takes the tab key; the moving one and the one with the focus must stay in the page.
    (range: Range) => drawnLines(range, [0, movingAt, focusedLine(list.current, 'index')]),
    [movingAt],
  );
  const virtualizer = useVirtualizer({
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
    state.columns.set(column.id, {
      element: list,
      indexAt: (clientY, id) => indexAt(live.current, latest.current, list.current, clientY, id),
    });
    handles.set(column.id, {
      columnId: column.id,
      reveal: (index) => live.current.scrollToIndex(index, { align: 'auto' }),
    });
    return () => {
      state.columns.delete(column.id);
      handles.delete(column.id);
    };
  }, [state, handles, column.id, latest, live]);

  const quickAdd = (place: AddPlace) => (
    <QuickAdd
      column={column}
      place={place}
      onClose={onAdded}
      onAdded={(count) =>
        requestAnimationFrame(() => {
          const hidden = tasks.length + count - latest.current.length;
          if (filtered && hidden > 0) showMessage(t('board.addedHidden', { n: hidden }));
          live.current.scrollToIndex(place === 'top' ? 0 : latest.current.length - 1);
        })
      }
    />
  );

  if (collapsed)
    return (
      <section
        data-column
        className={`${styles.column} ${styles.columnCollapsed} ${landing === null ? '' : styles.columnTarget}`}
        aria-label={t('board.column', { name: column.name, n: total })}
        ref={setNodeRef}
      >
        <CollapsedColumn column={column} total={total} onExpand={() => onCollapse(column.id)} />
      </section>
    );
  return (
    <section
      data-column
      className={`${styles.column} ${landing === null ? '' : styles.columnTarget}`}
      aria-label={t('board.column', { name: column.name, n: total })}
      ref={setNodeRef}
    >
      <ColumnHead
        column={column}
        total={total}
        shown={tasks.length}
        canWrite={canWrite}
        onAdd={() => onAdd(column.id, 'top')}
        onCollapse={() => onCollapse(column.id)}
      />
      {canWrite && adding === 'top' && quickAdd('top')}
      <ul className={styles.columnCards} ref={list} aria-label={column.name}>
        <li
          role="presentation"
          className={styles.columnRoom}
          style={{ height: virtualizer.getTotalSize() }}
          aria-hidden="true"
        >
          {landing !== null && (
            <span
              className={styles.landing}
              data-landing
              style={{ top: landingTop(virtualizer, tasks, landing, movingId) }}
            />
          )}
        </li>
        {virtualizer.getVirtualItems().map((item) => {
          const task = tasks[item.index];
          if (task === undefined) return null;
          return (
            <li
              key={task.id}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={styles.columnCard}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={tasks.length}
              aria-posinset={item.index + 1}
            >
              <ColumnCard
                task={task}
                canWrite={canWrite}
                first={item.index === 0}
                selected={selected.has(task.id)}
                state={state}
                search={search}
                onAlone={onAlone}
              />
            </li>
          );
        })}
      </ul>
      {tasks.length === 0 && !adding && (
        <p className={styles.columnEmpty}>
          {filtered && total > 0
            ? t('board.emptyFiltered')
            : fresh
              ? t(`board.emptyKinds.${column.kind}`)
              : t('board.emptyColumn')}
          {fresh && first && canWrite && ` ${t('board.emptyFirst')}`}
        </p>
      )}
      {canWrite && adding === 'end' && quickAdd('end')}
      {canWrite && adding !== 'end' && (
        <button
          type="button"
          className={`${styles.columnAdd} ${fresh && first ? styles.columnAddFirst : ''}`}
          data-add-task
          onClick={() => onAdd(column.id, 'end')}
        >
          <Plus size={15} aria-hidden="true" />
          {t('board.add')}
        </button>
      )}
    </section>
  );
});

/** The place among the other cards that a height on the screen means. */
function indexAt(
  virtualizer: Virtualizer<HTMLUListElement, Element>,
  tasks: readonly TaskRow[],
  element: HTMLElement | null,
  clientY: number,
  movingId: string,
): number {
  // Collapsed: at the end.
  if (element === null) return tasks.filter((task) => task.id !== movingId).length;
  const y = clientY - element.getBoundingClientRect().top + element.scrollTop;
  let index = 0;
  for (const item of virtualizer.measurementsCache) {
    if (tasks[item.index]?.id === movingId) continue;
    if (item.start + item.size / 2 > y) break;
    index++;
  }
  return index;
}

function landingTop(
  virtualizer: Virtualizer<HTMLUListElement, Element>,
  tasks: readonly TaskRow[],
  landing: number,
  movingId: string | null,
): number {
  let index = -1;
  for (const item of virtualizer.measurementsCache) {
    if (tasks[item.index]?.id === movingId) continue;
    index++;
    if (index === landing) return Math.max(0, item.start - gap / 2 - 1);
  }
  return Math.max(0, virtualizer.getTotalSize() - 2);
}
