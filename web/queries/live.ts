// Hooks for live changes: their state, incoming changes, and projects lost since this page began.

import { useEffect, useSyncExternalStore } from 'react';
import type { Departure } from '../sync/live/departures.ts';
import type { ChangeWatch } from '../sync/live/incoming-changes.ts';
import type { LiveState } from '../sync/live/live.ts';
import { useSync } from '../sync/react.tsx';

export type { Departure } from '../sync/live/departures.ts';
export type { ChangeWatch } from '../sync/live/incoming-changes.ts';
export type { RowChange } from '../sync/rows/store.ts';

export function useLiveState(): LiveState {
  const { live } = useSync();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** What became of a project that is not here any more; null where nothing is known of it. */
export function useDeparture(projectId: string): Departure | null {
  const { live } = useSync();
  return useSyncExternalStore(live.subscribe, () => live.departure(projectId));
}

/** `watch` stays the same from one picture to the next. */
export function useIncomingChanges(watch: ChangeWatch): void {
  const { live } = useSync();
  useEffect(() => live.watch(watch), [live, watch]);
}
