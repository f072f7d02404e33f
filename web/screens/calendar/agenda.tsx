// The days of a month one below the other, each with the tasks that begin on it or, begun before, are still on when the month begins.

import { useMemo } from 'react';
import { dayNamed, dayNumber, lyingBetween } from '../../queries/views/spans.ts';
import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { EmptyState } from '../../ui/list-states.tsx';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { DayItem } from '../planning/day-item.tsx';
import { type PlanContext, sayWhole } from '../planning/plan-context.ts';
import styles from './task-calendar.module.css';

interface AgendaProps {
  readonly label: string;
  readonly tasks: readonly TaskRow[];
  readonly first: string;
  readonly last: string;
  readonly planContext: PlanContext;
}

export function Agenda({ label, tasks, first, last, planContext }: AgendaProps) {
  const days = useMemo(() => {
    const begin = dayNumber(first);
    const byDay = new Map<number, TaskRow[]>();
    for (const { task, from } of lyingBetween(tasks, begin, dayNumber(last))) {
      const day = Math.max(from, begin);
      byDay.set(day, [...(byDay.get(day) ?? []), task]);
    }
    return [...byDay].sort(([one], [other]) => one - other);
  }, [tasks, first, last]);
  if (days.length === 0)
    return (
      <EmptyState title={t('calendar.nothing', { month: label })}>
        <p>{t('calendar.nothingWords')}</p>
      </EmptyState>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={`${shapes.fill} ${styles.agenda}`} aria-label={label} tabIndex={0} data-day-list>
      {days.map(([day, lying]) => (
        <AgendaDay key={day} day={dayNamed(day)} tasks={lying} planContext={planContext} />
      ))}
    </section>
  );
}

function AgendaDay({ day, tasks, planContext }: { day: string; tasks: readonly TaskRow[]; planContext: PlanContext }) {
  const { shown, list, more } = useFirstOnes(tasks, 20);
  return (
    <section className={styles.agendaDay} aria-label={sayWhole(day)}>
      <h2 aria-current={day === planContext.today ? 'date' : undefined}>{sayWhole(day)}</h2>
      <ul ref={list} tabIndex={-1}>
        {shown.map((task) => (
          <DayItem key={task.id} task={task} planContext={planContext} withDays />
        ))}
      </ul>
      {more}
    </section>
  );
}
