// The tasks of a view across projects that have a day, as the server is asked for them, and beside them the open ones that have none.

import { useMemo } from 'react';
import { type Condition, type Group, noFilter, type Part, type Sorting } from '../../../contract/views.ts';
import { type Found, tasksByIds, useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import { type SourceState, type TaskRow, useQuery } from '../../queries.ts';

export interface PlannedAcross {
  /** What was found with a day; null: there is no answer yet. */
  readonly found: Found | null;
  readonly state: SourceState;
  readonly dated: readonly TaskRow[];
  readonly undated: readonly TaskRow[];
  /** Without a day there are so many; not all of them need be here. */
  readonly waiting: number;
}

/** `withDay` says which of those with a day are wanted. */
export function usePlannedAcross(filter: Group, withDay: Part, sort: readonly Sorting[] = []): PlannedAcross {
  const named = JSON.stringify(withDay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for the days
  const onDays = useMemo(() => narrowed(filter, withDay), [filter, named]);
  const onNone = useMemo(() => narrowed(filter, ...without), [filter]);
  const { data: found, state } = useFoundTasks(onDays, sort);
  const { data: others } = useFoundTasks(onNone, unsorted);
  const ids = useMemo(() => [...new Set([...(found?.ids ?? []), ...(others?.ids ?? [])])], [found, others]);
  const tasks = useQuery(tasksByIds, ids);
  return useMemo(() => {
    const isDated = (task: TaskRow): boolean => task.start_date !== null || task.due_date !== null;
    const undated = tasks.filter((task) => !isDated(task) && task.completed_at === null);
    return {
      found,
      state,
      dated: tasks.filter(isDated),
      undated,
      waiting: Math.max(others?.total ?? 0, undated.length),
    };
  }, [tasks, found, state, others]);
}

const unsorted = [] as const;

export const dayIs = (property: 'start_date' | 'due_date', is: Condition['is'], value?: string): Condition => ({
  property,
  is,
  ...(value === undefined ? {} : { value }),
});

function narrowed(filter: Group, ...more: readonly Part[]): Group {
  return { all: [...(filter === noFilter ? [] : [filter]), ...more] };
}

const without: readonly Part[] = [
  dayIs('start_date', 'empty'),
  dayIs('due_date', 'empty'),
  { property: 'completed_at', is: 'empty' },
];
