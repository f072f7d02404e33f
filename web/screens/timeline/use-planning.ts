// Gives a task other days, and what waits for it too: along with it where that was asked for, else offered afterwards. What moves together
// is one batch and one step to take back.

import { useCallback, useState } from 'react';
import { planTasks, useAct } from '../../commands.ts';
import { waitingFor } from '../../queries/views/schedule.ts';
import { type Dates, moved, spanOf, spanWith } from '../../queries/views/spans.ts';
import { type TaskRow, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { announce } from '../../ui/announcer.tsx';
import type { PlanContext } from '../planning/plan-context.ts';

/** What could move along with what was moved. */
export interface Offer {
  readonly key: string;
  readonly taskIds: readonly string[];
  readonly days: number;
}

export interface Planning {
  plan(task: TaskRow, dates: Dates | null): void;
  readonly offer: Offer | null;
  /** Moves them too, or lets them be. */
  answer(yes: boolean): void;
}

export function usePlanning(planContext: PlanContext, along: boolean): Planning {
  const store = useReader();
  const act = useAct();
  const [offer, setOffer] = useState<Offer | null>(null);

  const datesOf = useCallback(
    (taskIds: readonly string[], days: number) =>
      taskIds.flatMap((id) => {
        const task = store.get('tasks', id);
        const dates = task && moved(task, days);
        return dates ? [{ id, dates }] : [];
      }),
    [store],
  );

  const plan = useCallback(
    (task: TaskRow, dates: Dates | null): void => {
      if (dates === null || !planContext.mayPlan(task)) return;
      const [before, then] = [spanOf(task), spanWith(task, dates)];
      // What waits for a task waits for its end.
      const days = before && then ? then.to - before.to : 0;
      const links = store.where('task_dependencies', 'project_id', task.project_id);
      const taskIds = (days === 0 ? [] : waitingFor(links, task.id)).filter((id) => {
        const one = store.get('tasks', id);
        return one !== undefined && one.completed_at === null && one.archived_at === null && spanOf(one) !== null;
      });
      if (taskIds.length === 0 || !along) {
        planContext.plan(task, dates);
        setOffer(taskIds.length === 0 ? null : { key: planContext.keyOf(task), taskIds, days });
        return;
      }
      setOffer(null);
      void act(planTasks, [{ id: task.id, dates }, ...datesOf(taskIds, days)]);
      announce(t('timeline.movedAlong', { key: planContext.keyOf(task), n: taskIds.length }));
    },
    [planContext, along, store, act, datesOf],
  );

  const answer = useCallback(
    (yes: boolean): void => {
      setOffer(null);
      if (!yes || offer === null) return;
      void act(planTasks, datesOf(offer.taskIds, offer.days));
      announce(t('timeline.movedAlong', { key: offer.key, n: offer.taskIds.length }));
    },
    [offer, act, datesOf],
  );
  return { plan, offer, answer };
}
