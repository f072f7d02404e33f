// Live rows: changes by others, and presence. The parts are fetched and started once the first screen stands (live-parts.ts); until then
// this reports that nothing is live, and remembers the activity of this window.

import type { Refetch } from '../rows/refetch.ts';
import type { ChangeWatch } from './incoming-changes.ts';
import type { LiveState } from './live.ts';
import type { LiveParts, LiveRowsPorts } from './live-parts.ts';
import type { LostProject } from './lost-projects.ts';
import type { Doing, Own, Present } from './presence.ts';

const nobody: readonly Present[] = [];

export function openLiveRows(ports: LiveRowsPorts) {
  let parts: LiveParts | null = null;
  let closed = false;
  const listeners = new Set<() => void>();
  const watches = new Set<ChangeWatch>();
  const own: Own = new Map();
  const onChange = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    state: (): LiveState => parts?.live.state ?? 'starting',
    isLive: (name: string): boolean => parts?.live.isLive(name) ?? false,
    /** Hears when anything here may have changed. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** What became of a project that is out of reach since this page began. */
    lostProject: (projectId: string): LostProject | null => parts?.lostProjects.find(projectId) ?? null,
    forgetProject: (projectId: string): void => parts?.lostProjects.forget(projectId),
    /** Others who look at a project; the same list until something changes. */
    others: (projectId: string): readonly Present[] => parts?.presence.others(projectId) ?? nobody,
    /** What this window is at: null when it is not any more. */
    say(projectId: string, doing: Doing, of: string | null): void {
      // Everyone in the project hears it: of a restricted task nothing is said.
      const task = ports.store.get('tasks', of ?? '');
      const taskId = task?.is_restricted === true || (task?.audience_id ?? null) !== null ? null : of;
      const { [doing]: old, ...rest } = own.get(projectId) ?? {};
      if ((old ?? null) === taskId) return;
      const now = taskId === null ? rest : { ...rest, [doing]: taskId };
      if (Object.keys(now).length === 0) own.delete(projectId);
      else own.set(projectId, now);
      parts?.presence.tell(projectId);
    },
    watch(watch: ChangeWatch): () => void {
      watches.add(watch);
      return () => watches.delete(watch);
    },
    get catchUp(): LiveParts['catchUp'] | null {
      return parts?.catchUp ?? null;
    },
    async start(refetch: Refetch): Promise<void> {
      const { openLiveParts } = await import('./live-parts.ts');
      if (!closed) parts = openLiveParts({ ...ports, refetch, own, watches, onChange });
    },
    close(): void {
      closed = true;
      parts?.close();
    },
  };
}
