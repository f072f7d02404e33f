// Page for a task that isn't at this address: redirects to its new project if the reader sees it, or says why not.

import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useTaskAt } from '../../queries/projects/other-projects.ts';
import { type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Loading } from '../../ui/list-states.tsx';

interface RedirectToMovedTaskProps {
  readonly projectId: string;
  readonly address: string;
  readonly view: ProjectView;
  readonly children: ReactNode;
}

export function RedirectToMovedTask({ projectId, address, view, children }: RedirectToMovedTaskProps) {
  const find = useTaskAt();
  const [, go] = useLocation();
  const isNumber = /^\d{1,9}$/.test(address);
  const [asked, setAsked] = useState('');
  const place = `${projectId}/${address}`;
  useEffect(() => {
    if (!isNumber) return;
    let wanted = true;
    find(projectId, Number(address))
      .catch(() => null)
      .then((task) => {
        if (!wanted) return;
        if (task === null || task.project_id === projectId) setAsked(place);
        else go(paths.task(task.project_id, task.number ?? task.id, view), { replace: true });
      });
    return () => {
      wanted = false;
    };
  }, [find, go, projectId, address, view, place, isNumber]);
  return !isNumber || asked === place ? children : <Loading whole label={t('common.loading')} />;
}
