// Other projects as targets of a move, and the consequences of a move.

import { useCallback } from 'react';
import { compareWords } from '../../strings/compare-words.ts';
import type { MoveForeseen } from '../../sync/procedures.ts';
import { type Query, useSync } from '../../sync/react.tsx';
import type { ProjectRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Sync } from '../../sync/sync.ts';
import { mayWrite, roleIn } from '../people/people.ts';
import { noteFormerAddress } from '../tasks/references.ts';

export type { MoveForeseen };

/** Those I may write in, without the one the tasks are in, if all are in one. */
export const otherProjectsOf: Query<[userId: string, taskIds: string], ProjectRow[]> = {
  read(store, userId, taskIds) {
    const from = new Set(taskIds.split(',').map((id) => store.get('tasks', id)?.project_id));
    return store
      .all('projects')
      .filter(({ id, archived_at }) => archived_at === null && mayWrite(roleIn.read(store, id, userId)))
      .filter(({ id }) => from.size > 1 || !from.has(id))
      .sort((one, other) => compareWords(one.name, other.name));
  },
};

/** Asks the server, now: what it answers is true until somebody changes something. */
export function useForesee(): (taskIds: readonly string[], projectId: string) => Promise<MoveForeseen> {
  const { call } = useSync();
  return useCallback(
    (taskIds, projectId) => call('foresee_move_to_project', { task_ids: taskIds, project_id: projectId }),
    [call],
  );
}

/** The task that has this address, or had it before it went to another project: known here from then on, if one may see it. */
export async function findTaskAt(
  { call, store }: Pick<Sync, 'call' | 'store'>,
  project_id: string,
  number: number,
): Promise<TaskRow | null> {
  const since = store.now();
  const [row] = await call('task_at', { project_id, number });
  if (row === undefined) return null;
  if (row.project_id !== project_id || row.number !== number) noteFormerAddress(store, project_id, number, row.id);
  store.merge('tasks', [row], since);
  return row;
}

export function useTaskAt(): (projectId: string, number: number) => Promise<TaskRow | null> {
  const sync = useSync();
  return useCallback((projectId, number) => findTaskAt(sync, projectId, number), [sync]);
}
