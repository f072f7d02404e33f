// Presence of others: on a project, at a task, writing. Hooks beside it announce the activity of this window.

import { useEffect, useSyncExternalStore } from 'react';
import type { Doing, Present } from '../../sync/live/presence.ts';
import { useQuery, useSync } from '../../sync/react.tsx';
import { type Person, peopleOf } from './people.ts';

export type { Doing } from '../../sync/live/presence.ts';

/** Others who look at a project now. */
export function usePresent(projectId: string): readonly Person[] {
  const { live } = useSync();
  const others = useSyncExternalStore(live.subscribe, () => live.others(projectId));
  return useQuery(peopleOf, others.map(({ userId }) => userId).join());
}

/** Others who are at a task in one of these ways. */
export function useOthersAt(projectId: string, taskId: string, ...doing: readonly Doing[]): readonly Person[] {
  const { live } = useSync();
  const named = doing.join();
  const ids = useSyncExternalStore(live.subscribe, () => idsAt(live.others(projectId), taskId, named));
  return useQuery(peopleOf, ids);
}

/** As a text: what says the same draws nothing again. */
function idsAt(others: readonly Present[], taskId: string, doing: string): string {
  if (others.length === 0) return '';
  const wanted = doing.split(',');
  return others
    .filter(({ tasks }) => tasks.get(taskId)?.some((one) => wanted.includes(one)))
    .map(({ userId }) => userId)
    .join();
}

/** Tells the others what this window is at, while the component is there. */
export function useSayPresence(projectId: string, doing: Doing, taskId: string | null): void {
  const { live } = useSync();
  useEffect(() => {
    live.say(projectId, doing, taskId);
    return () => live.say(projectId, doing, null);
  }, [live, projectId, doing, taskId]);
}

/** For what begins and ends with a hand or a key. */
export function useTellPresence(): (projectId: string, doing: Doing, taskId: string | null) => void {
  const { live } = useSync();
  return live.say;
}
