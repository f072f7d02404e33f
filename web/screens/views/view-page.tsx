// Page of a saved view: redirects to its project, or shows its tasks across all projects of the user.

import { useMemo } from 'react';
import { Redirect, useParams, useSearchParams } from 'wouter';
import { layouts } from '../../../contract/views.ts';
import { type SavedViewRow, savedViewOf, useQuery, useScope, useUserId } from '../../queries.ts';
import { paths, viewPath } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { type LazyComponent, lazyComponent } from '../../ui/lazy-component.tsx';
import { EmptyState, Loading } from '../../ui/list-states.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { BarRoom } from '../project/bar-room.tsx';
import { useChooseLayout } from '../project/display/layout-choice.tsx';
import { FailedScope } from '../project/failed-scope.tsx';
import { seenAcross } from '../project/view-choices.ts';
import { layoutParam, useView } from '../project/view-handle.ts';
import type { AcrossProps } from '../project/view-props.ts';
import { TaskKeys } from '../task/task-keys.tsx';
import { useFavorAction } from './use-favor.tsx';

const bodies: Readonly<Record<(typeof layouts)[number], LazyComponent<AcrossProps>>> = {
  board: lazyComponent<AcrossProps>(() => import('../board/board-across.tsx')),
  list: lazyComponent<AcrossProps>(() => import('../list/list-across.tsx'), ['table']),
  calendar: lazyComponent<AcrossProps>(() => import('../calendar/calendar-across.tsx'), ['planning']),
  timeline: lazyComponent<AcrossProps>(() => import('../timeline/timeline-across.tsx'), ['planning']),
  dashboard: lazyComponent<AcrossProps>(() => import('../dashboard/dashboard-across.tsx'), ['dashboard']),
};

export default function ViewPage() {
  const { viewId = '' } = useParams<{ viewId: string }>();
  const userId = useUserId();
  const state = useScope({ kind: 'views', userId });
  const view = useQuery(savedViewOf, viewId);
  if (view?.project_id) return <Redirect to={viewPath(view)} replace />;
  if (view) return <Across key={view.id} saved={view} />;
  if (state.phase === 'failed') return <FailedScope state={state} />;
  if (state.phase !== 'fresh') return <Loading whole label={t('common.loading')} />;
  return <Unseen />;
}

function Unseen() {
  usePageTitle(t('views.unseenTitle'));
  return (
    <EmptyState
      whole
      title={t('views.unseenTitle')}
      action={<ButtonLink href={paths.projects}>{t('common.failed.toProjects')}</ButtonLink>}
    >
      <p>{t('views.unseenWords')}</p>
    </EmptyState>
  );
}

function Across({ saved }: { saved: SavedViewRow }) {
  usePageTitle(saved.name);
  useFavorAction(saved);
  // The columns of all projects: where a task may go, or begin.
  useScope({ kind: 'mine', userId: useUserId() });
  const [params] = useSearchParams();
  const layout =
    layouts.find((one) => one === params.get(layoutParam)) ?? layouts.find((one) => one === saved.layout) ?? 'list';
  const looked = useView(layout, saved.id);
  const handle = useMemo(() => seenAcross(looked), [looked]);
  const choose = useChooseLayout(handle);
  const Body = bodies[layout];
  return (
    <div className={`${shapes.column} ${shapes.tall} ${shapes.short}`}>
      <BarRoom>
        <Body key={layout} handle={handle} meanwhile={<Loading whole label={t('common.loading')} />}>
          <Segments
            label={t('views.layout')}
            choices={layouts}
            value={layout}
            say={(one) => t(`projects.views.${one}`)}
            onPick={choose}
          />
        </Body>
      </BarRoom>
      <TaskKeys peeks={false} />
    </div>
  );
}
