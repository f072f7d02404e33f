// The dashboard itself: how things stand, how work flows, who has what, how long it takes. Each chart is also a table.

import type { ReactNode } from 'react';
import { lazy, Suspense, useMemo } from 'react';
import { sayAgo, sayDay } from '../../queries/days.ts';
import { type Metrics, useMetrics } from '../../queries/metrics.ts';
import { words } from '../../strings/words.ts';
import type { ColumnKind, Priority } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/state.tsx';
import { ChartCard, type ChartTable } from './chart-card.tsx';
import type { Series } from './charts.tsx';
import './dashboard.css';

const say = words.dashboard;
const Bars = lazy(() => import('./charts.tsx').then((charts) => ({ default: charts.Bars })));
const Flow = lazy(() => import('./charts.tsx').then((charts) => ({ default: charts.Flow })));
const Lying = lazy(() => import('./charts.tsx').then((charts) => ({ default: charts.Lying })));

const now = ['open', 'overdue', 'due_this_week', 'blocked', 'unassigned', 'completed'] as const;
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

export function Figures({ projectId }: { projectId: string | null }) {
  const { data, failed, again } = useMetrics(projectId);
  if (data === null)
    return failed ? (
      <EmptyState title={words.common.failed.title} action={<Button onClick={again}>{words.common.retry}</Button>}>
        <p>{words.common.failed.words}</p>
      </EmptyState>
    ) : (
      <Waiting />
    );
  return (
    <>
      {failed && (
        <Notice tone="warn">
          {navigator.onLine ? words.common.stale : words.common.offline}{' '}
          <Button onClick={again}>{words.common.retry}</Button>
        </Notice>
      )}
      {data.tasks.total === 0 ? (
        <EmptyState art={<EmptyChartArt />} title={say.empty}>
          <p>{say.emptyWords}</p>
        </EmptyState>
      ) : (
        <Told metrics={data} />
      )}
    </>
  );
}

function Told({ metrics }: { metrics: Metrics }) {
  const charts = useMemo(() => readCharts(metrics), [metrics]);
  const { cycle_time_days: cycle, lead_time_days: lead } = metrics;
  return (
    <div className="figures">
      <section aria-label={say.figures.label}>
        <dl className="tiles">
          {now.map((name) => (
            <div key={name} className={`tile ${metrics.tasks[name] > 0 ? `tile-${name}` : ''}`}>
              <dt>{say.figures[name]}</dt>
              <dd className="numbers">{metrics.tasks[name].toLocaleString()}</dd>
            </div>
          ))}
        </dl>
      </section>
      <ChartCard title={say.throughput} hint={say.throughputHint} table={charts.throughput.table} wide>
        <Drawn>
          <Bars series={charts.throughput.series} rows={charts.throughput.rows} label={say.throughput} />
        </Drawn>
      </ChartCard>
      <ChartCard title={say.flow} hint={say.flowHint} table={charts.flow.table} wide>
        <Drawn>
          <Flow series={charts.flow.series} rows={charts.flow.rows} label={say.flow} />
        </Drawn>
      </ChartCard>
      <ChartCard title={say.byPriority} hint={say.byPriorityHint} table={charts.priority.table}>
        <Drawn>
          <Lying series={charts.priority.series} rows={charts.priority.rows} label={say.byPriority} />
        </Drawn>
      </ChartCard>
      <ChartCard
        title={say.times}
        hint={say.timesHint}
        table={
          cycle.p50 === null && lead.p50 === null
            ? null
            : {
                heads: [say.measure, say.median, say.slow],
                rows: [
                  [say.cycle, sayDays(cycle.p50), sayDays(cycle.p90)],
                  [say.lead, sayDays(lead.p50), sayDays(lead.p90)],
                ],
              }
        }
      >
        {cycle.p50 === null && lead.p50 === null ? (
          <p className="chart-nothing">{say.noTimes}</p>
        ) : (
          <div className="spans">
            <Span name={say.cycle} p50={cycle.p50} p90={cycle.p90} most={Math.max(cycle.p90 ?? 0, lead.p90 ?? 0)} />
            <Span name={say.lead} p50={lead.p50} p90={lead.p90} most={Math.max(cycle.p90 ?? 0, lead.p90 ?? 0)} />
          </div>
        )}
      </ChartCard>
      <ChartCard title={say.byAssignee} hint={say.byAssigneeHint} table={charts.people?.table ?? null}>
        {charts.people ? (
          <Drawn>
            <Lying series={charts.people.series} rows={charts.people.rows} label={say.byAssignee} />
            {charts.people.left > 0 && <p className="chart-more">{say.more(charts.people.left)}</p>}
          </Drawn>
        ) : (
          <p className="chart-nothing">{say.noPeople}</p>
        )}
      </ChartCard>
      {metrics.project_id !== null && (
        <ChartCard title={say.byColumn} hint={say.byColumnHint} table={charts.columns.table}>
          <Drawn>
            <Lying series={charts.columns.series} rows={charts.columns.rows} label={say.byColumn} />
          </Drawn>
        </ChartCard>
      )}
      <p className="figures-when">{say.updated(sayAgo(metrics.generated_at))}</p>
    </div>
  );
}

