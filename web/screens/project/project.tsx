// One project: its header, its views, and the task that is open over them.

import { type CSSProperties, useEffect } from 'react';
import { Redirect, useLocation, useParams } from 'wouter';
import { NotFound } from '../../pieces/not-found.tsx';
import {
  hasGroupsOnTasks,
  isGuest,
  type LostProject,
  projectOf,
  useGroupsOfProject,
  useLostProject,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { paths, projectIn } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState, Loading, Notice } from '../../ui/list-states.tsx';
import { HoldKeysForScreen } from '../../ui/overlays/buffered-keys.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { chosenPanelWidth } from '../task/panel-edge.tsx';
import { RedirectToMovedTask } from '../task/redirect-to-moved-task.tsx';
import { TaskKeys } from '../task/task-keys.tsx';
import { BarRoom } from './bar-room.tsx';
import { FailedScope } from './failed-scope.tsx';
import { GuestHeader, GuestLine, isForGuests } from './guest-header.tsx';
import styles from './project.module.css';
import { ProjectHeader } from './project-header.tsx';
import { TaskPanel, views } from './views.ts';

export default function Project() {
  const { projectId = '', task } = useParams<{ projectId: string; task?: string }>();
  const [path] = useLocation();
  const view = projectIn(path)?.view;
  const userId = useUserId();
  const me = useScope({ kind: 'me', userId });
  const scope = { kind: 'project', projectId } as const;
  const state = useScope(scope);
  const project = useQuery(projectOf, projectId);
  const lost = useLostProject(projectId);
  const narrow = useNarrow();
  const guest = useQuery(isGuest, projectId, userId);
  // A task is opened sooner or later: fetch its panel while nobody waits for it.
  useEffect(() => {
    const timer = setTimeout(() => TaskPanel.fetch(), 800);
    return () => clearTimeout(timer);
  }, []);
  usePageTitle(project?.name ?? '');
  if (project === undefined)
    return lost !== null ? (
      <LostAccess {...lost} />
    ) : me.phase === 'fresh' ? (
      <RedirectToMovedTask projectId={projectId} address={task ?? ''} view={view ?? 'board'}>
        <NotFound />
      </RedirectToMovedTask>
    ) : me.phase === 'failed' ? (
      <FailedScope state={me} />
    ) : (
      <Loading whole label={t('common.loading')} />
    );
  if (view === undefined || (guest && !isForGuests(view))) return <Redirect to={paths.project(projectId)} replace />;
  const View = views[view];
  // Nothing known is not the same as nothing there; and a panel with nothing to show would cover the way to ask again.
  const known = state.phase !== 'failed' || state.remembered;
  const opened = known ? task : undefined;
  return (
    <div
      className={`${shapes.unrolled} ${shapes.holder} ${styles.project}`}
      data-beside={opened !== undefined || undefined}
      style={{ '--chosen': chosenPanelWidth() } as CSSProperties}
    >
      {/* On a narrow screen an open task covers the rest, so the rest is out of reach. */}
      <div
        className={`${shapes.column} ${shapes.unrolled} ${shapes.short} ${styles.projectRest}`}
        inert={narrow && opened !== undefined}
      >
        {guest ? <GuestHeader project={project} view={view} /> : <ProjectHeader project={project} view={view} />}
        <div className={`${shapes.column} ${shapes.fillDown} ${shapes.unrolled} ${styles.projectBody}`}>
          {project.archived_at && (
            <div className={`${shapes.rigid} ${styles.projectNotice}`}>
              <Notice tone="warn">{t('projects.archivedNotice')}</Notice>
            </div>
          )}
          {guest ? <GuestLine projectId={projectId} /> : <GroupsOnTasks projectId={projectId} />}
          <FailedScope state={state} />
          {known && (
            <BarRoom>
              <View
                project={project}
                loading={state.phase === 'empty'}
                meanwhile={<Loading whole label={t('common.loading')} />}
              />
            </BarRoom>
          )}
        </div>
      </div>
      {known && view !== 'settings' && view !== 'people' && view !== 'agents' && <TaskKeys projectId={projectId} />}
      {opened !== undefined && (
        <TaskPanel key={opened} project={project} address={opened} view={view} meanwhile={<HoldKeysForScreen />} />
      )}
    </div>
  );
}

/** Asks who is in the groups that see tasks of the project, where there are any. */
function GroupsOnTasks({ projectId }: { projectId: string }) {
  return useQuery(hasGroupsOnTasks, projectId) && <AskedGroups projectId={projectId} />;
}

function AskedGroups({ projectId }: { projectId: string }) {
  useGroupsOfProject(projectId);
  return null;
}

/** In place of a project that was open here and is out of reach: what happened, and what to do next. */
function LostAccess({ name, why }: LostProject) {
  const title = t(`projects.accessLost.${why}`, { name });
  usePageTitle(title);
  return (
    <EmptyState
      whole
      title={title}
      action={<ButtonLink href={paths.projects}>{t('common.failed.toProjects')}</ButtonLink>}
    >
      <p role="alert">{t(`projects.accessLost.${why}Words`)}</p>
    </EmptyState>
  );
}
