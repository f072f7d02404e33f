// Live rows: changes by others, and presence. The parts are fetched and started once the first screen stands (live-parts.ts); until then
// this reports that nothing is live, and remembers the activity of this window.

import type { Refetch } from '../rows/refetch.ts';
import type { Departure, Departures } from './departures.ts';
import type { ChangeWatch } from './incoming-changes.ts';
import type { LiveState } from './live.ts';
import type { LiveParts, LiveRowsPorts } from './live-parts.ts';
import type { Doing, Own, Present } from './presence.ts';

export interface LiveRows {
  state(): LiveState;
  isLive(name: string): boolean;
  /** Hears when anything here may have changed. */
  subscribe(listener: () => void): () => void;
  /** What became of a project that is out of reach since this page began. */
  departure(projectId: string): Departure | null;
  leaveQuietly: Departures['leaveQuietly'];
  /** Others who look at a project; the same list until something changes. */
  others(projectId: string): readonly Present[];
  /** What this window is at: null when it is not any more. */
  say(projectId: string, doing: Doing, taskId: string | null): void;
  watch(watch: ChangeWatch): () => void;
  readonly catchUp: LiveParts['catchUp'] | null;
}

const nobody: readonly Present[] = [];

export function openLiveRows(ports: LiveRowsPorts) {
  let parts: LiveParts | null = null;
  let closed = false;
  const listeners = new Set<() => void>();
  const watches = new Set<ChangeWatch>();
  const own: Own = new Map();
  const rows: LiveRows & { start(refetch: Refetch): Promise<void>; close(): void } = {
    state: () => parts?.live.state ?? 'starting',
    isLive: (name) => parts?.live.isLive(name) ?? false,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    departure: (projectId) => parts?.departures.of(projectId) ?? null,
    leaveQuietly: (projectId) => parts?.departures.leaveQuietly(projectId),
    others: (projectId) => parts?.presence.others(projectId) ?? nobody,
    say(projectId, doing, taskId) {
      const { [doing]: old, ...rest } = own.get(projectId) ?? {};
      if ((old ?? null) === taskId) return;
      const now = taskId === null ? rest : { ...rest, [doing]: taskId };
      if (Object.keys(now).length === 0) own.delete(projectId);
      else own.set(projectId, now);
      parts?.presence.tell(projectId);
    },
    watch(watch) {
      watches.add(watch);
      return () => watches.delete(watch);
    },
    get catchUp() {
      return parts?.catchUp ?? null;
    },
    async start(refetch) {
      const { openLiveParts } = await import('./live-parts.ts');
      if (closed) return;
      parts = openLiveParts({
        ...ports,
        refetch,
        own,
        watches,
        onChange() {
          for (const listener of listeners) listener();
        },
      });
    },
    close() {
      closed = true;
      parts?.close();
    },
  };
  return rows;
}
