// What everything in a calendar is given: the tasks' project, who may change them, how one is named, reached and moved.

import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { editTasks, useAct } from '../../commands.ts';
import { dayOf, dueState, sayDay } from '../../queries/days.ts';
import { type Dates, dayNamed, spanOf, spanWith } from '../../queries/spans.ts';
import { type ColumnRow, columnsOf, type ProjectRow, type TaskRow, taskKey, useQuery } from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { localized, t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';

export interface Scene {
  readonly project: ProjectRow;
  readonly canWrite: boolean;
  readonly today: string;
  columnOf(task: TaskRow): ColumnRow | undefined;
  keyOf(task: TaskRow): string;
  hrefOf(task: TaskRow): string;
  /** All that is to be known of a task at one glance, in one sentence. */
  nameOf(task: TaskRow): string;
  /** Gives a task other dates and says so; nothing where they are the same. */
  plan(task: TaskRow, dates: Dates | null): void;
}

const wholeDay = localized((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }));
export const monthName = localized((locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));

export function sayWhole(day: string): string {
  return wholeDay().format(dayOf(day));
}

/** "15 May", or "15 May to 18 May". */
export function saySpan(task: Pick<TaskRow, 'start_date' | 'due_date'>): string {
  const span = spanOf(task);
  if (span === null) return t('planning.noDays');
  const from = sayDay(dayNamed(span.from));
  return span.from === span.to ? from : t('planning.days', { from, to: sayDay(dayNamed(span.to)) });
}

export function useScene(project: ProjectRow, canWrite: boolean, today: string, view: ProjectView): Scene {
  const columns = useQuery(columnsOf, project.id);
  const search = useSearch();
  const act = useAct();
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const keyOf = (task: TaskRow): string => taskKey(project, task);
    return {
      project,
      canWrite,
      today,
      columnOf: (task) => byId.get(task.column_id),
      keyOf,
      hrefOf: (task) => paths.task(project.id, addressOf(task), view) + (search && `?${search}`),
      nameOf(task) {
        const said = { key: keyOf(task), title: task.title, days: saySpan(task) };
        const late = task.due_date !== null && dueState(task.due_date, task.completed_at, today) === 'overdue';
        return late
          ? t('planning.overdueTask', said)
          : t('planning.task', { ...said, column: byId.get(task.column_id)?.name ?? '' });
      },
      plan(task, dates) {
        if (dates === null || !canWrite) return;
        void act(editTasks, [task.id], dates);
        const days = saySpan({ start_date: task.start_date, due_date: task.due_date, ...dates });
        const key = keyOf(task);
        announce(
          spanWith(task, dates) === null ? t('planning.unscheduled', { key }) : t('planning.planned', { key, days }),
        );
      },
    };
  }, [project, canWrite, today, columns, search, view, act]);
}
