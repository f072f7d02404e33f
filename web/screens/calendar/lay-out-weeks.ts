// Lays out the tasks of some weeks in lanes: each stays on one lane from its first day of a week to its last. Tasks without a free lane are
// counted on their days.

import { dayNumber, type Lying, lyingBetween } from '../../queries/views/spans.ts';
import type { TaskRow } from '../../queries.ts';

/** A task in one week. */
export interface Segment {
  readonly task: TaskRow;
  /** The first of its days in this week: 0 is that which the week begins with. */
  readonly at: number;
  readonly days: number;
  readonly lane: number;
  /** It began in an earlier week, or goes on in a later one. */
  readonly began: boolean;
  readonly goesOn: boolean;
}

export interface Week {
  /** The number of its first day. */
  readonly first: number;
  readonly segments: readonly Segment[];
  /** By day: how many tasks lie on it, and how many of these have no lane. */
  readonly count: readonly number[];
  readonly hidden: readonly number[];
}

export function layOutWeeks(tasks: readonly TaskRow[], firstDay: string, weeks: number, lanes: number): Week[] {
  const start = dayNumber(firstDay);
  const lying = lyingBetween(tasks, start, start + 7 * weeks - 1);
  return Array.from({ length: weeks }, (_, week) => layOutWeek(lying, start + 7 * week, lanes));
}

function layOutWeek(lying: readonly Lying[], first: number, lanes: number): Week {
  const segments: Segment[] = [];
  const count = new Array<number>(7).fill(0);
  const hidden = new Array<number>(7).fill(0);
  /** By lane, the first day that is free. They come in the order of their days, so nothing lies behind it. */
  const free = new Array<number>(lanes).fill(0);
  for (const { task, from, to } of lying) {
    const at = Math.max(from - first, 0);
    const end = Math.min(to - first, 6);
    if (at > 6 || end < 0) continue;
    const lane = free.findIndex((day) => day <= at);
    for (let day = at; day <= end; day++) {
      count[day] = (count[day] ?? 0) + 1;
      if (lane < 0) hidden[day] = (hidden[day] ?? 0) + 1;
    }
    if (lane < 0) continue;
    free[lane] = end + 1;
    segments.push({ task, at, days: end - at + 1, lane, began: from < first, goesOn: to > first + 6 });
  }
  return { first, segments, count, hidden };
}
