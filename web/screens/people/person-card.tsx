// Card of a person: role in this project, last activity here, and workload.

import { sayAgo } from '../../queries/days/days.ts';
import { usePeopleOfProject } from '../../queries/figures/person-figures.ts';
import { roleIn, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './person-card.module.css';

interface PersonCardProps {
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly projectId: string;
}

export function PersonCard({ userId, name, avatarUrl, projectId }: PersonCardProps) {
  const role = useQuery(roleIn, projectId, userId);
  const { data } = usePeopleOfProject(projectId);
  const figures = data?.find((one) => one.user_id === userId);
  return (
    <div className={styles.person}>
      <Avatar name={name} url={avatarUrl} seed={userId} size={48} />
      <div>
        <p className={styles.name}>{name}</p>
        {role && <p>{t(`common.roles.${role}`)}</p>}
        <p className={styles.quiet}>
          {figures === undefined
            ? '…'
            : figures.last_active_at === null
              ? t('people.neverActive')
              : t('people.lastActive', { ago: sayAgo(figures.last_active_at) })}
        </p>
        {figures && <p className={styles.quiet}>{t('people.open', { n: figures.open_tasks })}</p>}
      </div>
    </div>
  );
}
