// One column: its name and count, its cards, and where a new one is typed.

import { useDroppable } from '@dnd-kit/core';
import { Plus } from 'lucide-react';
import { memo } from 'react';
import type { BoardColumn } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { showMessage } from '../../ui/toaster.tsx';
import styles from './board.module.css';
import { ColumnCards } from './column-cards.tsx';
import { CollapsedColumn, ColumnHead } from './column-head.tsx';
import type { DragState } from './drag-state.ts';
import { type AddPlace, QuickAdd } from './quick-add.tsx';
import { type ColumnHandle, useColumnCards } from './use-column-cards.ts';

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

export const Column = memo(function Column(props: ColumnProps) {
  const { boardColumn, state, canWrite, filtered, fresh, first, collapsed, onCollapse } = props;
  const { selected, onAlone, adding, onAdd, onAdded, handles, search } = props;
  const { column, tasks, total } = boardColumn;
  const { setNodeRef } = useDroppable({ id: column.id });
  const cards = useColumnCards(column.id, tasks, state, handles);
  const { latest, live, landing } = cards;

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
      <ColumnCards
        column={column}
        tasks={tasks}
        cards={cards}
        state={state}
        canWrite={canWrite}
        selected={selected}
        onAlone={onAlone}
        search={search}
      />
      {tasks.length === 0 && !adding && <NoCards {...props} />}
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

/** Why there are none: the filter hides them, nothing has been written yet, or nothing is here now. */
function NoCards({ boardColumn: { column, total }, filtered, fresh, first, canWrite }: ColumnProps) {
  return (
    <p className={styles.columnEmpty}>
      {filtered && total > 0
        ? t('board.emptyFiltered')
        : fresh
          ? t(`board.emptyKinds.${column.kind}`)
          : t('board.emptyColumn')}
      {fresh && first && canWrite && ` ${t('board.emptyFirst')}`}
    </p>
  );
}
