// The parts that live rows are made of, put together. None of them is needed for the first screen.

import type { Door } from '../door.ts';
import { newId } from '../rows/ids.ts';
import type { Refetch } from '../rows/refetch.ts';
import { type Scope, scopeName } from '../rows/scopes.ts';
import type { Store } from '../rows/store.ts';
import { catchUp } from './catch-up.ts';
import { type Departures, openDepartures } from './departures.ts';
import { type ChangeWatch, openIncomingChanges } from './incoming-changes.ts';
import { type Live, openLive } from './live.ts';
import { type OpenPresence, type Own, openPresence } from './presence.ts';

export interface LiveParts {
  readonly live: Live;
  readonly departures: Departures;
  readonly presence: OpenPresence;
  readonly catchUp: typeof catchUp;
  close(): void;
}

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

export function openLiveParts({
  door,
  userId,
  store,
  refresh,
  refetch,
  own,
  watches,
  onChange,
}: PartsPorts): LiveParts {
  const departures = openDepartures(store, onChange, (projectId) => {
    refetch.renew(scopeName({ kind: 'project', projectId }));
    refresh();
  });
  const presence = openPresence({
    userId,
    own,
    isShown: (id) => store.get('profiles', id)?.shows_presence !== false,
    onShown: (listener) => store.watch('profiles', listener),
    onChange,
  });
  const receive = openIncomingChanges({
    userId,
    store,
    departures,
    refresh,
    announce(changes) {
      for (const watch of watches) watch.hear(changes);
    },
  });
  const live: Live = openLive({
    door,
    userId,
    refetch,
    receive,
    onBegin: () => store.beginLive(),
    onChange,
    presence,
    isHeld: () => [...watches].some((watch) => watch.isHeld()),
    window: newId(),
  });
  return {
    live,
    departures,
    presence,
    catchUp,
    close() {
      live.close();
      presence.close();
      departures.close();
    },
  };
}
