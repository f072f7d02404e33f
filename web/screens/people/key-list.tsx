// Keys of members that reach a project.

import { KeyRound } from 'lucide-react';
import { listProjectKeys, removeKeyFromProject } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { ReachingList } from './reaching-list.tsx';
import { sayKeyUse } from './say-key.ts';
import { useAskedList } from './use-asked-list.ts';

export default function KeyList({ projectId }: { projectId: string }) {
  return (
    <ReachingList
      label={t('keys.ofProject')}
      none={t('keys.none')}
      icon={KeyRound}
      asked={useAskedList(listProjectKeys, projectId)}
      factsOf={(key) => [t(`keys.scopes.${key.scope}`), sayKeyUse(key)].join(' · ')}
      remove={(ask, id) => ask(removeKeyFromProject, id, projectId)}
    />
  );
}
