// The parts that live rows are made of, put together. None of them is needed for the first screen.

import type { Door } from '../door.ts';
import { isGuestIn } from '../rows/guests.ts';
import { newId } from '../rows/ids.ts';
import type { Refetch } from '../rows/refetch.ts';
import { type Scope, scopeName } from '../rows/scopes.ts';
import type { RowChange, Store } from '../rows/store.ts';
import { catchUp } from './catch-up.ts';
import { type ChangeWatch, openIncomingChanges } from './incoming-changes.ts';
import { openLive } from './live.ts';
import { openLostProjects } from './lost-projects.ts';
import { type Own, openPresence } from './presence.ts';

export interface LiveRowsPorts {
  readonly door: Door;
  readonly userId: string;
  readonly store: Store;
  readonly refresh: (scope?: Scope) => void;
}

interface PartsPorts extends LiveRowsPorts {
  readonly refetch: Refetch;
  /** What this window is at. */
  readonly own: Own;
  readonly watches: ReadonlySet<ChangeWatch>;
  readonly onChange: () => void;
}

export type LiveParts = ReturnType<typeof openLiveParts>;

export function openLiveParts({ door, userId, store, refresh, refetch, own, watches, onChange }: PartsPorts) {
  const lostProjects = openLostProjects(store, onChange, (projectId) => {
    refetch.reset(scopeName({ kind: 'project', projectId }));
    refresh();
  });
  const isShown = (id: string): boolean => store.get('profiles', id)?.shows_presence !== false;
  const onShown = (listener: () => void): (() => void) => store.watch('profiles', listener);
  const presence = openPresence({ userId, own, isShown, onShown, onChange });
  const announce = (changes: readonly RowChange[]): void => {
    for (const watch of watches) watch.beforeShown(changes);
  };
  const receive = openIncomingChanges({ userId, store, lostProjects, refresh, announce });
  const live = openLive({
    ...{ door, refetch, receive, onChange, presence, window: newId() },
    follower: { userId, isGuestIn: (projectId) => isGuestIn(store, userId, projectId) },
    onBegin: () => store.beginLive(),
    isHeld: () => [...watches].some((watch) => watch.isHeld()),
  });
  const followAgain = (): void => live.follow();
  const unwatch = (['task_grants', 'group_grants', 'group_members', 'project_members'] as const).map((table) =>
    store.watch(table, followAgain),
  );
  return {
    ...{ live, lostProjects, presence, catchUp },
    close(): void {
      for (const stop of unwatch) stop();
      live.close();
      presence.close();
      lostProjects.close();
    },
  };
}
