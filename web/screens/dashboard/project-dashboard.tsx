// The figures of one project, as a tab of it: as the server counts them, or, of what a filter leaves, counted here.

import { figuresInView } from '../../queries/figures-in-view.ts';
import { type Metrics, useMetrics } from '../../queries/metrics.ts';
import { useToday } from '../../queries/today.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import pageStyles from '../../ui/page.module.css';
import { EmptyState } from '../../ui/state.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import styles from './dashboard.module.css';
import { Figures, MetricsCharts, Waiting } from './figures.tsx';

export default function ProjectDashboard({ project, loading }: ProjectViewProps) {
  const handle = useView('dashboard');
  const { data } = useMetrics(project.id);
  const total = data?.tasks.total ?? 0;
  const waits = loading || handle.state === 'waiting';
  const narrowed = handle.active && !waits;
  const today = useToday();
  // Of no project nothing is counted.
  const counted = useQuery(figuresInView, narrowed ? project.id : '', handle.filter, today);
  return (
    <>
      <FilterBar
        projectId={project.id}
        handle={handle}
        shown={narrowed ? counted.tasks.total : total}
        total={total}
        dense={false}
      />
      <div className={styles.figuresScroll}>
        <div className={`${pageStyles.page} ${styles.figuresPage}`}>
          {waits ? (
            <Waiting />
          ) : narrowed ? (
            <InView metrics={counted} onClear={handle.clear} />
          ) : (
            <Figures projectId={project.id} />
          )}
        </div>
      </div>
    </>
  );
}

function InView({ metrics, onClear }: { metrics: Metrics; onClear: () => void }) {
  if (metrics.tasks.total > 0) return <MetricsCharts metrics={metrics} />;
  return (
    <EmptyState title={t('list.noMatch')} action={<Button onClick={onClear}>{t('board.filters.clear')}</Button>}>
      <p>{t('list.noMatchWords')}</p>
    </EmptyState>
  );
}
