// What stands over the rows: the menus for grouping and sorting, the column heads that sort.

import { ArrowDownUp, ArrowDownWideNarrow, ArrowUpNarrowWide, Rows3 } from 'lucide-react';
import { groupings, type Sorting, sortings } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import styles from './list.module.css';
import type { ListOptions } from './list-options.ts';

export function OptionMenus({ options }: { options: ListOptions }) {
  return (
    <>
      <Menu
        label={t('list.group')}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {t('list.group')}: {t(`list.groups.${options.grouping}`)}
          </Button>
        }
        items={groupings.map((grouping) => ({
          id: grouping,
          label: t(`list.groups.${grouping}`),
          checked: grouping === options.grouping,
          onPick: () => options.set({ grouping }),
        }))}
      />
      <Menu
        label={t('list.sort')}
        trigger={
          <Button look="quiet" icon={<ArrowDownUp size={15} />}>
            {t('list.sort')}: {t(`list.sorts.${options.sorting}`)}
          </Button>
        }
        items={[
          ...sortings.map((sorting) => ({
            id: sorting,
            label: t(`list.sorts.${sorting}`),
            checked: sorting === options.sorting,
            onPick: () => options.set({ sorting, backwards: false }),
          })),
          {
            id: 'backwards',
            label: t('list.backwards'),
            checked: options.backwards,
            apart: true,
            onPick: () => options.set({ backwards: !options.backwards }),
          },
        ]}
      />
    </>
  );
}

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: heads are not stops, the buttons in them are */

export function ColumnHeads({ options }: { options: ListOptions }) {
  return (
    <div role="row" className={`${styles.row} ${styles.listHead}`} aria-rowindex={1}>
      <div role="columnheader" className={`${styles.cell} ${styles.cellCheck}`}>
        <span className="only-spoken">{t('list.columns.select')}</span>
      </div>
      <Head of="number" name={t('list.columns.key')} className={styles.cellKey} options={options} />
      <Head of="priority" name={t('list.columns.priority')} bare className={styles.cellPriority} options={options} />
      <Head of="title" name={t('list.columns.title')} className={styles.cellTitle} options={options} />
      <div role="columnheader" className={`${styles.cell} ${styles.cellLabels}`}>
        {t('list.columns.labels')}
      </div>
      <Head of="rank" name={t('list.columns.column')} className={styles.cellColumn} options={options} />
      <div role="columnheader" className={`${styles.cell} ${styles.cellPeople}`}>
        <span className="only-spoken">{t('list.columns.assignee')}</span>
      </div>
      <Head of="due" name={t('list.columns.due')} className={styles.cellDue} options={options} />
    </div>
  );
}

function Head({
  of,
  name,
  bare = false,
  className,
  options,
}: {
  of: Sorting;
  name: string;
  bare?: boolean;
  className: string;
  options: ListOptions;
}) {
  const current = options.sorting === of;
  const Arrow = options.backwards ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <div
      role="columnheader"
      className={`${styles.cell} ${className}`}
      aria-sort={current ? (options.backwards ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={styles.headButton}
        title={t(`list.sortBy.${of}`)}
        onClick={() => options.sortBy(of)}
      >
        <span className={bare ? 'only-spoken' : ''}>{name}</span>
        {(current || bare) && <Arrow size={13} aria-hidden="true" className={current ? '' : styles.cellGhost} />}
      </button>
    </div>
  );
}

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */
