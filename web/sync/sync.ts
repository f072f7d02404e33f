// The local world of one signed-in person, assembled: store, journal, watch, snapshots over one door.
// Screens reach it through queries.ts and commands.ts only.

import type { Door } from './door.ts';
import { dataOf } from './door.ts';
import { newId } from './ids.ts';
import type { Deed, Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { forgetKept, keptName } from './kept.ts';
import { fetchScope } from './scopes.ts';
import { sendTo } from './send.ts';
import { forgetSnapshots, openSnapshots } from './snapshots.ts';
import type { RowChange } from './store.ts';
import { Store } from './store.ts';
import type { Unsent } from './unsent.ts';
import { openUnsent } from './unsent.ts';
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
  /** Whether something this person did, here or in another window, has not arrived. */
  readonly owing: boolean;
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function openSync(door: Door, userId: string): RunningSync {
  const store = new Store();
  const unsent: Unsent = openUnsent(userId, { storage: localStorage, locks: navigator.locks, window: newId() });
  const journal = openJournal(store, sendTo(door), unsent);
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
  const resume = (deed: Deed): void => {
    const done = (): void => {
      // What the page asked for at its start may be older than this.
      if (!journal.busy) void watch.refresh();
    };
    journal.resume(deed).then(done, done);
  };
  // What the server told one window it told all of them.
  const windows = new BroadcastChannel(keptName(userId, 'rows'));
  windows.onmessage = ({ data }: MessageEvent<readonly RowChange[]>) => store.receive(data);
  journal.subscribe((news) => {
    if (news.kind === 'kept' && news.rows.length > 0) windows.postMessage(news.rows);
  });
  // Leaving the page sends what is held. What does not arrive any more is sent by the next page; only where this device could
  // not keep it, the browser asks before it lets go of it.
  const leave = (event: BeforeUnloadEvent): void => {
    journal.flush();
    if (journal.busy && !unsent.safe) event.preventDefault();
  };
  const flush = (): void => journal.flush();
  const retry = (): void => journal.retry();
  window.addEventListener('online', retry);
  window.addEventListener('focus', retry);
  window.addEventListener('beforeunload', leave);
  window.addEventListener('pagehide', flush);
  unsent.recover(resume);
  return {
    userId,
    store,
    journal,
    watch,
    // What is due depends on the day it is here.
    call: async <T>(procedure: string, args: Record<string, unknown>) =>
      dataOf(await door.rpc(procedure, args).setHeader('Prefer', `timezone=${timeZone}`)) as T,
    remember: (name, data) => snapshots.saveAnswer(userId, name, data),
    recall: <T>(name: string) => snapshots.loadAnswer<T>(userId, name),
    close() {
      window.removeEventListener('online', retry);
      window.removeEventListener('focus', retry);
      window.removeEventListener('beforeunload', leave);
      window.removeEventListener('pagehide', flush);
      watch.stop();
      journal.clear();
      unsent.close();
      windows.close();
      store.clear();
    },
    get owing() {
      return journal.trouble !== null || unsent.any;
    },
  };
}

/** Wipes what this device remembers of someone. */
export async function forgetPerson(userId: string): Promise<void> {
  forgetKept(localStorage, userId);
  await forgetSnapshots();
}
