// Flow of some of a project's tasks: their number per column day by day, and their times once begun, walked back from their current column
// by the steps the server remembers.

import type { ColumnKind, TaskRow } from '../../sync/rows/rows.ts';
import { type LiveResult, useResult } from '../../sync/use-result.ts';
import type { Metrics } from './metrics.ts';

export interface TaskFlow {
  /** 30 days, UTC. */
  readonly days: readonly string[];
  /** Also those that are no more; of what kind each was on each day. */
  readonly columns: readonly { readonly id: string; readonly kinds: readonly ColumnKind[] }[];
  /** Side by side, the latest first: whose step it was, on which of the days, and from which of the columns; -1: it was not here before. */
  readonly steps: {
    readonly numbers: readonly number[];
    readonly days: readonly number[];
    readonly from: readonly number[];
  };
  readonly cycles: { readonly numbers: readonly number[]; readonly days: readonly number[] };
}

export function useTaskFlow(projectId: string): LiveResult<TaskFlow> {
  return useResult<TaskFlow>('task_flow', { project_id: projectId });
}

/** Of several projects, by their ids. */
export function useTaskFlows(projectIds: readonly string[]): LiveResult<Readonly<Record<string, TaskFlow>>> {
  return useResult('task_flows', { project_ids: projectIds });
}

type Flow = Pick<Metrics, 'cumulative_flow' | 'cycle_time_days'>;

/** `flows`: of the projects the tasks are of, by their ids. */
export function flowOf(tasks: readonly TaskRow[], flows: Readonly<Record<string, TaskFlow>>): Flow {
  const each = Object.entries(flows).map(([id, flow]) =>
    walkBack(
      tasks.filter(({ project_id }) => project_id === id),
      flow,
    ),
  );
  const took = each.flatMap((one) => one.took);
  return {
    cumulative_flow: (each[0]?.days ?? []).map((day, at) => ({
      day,
      ...each.reduce((sum, { held }) => added(sum, held[at] ?? nothing), nothing),
    })),
    cycle_time_days: { p50: shareOf(took, 0.5), p90: shareOf(took, 0.9) },
  };
}

type Held = typeof nothing;

const added = (one: Held, other: Held): Held => ({
  backlog: one.backlog + other.backlog,
  todo: one.todo + other.todo,
  in_progress: one.in_progress + other.in_progress,
  done: one.done + other.done,
  custom: one.custom + other.custom,
});

/** How many of a project's tasks stood in columns of each kind on each day, and how long those that are done took. */
function walkBack(tasks: readonly TaskRow[], flow: TaskFlow) {
  const { days, columns, steps, cycles } = flow;
  const places = new Map(columns.map(({ id }, place) => [id, place]));
  const held = days.map(() => ({ backlog: 0, todo: 0, in_progress: 0, done: 0, custom: 0 }));
  const stepsOf = new Map<number, number[]>();
  steps.numbers.forEach((number, at) => {
    const mine = stepsOf.get(number);
    if (mine) mine.push(at);
    else stepsOf.set(number, [at]);
  });
  for (const { number, column_id, created_at } of tasks) {
    const mine = stepsOf.get(number ?? -1) ?? [];
    const born = created_at.slice(0, 10);
    let place = places.get(column_id) ?? -1;
    let next = 0;
    for (let day = days.length - 1; day >= 0 && born <= (days[day] ?? ''); day -= 1) {
      for (let at = mine[next]; at !== undefined && (steps.days[at] ?? 0) > day; at = mine[++next])
        place = steps.from[at] ?? -1;
      const [counts, kind] = [held[day], columns[place]?.kinds[day]];
      if (counts && kind) counts[kind] += 1;
    }
  }
  const wanted = new Set(tasks.map(({ number }) => number));
  const took = cycles.days.filter((_, at) => wanted.has(cycles.numbers[at] ?? -1));
  return { days, held, took };
}

const nothing = { backlog: 0, todo: 0, in_progress: 0, done: 0, custom: 0 };

/** As the server does: between the two that are nearest. */
export function shareOf(days: readonly number[], share: number): number | null {
  if (days.length === 0) return null;
  const sorted = days.toSorted((one, other) => one - other);
  const place = share * (sorted.length - 1);
  const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}
