// Span of a task in days, from its start to its due day, and its dates after it is moved, extended or shortened. Days are numbers:
// 1970-01-01 is 0, and no clock change makes one longer than another.

import type { TaskRow } from '../../sync/rows/rows.ts';

const dayLength = 86_400_000;

export function dayNumber(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / dayLength;
}

export function dayNamed(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10);
}

/** 0: Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

type Dated = Pick<TaskRow, 'start_date' | 'due_date'>;

/** First and last day, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One date alone is one day. Null: it has none. */
export function spanOf({ start_date, due_date }: Dated): Span | null {
  const from = start_date ?? due_date;
  const to = due_date ?? start_date;
  return from === null || to === null ? null : { from: dayNumber(from), to: dayNumber(to) };
}

/** A task on its days. */
export interface Lying {
  readonly task: TaskRow;
  readonly from: number;
  readonly to: number;
}

/** Order of the calendar: the earlier one first, of those the longer one; then as they are numbered. */
function inOrder(one: Lying, other: Lying): number {
  return (
    one.from - other.from ||
    other.to - one.to ||
    Number(one.task.completed_at !== null) - Number(other.task.completed_at !== null) ||
    (one.task.number ?? Number.MAX_SAFE_INTEGER) - (other.task.number ?? Number.MAX_SAFE_INTEGER) ||
    (one.task.id < other.task.id ? -1 : 1)
  );
}

/** Tasks that lie on any of the days, in order. */
export function lyingBetween(tasks: readonly TaskRow[], first: number, last: number): Lying[] {
  const found: Lying[] = [];
  for (const task of tasks) {
    const span = spanOf(task);
    if (span !== null && span.from <= last && span.to >= first) found.push({ task, ...span });
  }
  return found.sort(inOrder);
}

export type Dates = { readonly start_date?: string | null; readonly due_date?: string | null };

/** What of the dates becomes another one; null: nothing. */
function differing(task: Dated, dates: Dated): Dates | null {
  const changed = {
    ...(dates.start_date === task.start_date ? {} : { start_date: dates.start_date }),
    ...(dates.due_date === task.due_date ? {} : { due_date: dates.due_date }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}

/** Moved by days; a date that it does not have it does not get. */
export function moved(task: Dated, days: number): Dates | null {
  const move = (date: string | null): string | null => (date === null ? null : dayNamed(dayNumber(date) + days));
  return differing(task, { start_date: move(task.start_date), due_date: move(task.due_date) });
}

/** With another first day, at most the last one. */
export function startedOn(task: Dated, day: number): Dates | null {
  const span = spanOf(task);
  return span && stretched(task, { from: Math.min(day, span.to), to: span.to });
}

/** With another last day, at least the first one. */
export function endedOn(task: Dated, day: number): Dates | null {
  const span = spanOf(task);
  return span && stretched(task, { from: span.from, to: Math.max(day, span.from) });
}

/** On one day that stays one, a task keeps the one date it has. */
function stretched(task: Dated, { from, to }: Span): Dates | null {
  const old = spanOf(task);
  if (old === null || (old.from === from && old.to === to)) return null;
  return differing(task, { start_date: dayNamed(from), due_date: dayNamed(to) });
}

/** A task without dates comes to be due on a day. */
export function dueOn(task: Dated, day: number): Dates | null {
  return differing(task, { start_date: task.start_date, due_date: dayNamed(day) });
}

export function withoutDates(task: Dated): Dates | null {
  return differing(task, { start_date: null, due_date: null });
}

/** The span a task has with other dates. */
export function spanWith(task: Dated, dates: Dates | null): Span | null {
  return spanOf({ start_date: task.start_date, due_date: task.due_date, ...dates });
}
