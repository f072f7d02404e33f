// Assembles the sync of one signed-in person: store, journal, refetching, snapshots over one door. Screens reach it through queries.ts and
// commands.ts only.

import { forgetStored, storedName } from './device-storage.ts';
import { asOfHere, type Door, dataOf } from './door.ts';
import type { Commands } from './journal/entries.ts';
import { openJournal } from './journal/journal.ts';
import { openSavedEntries, type TakeOver } from './journal/saved-entries.ts';
import { resend } from './journal/sending.ts';
import { openLiveRows } from './live/live-rows.ts';
import { newId } from './rows/ids.ts';
import { openProjectFetch } from './rows/project-fetch.ts';
import { evictAfter, focusPause, type Source, startRefetch } from './rows/refetch.ts';
import { type Call, openResults } from './rows/results.ts';
import { evict, fetchScope, type Hold, type Scope, scopeName } from './rows/scopes.ts';
import { forgetSnapshots, resultMemory, snapshotOf } from './rows/snapshots.ts';
import { type RowChange, Store } from './rows/store.ts';
import { forgetUploads } from './saved-uploads.ts';

export type Sync = ReturnType<typeof openSync>;

/** Milliseconds after which the first screen stands, mostly. */
const firstScreenWithin = 1000;

export function openSync(door: Door, userId: string, { loadRestore, revert }: Commands) {
  const store = new Store();
  const devicePorts = { storage: localStorage, locks: navigator.locks, window: newId(), loadRestore };
  const saved = openSavedEntries(userId, devicePorts);
  const live = openLiveRows({ door, userId, store, refresh: (scope) => void refresh(scope) });
  const journal = openJournal({
    store,
    send: (entry) => (entry.checksConflicts ? resend(door, entry) : entry.send(door)),
    revert,
    saved,
  });
  // Moments of rows are texts to the store: they come as in all other answers, and in changes.
  const call: Call = async (procedure, args) => dataOf(await door.rpc(procedure, args));
  // What is due depends on the day it is here.
  const callHere: Call = async (procedure, args) =>
    dataOf(await door.rpc(procedure, args).setHeader('Prefer', asOfHere));
  const memory = resultMemory(userId);
  const results = openResults(callHere, memory);
  const refetch = startRefetch({
    busy: () => journal.busy,
    page: window,
    visible: () => document.visibilityState === 'visible',
    clock: () => Date.now(),
    pause,
    isLive: live.isLive,
  });
  const ports = { door, store, call, catchUp: () => live.catchUp };
  const sourceOf = (scope: Scope): Source => ({
    name: scopeName(scope),
    fetch: scope.kind === 'project' ? openProjectFetch(ports, scope) : () => fetchScope(door, store, scope),
    ...snapshotOf(store, userId, scope),
    staysFresh: focusPause,
    about: scope,
  });
  /** Asks again for one scope, or for all that someone looks at. */
  const refresh = (scope?: Scope): Promise<void> => refetch.refresh(scope && ((name) => name === scopeName(scope)));
  const holds = new Set<Hold>();
  const evicting = setInterval(() => void pause().then(() => evict(refetch, store, holds)), evictAfter);
  let starting: ReturnType<typeof setTimeout> | undefined;
  const firstScreen = new Promise<void>((stands) => {
    starting = setTimeout(() => void pause().then(stands), firstScreenWithin);
  });
  // The first screen does not wait for the socket, nor for what it takes.
  void firstScreen.then(() => live.start(refetch));
  const resume: TakeOver = (mutation, entry) => {
    const done = (): void => {
      // What the page asked for at its start may be older than this.
      if (!journal.busy) void refresh();
    };
    journal.resume(mutation, entry).then(done, done);
  };
  // What the server answered one window it answered all of them.
  const windows = new BroadcastChannel(storedName(userId, 'rows'));
  windows.onmessage = ({ data }: MessageEvent<readonly RowChange[]>) => store.receive(data);
  journal.subscribe((event) => {
    if (event.kind !== 'accepted') return;
    if (event.rows.length > 0) windows.postMessage(event.rows);
    // The server writes history with every change, which comes by itself where changes do.
    void refetch.refresh((name) => name.startsWith('task ') && !live.isLive(name));
  });
  // What has come since an answer is remembered, too: by itself, or by what was done here.
  const remember = (): void => {
    if (document.visibilityState === 'visible') return;
    for (const source of refetch.viewed()) if (refetch.state(source.name).phase === 'fresh') void source.save();
  };
  // Leaving the page sends what is held. What does not arrive any more is sent by the next page; only where this device could
  // not keep it, the browser asks before it lets go of it.
  const leave = (event: BeforeUnloadEvent): void => {
    journal.flush();
    if (journal.busy && !saved.safe) event.preventDefault();
  };
  const flush = (): void => journal.flush();
  // What waits is tried again, of this window and of those that have gone meanwhile.
  const retry = (): void => {
    journal.retry();
    saved.recover(resume);
  };
  const listening = new AbortController();
  const { signal } = listening;
  for (const event of ['online', 'focus']) window.addEventListener(event, retry, { signal });
  window.addEventListener('beforeunload', leave, { signal });
  window.addEventListener('pagehide', flush, { signal });
  for (const look of [retry, remember]) document.addEventListener('visibilitychange', look, { signal });
  saved.recover(resume);
  const endings: (() => void)[] = [];
  return {
    /** The door: for files, which are no rows. `call`: a procedure by name, for reads and for writes that only the server can make. */
    ...{ userId, door, call, store, journal, saved, refetch, results, live, sourceOf, refresh },
    /** What this device remembers beside rows. */
    memory,
    /** When it stands: for what must not delay it. */
    firstScreen,
    /** Rows that a screen shows stay here, until the function that comes back is called. */
    hold(one: Hold): () => void {
      holds.add(one);
      return () => holds.delete(one);
    },
    /** What else is to end then. */
    whenClosed: (end: () => void): void => void endings.push(end),
    /** Ends everything; nothing of this person stays in memory. */
    close(): void {
      for (const end of endings) end();
      clearTimeout(starting);
      clearInterval(evicting);
      live.close();
      listening.abort();
      refetch.stop();
      journal.clear();
      saved.close();
      windows.close();
      store.clear();
    },
    /** Whether something this person did, here or in another window, has not arrived. */
    get hasUnsyncedChanges(): boolean {
      return journal.isOffline || saved.any;
    },
  };
}

/** Wipes what this device remembers of someone. */
export async function forgetPerson(userId: string): Promise<void> {
  forgetStored(localStorage, userId);
  await Promise.all([forgetSnapshots(), forgetUploads()]);
}

/** The next moment in which nobody scrolls, drags or types; not every browser tells. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}
