// Keys of the grid of days: left and right lead to the next day, up and down through the tasks of a day to the next week. With Alt a task
// moves along, by a day or a week; with Shift its last day does, with both its first.

import { Plus } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { listedKeys, useActions } from '../../actions/registry.tsx';
import { dayOf, daysAfter, monthsAfter } from '../../queries/days/days.ts';
import { weekStart } from '../../queries/days/read-day.ts';
import { dayNamed, dayNumber, spanWith } from '../../queries/views/spans.ts';
import { type TaskRow, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { dateKeys, datesByKey } from '../planning/date-keys.ts';
import type { PlanContext } from '../planning/plan-context.ts';
import type { Week } from './lay-out-weeks.ts';

/** What can have the focus on one day, top to bottom. */
type Stop = { readonly kind: 'day' } | { readonly kind: 'task'; readonly id: string } | { readonly kind: 'more' };

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface GridKeys {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly weeks: readonly Week[];
  readonly at: string;
  readonly planContext: PlanContext;
  readonly onGo: (day: string) => void;
  readonly onNew: (day: string, there: HTMLElement) => void;
}

export function useGridKeys({ grid, weeks, at, planContext, onGo, onNew }: GridKeys): (event: KeyboardEvent) => void {
  const store = useReader();
  /** What gets the focus once it is drawn. */
  const wanted = useRef<{ readonly day: string; readonly stop: Stop } | null>(null);

  const cellOf = (day: string): HTMLElement | null =>
    grid.current?.querySelector<HTMLElement>(`[data-day="${day}"]`) ?? null;

  function focusStop(day: string, stop: Stop): boolean {
    const cell = cellOf(day);
    if (cell === null) return false;
    const there =
      stop.kind === 'day'
        ? cell
        : stop.kind === 'more'
          ? cell.querySelector<HTMLElement>('[data-more]')
          : cell.closest('[role="row"]')?.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(stop.id)}"]`);
    (there ?? cell).focus();
    return true;
  }

  useEffect(() => {
    const want = wanted.current;
    if (want !== null && focusStop(want.day, want.stop)) wanted.current = null;
  });

  function go(day: string, stop: Stop): void {
    wanted.current = { day, stop };
    if (day === at && focusStop(day, stop)) wanted.current = null;
    else onGo(day);
  }

  function change(event: KeyboardEvent, task: TaskRow, step: number): void {
    const dates = datesByKey(event, task, step);
    const span = spanWith(task, dates);
    if (dates === null || span === null) return;
    planContext.plan(task, dates);
    // The focus goes along, and stays on one of its days.
    const along = dayNumber(at) + (event.altKey && !event.shiftKey ? step : 0);
    const day = dayNamed(Math.min(Math.max(along, span.from), span.to));
    wanted.current = { day, stop: { kind: 'task', id: task.id } };
    onGo(day);
  }

  useActions([
    ...(planContext.newIn.length > 0
      ? [
          {
            id: 'add-task',
            label: t('board.add'),
            group: 'project' as const,
            keys: 'c',
            icon: <Plus size={16} />,
            effect: () => {
              const cell = cellOf(at);
              if (cell !== null) onNew(at, cell);
            },
          },
        ]
      : []),
    ...listedKeys('calendar', 'project', [
      ['left right', t('calendar.keys.days')],
      ['up down', t('calendar.keys.tasks')],
      ...(planContext.canWrite ? dateKeys() : []),
    ]),
  ]);

  return (event) => {
    const target = event.target as HTMLElement;
    if (!event.currentTarget.contains(target) || event.ctrlKey || event.metaKey) return;
    const cell = target.closest<HTMLElement>('[data-day]');
    if (cell === null) return;
    const step = steps[event.key];
    const taskId = target.closest<HTMLElement>('[data-task-id]')?.dataset.taskId;
    const task = taskId === undefined ? undefined : store.get('tasks', taskId);
    if (event.altKey || event.shiftKey) {
      const paging = event.key === 'PageUp' || event.key === 'PageDown';
      // With Alt a task goes along, as with the arrows; without one the page turns by a year.
      if (paging && event.altKey && task !== undefined && planContext.mayPlan(task)) {
        const there = dayNumber(monthsAfter(at, event.key === 'PageUp' ? -1 : 1));
        change(event, task, there - dayNumber(at));
      } else if (paging) go(monthsAfter(at, event.key === 'PageUp' ? -12 : 12), { kind: 'day' });
      else if (step === undefined || task === undefined || !planContext.mayPlan(task)) return;
      else change(event, task, step);
      event.preventDefault();
      return;
    }
    const to = dayByKey(event.key, at);
    if (to !== null) go(to, { kind: 'day' });
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const stops = stopsOf(weeks, at);
      const here = target.closest('[data-more]')
        ? stops.length - 1
        : Math.max(
            stops.findIndex((stop) => stop.kind === 'task' && stop.id === taskId),
            0,
          );
      const next = stops[here + (event.key === 'ArrowUp' ? -1 : 1)];
      if (next !== undefined) go(at, next);
      else if (event.key === 'ArrowDown') go(daysAfter(at, 7), { kind: 'day' });
      else {
        const above = daysAfter(at, -7);
        go(above, stopsOf(weeks, above).at(-1) ?? { kind: 'day' });
      }
    } else return;
    event.preventDefault();
  };
}

function dayByKey(key: string, day: string): string | null {
  const inWeek = (dayOf(day).getDay() - weekStart() + 7) % 7;
  if (key === 'ArrowLeft') return daysAfter(day, -1);
  if (key === 'ArrowRight') return daysAfter(day, 1);
  if (key === 'Home') return daysAfter(day, -inWeek);
  if (key === 'End') return daysAfter(day, 6 - inWeek);
  if (key === 'PageUp') return monthsAfter(day, -1);
  if (key === 'PageDown') return monthsAfter(day, 1);
  return null;
}

function stopsOf(weeks: readonly Week[], day: string): Stop[] {
  const number = dayNumber(day);
  const week = weeks.find(({ first }) => first <= number && number < first + 7);
  if (week === undefined) return [{ kind: 'day' }];
  const column = number - week.first;
  const lying = week.segments
    .filter((segment) => segment.at <= column && column < segment.at + segment.days)
    .sort((one, other) => one.lane - other.lane);
  return [
    { kind: 'day' },
    ...lying.map(({ task }): Stop => ({ kind: 'task', id: task.id })),
    ...((week.hidden[column] ?? 0) > 0 ? [{ kind: 'more' } as const] : []),
  ];
}
