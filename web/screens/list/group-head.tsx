// The head of a group of rows: folds it, selects all of it, says how many there are.

import { ChevronDown } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import marksStyles from '../../pieces/task-badges.module.css';
import { KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import type { TaskGroup } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { sayNone } from '../project/view-choices.ts';
import type { TableColumn } from './columns.ts';
import groupStyles from './group-head.module.css';
import styles from './list.module.css';
import tableStyles from './table.module.css';

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: heads are not stops, the buttons in them are */

export const GroupHead = memo(function GroupHead({
  group,
  grouping,
  index,
  start,
  open,
  onFold,
  canWrite,
  selected,
  onSelect,
  columns,
  chosen,
  sums,
}: {
  group: TaskGroup;
  grouping: Grouping | null;
  index: number;
  start: number;
  open: boolean;
  onFold: (groupId: string) => void;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  /** Null: none is selected here. */
  onSelect: ((ids: readonly string[], on: boolean) => void) | null;
  columns: readonly TableColumn[];
  /** Somebody chose the columns: sums stand below their heads. */
  chosen: boolean;
  sums: ReadonlyMap<string, string>;
}) {
  const name = group.name || sayNone(grouping);
  const ids = group.tasks.map((task) => task.id);
  const some = ids.filter((id) => selected.has(id)).length;
  const all = some > 0 && some === ids.length;
  // Its name has the room up to the first sum, and at least that of the first column.
  const summed = chosen ? columns.findIndex(({ summary }, at) => at > 0 && summary !== 'none') : -1;
  const span = summed < 0 ? columns.length : summed;
  return (
    <div
      role="row"
      className={`${shapes.grid} ${shapes.level} ${shapes.paper} ${shapes.ruledBelow} ${groupStyles.groupHead} ${chosen ? tableStyles.group : ''}`}
      style={{ '--start': `${start}px` } as CSSProperties}
      aria-rowindex={index + 2}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        className={`${styles.cell} ${chosen ? tableStyles.check : styles.cellCheck}`}
      >
        {canWrite && onSelect && (
          <input
            type="checkbox"
            aria-label={t('list.selectGroup', { name })}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = some > 0 && !all;
            }}
            onChange={() => onSelect(ids, !all)}
          />
        )}
      </div>
      <div
        role="gridcell"
        aria-colindex={2}
        aria-colspan={span}
        className={`${styles.cell} ${chosen ? tableStyles.groupName : ''}`}
        style={chosen ? { gridColumn: `2 / span ${span}` } : undefined}
      >
        <button
          type="button"
          className={`${shapes.inlineS3} ${shapes.press} ${shapes.slim} ${shapes.roundS} ${groupStyles.button}`}
          aria-expanded={open}
          data-group={index}
          onClick={() => onFold(group.id)}
        >
          <ChevronDown size={14} aria-hidden="true" className={open ? '' : groupStyles.folded} />
          {group.kind && <KindMark kind={group.kind} color={group.color ?? null} />}
          {group.priority && <PriorityMark priority={group.priority} />}
          {group.color !== undefined && !group.kind && (
            <span className={marksStyles.labelDot} style={{ background: group.color ?? 'var(--edge)' }} />
          )}
          <span className={`${shapes.words} ${shapes.strong}`}>{name}</span>
          <span className={`${shapes.quietS} numbers`}>{sayNumber(group.tasks.length)}</span>
        </button>
      </div>
      {chosen &&
        columns.map(({ id, summary, name: column, property }, at) =>
          at >= span && summary !== 'none' ? (
            <div
              key={id}
              role="gridcell"
              aria-colindex={at + 2}
              className={`${tableStyles.cell} ${shapes.softS} ${tableStyles.groupSum} ${property.adds ? tableStyles.numeric : ''}`}
              style={{ gridColumn: at + 2 }}
              data-sum={id}
            >
              <span className="only-spoken">
                {t('table.sumOf', { what: t(`table.summaries.${summary}`), column })}:{' '}
              </span>
              <span className="numbers">{sums.get(id) || '–'}</span>
            </div>
          ) : null,
        )}
    </div>
  );
});

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */
