// Keys of members that reach a project.

import { KeyRound } from 'lucide-react';
import { listProjectKeys, removeKeyFromProject } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { AccessList } from './access-list.tsx';
import { sayKeyUse } from './say-key.ts';
import { useFetchedList } from './use-fetched-list.ts';

export default function KeyList({ projectId }: { projectId: string }) {
  return (
    <AccessList
      label={t('keys.ofProject')}
      none={t('keys.none')}
      icon={KeyRound}
      asked={useFetchedList(listProjectKeys, projectId)}
      factsOf={(key) => [t(`keys.scopes.${key.scope}`), sayKeyUse(key)].join(' · ')}
      remove={(ask, id) => ask(removeKeyFromProject, id, projectId)}
    />
  );
}
