// The foot of the table: below each column what is computed of it, of all rows that pass the filter; a press chooses what.

import { Sigma } from 'lucide-react';
import { memo } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Menu } from '../../ui/overlays/menu.tsx';
import { numericClass } from './cells.tsx';
import { isTitle, type Table, type TableColumn } from './columns.ts';
import { summariesFor } from './sums.ts';
import tableStyles from './table.module.css';

interface TableFootProps {
  readonly table: Table;
  readonly sums: ReadonlyMap<string, string>;
  readonly rowIndex: number;
}

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: cells are not stops, the buttons in them are */

export const TableFoot = memo(function TableFoot({ table, sums, rowIndex }: TableFootProps) {
  return (
    <div role="rowgroup" className={`${shapes.sticky} ${tableStyles.foot}`}>
      <div
        role="row"
        aria-rowindex={rowIndex}
        className={`${shapes.grid} ${shapes.level} ${shapes.ruledBelow} ${tableStyles.footRow}`}
      >
        <div role="gridcell" aria-colindex={1} className={tableStyles.check} />
        {table.columns.map((column, at) => (
          <div
            key={column.id}
            role="gridcell"
            aria-colindex={at + 2}
            data-sum={column.id}
            className={`${tableStyles.cell} ${isTitle(column) ? tableStyles.title : ''} ${numericClass(column)}`}
          >
            <SumMenu column={column} sum={sums.get(column.id) ?? ''} onPick={table.summarise} />
          </div>
        ))}
      </div>
    </div>
  );
});

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */

interface SumMenuProps {
  readonly column: TableColumn;
  readonly sum: string;
  readonly onPick: Table['summarise'];
}

/** Drawn again only where its sum is another. */
const SumMenu = memo(function SumMenu({ column, sum, onPick }: SumMenuProps) {
  const { summary, name } = column;
  const label = t('table.foot', { column: name });
  return (
    <Menu
      label={label}
      trigger={
        <button
          type="button"
          className={`${shapes.roundS} ${shapes.clipped} ${shapes.within} ${shapes.sideS2} ${tableStyles.sum}`}
        >
          <span className="only-spoken">{label}: </span>
          {summary === 'none' ? (
            <span className={`${shapes.quietS} ${tableStyles.sumGhost}`}>
              <Sigma size={14} aria-hidden />
              <span className="only-spoken">{t('table.summaries.none')}</span>
            </span>
          ) : (
            <>
              <span className={shapes.quietS}>{t(`table.summaries.${summary}`)}</span>
              <span className="numbers">{sum === '' ? '–' : sum}</span>
            </>
          )}
        </button>
      }
      items={summariesFor(column).map((one) => ({
        id: one,
        label: t(`table.summaries.${one}`),
        checked: one === summary,
        onPick: () => onPick(column.id, one),
      }))}
    />
  );
});
