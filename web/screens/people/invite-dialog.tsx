// Inviting to a project by email or by a link, over whatever screen one is on.

import { t } from '../../strings/messages.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { InviteForm } from './invite-form.tsx';
import { JoinLink } from './join-link.tsx';

export default function InviteDialog({
  projectId,
  name,
  onClose,
}: {
  projectId: string;
  name: string;
  onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title={t('people.invite.title', { project: name })}>
      <InviteForm projectId={projectId} close={t('common.cancel')} onClose={onClose} />
      <JoinLink projectId={projectId} />
    </Dialog>
  );
}
