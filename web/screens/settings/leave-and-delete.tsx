// Leaving, archiving and deleting a project.

import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { archiveProject, leaveProject, sayRefusal, unarchiveProject, useAct, useAsk } from '../../commands.ts';
import {
  broughtBy,
  groupsIn,
  membersOf,
  type ProjectRow,
  useGroupsOfProject,
  useQuery,
  useRefresh,
  useUserId,
} from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import { DeleteProject } from './delete-project.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

export function LeaveAndDelete({ project, owner }: { project: ProjectRow; owner: boolean }) {
  const ask = useAsk();
  const refresh = useRefresh();
  const act = useAct();
  const [, go] = useLocation();
  const members = useQuery(membersOf, project.id);
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null);
  const [leaving, setLeaving] = useState(false);
  const userId = useUserId();
  const owners = members.filter((member) => member.ownRole === 'owner');
  const lastOwner = owners.length === 1 && owners[0]?.userId === userId;

  async function leave(): Promise<void> {
    setLeaving(true);
    try {
      await ask(leaveProject, project.id);
      go(paths.projects);
    } catch (reason) {
      showError(t('common.refused.title', { what: t('settings.leave') }), sayRefusal(reason));
      setAsking(null);
      // Refused means that we knew less than the server.
      void refresh();
    } finally {
      setLeaving(false);
    }
  }

  return (
    <Section title={owner ? t('settings.sections.danger') : t('settings.leave')}>
      {owner && (
        <End words={t('settings.archiveWords')}>
          <Button onClick={() => void act(project.archived_at ? unarchiveProject : archiveProject, project.id)}>
            {project.archived_at ? t('settings.unarchive') : t('settings.archive')}
          </Button>
        </End>
      )}
      <Leave project={project} lastOwner={lastOwner} onAsk={() => setAsking('leave')} />
      {owner && (
        <End words={t('settings.removeWords')}>
          <Button look="danger" onClick={() => setAsking('delete')}>
            {t('settings.remove')}
          </Button>
        </End>
      )}
      <Confirm
        open={asking === 'leave'}
        onClose={() => setAsking(null)}
        title={t('settings.leave')}
        description={t('settings.leaveWords')}
      >
        <Button onClick={() => setAsking(null)}>{t('common.cancel')}</Button>
        <Button look="danger" busy={leaving} onClick={() => void leave()}>
          {t('settings.leave')}
        </Button>
      </Confirm>
      {asking === 'delete' && (
        <DeleteProject project={project} onClose={() => setAsking(null)} onDelete={() => go(paths.projects)} />
      )}
    </Section>
  );
}

/** Whom a group brings into the project, only the group takes out. */
function Leave({ project, lastOwner, onAsk }: { project: ProjectRow; lastOwner: boolean; onAsk: () => void }) {
  const { data } = useGroupsOfProject(project.id);
  const brought = broughtBy(useQuery(groupsIn, project.id), data, useUserId());
  const [first] = brought;
  if (first && !lastOwner)
    return (
      <End words={t('groups.leaveBrought', { groups: brought.map(({ name }) => name).join(', ') })}>
        <ButtonLink href={paths.group(first.groupId)}>{t('common.openNamed', { name: first.name })}</ButtonLink>
      </End>
    );
  return (
    <End words={lastOwner ? t('settings.lastOwner') : t('settings.leaveWords')}>
      <Button disabled={lastOwner} onClick={onAsk}>
        {t('settings.leave')}
      </Button>
    </End>
  );
}

function End({ words: sentence, children }: { words: string; children: ReactNode }) {
  return (
    <div className={`${shapes.rowS5} ${styles.settingsEnd}`}>
      <p>{sentence}</p>
      {children}
    </div>
  );
}
