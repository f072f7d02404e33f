// The figures of a view across projects: as the server counts them, or, of what a filter leaves, counted here.

import { useMemo } from 'react';
import { noFilter } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { figuresInView } from '../../queries/figures/figures-in-view.ts';
import { useMetrics } from '../../queries/figures/metrics.ts';
import { flowOf, useTaskFlows } from '../../queries/figures/task-flow.ts';
import { tasksByIds, useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { DisplayButton } from '../project/display/display-button.tsx';
import type { AcrossProps } from '../project/view-props.ts';
import { AcrossFrame } from '../views/across-frame.tsx';
import styles from './dashboard.module.css';
import { Figures, MetricsCharts, Waiting } from './figures.tsx';

/** Figures need no room: more are counted than would be drawn. */
const mostCounted = 2000;

export default function DashboardAcross(props: AcrossProps) {
  return props.handle.active ? <Narrowed {...props} /> : <Whole {...props} />;
}

function Whole({ handle, children }: AcrossProps) {
  const { data } = useMetrics(null);
  return (
    <AcrossFrame
      handle={handle}
      found={{ total: data?.tasks.total ?? 0 }}
      state={{ phase: 'fresh' }}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} />}
    >
      <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder} ${styles.figuresScroll}`}>
        <div className={`${pageStyles.page} ${styles.figuresPage}`}>
          <Figures projectId={null} />
        </div>
      </div>
    </AcrossFrame>
  );
}

function Narrowed({ handle, children }: AcrossProps) {
  const { data: found, state } = useFoundTasks(handle.filter, unsorted, mostCounted);
  const ids = found?.ids ?? unsorted;
  const counted = useQuery(figuresInView, ids, noFilter, useToday());
  const tasks = useQuery(tasksByIds, ids);
  const projectIds = useMemo(() => [...new Set(tasks.map((task) => task.project_id))].sort(), [tasks]);
  const { data: flows, failed } = useTaskFlows(projectIds);
  const metrics = useMemo(() => (flows ? { ...counted, ...flowOf(tasks, flows) } : counted), [counted, tasks, flows]);
  return (
    <AcrossFrame
      {...{ handle, found, state }}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} />}
    >
      <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder} ${styles.figuresScroll}`}>
        <div className={`${pageStyles.page} ${styles.figuresPage}`}>
          {metrics.tasks.total === 0 ? (
            <EmptyState
              title={t('list.noMatch')}
              action={<Button onClick={handle.clear}>{t('board.filters.clear')}</Button>}
            >
              <p>{t('list.noMatchWords')}</p>
            </EmptyState>
          ) : flows === null && failed === null ? (
            <Waiting />
          ) : (
            <MetricsCharts metrics={metrics} />
          )}
        </div>
      </div>
    </AcrossFrame>
  );
}

const unsorted = [] as const;
