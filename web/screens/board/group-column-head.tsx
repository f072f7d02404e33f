// The head of a column that is no state: what its cards have in common, how many they are. It has no limit, and nothing of it is changed here.

import { ChevronsRightLeft, Plus } from 'lucide-react';
import type { Grouping } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import styles from './board.module.css';
import { CardCount } from './card-count.tsx';
import { type GroupHead, GroupLabel, sayGroup } from './group-label.tsx';

interface GroupColumnHeadProps {
  readonly group: GroupHead;
  readonly grouping: Grouping;
  readonly total: number;
  /** How many the filters leave. */
  readonly shown: number;
  readonly canWrite: boolean;
  readonly onAdd: () => void;
  readonly onCollapse: () => void;
}

export function GroupColumnHead({ group, grouping, total, shown, canWrite, onAdd, onCollapse }: GroupColumnHeadProps) {
  const name = sayGroup(group, grouping);
  return (
    <header className={`${shapes.rowS3} ${styles.columnHead}`}>
      <GroupLabel group={group} grouping={grouping} />
      <h2 className={shapes.cut} title={name}>
        {name}
      </h2>
      <CardCount limit={null} total={total} shown={shown} />
      <span className={`${shapes.tools} ${styles.columnTools}`}>
        {canWrite && (
          <IconButton label={t('board.addTo', { column: name })} className={styles.columnPlus} onClick={onAdd}>
            <Plus size={16} />
          </IconButton>
        )}
        <IconButton label={t('board.collapse', { column: name })} className={styles.columnPlus} onClick={onCollapse}>
          <ChevronsRightLeft size={15} />
        </IconButton>
      </span>
    </header>
  );
}
