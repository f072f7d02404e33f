// Days and display of the calendar, kept in the address beside the filters, so that they can be shared.

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { dayOf, daysAfter, monthsAfter } from '../../queries/days/days.ts';
import { weekStart } from '../../queries/days/read-day.ts';
import { useToday } from '../../queries/days/today.ts';
import { useNarrow } from '../../ui/use-narrow.ts';

export const shows = ['month', 'week', 'agenda'] as const;
export type Show = (typeof shows)[number];

export interface CalendarAddress {
  readonly show: Show;
  /** A day of what is shown. */
  readonly day: string;
  set(patch: { readonly show?: Show; readonly day?: string }): void;
}

/** Without a word in the address: the month of today, as an agenda where the window is narrow. */
export function useCalendarAddress(): CalendarAddress {
  const [params, setParams] = useSearchParams();
  const today = useToday();
  const narrow = useNarrow();
  return useMemo(() => {
    const show = shows.find((one) => one === params.get('show')) ?? (narrow ? 'agenda' : 'month');
    const asked = params.get('day') ?? '';
    const day = /^\d{4}-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked)) ? asked : today;
    return {
      show,
      day,
      set: (patch) =>
        setParams(
          (old) => {
            const next = new URLSearchParams(old);
            if (patch.show) next.set('show', patch.show);
            if (patch.day === today) next.delete('day');
            else if (patch.day) next.set('day', patch.day);
            return next;
          },
          { replace: true },
        ),
    };
  }, [params, setParams, today, narrow]);
}

const inWeek = (day: string): number => (dayOf(day).getDay() - weekStart() + 7) % 7;

export function weekOf(day: string): string {
  return daysAfter(day, -inWeek(day));
}

const monthBegin = (day: string): string => `${day.slice(0, 8)}01`;

/** The last day of its month. */
const monthEnd = (day: string): string => daysAfter(monthsAfter(monthBegin(day), 1), -1);

/** The days that are drawn: whole weeks; of an agenda, the month alone. */
export function shownDays(show: Show, day: string): { readonly first: string; readonly last: string } {
  if (show === 'week') return { first: weekOf(day), last: daysAfter(weekOf(day), 6) };
  const [begin, end] = [monthBegin(day), monthEnd(day)];
  return show === 'agenda' ? { first: begin, last: end } : { first: weekOf(begin), last: daysAfter(weekOf(end), 6) };
}

/** The same day a month or a week on. */
export function turned(show: Show, day: string, by: 1 | -1): string {
  return show === 'week' ? daysAfter(day, 7 * by) : monthsAfter(day, by);
}
