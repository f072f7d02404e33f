// The frame of a chart: what it shows, and a switch to read the same as a table.

import { ChartColumn, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import styles from './dashboard.module.css';

export interface ChartTable {
  /** The first names the rows. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function ChartCard({
  title,
  hint,
  table,
  wide = false,
  children,
}: {
  title: string;
  hint: string;
  table: ChartTable | null;
  wide?: boolean;
  children: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <section
      className={`${shapes.stackS4} ${shapes.card} ${styles.chartCard} ${wide ? styles.chartWide : ''}`}
      aria-labelledby={id}
    >
      <header className={`${shapes.lineS4} ${shapes.spread} ${styles.chartHead}`}>
        <div>
          <h2 id={id}>{title}</h2>
          <p>{hint}</p>
        </div>
        {table && (
          <IconButton
            label={t('common.pair', { name: title, value: asTable ? t('dashboard.asChart') : t('dashboard.asTable') })}
            onClick={() => setAsTable((is) => !is)}
          >
            {asTable ? <ChartColumn size={16} /> : <Table2 size={16} />}
          </IconButton>
        )}
      </header>
      {asTable && table ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table scrolls, also from the keyboard
        <section className={styles.chartTable} tabIndex={0} aria-label={t('dashboard.tableOf', { chart: title })}>
          <table>
            <thead>
              <tr>
                {table.heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((cells, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name; rows never move by themselves
                <tr key={at}>
                  {cells.map((cell, place) =>
                    place === 0 ? (
                      <th key={table.heads[place]} scope="row">
                        {cell}
                      </th>
                    ) : (
                      <td key={table.heads[place]} className="numbers">
                        {cell}
                      </td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <ErrorBoundary of={table}>{children}</ErrorBoundary>
      )}
    </section>
  );
}
