// Confirms that a guest leaves a project: nothing of it is shared with them then.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { leaveProject, sayRefusal, useAsk } from '../../commands.ts';
import type { ProjectRow } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';

export default function LeaveAsGuest({ project, onClose }: { project: ProjectRow; onClose: () => void }) {
  const ask = useAsk();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);

  async function leave(): Promise<void> {
    setBusy(true);
    try {
      await ask(leaveProject, project.id);
      go(paths.projects);
    } catch (reason) {
      showError(t('common.refused.title', { what: t('settings.leave') }), sayRefusal(reason));
      onClose();
    }
  }

  return (
    <Confirm open onClose={onClose} title={t('settings.leave')} description={t('projects.guestLeaves')}>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look="danger" busy={busy} onClick={() => void leave()}>
        {t('settings.leave')}
      </Button>
    </Confirm>
  );
}
