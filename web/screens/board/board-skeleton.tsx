// Placeholder of the board until its tasks are known.

import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Loading, Skeleton } from '../../ui/list-states.tsx';
import { FilterBarSkeleton } from '../project/filter-bar.tsx';
import styles from './board.module.css';
import cardStyles from './card.module.css';

export function BoardSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={`${shapes.fillDown} ${shapes.unrolled} ${styles.board}`} data-board>
        {[3, 4, 2, 3].map((cards, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
          <div className={`${shapes.column} ${styles.column}`} key={column} data-column>
            <div className={`${shapes.rowS3} ${styles.columnHead}`}>
              <Skeleton width="40%" />
            </div>
            <div className={`${shapes.unrolled} ${shapes.holder} ${styles.columnCards} ${shapes.stackS3}`}>
              {Array.from({ length: cards }, (_, card) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
                <div className={cardStyles.card} key={card}>
                  <Skeleton width="25%" height="0.625rem" />
                  <Skeleton width={card % 2 ? '70%' : '90%'} />
                </div>
              ))}
            </div>
          </div>
        ))}
        <div className={styles.addColumn}>
          <span className={`${shapes.block} ${styles.addColumnWaiting}`} />
        </div>
      </div>
    </Loading>
  );
}
