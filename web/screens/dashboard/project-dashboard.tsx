// The figures of one project, as a tab of it: as the server counts them, or, of what a filter leaves, counted here.

import { useMemo } from 'react';
import type { Group } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { countedFields } from '../../queries/figures/field-figures.ts';
import { figuresInView } from '../../queries/figures/figures-in-view.ts';
import { useMetrics } from '../../queries/figures/metrics.ts';
import { flowOf, useTaskFlow } from '../../queries/figures/task-flow.ts';
import { listOf } from '../../queries/tasks/tasks.ts';
import { fieldsOf, useFieldColumns, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { DisplayButton } from '../project/display/display-button.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import styles from './dashboard.module.css';
import { Figures, MetricsCharts, Waiting } from './figures.tsx';

export default function ProjectDashboard({ project, loading }: ProjectViewProps) {
  const handle = useView('dashboard');
  const { data } = useMetrics(project.id);
  const total = data?.tasks.total ?? 0;
  // What the server counts needs no rows of the project.
  const waits = handle.state === 'waiting' || (handle.active && loading);
  const narrowed = handle.active && !waits;
  // Of no project there are none.
  const shown = useQuery(listOf, narrowed ? project.id : '', handle.filter).length;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={narrowed ? shown : total} total={total}>
        <DisplayButton projectId={project.id} handle={handle} />
      </FilterBar>
      <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder} ${styles.figuresScroll}`}>
        <div className={`${pageStyles.page} ${styles.figuresPage}`}>
          {waits ? (
            <Waiting />
          ) : narrowed ? (
            <InView projectId={project.id} filter={handle.filter} onClear={handle.clear} />
          ) : (
            <Figures projectId={project.id} />
          )}
        </div>
      </div>
    </>
  );
}

function InView({ projectId, filter, onClear }: { projectId: string; filter: Group; onClear: () => void }) {
  const { data: flow, failed } = useTaskFlow(projectId);
  const { known } = useFieldColumns(
    projectId,
    countedFields(useQuery(fieldsOf, projectId)).map(({ id }) => id),
  );
  const tasks = useQuery(listOf, projectId, filter);
  const counted = useQuery(figuresInView, projectId, filter, useToday());
  const metrics = useMemo(
    () => (flow ? { ...counted, ...flowOf(tasks, { [projectId]: flow }) } : counted),
    [counted, tasks, flow, projectId],
  );
  if (metrics.tasks.total === 0)
    return (
      <EmptyState title={t('list.noMatch')} action={<Button onClick={onClear}>{t('board.filters.clear')}</Button>}>
        <p>{t('list.noMatchWords')}</p>
      </EmptyState>
    );
  // One step, so that no chart comes after the others and moves them; without the server those that are counted here.
  if (failed === null && (flow === null || !known)) return <Waiting />;
  return <MetricsCharts metrics={metrics} filter={filter} />;
}
