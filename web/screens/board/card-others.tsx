// Others who have this card open or drag it: their name at its edge, in their colour.

import type { CSSProperties } from 'react';
import type { Person } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { hueOf } from '../../ui/avatar.tsx';
import styles from './card.module.css';

export function colourOf([first]: readonly Person[]): CSSProperties | undefined {
  return first === undefined ? undefined : ({ '--hue': hueOf(first.userId) } as CSSProperties);
}

export function CardOthers({ others }: { others: readonly Person[] }) {
  const [first, ...more] = others;
  if (first === undefined) return null;
  const names = others.map(({ name }) => name).join(', ');
  return (
    <span className={styles.cardOthers} data-others={names}>
      <span aria-hidden="true">
        {more.length === 0 ? first.name : t('board.andMore', { name: first.name, n: more.length })}
      </span>
      <span className="only-spoken">{t('board.alsoAt', { names })}</span>
    </span>
  );
}
