// Sentence of an invitation or a join link: the sender, the project and the role.

import type { InvitationDetails } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './door.module.css';

type Words = Pick<InvitationDetails, 'inviter_name' | 'inviter_avatar_url' | 'project_name' | 'role'>;

export function InvitationWords({ details }: { details: Words }) {
  const who = details.inviter_name?.trim() || t('common.someone');
  return (
    <div className={`${shapes.rowS4} ${shapes.panel} ${styles.doorInvited}`}>
      <Avatar name={who} url={details.inviter_avatar_url} seed={who} size={32} />
      <div>
        <p>
          <strong>{t('signIn.invitation.who', { who, project: details.project_name })}</strong>
        </p>
        <p>
          {t('signIn.invitation.as', {
            role: t(`common.roles.${details.role}`),
            meaning: t(`common.roleMeaning.${details.role}`),
          })}
        </p>
      </div>
    </div>
  );
}
