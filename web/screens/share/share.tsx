// A new task from what another app shares: the share sheet of a phone opens this address with a title, a text, a link and files.

import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { attachFiles } from '../../files/attach-files.ts';
import { useUploads } from '../../files/react.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { showError } from '../../ui/overlays/toaster.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import NewTask from '../board/new-task.tsx';
import { readShared } from './read-shared.ts';
import { forgetSharedFiles, readSharedFiles } from './shared-files.ts';

const none: readonly File[] = [];

export default function Share() {
  usePageTitle(t('common.newTask'));
  const [, go] = useLocation();
  const uploads = useUploads();
  const [query] = useState(() => new URLSearchParams(window.location.search));
  const [files, setFiles] = useState(none);
  useEffect(() => {
    const lost = (): void => showError(t('files.sharedLost'));
    readSharedFiles(query).then((read) => (query.has('files') && read.length === 0 ? lost() : setFiles(read)), lost);
  }, [query]);
  const shared = readShared((name) => query.get(name));
  return (
    <NewTask
      shared={{ ...shared, files: files.map(({ name }) => name) }}
      onClose={(added) => {
        void forgetSharedFiles();
        if (added) attachFiles(uploads, { id: added.taskId, project_id: added.projectId }, files);
        go(added ? paths.task(added.projectId, added.taskId) : paths.projects, { replace: true });
      }}
    />
  );
}
