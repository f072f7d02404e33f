// Hooks for live changes: their state, arrivals, and projects lost since this page began.

import { useEffect, useSyncExternalStore } from 'react';
import type { ArrivalWatch } from '../sync/live/arrivals.ts';
import type { Departure } from '../sync/live/departures.ts';
import type { LiveState } from '../sync/live/live.ts';
import { useSync } from '../sync/react.tsx';

export type { ArrivalWatch } from '../sync/live/arrivals.ts';
export type { Departure } from '../sync/live/departures.ts';
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
export function useArrivals(watch: ArrivalWatch): void {
  const { live } = useSync();
  useEffect(() => live.watch(watch), [live, watch]);
}
