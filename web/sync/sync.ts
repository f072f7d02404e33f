// The local world of one signed-in person, assembled: store, journal, watch, snapshots over one door.
// Screens reach it through queries.ts and commands.ts only.

import type { Door } from './door.ts';
import { dataOf } from './door.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { fetchScope } from './scopes.ts';
import { sendTo } from './send.ts';
import { openSnapshots } from './snapshots.ts';
import { Store } from './store.ts';
import type { Watch } from './watch.ts';
import { startWatch } from './watch.ts';

export interface Sync {
  readonly userId: string;
  readonly store: Store;
  readonly journal: Journal;
  readonly watch: Watch;
  /** A procedure by name: for reads and for writes that only the server can make. */
  call<T>(procedure: string, args: Record<string, unknown>): Promise<T>;
  /** What a procedure last said, kept on this device until signing out. */
  remember(name: string, data: unknown): Promise<void>;
  recall<T>(name: string): Promise<T | null>;
  /** Ends everything; nothing of this person stays in memory. */
  close(): void;
}

export interface RunningSync extends Sync {
  /** Wipes what this device remembers. */
  forget(): Promise<void>;
}

export function openSync(door: Door, userId: string): RunningSync {
  const store = new Store();
  const journal = openJournal(store, sendTo(door));
  const snapshots = openSnapshots(store);
  const watch = startWatch({
    fetch: (scope) => fetchScope(door, store, scope),
    load: (scope, wanted) => snapshots.load(userId, scope, wanted),
    save: (scope) => snapshots.save(userId, scope),
    busy: () => journal.busy,
    page: window,
    visible: () => document.visibilityState === 'visible',
    clock: () => Date.now(),
  });
  // Leaving the page sends what is held; while anything is on its way the browser asks before it lets go of it.
  const leave = (event: BeforeUnloadEvent): void => {
    journal.flush();
    if (journal.busy) event.preventDefault();
  };
  const flush = (): void => journal.flush();
  const retry = (): void => journal.retry();
  window.addEventListener('online', retry);
  window.addEventListener('focus', retry);
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', flush);
  return {
    userId,
    store,
    journal,
    watch,
    call: async <T>(procedure: string, args: Record<string, unknown>) => dataOf(await door.rpc(procedure, args)) as T,
    remember: (name, data) => snapshots.saveAnswer(userId, name, data),
    recall: <T>(name: string) => snapshots.loadAnswer<T>(userId, name),
    close() {
      window.removeEventListener('online', retry);
      window.removeEventListener('focus', retry);
      window.removeEventListener('beforeunload', leave);
      window.removeEventListener('pagehide', flush);
      watch.stop();
      journal.clear();
      store.clear();
    },
    forget: () => snapshots.forget(),
  };
}
