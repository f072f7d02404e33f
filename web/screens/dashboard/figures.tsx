// Dashboard: totals, flow, workload and durations. Each chart is also a table.

import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Group } from '../../../contract/views.ts';
import { sayAgo, sayDay } from '../../queries/days/days.ts';
import { type Metrics, useMetrics } from '../../queries/figures/metrics.ts';
import type { ColumnKind, Priority } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Bars, type ChartProps, Flow, Lying, type Series } from '../../ui/charts.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { ChartCard, type ChartTable } from './chart-card.tsx';
import styles from './dashboard.module.css';
import { FieldCharts, FieldTiles } from './field-charts.tsx';
import { type FigureName, figureNames, listOfFigure } from './figure-lists.ts';

const kinds: readonly ColumnKind[] = ['done', 'custom', 'in_progress', 'todo', 'backlog'];
const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];
/** More people than fit a chart go into its table. */
const chartedPeople = 8;

const kindColors: Record<ColumnKind, string> = {
  backlog: 'var(--chart-4)',
  todo: 'var(--chart-3)',
  in_progress: 'var(--chart-2)',
  custom: 'var(--chart-5)',
  done: 'var(--chart-1)',
};

/** How a figure looks when it is more than none. */
const tileTones: Record<FigureName, string> = {
  open: '',
  overdue: styles.tileDanger,
  due_this_week: styles.tileWarn,
  blocked: styles.tileDanger,
  unassigned: '',
  completed: styles.tileGood,
};

