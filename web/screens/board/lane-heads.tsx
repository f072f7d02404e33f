// The heads of the columns over the lanes: what each is of, and how many cards all its cells have, beside the limit of a state.

import type { Board } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import styles from './board-lanes.module.css';
import { CountMark } from './count-mark.tsx';
import { GroupMark, sayGroup } from './group-mark.tsx';

export function LaneHeads({ board: { columns, grouping } }: { board: Board }) {
  return (
    <ul className={styles.heads} aria-label={t('board.columnHeads')}>
      {columns.map(({ id, group, column, tasks, total }) => (
        <li key={id} className={styles.head}>
          <GroupMark group={group} grouping={grouping} />
          <span className={styles.name}>{sayGroup(group, grouping)}</span>
          <CountMark limit={column?.wip_limit ?? null} total={total} shown={tasks.length} />
        </li>
      ))}
    </ul>
  );
}
