// Archived tasks of all projects, latest first.

import { useCallback, useEffect, useState } from 'react';
import { type Query, useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Sync } from '../../sync/sync.ts';
import { taskKey } from './tasks.ts';

/** So many are asked for at once. */
export const mostArchived = 500;

export const archivedTasksOf: Query<[projectId: string, words: string], TaskRow[]> = {
  read(store, projectId, words) {
    const wanted = words.trim().toLocaleLowerCase();
    return store
      .all('tasks')
      .filter(
        (task) =>
          task.archived_at !== null &&
          (projectId === '' || task.project_id === projectId) &&
          `${taskKey(store.get('projects', task.project_id), task)} ${task.title}`.toLocaleLowerCase().includes(wanted),
      )
      .sort((one, other) => Date.parse(other.archived_at ?? '') - Date.parse(one.archived_at ?? ''));
  },
};

export async function fetchArchived({ call, store }: Pick<Sync, 'call' | 'store'>): Promise<void> {
  const since = store.now();
  store.merge('tasks', await call('archived_tasks', { max_rows: mostArchived }), since);
}

/** Fetches them; their rows are then known here. */
export function useArchivedTasks(): { readonly phase: 'waiting' | 'known' | 'failed'; readonly again: () => void } {
  const sync = useSync();
  const [phase, setPhase] = useState<'waiting' | 'known' | 'failed'>('waiting');
  const [asked, setAsked] = useState(0);
  useEffect(() => sync.hold((table, row) => table === 'tasks' && (row as TaskRow).archived_at !== null), [sync]);
  const again = useCallback(() => setAsked((times) => times + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when one asks again
  useEffect(() => {
    let wanted = true;
    setPhase('waiting');
    fetchArchived(sync).then(
      () => wanted && setPhase('known'),
      () => wanted && setPhase('failed'),
    );
    return () => {
      wanted = false;
    };
  }, [sync, asked]);
  return { phase, again };
}
