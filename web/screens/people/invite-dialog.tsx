// Sharing of a project, over whatever screen one is on: people and groups by name or address, who is in it and by which role, guests with their tasks,
// open invitations, the link to join by, and public links.

import { groupsIn, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LinkFold } from '../shared/share-dialog.tsx';
import { GroupLine } from './group-section.tsx';
import { GuestSection } from './guest-section.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteForm } from './invite-form.tsx';
import { JoinLink } from './join-link.tsx';
import { MemberList } from './member-list.tsx';

/** Of each kind at once. */
const most = 8;

interface InviteDialogProps {
  readonly projectId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export default function InviteDialog({ projectId, name, onClose }: InviteDialogProps) {
  const groups = useQuery(groupsIn, projectId);
  return (
    <Dialog open onClose={onClose} title={t('people.invite.title', { project: name })}>
      <InviteForm projectId={projectId} close={t('common.cancel')} onClose={onClose} />
      <section className={shapes.stackS3} aria-label={t('common.canSee')}>
        <h3>{t('common.canSee')}</h3>
        {groups.length > 0 && (
          <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={t('common.nav.groups')}>
            {groups.map((group) => (
              <GroupLine key={group.groupId} projectId={projectId} group={group} owner />
            ))}
          </ul>
        )}
        <MemberList projectId={projectId} owner most={most} aria-label={t('common.canSee')} />
      </section>
      <GuestSection projectId={projectId} inDialog most={most} />
      <InvitationList projectId={projectId} inDialog most={most} />
      <JoinLink projectId={projectId} inDialog />
      <LinkFold hint={t('shared.links.project')} projectId={projectId} taskId={null} name={name} />
    </Dialog>
  );
}
