// The cards of a column that are near the screen, each at its height, and the line where one would land.

import type { TaskRow } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './board.module.css';
import { useBoard } from './board-context.ts';
import { ColumnCard } from './column-card.tsx';
import { landingTop } from './column-places.ts';
import type { CardsOnScreen } from './use-column-cards.ts';

interface ColumnCardsProps {
  /** The place on the board, and what it is called. */
  readonly cellId: string;
  readonly name: string;
  readonly tasks: readonly TaskRow[];
  readonly cards: CardsOnScreen;
}

export function ColumnCards({ cellId, name, tasks, cards }: ColumnCardsProps) {
  const { ordered, state, canWrite, mayMove, selected, onAlone, search } = useBoard();
  const { list, virtualizer, landing, movingId } = cards;
  return (
    <ul className={`${shapes.unrolled} ${shapes.holder} ${styles.columnCards}`} ref={list} aria-label={name}>
      <li
        role="presentation"
        className={`${shapes.holder} ${styles.columnRoom}`}
        style={{ height: virtualizer.getTotalSize() }}
        aria-hidden="true"
      >
        {ordered && landing !== null && (
          <span
            className={`${shapes.ownColours} ${shapes.over} ${styles.landing}`}
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
            className={`${shapes.over} ${styles.columnCard}`}
            style={{ transform: `translateY(${item.start}px)` }}
            aria-setsize={tasks.length}
            aria-posinset={item.index + 1}
          >
            <ColumnCard
              cellId={cellId}
              task={task}
              canWrite={canWrite && mayMove(task)}
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
  );
}
