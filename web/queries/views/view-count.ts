// Number of tasks that a saved view finds: counted by the server, since their rows need not be here, and again when tasks change.

import { useMemo, useSyncExternalStore } from 'react';
import { settleFilter } from '../../../contract/read-view.ts';
import { dataOf } from '../../sync/door.ts';
import { useSource, useSync } from '../../sync/react.tsx';
import type { SavedViewRow } from '../../sync/rows/rows.ts';
import { useToday } from '../days/today.ts';
import { askTasks, figuresOf } from '../tasks/found-tasks.ts';
import { viewIn } from './view-in.ts';

/** Null: not known yet. What this device remembers stands until the server has answered. */
export function useViewCount(view: SavedViewRow): number | null {
  const { door, userId, results, refetch, firstScreen } = useSync();
  const today = useToday();
  const { id, project_id: projectId } = view;
  const filter = settleFilter(viewIn(view).filter, today, userId);
  const named = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` stands for the filter
  const source = useMemo(
    () =>
      results.sourceOf({
        name: `count ${id} ${named}`,
        // What was found yesterday, or before the filter changed, is close to what is found now.
        savedAs: `count ${id}`,
        about: figuresOf(filter, projectId ?? undefined),
        async ask() {
          await firstScreen;
          const answer = await (projectId === null
            ? askTasks(door, ['id', 'project:projects!inner()'], filter, true).is('project.archived_at', null)
            : askTasks(door, ['id'], filter, true).eq('project_id', projectId));
          dataOf(answer);
          return answer.count;
        },
      }),
    [door, results, firstScreen, id, projectId, named],
  );
  useSource(source);
  return useSyncExternalStore(refetch.subscribe, () => results.latest(source.name)) as number | null;
}
