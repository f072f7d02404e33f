// Preview of the board: each list with its first cards.

import type { ImportPreview } from '../../queries/projects/imports.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './import.module.css';

export function Board({ lists }: Pick<ImportPreview, 'lists'>) {
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-labelledby="import-board">
      <h2 id="import-board">{t('import.board')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too */}
      <ol className={`${shapes.lineS4} ${styles.board}`} tabIndex={0} aria-labelledby="import-board">
        {lists.map(({ name, count, first }) => (
          <li key={name ?? ''} className={`${shapes.panel} ${shapes.sunken} ${styles.list}`}>
            <h3>
              {name ?? t('import.noList')} <span className="numbers">{count}</span>
            </h3>
            <ul>
              {first.map((title, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may be called the same, and none moves
                <li key={`${at} ${title}`}>{title}</li>
              ))}
            </ul>
            {count > first.length && (
              <p className={`${shapes.softS} ${styles.note}`}>{t('import.more', { n: count - first.length })}</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
