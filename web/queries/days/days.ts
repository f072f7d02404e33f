// Days as people mean them: dates without a time, in the reader's own zone and words.

import { localized } from '../../strings/messages.ts';

export function localDay(moment: Date): string {
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${moment.getFullYear()}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

export function dayOf(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day);
}

/** By the calendar: a day is not always 24 hours long. */
export function daysAfter(date: string, days: number): string {
  const day = dayOf(date);
  day.setDate(day.getDate() + days);
  return localDay(day);
}

/** By the calendar: a month after the 31st of January is the last of February. */
export function monthsAfter(from: string, months: number): string {
  const date = dayOf(from);
  const day = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + months);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(day, last));
  return localDay(date);
}

const sameYear = localized((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const otherYear = localized(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
);
const moments = localized((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const times = localized((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const distance = localized((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));

/** What is no day of the calendar, as a story may tell it, is said as it is. */
export function sayDay(date: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  const day = dayOf(date);
  return (day.getFullYear() === new Date().getFullYear() ? sameYear : otherYear)().format(day);
}

export function sayMoment(timestamp: string): string {
  return moments().format(new Date(timestamp));
}

export function sayTime(timestamp: string): string {
  return times().format(new Date(timestamp));
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  // A twelfth of a year: eleven of them at most.
  ['month', 2_628_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

export function sayAgo(timestamp: string, now = Date.now()): string {
  const seconds = (new Date(timestamp).getTime() - now) / 1000;
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return distance().format(Math.trunc(seconds / length), unit);
  return distance().format(0, 'minute');
}

export type DueState = 'overdue' | 'today' | 'soon' | 'later' | 'done';

export function dueState(due: string, completed: string | null, today: string): DueState {
  if (completed !== null) return 'done';
  if (due < today) return 'overdue';
  if (due === today) return 'today';
  return due <= daysAfter(today, 3) ? 'soon' : 'later';
}

/** The moment a day begins here, as timestamps are written. */
export function startOfDay(date: string): string {
  return dayOf(date).toISOString();
}
