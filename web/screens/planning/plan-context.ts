// Context of a calendar or a timeline: rights, names, colours, addresses and moves of tasks. The tasks are of one project, or, in a view
// across projects, of several.

import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { editTasks, useAct } from '../../commands.ts';
import { dayOf, dueState, sayDay } from '../../queries/days/days.ts';
import { type Dates, dayNamed, spanOf, spanWith } from '../../queries/views/spans.ts';
import {
  type ColumnRow,
  columnsOf,
  openProjects,
  type ProjectRow,
  type TaskRow,
  taskKey,
  useQuery,
  useReader,
  useUserId,
  writableProjects,
} from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { localized, t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';
import type { ProjectRights } from '../project/use-project-rights.ts';
import { columnColour } from './task-appearance.ts';

export interface PlanContext {
  /** Some of them may be changed, and new ones added. */
  readonly canWrite: boolean;
  readonly today: string;
  /** Where a new task may go, the likeliest first. */
  readonly newIn: readonly ProjectRow[];
  /** Of several projects: what tells whose a task is. */
  readonly projectOf: ((task: TaskRow) => ProjectRow | undefined) | null;
  mayPlan(task: TaskRow): boolean;
  colourOf(task: TaskRow): string;
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

/** What differs between one project and several. */
type Known = Pick<
  PlanContext,
  'canWrite' | 'today' | 'newIn' | 'projectOf' | 'mayPlan' | 'colourOf' | 'keyOf' | 'hrefOf'
> & {
  columnOf(task: TaskRow): ColumnRow | undefined;
};

function planContextOf(known: Known, act: ReturnType<typeof useAct>): PlanContext {
  const { columnOf, ...rest } = known;
  return {
    ...rest,
    nameOf(task) {
      const named = { key: known.keyOf(task), title: task.title, days: saySpan(task) };
      const late = task.due_date !== null && dueState(task.due_date, task.completed_at, known.today) === 'overdue';
      return late
        ? t('planning.overdueTask', named)
        : t('planning.task', { ...named, column: columnOf(task)?.name ?? '' });
    },
    plan(task, dates) {
      if (dates === null || !known.mayPlan(task)) return;
      void act(editTasks, [task.id], dates);
      const days = saySpan({ start_date: task.start_date, due_date: task.due_date, ...dates });
      const key = known.keyOf(task);
      announce(
        spanWith(task, dates) === null ? t('planning.unscheduled', { key }) : t('planning.planned', { key, days }),
      );
    },
  };
}

export function usePlanContext(
  project: ProjectRow,
  { writes, edits, mayEdit }: ProjectRights,
  today: string,
  view: ProjectView,
): PlanContext {
  const columns = useQuery(columnsOf, project.id);
  const search = useSearch();
  const act = useAct();
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const columnOf = (task: TaskRow) => byId.get(task.column_id);
    return planContextOf(
      {
        canWrite: edits,
        today,
        newIn: writes ? [project] : [],
        projectOf: null,
        mayPlan: mayEdit,
        columnOf,
        colourOf: (task) => columnColour(columnOf(task)),
        keyOf: (task) => taskKey(project, task),
        hrefOf: (task) => paths.task(project.id, addressOf(task), view) + (search && `?${search}`),
      },
      act,
    );
  }, [project, writes, edits, mayEdit, today, columns, search, view, act]);
}

/** Of several projects: a task has the colour of its own, and opens there, on the day that is looked at where there is one. */
export function usePlanContextAcross(today: string, view: ProjectView, day: string | null): PlanContext {
  const userId = useUserId();
  const store = useReader();
  const writable = useQuery(writableProjects, userId);
  const projects = useQuery(openProjects);
  const act = useAct();
  return useMemo(() => {
    const byId = new Map(projects.map((project) => [project.id, project]));
    const writableIds = new Set(writable.map(({ id }) => id));
    const projectOf = (task: TaskRow) => byId.get(task.project_id);
    return planContextOf(
      {
        canWrite: writable.length > 0,
        today,
        newIn: writable,
        projectOf,
        mayPlan: (task) => writableIds.has(task.project_id),
        columnOf: (task) => store.get('workflow_columns', task.column_id),
        colourOf: (task) => projectOf(task)?.color ?? 'var(--accent)',
        keyOf: (task) => taskKey(projectOf(task), task),
        hrefOf: (task) => paths.task(task.project_id, addressOf(task), view) + (day === null ? '' : `?day=${day}`),
      },
      act,
    );
  }, [today, view, day, projects, writable, store, act]);
}
