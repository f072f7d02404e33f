// One column: its name and count, its cards, and where a new one is typed.

import { useDroppable } from '@dnd-kit/core';
import { memo } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './board.module.css';
import { type CellProps, useBoard } from './board-context.ts';
import { CellBody } from './cell-body.tsx';
import { CollapsedColumn, ColumnHead } from './column-head.tsx';
import { GroupColumnHead } from './group-column-head.tsx';
import { GroupLabel, sayGroup } from './group-label.tsx';
import { useColumnCards } from './use-column-cards.ts';

export interface ColumnProps extends CellProps {
  readonly collapsed: boolean;
}

export const Column = memo(function Column(props: ColumnProps) {
  const { boardColumn, collapsed } = props;
  const { grouping, home, state, canWrite, onCollapse, onAdd, handles } = useBoard();
  const { id, group, column, tasks, total } = boardColumn;
  const { setNodeRef } = useDroppable({ id });
  const cards = useColumnCards(id, tasks, state, handles);
  const name = sayGroup(group, grouping);
  const label = t('board.column', { name, n: total });
  const target = cards.landing === null ? '' : styles.columnTarget;
  const does = { onAdd: () => onAdd(id, 'top'), onCollapse: () => onCollapse(id) };

  if (collapsed)
    return (
      <section
        data-column={id}
        className={`${shapes.column} ${styles.column} ${styles.columnCollapsed} ${target}`}
        aria-label={label}
        ref={setNodeRef}
      >
        <CollapsedColumn
          name={name}
          mark={<GroupLabel group={group} grouping={grouping} />}
          total={total}
          onExpand={does.onCollapse}
        />
      </section>
    );
  return (
    <section
      data-column={id}
      className={`${shapes.column} ${styles.column} ${target}`}
      aria-label={label}
      ref={setNodeRef}
    >
      {column && grouping === 'column' ? (
        <ColumnHead column={column} total={total} shown={tasks.length} canWrite={canWrite && home !== null} {...does} />
      ) : (
        <GroupColumnHead
          group={group}
          grouping={grouping}
          total={total}
          shown={tasks.length}
          canWrite={canWrite && home !== null}
          {...does}
        />
      )}
      <CellBody {...props} cards={cards} name={name} />
    </section>
  );
});
