// Apps that members let in, and clients of service accounts, that reach a project.

import { AppWindow } from 'lucide-react';
import {
  listProjectPrograms,
  type ProgramOfProject,
  removeProgramFromProject,
} from '../../commands/project-program-requests.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import { AccessList } from './access-list.tsx';
import { useFetchedList } from './use-fetched-list.ts';

export default function ProgramList({ projectId }: { projectId: string }) {
  return (
    <AccessList
      label={t('people.programs.title')}
      none={t('programs.noneHere')}
      icon={AppWindow}
      asked={useFetchedList(listProjectPrograms, projectId)}
      factsOf={factsOf}
      remove={(ask, id) => ask(removeProgramFromProject, id, projectId)}
    />
  );
}

function factsOf({ scope, granted_at, last_used_at: used, expires_at: end }: ProgramOfProject): string {
  return [
    t(`keys.scopes.${scope}`),
    t('programs.since', { when: sayAgo(granted_at) }),
    used === null ? t('keys.unused') : t('keys.used', { when: sayAgo(used) }),
    ...(end === null ? [] : [t('programs.ends', { day: sayDay(localDay(new Date(end))) })]),
  ].join(' · ');
}
