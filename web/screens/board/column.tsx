// One column: its name and count, its cards (only those near the screen are drawn), and where a new one is typed.

import { useDraggable, useDroppable } from '@dnd-kit/core';
import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { Plus } from 'lucide-react';
import { memo, useCallback, useEffect, useRef } from 'react';
import { KindMark } from '../../pieces/marks.tsx';
import { type BoardColumn, type ColumnRow, type TaskRow, useOthersAt } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { drawnLines, focusedLine } from '../../ui/drawn-lines.ts';
import { RowLink } from '../../ui/row-link.tsx';
import { showMessage } from '../../ui/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import styles from './board.module.css';
import cardStyles from './card.module.css';
import { CardFace } from './card.tsx';
import { CardOthers, colourOf } from './card-others.tsx';
import type { DragState } from './drag-state.ts';
import { useLanding, useMovingId } from './drag-state.ts';
import { type AddPlace, QuickAdd } from './quick-add.tsx';

const gap = 8;

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
  adding,
  onAdd,
  onAdded,
  handles,
  search,
}: ColumnProps) {
  const { column, tasks, total } = boardColumn;
  const list = useRef<HTMLUListElement>(null);
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
    estimateSize: () => 96,
    getItemKey: (index) => tasks[index]?.id ?? index,
    overscan: 5,
    gap,
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

  return (
    <section
      data-column
      className={`${styles.column} ${landing === null ? '' : styles.columnTarget}`}
      aria-label={t('board.column', { name: column.name, n: total })}
      ref={setNodeRef}
    >
      <ColumnHead column={column} total={total} onAdd={canWrite ? () => onAdd(column.id, 'top') : undefined} />
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
              <Card task={task} canWrite={canWrite} first={item.index === 0} state={state} search={search} />
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

/** Its name, how many tasks it has, and how many it should have at most. */
function ColumnHead({ column, total, onAdd }: { column: ColumnRow; total: number; onAdd: (() => void) | undefined }) {
  const over = column.wip_limit !== null && total > column.wip_limit;
  const full = column.wip_limit !== null && total === column.wip_limit;
  return (
    <header className={styles.columnHead}>
      <KindMark kind={column.kind} color={column.color} />
      <h2 title={column.name}>{column.name}</h2>
      <span
        className={`${styles.columnCount} numbers ${over ? styles.columnOver : full ? styles.columnFull : ''}`}
        title={
          over
            ? t('board.wipOver', { limit: column.wip_limit ?? 0 })
            : full
              ? t('board.wipAt', { limit: column.wip_limit ?? 0 })
              : undefined
        }
      >
        {column.wip_limit === null ? sayNumber(total) : t('board.wip', { n: total, limit: column.wip_limit })}
        {over && <span className="only-spoken">, {t('board.wipOver', { limit: column.wip_limit ?? 0 })}</span>}
      </span>
      {onAdd && (
        <IconButton label={t('board.addTo', { column: column.name })} className={styles.columnPlus} onClick={onAdd}>
          <Plus size={16} />
        </IconButton>
      )}
    </header>
  );
}

interface CardProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly first: boolean;
  readonly state: DragState;
  readonly search: string;
}

const Card = memo(function Card({ task, canWrite, first, state, search }: CardProps) {
  const { setNodeRef, listeners } = useDraggable({ id: task.id, disabled: !canWrite });
  const moving = useMovingId(state) === task.id;
  const held = moving && state.get()?.by === 'keys';
  const others = useOthersAt(task.project_id, task.id, 'open', 'drag');
  return (
    <RowLink
      ref={setNodeRef}
      href={paths.task(task.project_id, addressOf(task)) + (search && `?${search}`)}
      className={`${cardStyles.card} ${moving ? cardStyles.cardMoving : ''} ${held ? cardStyles.cardHeld : ''} ${others.length > 0 ? cardStyles.cardSeen : ''}`}
      data-task-id={task.id}
      draggable={false}
      tabIndex={first || moving ? 0 : -1}
      aria-describedby="card-help"
      {...listeners}
      style={colourOf(others)}
    >
      <CardFace task={task} />
      <CardOthers others={others} />
    </RowLink>
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
  if (element === null) return 0;
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
