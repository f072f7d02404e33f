// One lane: its head, which folds it, and the cells of its columns.

import { useDroppable } from '@dnd-kit/core';
import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { BoardLane } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useLatest } from '../../ui/use-latest.ts';
import { type CellProps, useBoard } from './board-context.ts';
import styles from './board-lanes.module.css';
import { CellBody } from './cell-body.tsx';
import { GroupLabel, sayGroup } from './group-label.tsx';
import type { Adding } from './use-adding.ts';
import { useColumnCards } from './use-column-cards.ts';

interface LaneProps {
  readonly lane: BoardLane;
  readonly folded: boolean;
  readonly onFold: () => void;
  readonly adding: Adding | null;
}

export function Lane({ lane, folded, onFold, adding }: LaneProps) {
  const { state, laneGrouping } = useBoard();
  const { head, columns, count } = lane;
  const name = sayGroup(head, laneGrouping);
  const top = useRef<HTMLHeadingElement>(null);
  const open = useLatest(onFold);
  useEffect(() => {
    if (!folded) return;
    state.folded.set(head.id, { head: top, open: () => open.current() });
    // Keys open it as soon as they aim at it.
    const stop = state.subscribe(() => {
      const moving = state.get();
      if (moving?.by === 'keys' && columns.some(({ id }) => id === moving.target.columnId)) open.current();
    });
    return () => {
      state.folded.delete(head.id);
      stop();
    };
  }, [folded, state, head.id, columns, open]);
  return (
    <section className={styles.lane} data-lane={head.id} aria-label={t('board.column', { name, n: count })}>
      <h2 className={`${shapes.sticky} ${styles.laneHead}`} ref={top}>
        <button
          type="button"
          className={`${shapes.rowS3} ${shapes.press} ${shapes.value} ${shapes.strong} ${styles.fold}`}
          aria-expanded={!folded}
          onClick={onFold}
        >
          <ChevronDown size={15} aria-hidden="true" className={folded ? styles.folded : ''} />
          <GroupLabel group={head} grouping={laneGrouping} />
          <span className={shapes.cut}>{name}</span>
          <span className={`${shapes.quietS} ${shapes.plain} numbers`}>{sayNumber(count)}</span>
        </button>
      </h2>
      {!folded && (
        <div className={`${shapes.flex} ${shapes.gapS5} ${styles.cells}`}>
          {columns.map((boardColumn) => (
            <Cell
              key={boardColumn.id}
              boardColumn={boardColumn}
              fresh={false}
              first={false}
              adding={adding?.columnId === boardColumn.id ? adding.place : null}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Cell(props: CellProps) {
  const { state, handles, grouping, laneGrouping } = useBoard();
  const { id, group, lane, tasks, total } = props.boardColumn;
  const { setNodeRef } = useDroppable({ id });
  const cards = useColumnCards(id, tasks, state, handles);
  const column = sayGroup(group, grouping);
  const name = lane ? t('board.inLane', { column, lane: sayGroup(lane, laneGrouping) }) : column;
  return (
    <section
      data-column={id}
      className={`${shapes.column} ${shapes.holder} ${shapes.slim} ${shapes.roundL} ${styles.cell} ${cards.landing === null ? '' : styles.target}`}
      aria-label={t('board.column', { name, n: total })}
      ref={setNodeRef}
    >
      <CellBody {...props} cards={cards} name={name} />
    </section>
  );
}