interface Chart {
  readonly series: readonly Series[];
  readonly rows: readonly ({ readonly name: string } & Readonly<Record<string, string | number>>)[];
  readonly table: ChartTable;
}

function readCharts(metrics: Metrics): {
  throughput: Chart;
  flow: Chart;
  priority: Chart;
  columns: Chart;
  people: (Chart & { left: number }) | null;
} {
  const count = (n: number): string => n.toLocaleString();
  const inUse = kinds.filter((kind) => kind !== 'custom' || metrics.cumulative_flow.some((day) => day.custom > 0));
  const people = metrics.by_assignee.map((one) => ({
    name: one.display_name ?? say.former,
    open: one.open,
    completed: one.completed,
    said: count(one.open + one.completed),
  }));
  const shared: readonly Series[] = [
    { key: 'open', name: say.openTasks, color: 'var(--chart-2)' },
    { key: 'completed', name: say.doneTasks, color: 'var(--chart-1)' },
  ];
  return {
    throughput: {
      series: [
        { key: 'created', name: say.created, color: 'var(--chart-2)' },
        { key: 'completed', name: say.completed, color: 'var(--chart-1)' },
      ],
      rows: metrics.throughput.map((week) => ({ ...week, name: sayDay(week.week) })),
      table: {
        heads: [say.week, say.created, say.completed],
        rows: metrics.throughput.map((week) => [sayDay(week.week), count(week.created), count(week.completed)]),
      },
    },
    flow: {
      series: inUse.map((kind) => ({ key: kind, name: words.common.kinds[kind], color: kindColors[kind] })),
      rows: metrics.cumulative_flow.map((day) => ({ ...day, name: sayDay(day.day) })),
      table: {
        heads: [say.day, ...inUse.map((kind) => words.common.kinds[kind])],
        rows: metrics.cumulative_flow.map((day) => [sayDay(day.day), ...inUse.map((kind) => count(day[kind]))]),
      },
    },
    priority: {
      series: [{ key: 'tasks', name: say.tasks, color: 'var(--chart-3)' }],
      rows: priorities.map((priority) => ({
        name: words.common.priorities[priority],
        tasks: metrics.by_priority[priority],
        said: count(metrics.by_priority[priority]),
      })),
      table: {
        heads: [say.priority, say.tasks],
        rows: priorities.map((priority) => [words.common.priorities[priority], count(metrics.by_priority[priority])]),
      },
    },
    columns: {
      series: [{ key: 'tasks', name: say.tasks, color: 'var(--chart-3)' }],
      rows: metrics.by_column.map(({ name, count: tasks, wip_limit: limit }) => ({
        name,
        tasks,
        said: limit === null ? count(tasks) : words.board.wip(tasks, limit),
      })),
      table: {
        heads: [say.column, say.tasks, say.limit],
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
              heads: [say.person, say.openTasks, say.doneTasks],
              rows: people.map((one) => [one.name, count(one.open), count(one.completed)]),
            },
          },
  };
}

function sayDays(days: number | null): string {
  return days === null ? '–' : say.days(Math.round(days * 10) / 10);
}

/** A span from nothing to where half, and nine in ten, are done. */
function Span({ name, p50, p90, most }: { name: string; p50: number | null; p90: number | null; most: number }) {
  if (p50 === null || p90 === null) return null;
  const part = (days: number): string => `${most > 0 ? Math.max((days / most) * 100, 1) : 1}%`;
  return (
    <div className="span">
      <span className="span-name">{name}</span>
      <span className="span-line" aria-hidden="true">
        <span className="span-slow" style={{ width: part(p90) }} />
        <span className="span-half" style={{ width: part(p50) }} />
      </span>
      <span className="span-words numbers">
        <span>
          <strong>{say.days(Math.round(p50 * 10) / 10)}</strong> {say.median.toLocaleLowerCase()}
        </span>
        <span>
          <strong>{say.days(Math.round(p90 * 10) / 10)}</strong> {say.slow}
        </span>
      </span>
    </div>
  );
}

/** Holds the chart's place while the library comes, so that nothing jumps. */
function Drawn({ children }: { children: ReactNode }) {
  return <Suspense fallback={<div className="chart-waiting" />}>{children}</Suspense>;
}

function Waiting() {
  return (
    <Loading label={words.common.loading}>
      <div className="figures">
        <div className="tiles">
          {now.map((name) => (
            <div key={name} className="tile">
              <Skeleton width="60%" />
              <Skeleton width="40%" height="1.5rem" />
            </div>
          ))}
        </div>
        {[1, 2].map((one) => (
          <div key={one} className="chart-card chart-wide">
            <Skeleton width="30%" />
            <div className="chart-waiting" />
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
