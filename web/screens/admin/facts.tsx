// List of labelled facts; and tables that scroll by themselves where the page is narrow.

import type { ReactNode } from 'react';
import shapes from '../../styles/shapes.module.css';
import styles from './admin.module.css';

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={`${shapes.stackS3} ${shapes.breaks} ${styles.facts}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === '' ? '—' : value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TableProps {
  readonly label: string;
  /** The first names the rows. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** Which columns are figures, by their place. */
  readonly figures?: readonly number[];
}

export function AdminTable({ label, heads, rows, figures = [] }: TableProps) {
  return (
    <section
      className={styles.tableRoom}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, also from the keyboard
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" data-figure={figures.includes(at) || undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never move by themselves
            <tr key={row}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={heads[at]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={heads[at]} data-figure={figures.includes(at) || undefined}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
