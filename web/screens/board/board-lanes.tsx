// The board in lanes: the heads of its columns stay above, each lane is a row across them that folds. Only lanes near the screen are drawn,
// and in a cell only cards near it: a cell is no higher than a few cards, and scrolls by itself.

import { type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect } from 'react';
import type { Board } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { virtualLines } from '../../ui/lists/virtual-lines.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { BoardColumnsProps } from './board-columns.tsx';
import { useBoard } from './board-context.ts';
import styles from './board-lanes.module.css';
import { CardCount } from './card-count.tsx';
import { useMovingId } from './drag-state.ts';
import { GroupLabel, sayGroup } from './group-label.tsx';
import { Lane } from './lane.tsx';

interface BoardLanesProps extends BoardColumnsProps {
  readonly frame: RefObject<HTMLDivElement | null>;
}

export default function BoardLanes({ board, frame, collapsed, adding }: BoardLanesProps) {
  const { laneGrouping, state, handles, onCollapse } = useBoard();
  const lanes = board.lanes ?? [];
  const movingId = useMovingId(state);
  const movingAt = movingId === null ? -1 : lanes.findIndex((lane) => holds(lane, state.get()?.from.columnId));
  const aimedAt = movingId === null ? -1 : lanes.findIndex((lane) => holds(lane, state.get()?.target.columnId));
  const addingAt = adding === null ? -1 : lanes.findIndex((lane) => holds(lane, adding.columnId));
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: lanes.length,
    getScrollElement: () => frame.current,
    estimateSize: (at) => (lanes[at]?.count === 0 ? 100 : 260),
    getItemKey: (at) => lanes[at]?.head.id || 'none',
    overscan: 2,
    rangeExtractor: useCallback(
      // What is in the hand, what is typed in and what has the focus stay in the page.
      (range: Range) => virtualLines(range, [0, movingAt, aimedAt, addingAt, focusedLane(frame.current)]),
      [movingAt, aimedAt, addingAt, frame],
    ),
  });
  const live = useLatest({ virtualizer, lanes });

  // A card in a lane that is not drawn: its lane comes first, the card once it is there.
  useEffect(() => {
    const cells = lanes.flatMap((lane, at) => lane.columns.map(({ id }) => [id, at] as const));
    const added = cells.filter(([id]) => !handles.has(id));
    for (const [id] of added)
      handles.set(id, {
        columnId: id,
        reveal: () => {
          const at = live.current.lanes.findIndex((lane) => holds(lane, id));
          live.current.virtualizer.scrollToIndex(at, { align: 'auto' });
        },
      });
  }, [lanes, handles, live]);

  return (
    <div className={styles.lanes}>
      <LaneHeads board={board} />
      <div className={shapes.holder} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const lane = lanes[index];
          if (lane === undefined) return null;
          const key = `lane ${laneGrouping} ${lane.head.id}`;
          return (
            <div
              key={lane.head.id || 'none'}
              ref={virtualizer.measureElement}
              data-index={index}
              className={`${shapes.over} ${styles.place}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Lane lane={lane} folded={collapsed.has(key)} onFold={() => onCollapse(key)} adding={adding} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function holds(lane: { readonly columns: readonly { readonly id: string }[] }, cellId: string | undefined): boolean {
  return lane.columns.some(({ id }) => id === cellId);
}

function focusedLane(frame: HTMLElement | null): number {
  const lane = frame?.contains(document.activeElement) ? document.activeElement?.closest('[data-lane]') : null;
  return Number(lane?.parentElement?.dataset.index ?? -1);
}

/**
 * The heads of the columns over the lanes: what each is of, and how many cards all its cells have, beside the limit of
 * a state.
 */
function LaneHeads({ board: { columns, grouping } }: { board: Board }) {
  return (
    <ul
      className={`${shapes.flex} ${shapes.surface} ${shapes.gapS5} ${shapes.sticky} ${styles.heads}`}
      aria-label={t('common.columns')}
    >
      {columns.map(({ id, group, column, tasks, total }) => (
        <li key={id} className={`${shapes.rowS3} ${shapes.strong} ${shapes.slim} ${shapes.roundM} ${styles.head}`}>
          <GroupLabel group={group} grouping={grouping} />
          <span className={shapes.cut}>{sayGroup(group, grouping)}</span>
          <CardCount limit={column?.wip_limit ?? null} total={total} shown={tasks.length} />
        </li>
      ))}
    </ul>
  );
}
