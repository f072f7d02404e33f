// The timeline of a project: its tasks as bars from start to due, one below the other, and beside them those without a day.

import { useToday } from '../../queries/days/today.ts';
import { timelineOf } from '../../queries/views/timeline.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Loading, Skeleton } from '../../ui/list-states.tsx';
import { usePlanContext } from '../planning/plan-context.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useProjectRights } from '../project/use-project-rights.ts';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import styles from './timeline.module.css';
import { useTimelineAddress } from './timeline-address.ts';
import { TimelineBody } from './timeline-body.tsx';

export default function ProjectTimeline({ project, loading }: ProjectViewProps) {
  const handle = useView('timeline');
  const { grouping: chosen, sort } = handle.view;
  const grouping = chosen === 'project' ? null : chosen;
  const timeline = useQuery(timelineOf, project.id, handle.filter, grouping, sort);
  const rights = useProjectRights(project);
  const planContext = usePlanContext(project, rights, useToday(), 'timeline');
  const place = useTimelineAddress();
  if (loading || handle.state === 'waiting') return <TimelineSkeleton />;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={timeline.shown} total={timeline.total}>
        <DisplayButton projectId={project.id} handle={handle} />
      </FilterBar>
      <TimelineBody
        of={project.id}
        waiting={timeline.undated.length}
        {...{ handle, timeline, grouping, planContext, place }}
      />
    </>
  );
}

function TimelineSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={`${shapes.stackS5} ${shapes.ruledAbove} ${styles.waiting}`}>
        {[0, 8, 3, 20, 14, 30, 26, 41].map((ahead) => (
          <div key={ahead} style={{ marginInlineStart: `${ahead}%` }}>
            <Skeleton width={`${18 + (ahead % 7) * 4}%`} />
          </div>
        ))}
      </div>
    </Loading>
  );
}
