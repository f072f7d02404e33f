// The calendar of a project: what it is filtered by, and its tasks on their days.

import { useToday } from '../../queries/days/today.ts';
import { scheduledTasksOf } from '../../queries/views/scheduled-tasks.ts';
import { dayNamed } from '../../queries/views/spans.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Loading, Skeleton } from '../../ui/list-states.tsx';
import { usePlanContext } from '../planning/plan-context.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useProjectRights } from '../project/use-project-rights.ts';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { useCalendarAddress } from './calendar-address.ts';
import { CalendarDays } from './calendar-days.tsx';
import styles from './task-calendar.module.css';

export default function ProjectCalendar({ project, loading }: ProjectViewProps) {
  const today = useToday();
  const handle = useView('calendar');
  const planned = useQuery(scheduledTasksOf, project.id, handle.filter);
  const rights = useProjectRights(project);
  const planContext = usePlanContext(project, rights, today, 'calendar');
  const place = useCalendarAddress();
  if (loading || handle.state === 'waiting') return <CalendarSkeleton />;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={planned.shown} total={planned.total}>
        <DisplayButton projectId={project.id} handle={handle} />
      </FilterBar>
      <CalendarDays planContext={planContext} place={place} planned={planned} undated={planned.undated.length} />
    </>
  );
}

function CalendarSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={styles.waiting}>
        {Array.from({ length: 35 }, (_, day) => dayNamed(day)).map((day) => (
          <div key={day}>
            <Skeleton width="1.25rem" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
