// Inviting to a project, over whatever screen one is on.

import { t } from '../../strings/messages.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { InviteForm } from './invite-form.tsx';

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
    </Dialog>
  );
}
