// A new task from what another app shares: the share sheet of a phone opens this address with a title, a text and a link.

import { useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import NewTask from '../board/new-task.tsx';
import { readShared } from './read-shared.ts';

export default function Share() {
  usePageTitle(t('common.newTask'));
  const [, go] = useLocation();
  const [shared] = useState(() => {
    const query = new URLSearchParams(window.location.search);
    return readShared((name) => query.get(name));
  });
  return (
    <NewTask
      shared={shared}
      onClose={(added) => go(added ? paths.task(added.projectId, added.taskId) : paths.projects, { replace: true })}
    />
  );
}
