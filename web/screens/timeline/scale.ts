// Scale of the chart: the width of a day at each zoom, the range of days, and the labels over them.

import { dayNamed, dayNumber, weekdayOf } from '../../queries/views/spans.ts';

export const zooms = ['day', 'week', 'month', 'quarter'] as const;
export type Zoom = (typeof zooms)[number];

/** In rem. */
export const dayWidths: Readonly<Record<Zoom, number>> = { day: 2.5, week: 1.125, month: 0.375, quarter: 0.125 };

/** Days on both sides of the tasks, to drag into. */
const margins: Readonly<Record<Zoom, number>> = { day: 42, week: 84, month: 250, quarter: 730 };

/** A date far off, mistyped say, does not make everything else a dot. */
const furthest = 7300;

export interface Range {
  readonly first: number;
  readonly last: number;
}

const monthBegin = (day: number): number => dayNumber(`${dayNamed(day).slice(0, 8)}01`);

function monthsOn(begin: number, months: number): number {
  const at = new Date(begin * 86_400_000);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) / 86_400_000;
}

/** Around the tasks and today; from the begin of a month, so that it seldom moves. */
export function rangeAround(spans: readonly Range[], today: number, zoom: Zoom): Range {
  let [first, last] = [today, today];
  for (const { first: from, last: to } of spans) {
    if (from < first) first = from;
    if (to > last) last = to;
  }
  first = Math.max(first, today - furthest) - margins[zoom];
  last = Math.min(last, today + furthest) + margins[zoom];
  return { first: monthBegin(first), last: monthsOn(monthBegin(last), 1) - 1 };
}

/** What stands over some days: a month, say, or a week. */
export interface Tick {
  readonly day: number;
  readonly days: number;
}

export interface Ticks {
  readonly major: readonly Tick[];
  readonly minor: readonly Tick[];
}

/** Those that have a day among these. */
export function ticksBetween(zoom: Zoom, { first, last }: Range, weekStart: number): Ticks {
  const months = (each: number): Tick[] => {
    const made: Tick[] = [];
    const begin = monthBegin(first);
    const month = new Date(begin * 86_400_000).getUTCMonth();
    for (let day = monthsOn(begin, -(month % each)); day <= last; ) {
      const next = monthsOn(day, each);
      made.push({ day, days: next - day });
      day = next;
    }
    return made;
  };
  const every = (days: number, from: number): Tick[] =>
    Array.from({ length: Math.max(0, Math.floor((last - from) / days) + 1) }, (_, at) => ({
      day: from + days * at,
      days,
    }));
  const week = first - ((weekdayOf(first) - weekStart + 7) % 7);
  if (zoom === 'day') return { major: months(1), minor: every(1, first) };
  if (zoom === 'quarter') return { major: months(3), minor: months(1) };
  return { major: months(1), minor: every(7, week) };
}
