// The head of a group of rows: folds it, selects all of it, says how many there are.

import { ChevronDown } from 'lucide-react';
import type { CSSProperties } from 'react';
import marksStyles from '../../pieces/marks.module.css';
import { KindMark, PriorityMark } from '../../pieces/marks.tsx';
import type { TaskGroup } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import fieldStyles from '../../ui/field.module.css';
import groupStyles from './group-head.module.css';
import styles from './list.module.css';
import type { ListOptions } from './list-options.ts';

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: heads are not stops, the buttons in them are */

export function GroupHead({
  group,
  grouping,
  index,
  start,
  open,
  onFold,
  canWrite,
  selected,
  onSelect,
}: {
  group: TaskGroup;
  grouping: ListOptions['grouping'];
  index: number;
  start: number;
  open: boolean;
  onFold: () => void;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[], on: boolean) => void;
}) {
  const name = group.priority
    ? t(`common.priorities.${group.priority}`)
    : group.name || (grouping === 'label' ? t('list.noLabel') : t('list.nobody'));
  const ids = group.tasks.map((task) => task.id);
  const some = ids.filter((id) => selected.has(id)).length;
  const all = some > 0 && some === ids.length;
  return (
    <div
      role="row"
      className={groupStyles.groupHead}
      style={{ '--start': `${start}px` } as CSSProperties}
      aria-rowindex={index + 2}
    >
      <div role="cell" className={`${styles.cell} ${styles.cellCheck}`}>
        {canWrite && (
          <input
            type="checkbox"
            className={fieldStyles.check}
            aria-label={t('list.selectGroup', { name })}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = some > 0 && !all;
            }}
            onChange={() => onSelect(ids, !all)}
          />
        )}
      </div>
      <div role="cell" className={styles.cell} aria-colspan={7}>
        <button type="button" className={groupStyles.button} aria-expanded={open} data-group={index} onClick={onFold}>
          <ChevronDown size={14} aria-hidden="true" className={open ? '' : groupStyles.folded} />
          {group.kind && <KindMark kind={group.kind} color={group.color ?? null} />}
          {group.priority && <PriorityMark priority={group.priority} />}
          {grouping === 'label' && group.id !== '' && (
            <span className={marksStyles.labelDot} style={{ background: group.color ?? 'var(--edge)' }} />
          )}
          <span className={groupStyles.name}>{name}</span>
          <span className={`${groupStyles.count} numbers`}>{sayNumber(group.tasks.length)}</span>
        </button>
      </div>
    </div>
  );
}

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */
