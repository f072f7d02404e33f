// Hooks for live changes: their state, incoming changes, and projects lost since this page began.

import { useEffect, useSyncExternalStore } from 'react';
import type { ChangeWatch } from '../sync/live/incoming-changes.ts';
import type { LiveState } from '../sync/live/live.ts';
import type { LostProject } from '../sync/live/lost-projects.ts';
import { useSync } from '../sync/react.tsx';

export type { ChangeWatch } from '../sync/live/incoming-changes.ts';
export type { LostProject } from '../sync/live/lost-projects.ts';
export type { RowChange } from '../sync/rows/store.ts';

export function useLiveState(): LiveState {
  const { live } = useSync();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** What became of a project that is not here any more; null where nothing is known of it. */
export function useLostProject(projectId: string): LostProject | null {
  const { live } = useSync();
  return useSyncExternalStore(live.subscribe, () => live.lostProject(projectId));
}

/** `watch` stays the same from one picture to the next. */
export function useIncomingChanges(watch: ChangeWatch): void {
  const { live } = useSync();
  useEffect(() => live.watch(watch), [live, watch]);
}
