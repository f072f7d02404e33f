// Number of tasks that a saved view finds: counted by the server, since their rows need not be here, and again when tasks change.

import { useMemo, useSyncExternalStore } from 'react';
import { settleFilter } from '../../../contract/read-view.ts';
import { dataOf } from '../../sync/door.ts';
import { useSource, useSync } from '../../sync/react.tsx';
import type { SavedViewRow } from '../../sync/rows/rows.ts';
import { useToday } from '../days/today.ts';
import { askTasks } from '../tasks/found-tasks.ts';
import { viewIn } from './view-in.ts';

/** Null: not known yet. What this device remembers stands until the server has answered. */
export function useViewCount(view: SavedViewRow): number | null {
  const { door, userId, results, refetch, firstScreen } = useSync();
  const today = useToday();
  const { id, project_id: projectId } = view;
  const named = JSON.stringify(settleFilter(viewIn(view).filter, today, userId));
  const source = useMemo(
    () =>
      results.sourceOf({
        name: `count ${id} ${named}`,
        // What was found yesterday, or before the filter changed, is close to what is found now.
        savedAs: `count ${id}`,
        about: { kind: 'figures', projectId: projectId ?? undefined },
        async ask() {
          await firstScreen;
          const request = askTasks(
            door,
            projectId === null ? ['id', 'project:projects!inner()'] : ['id'],
            JSON.parse(named),
            true,
          );
          const answer = await (projectId === null
            ? request.is('project.archived_at', null)
            : request.eq('project_id', projectId));
          dataOf(answer);
          return answer.count;
        },
      }),
    [door, results, firstScreen, id, projectId, named],
  );
  useSource(source);
  return useSyncExternalStore(refetch.subscribe, () => results.latest(source.name)) as number | null;
}
