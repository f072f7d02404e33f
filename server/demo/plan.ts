// Plan of a sample project: days of its tasks, dependencies and recurrences. Days are working days counted from today, so the plan is always under
// way.

import type { ApiClient } from './api-client.ts';
import type { Course } from './timeline.ts';
import type { DemoProject } from './workspace.ts';

export interface Days {
  readonly start_date: string | null;
  readonly due_date: string | null;
}

/** So many working days after today; today is the next working day where it is none. */
export function workday(now: Date, offset: number): string {
  const at = new Date(now);
  const step = (days: number): void => {
    do at.setUTCDate(at.getUTCDate() + days);
    while (isFree(at));
  };
  if (isFree(at)) step(1);
  for (let left = Math.abs(offset); left > 0; left -= 1) step(Math.sign(offset));
  return at.toISOString().slice(0, 10);
}

const isFree = (date: Date): boolean => date.getUTCDay() % 6 === 0;

/** The days of a task: those of the plan, else those of its course. */
export function daysOf(plan: DemoProject, place: number, { start, due }: Course, now: Date): Days {
  const [, from, to] = plan.days.find(([task]) => task === place) ?? [];
  if (from !== undefined && to !== undefined) return { start_date: workday(now, from), due_date: workday(now, to) };
  if (plan.monthly.includes(place)) return { start_date: null, due_date: firstOfNextMonth(now) };
  return { start_date: start, due_date: due };
}

function firstOfNextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}

/** What waits for what, and the rules of what comes again. */
export async function keepPlan(
  plan: DemoProject,
  project_id: string,
  taskIds: readonly string[],
  owner: ApiClient,
): Promise<void> {
  const links = plan.waits.map(([before, after, lag_days = 0]) => ({
    project_id,
    predecessor_id: taskIds[before],
    successor_id: taskIds[after],
    lag_days,
  }));
  await owner.post('/rest/v1/task_dependencies', links);
  const rules = plan.monthly.map((task) => ({
    task_id: taskIds[task],
    rule: 'FREQ=MONTHLY;BYMONTHDAY=1',
    lead_days: 5,
  }));
  if (rules.length > 0) await owner.post('/rest/v1/task_recurrences', rules);
}