export function Figures({ projectId }: { projectId: string | null }) {
  const { data, failed, again } = useMetrics(projectId);
  if (data === null)
    return failed ? (
      <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
        <p>{t('common.failed.words')}</p>
      </EmptyState>
    ) : (
      <Waiting />
    );
  return (
    <>
      {failed && (
        <Notice tone="warn">
          {navigator.onLine ? t('common.stale') : t('common.offline')}{' '}
          <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data.tasks.total === 0 ? (
        <EmptyState art={<EmptyChartArt />} title={t('dashboard.empty')}>
          <p>{t('dashboard.emptyWords')}</p>
        </EmptyState>
      ) : (
        <MetricsCharts metrics={data} />
      )}
    </>
  );
}

/** `filter`: what the figures are of, where it is not all of a project. */
export function MetricsCharts({ metrics, filter }: { metrics: Metrics; filter?: Group }) {
  const charts = useMemo(() => readCharts(metrics), [metrics]);
  const { cycle_time_days: cycle, lead_time_days: lead, by_field: fields = [] } = metrics;
  return (
    <div className={`${shapes.stackS5} ${styles.figures}`}>
      <section aria-label={t('dashboard.figures.label')}>
        <dl className={`${shapes.stackS4} ${shapes.stackS4} ${styles.tiles}`}>
          {figureNames.map((name) => (
            <div
              key={name}
              className={`${shapes.stackS2} ${shapes.card} ${styles.tile} ${metrics.tasks[name] > 0 ? tileTones[name] : ''}`}
            >
              <dt>{t(`dashboard.figures.${name}`)}</dt>
              <dd className="numbers">
                {metrics.project_id === null ? (
                  sayNumber(metrics.tasks[name])
                ) : (
                  <Link
                    href={listOfFigure(metrics.project_id, name, filter)}
                    className={`${shapes.link} ${styles.tileLink}`}
                  >
                    {sayNumber(metrics.tasks[name])}
                    <span className="only-spoken"> {t(`dashboard.figures.${name}`)}</span>
                  </Link>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <FieldTiles fields={fields} />
      <ChartCard
        title={t('dashboard.throughput')}
        hint={t('dashboard.throughputHint')}
        table={charts.throughput.table}
        wide
      >
        <Bars series={charts.throughput.series} rows={charts.throughput.rows} label={t('dashboard.throughput')} />
      </ChartCard>
      {/* Of a part of the tasks it is asked of the server: without a network there is none. */}
      {metrics.cumulative_flow.length > 0 && (
        <ChartCard title={t('dashboard.flow')} hint={t('dashboard.flowHint')} table={charts.flow.table} wide>
          <Flow series={charts.flow.series} rows={charts.flow.rows} label={t('dashboard.flow')} />
        </ChartCard>
      )}
      <ChartCard title={t('dashboard.byPriority')} hint={t('dashboard.byPriorityHint')} table={charts.priority.table}>
        <Lying series={charts.priority.series} rows={charts.priority.rows} label={t('dashboard.byPriority')} />
      </ChartCard>
      <ChartCard
        title={t('dashboard.times')}
        hint={t('dashboard.timesHint')}
        table={
          cycle.p50 === null && lead.p50 === null
            ? null
            : {
                heads: [t('dashboard.measure'), t('dashboard.median'), t('dashboard.slow')],
                rows: [
                  [t('dashboard.cycle'), sayDays(cycle.p50), sayDays(cycle.p90)],
                  [t('dashboard.lead'), sayDays(lead.p50), sayDays(lead.p90)],
                ],
              }
        }
      >
        {cycle.p50 === null && lead.p50 === null ? (
          <p className={shapes.quiet}>{t('dashboard.noTimes')}</p>
        ) : (
          <div className={shapes.stackS5}>
            <Span
              name={t('dashboard.cycle')}
              p50={cycle.p50}
              p90={cycle.p90}
              most={Math.max(cycle.p90 ?? 0, lead.p90 ?? 0)}
            />
            <Span
              name={t('dashboard.lead')}
              p50={lead.p50}
              p90={lead.p90}
              most={Math.max(cycle.p90 ?? 0, lead.p90 ?? 0)}
            />
          </div>
        )}
      </ChartCard>
      <ChartCard
        title={t('dashboard.byAssignee')}
        hint={t('dashboard.byAssigneeHint')}
        table={charts.people?.table ?? null}
      >
        {charts.people ? (
          <>
            <Lying series={charts.people.series} rows={charts.people.rows} label={t('dashboard.byAssignee')} />
            {charts.people.left > 0 && <p className={shapes.quiet}>{t('dashboard.more', { n: charts.people.left })}</p>}
          </>
        ) : (
          <p className={shapes.quiet}>{t('dashboard.noPeople')}</p>
        )}
      </ChartCard>
      {metrics.project_id !== null && (
        <ChartCard title={t('dashboard.byColumn')} hint={t('dashboard.byColumnHint')} table={charts.columns.table}>
          <Lying series={charts.columns.series} rows={charts.columns.rows} label={t('dashboard.byColumn')} />
        </ChartCard>
      )}
      <FieldCharts fields={fields} />
      <p className={`${shapes.quietS} ${styles.figuresWhen}`}>
        {t('dashboard.updated', { ago: sayAgo(metrics.generated_at) })}
      </p>
    </div>
  );
}

interface Chart extends Omit<ChartProps, 'label'> {
  readonly table: ChartTable;
}

function readCharts(metrics: Metrics): {
  throughput: Chart;
  flow: Chart;
  priority: Chart;
  columns: Chart;
  people: (Chart & { left: number }) | null;
} {
  const count = (n: number): string => sayNumber(n);
  const inUse = kinds.filter((kind) => kind !== 'custom' || metrics.cumulative_flow.some((day) => day.custom > 0));
  const people = metrics.by_assignee.map((one) => ({
    name: one.display_name ?? t('common.formerMember'),
    open: one.open,
    completed: one.completed,
    figure: count(one.open + one.completed),
  }));
  const shared: readonly Series[] = [
    { key: 'open', name: t('dashboard.figures.open'), color: 'var(--chart-2)' },
    { key: 'completed', name: t('dashboard.figures.completed'), color: 'var(--chart-1)' },
  ];
  return {
    throughput: {
      series: [
        { key: 'created', name: t('dashboard.created'), color: 'var(--chart-2)' },
        { key: 'completed', name: t('dashboard.completed'), color: 'var(--chart-1)' },
      ],
      rows: metrics.throughput.map((week) => ({ ...week, name: sayDay(week.week) })),
      table: {
        heads: [t('dashboard.week'), t('dashboard.created'), t('dashboard.completed')],
        rows: metrics.throughput.map((week) => [sayDay(week.week), count(week.created), count(week.completed)]),
      },
    },
    flow: {
      series: inUse.map((kind) => ({ key: kind, name: t(`common.kinds.${kind}`), color: kindColors[kind] })),
      rows: metrics.cumulative_flow.map((day) => ({ ...day, name: sayDay(day.day) })),
      table: {
        heads: [t('dashboard.day'), ...inUse.map((kind) => t(`common.kinds.${kind}`))],
        rows: metrics.cumulative_flow.map((day) => [sayDay(day.day), ...inUse.map((kind) => count(day[kind]))]),
      },
    },
    priority: {
      series: [{ key: 'tasks', name: t('common.taskList'), color: 'var(--chart-3)' }],
      rows: priorities.map((priority) => ({
        name: t(`common.priorities.${priority}`),
        tasks: metrics.by_priority[priority],
        figure: count(metrics.by_priority[priority]),
      })),
      table: {
        heads: [t('property.priority'), t('common.taskList')],
        rows: priorities.map((priority) => [t(`common.priorities.${priority}`), count(metrics.by_priority[priority])]),
      },
    },
    columns: {
      series: [{ key: 'tasks', name: t('common.taskList'), color: 'var(--chart-3)' }],
      rows: metrics.by_column.map(({ name, count: tasks, wip_limit: limit }) => ({
        name,
        tasks,
        figure: limit === null ? count(tasks) : t('board.wip', { n: tasks, limit }),
      })),
      table: {
        heads: [t('property.column'), t('common.taskList'), t('common.wipLimit')],
        rows: metrics.by_column.map((column) => [
          column.name,
          count(column.count),
          column.wip_limit === null ? '–' : count(column.wip_limit),
        ]),
      },
    },
    people:
      people.length === 0
        ? null
        : {
            series: shared,
            rows: people.slice(0, chartedPeople),
            left: Math.max(0, people.length - chartedPeople),
            table: {
              heads: [t('common.person'), t('dashboard.figures.open'), t('dashboard.figures.completed')],
              rows: people.map((one) => [one.name, count(one.open), count(one.completed)]),
            },
          },
  };
}

function sayDays(days: number | null): string {
  return days === null ? '–' : t('dashboard.days', { n: Math.round(days * 10) / 10 });
}

/** A span from nothing to where half, and nine in ten, are done. */
function Span({ name, p50, p90, most }: { name: string; p50: number | null; p90: number | null; most: number }) {
  if (p50 === null || p90 === null) return null;
  const part = (days: number): string => `${most > 0 ? Math.max((days / most) * 100, 1) : 1}%`;
  return (
    <div className={shapes.stackS2}>
      <span className={shapes.strong}>{name}</span>
      <span
        className={`${shapes.ownColours} ${shapes.holder} ${shapes.round} ${shapes.sunken} ${styles.spanLine}`}
        aria-hidden="true"
      >
        <span className={`${shapes.over} ${styles.spanSlow}`} style={{ width: part(p90) }} />
        <span className={`${shapes.over} ${styles.spanHalf}`} style={{ width: part(p50) }} />
      </span>
      <span className={`${shapes.softS} ${shapes.flex} ${shapes.wraps} ${shapes.spread} ${styles.spanWords} numbers`}>
        <span>
          <strong>{t('dashboard.days', { n: Math.round(p50 * 10) / 10 })}</strong> {t('dashboard.halfWithin')}
        </span>
        <span>
          <strong>{t('dashboard.days', { n: Math.round(p90 * 10) / 10 })}</strong> {t('dashboard.slow')}
        </span>
      </span>
    </div>
  );
}

export function Waiting() {
  return (
    <Loading label={t('common.loading')}>
      <div className={`${shapes.stackS5} ${styles.figures}`}>
        <div className={`${shapes.stackS4} ${shapes.stackS4} ${styles.tiles}`}>
          {figureNames.map((name) => (
            <div key={name} className={`${shapes.stackS2} ${shapes.card} ${styles.tile}`}>
              <Skeleton width="60%" />
              <Skeleton width="40%" height="1.5rem" />
            </div>
          ))}
        </div>
        {[1, 2].map((one) => (
          <div key={one} className={`${shapes.stackS4} ${shapes.card} ${styles.chartCard} ${styles.chartWide}`}>
            <Skeleton width="30%" />
            <div className={styles.chartWaiting} />
          </div>
        ))}
      </div>
    </Loading>
  );
}

function EmptyChartArt() {
  return (
    <svg width="96" height="64" viewBox="0 0 96 64" fill="none" aria-hidden="true">
      <rect x="8" y="34" width="16" height="24" rx="4" fill="var(--accent-soft)" />
      <rect x="30" y="22" width="16" height="36" rx="4" fill="var(--accent-soft)" />
      <rect x="52" y="28" width="16" height="30" rx="4" fill="var(--accent-soft)" />
      <rect x="74" y="10" width="16" height="48" rx="4" fill="currentColor" opacity=".7" />
    </svg>
  );
}
