// One project: its header, its views, and the task that is open over them.

import { Suspense, useEffect } from 'react';
import { Redirect, useLocation, useParams } from 'wouter';
import { projectOf, useQuery, useScope } from '../../queries.ts';
import { paths, projectIn } from '../../routes.ts';
import { Missing } from '../../shell/missing.tsx';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Loading } from '../../ui/state.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { FailedScope } from './failed-scope.tsx';
import { ProjectHeader } from './project-header.tsx';
import { TaskPanel, views } from './views.ts';
import './project.css';

export default function Project() {
  const { projectId = '', task } = useParams<{ projectId: string; task?: string }>();
  const [path] = useLocation();
  const view = projectIn(path)?.view;
  const sync = useSync();
  const me = useScope({ kind: 'me', userId: sync.userId });
  const scope = { kind: 'project', projectId } as const;
  const state = useScope(scope);
  const project = useQuery(projectOf, projectId);
  const narrow = useNarrow();
  // A task is opened sooner or later: fetch its panel while nobody waits for it.
  useEffect(() => {
    const timer = setTimeout(() => TaskPanel.fetch(), 800);
    return () => clearTimeout(timer);
  }, []);
  usePageTitle(project?.name ?? '');
  if (project === undefined)
    return me.phase === 'fresh' ? (
      <Missing />
    ) : me.phase === 'failed' ? (
      <FailedScope state={me} />
    ) : (
      <Loading label={words.common.loading} />
    );
  if (view === undefined) return <Redirect to={paths.project(projectId)} replace />;
  const View = views[view];
  return (
    <div className="project">
      {/* On a narrow screen an open task covers the rest, so the rest is out of reach. */}
      <div className="project-rest" inert={narrow && task !== undefined}>
        <ProjectHeader project={project} view={view} />
        <FailedScope state={state} />
        <Suspense fallback={<Loading label={words.common.loading} />}>
          {/* Nothing known is not the same as nothing there. */}
          {(state.phase !== 'failed' || state.remembered) && (
            <View project={project} loading={state.phase === 'empty'} />
          )}
        </Suspense>
      </div>
      <Suspense>{task && <TaskPanel key={task} project={project} address={task} view={view} />}</Suspense>
    </div>
  );
}
