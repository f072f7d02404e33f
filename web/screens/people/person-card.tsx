// Card of a person: role in this project, last activity here, and workload.

import { AgentWord } from '../../pieces/agent-tag.tsx';
import { usePeopleOfProject } from '../../queries/figures/person-figures.ts';
import { profileOf, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './person-card.module.css';
import { sayLastActive } from './say-last-active.ts';

interface PersonCardProps {
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly projectId: string;
}

export function PersonCard({ userId, name, avatarUrl, projectId }: PersonCardProps) {
  const me = useUserId();
  const role = useQuery(roleIn, projectId, userId);
  const profile = useQuery(profileOf, userId);
  const { data } = usePeopleOfProject(projectId);
  const figures = data?.find((one) => one.user_id === userId);
  return (
    <div className={`${shapes.lineS4} ${styles.person}`}>
      <Avatar name={name} url={avatarUrl} seed={userId} size={48} />
      <div>
        <p className={shapes.strong}>{name}</p>
        {profile?.is_agent === true && (
          <p>
            <AgentWord />
          </p>
        )}
        {profile?.is_service_account === true && !profile.is_agent && <p>{t('people.service')}</p>}
        {role && <p>{t(`common.roles.${role}`)}</p>}
        <p className={shapes.quietS}>
          {figures === undefined ? '…' : sayLastActive(figures.last_active_at, userId === me)}
        </p>
        {figures && <p className={shapes.quietS}>{t('people.open', { n: figures.open_tasks })}</p>}
      </div>
    </div>
  );
}
