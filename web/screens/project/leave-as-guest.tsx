// Confirms that a guest leaves a project: nothing of it is shared with them then. Who is a guest by a group leaves the group.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { leaveProject, sayRefusal, useAsk } from '../../commands.ts';
import { groupsOfGuest, type ProjectRow, useMyGroups, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';

export default function LeaveAsGuest({ project, onClose }: { project: ProjectRow; onClose: () => void }) {
  const ask = useAsk();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const groupIds = useQuery(groupsOfGuest, project.id, useUserId());
  const { data, failed } = useMyGroups();

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

  if (groupIds.length > 0) {
    const names = data?.groups.filter(({ id }) => groupIds.includes(id)).map(({ name }) => name) ?? [];
    const waiting = data === null && failed === null ? t('common.loading') : t('common.failed.title');
    const to = groupIds.length === 1 ? paths.group(groupIds[0] ?? '') : paths.groups;
    return (
      <Confirm
        open
        onClose={onClose}
        title={t('settings.leave')}
        description={names.length > 0 ? t('groups.leaveBrought', { groups: names.join(', ') }) : waiting}
      >
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <ButtonLink look="main" href={to}>
          {t('groups.toGroup')}
        </ButtonLink>
      </Confirm>
    );
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
