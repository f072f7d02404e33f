// The calendar of a view across projects: the server is asked for what lies on the days that are shown, and for what has no day yet.

import { type ReactNode, useMemo } from 'react';
import { type Condition, type Group, noFilter, type Part } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { mostFound, tasksByIds, useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import { type TaskRow, useQuery, useScope, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Loading, Notice } from '../../ui/state.tsx';
import { useSceneAcross } from '../planning/scene.ts';
import { FailedScope } from '../project/failed-scope.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import { CalendarDays } from './calendar-days.tsx';
import { shownDays, useCalendarPlace } from './calendar-place.ts';

interface CalendarAcrossProps {
  readonly handle: ViewHandle;
  /** What else stands beside the filter. */
  readonly children: ReactNode;
}

export default function CalendarAcross({ handle, children }: CalendarAcrossProps) {
  const userId = useUserId();
  const today = useToday();
  const place = useCalendarPlace();
  const scene = useSceneAcross(today, place.day);
  // The columns of all projects, of which a new task needs one.
  useScope({ kind: 'mine', userId });
  const { first, last } = shownDays(place.show, place.day);
  const onDays = useMemo(() => lyingOn(handle.filter, first, last), [handle.filter, first, last]);
  const onNone = useMemo(() => withoutDay(handle.filter), [handle.filter]);
  const found = useFoundTasks(onDays, unsorted);
  const waiting = useFoundTasks(onNone, unsorted);
  const ids = useMemo(
    () => [...new Set([...(found.data?.ids ?? []), ...(waiting.data?.ids ?? [])])],
    [found.data, waiting.data],
  );
  const tasks = useQuery(tasksByIds, ids);
  const planned = useMemo(() => {
    const isDated = (task: TaskRow): boolean => task.start_date !== null || task.due_date !== null;
    return {
      dated: tasks.filter(isDated),
      undated: tasks.filter((task) => !isDated(task) && task.completed_at === null),
    };
  }, [tasks]);
  const total = found.data?.total ?? 0;
  const undated = Math.max(waiting.data?.total ?? 0, planned.undated.length);
  return (
    <>
      <FilterBar projectId="" handle={handle} shown={Math.min(total, mostFound)} total={total} dense={false}>
        {children}
      </FilterBar>
      <FailedScope state={found.state} />
      {total > mostFound && <Notice tone="warn">{t('views.tooMany', { n: mostFound, all: total })}</Notice>}
      {found.data === null && found.state.phase !== 'failed' ? (
        <Loading label={t('common.loading')} />
      ) : (
        <CalendarDays scene={scene} place={place} planned={planned} undated={undated} />
      )}
    </>
  );
}

const unsorted = [] as const;

const said = (property: 'start_date' | 'due_date', is: Condition['is'], value?: string): Condition => ({
  property,
  is,
  ...(value === undefined ? {} : { value }),
});

function narrowed(filter: Group, ...more: readonly Part[]): Group {
  return { all: [...(filter === noFilter ? [] : [filter]), ...more] };
}

/** With one date a task lies on that day; with both on all between. */
function lyingOn(filter: Group, first: string, last: string): Group {
  const within = (property: 'start_date' | 'due_date', other: 'start_date' | 'due_date'): Part => ({
    all: [said(other, 'empty'), said(property, 'on_or_after', first), said(property, 'on_or_before', last)],
  });
  return narrowed(filter, {
    any: [
      { all: [said('start_date', 'on_or_before', last), said('due_date', 'on_or_after', first)] },
      within('due_date', 'start_date'),
      within('start_date', 'due_date'),
    ],
  });
}

function withoutDay(filter: Group): Group {
  return narrowed(filter, said('start_date', 'empty'), said('due_date', 'empty'), {
    property: 'completed_at',
    is: 'empty',
  });
}
