// Sentence of an invitation or a join link: the sender, the project and the role.

import type { InvitationDetails } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './door.module.css';

type Words = Pick<InvitationDetails, 'inviter_name' | 'inviter_avatar_url' | 'project_name' | 'role'> &
  Partial<Pick<InvitationDetails, 'task' | 'level'>>;

export function InvitationWords({ details }: { details: Words }) {
  const who = details.inviter_name?.trim() || t('common.someone');
  const { role, project_name: project, task, level } = details;
  return (
    <div className={`${shapes.rowS4} ${shapes.panel} ${styles.doorInvited}`}>
      <Avatar name={who} url={details.inviter_avatar_url} seed={who} size={32} />
      <div>
        <p>
          <strong>
            {task
              ? t('signIn.invitation.whoTask', { who, project, task })
              : t('signIn.invitation.who', { who, project })}
          </strong>
        </p>
        <p>
          {role === null
            ? t('signIn.invitation.asGuest', { level: level ?? 'see' })
            : t('signIn.invitation.as', { role: t(`common.roles.${role}`), meaning: t(`common.roleMeaning.${role}`) })}
        </p>
      </div>
    </div>
  );
}
