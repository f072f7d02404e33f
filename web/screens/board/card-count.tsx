// Number of cards in a column, beside its limit.

import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './board.module.css';

interface CountMarkProps {
  readonly limit: number | null;
  readonly total: number;
  /** How many the filters leave. */
  readonly shown: number;
}

export function CardCount({ limit, total, shown }: CountMarkProps) {
  const over = limit !== null && total > limit;
  const full = limit !== null && total === limit;
  const all = limit === null ? sayNumber(total) : t('board.wip', { n: total, limit });
  return (
    <span
      className={`${shapes.quietS} ${shapes.chip} ${styles.columnCount} numbers ${over ? styles.columnOver : full ? styles.columnFull : ''}`}
      title={over ? t('board.wipOver', { limit }) : full ? t('board.wipAt', { limit }) : undefined}
    >
      {shown === total ? all : t('board.shownOf', { n: shown, all })}
      {over && <span className="only-spoken">, {t('board.wipOver', { limit })}</span>}
    </span>
  );
}
