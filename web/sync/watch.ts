// Keeps scopes fresh while someone looks at them: first from this device, then from the network,
// then again on focus, on reconnecting and at a calm interval. A live connection will later call `store.receive` instead.

import type { Scope } from './scopes.ts';
import { scopeName } from './scopes.ts';

export type ScopeState =
  | { readonly phase: 'empty' }
  | { readonly phase: 'remembered' }
  | { readonly phase: 'fresh' }
  | { readonly phase: 'failed'; readonly reason: Error; readonly remembered: boolean };

export interface WatchPorts {
  readonly fetch: (scope: Scope) => Promise<void>;
  /** What this device remembers; `wanted` turns false when the network was faster. */
  readonly load: (scope: Scope, wanted: () => boolean) => Promise<boolean>;
  readonly save: (scope: Scope) => Promise<void>;
  /** Whether a refetch would now disturb writes on their way. */
  readonly busy: () => boolean;
  readonly page: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setInterval' | 'clearInterval'>;
  readonly visible: () => boolean;
  readonly clock: () => number;
}

export const calmInterval = 45_000;
/** What could not be had is asked for again sooner. */
export const retryInterval = 5_000;
/** Coming back to the window asks again, but not more often than this. */
export const focusPause = 4_000;

interface Watched {
  readonly scope: Scope;
  viewers: number;
  state: ScopeState;
  fetchedAt: number;
  triedAt: number;
  fetching: Promise<void> | null;
  again: boolean;
}

export interface Watch {
  open(scope: Scope): () => void;
  state(scope: Scope): ScopeState;
  refresh(scope?: Scope): Promise<void>;
  subscribe(listener: () => void): () => void;
  stop(): void;
}

const empty: ScopeState = { phase: 'empty' };

export function startWatch(ports: WatchPorts): Watch {
  const watched = new Map<string, Watched>();
  const listeners = new Set<() => void>();
  let stopped = false;

  const settle = (entry: Watched, state: ScopeState): void => {
    if (stopped) return;
    entry.state = state;
    for (const listener of listeners) listener();
  };

  async function remember(scope: Scope): Promise<void> {
    await pause();
    if (!stopped) await ports.save(scope);
  }

  function fetchEntry(entry: Watched): Promise<void> {
    if (entry.fetching) {
      entry.again = true;
      return entry.fetching;
    }
    entry.triedAt = ports.clock();
    entry.fetching = (async () => {
      try {
        await ports.fetch(entry.scope);
        entry.fetchedAt = ports.clock();
        settle(entry, { phase: 'fresh' });
        void remember(entry.scope);
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
        const remembered =
          entry.state.phase !== 'empty' && !(entry.state.phase === 'failed' && !entry.state.remembered);
        settle(entry, { phase: 'failed', reason, remembered });
      } finally {
        entry.fetching = null;
        if (entry.again && !stopped) {
          entry.again = false;
          void fetchEntry(entry);
        }
      }
    })();
    return entry.fetching;
  }

  function recalled(entry: Watched): void {
    const { state } = entry;
    if (state.phase === 'empty') settle(entry, { phase: 'remembered' });
    if (state.phase === 'failed') settle(entry, { ...state, remembered: true });
  }

  async function start(entry: Watched): Promise<void> {
    if (entry.state.phase === 'empty') {
      // The first answer is on its way for someone else; it serves both.
      if (entry.fetching) return entry.fetching;
      const asked = fetchEntry(entry);
      // Wanted as long as the network has given nothing: it may be slow, or refuse at once.
      const wanted = (): boolean => entry.state.phase === 'empty' || entry.state.phase === 'failed';
      if (await ports.load(entry.scope, wanted)) recalled(entry);
      return asked;
    }
    if (ports.clock() - entry.fetchedAt > focusPause) await fetchEntry(entry);
  }

  function refreshSeen(pause: number): void {
    if (!ports.visible() || ports.busy()) return;
    for (const entry of watched.values()) {
      if (entry.viewers === 0) continue;
      const failed = entry.state.phase === 'failed';
      const age = ports.clock() - (failed ? entry.triedAt : entry.fetchedAt);
      if (age >= Math.min(pause, failed ? retryInterval : pause)) void fetchEntry(entry);
    }
  }

  const onFocus = (): void => refreshSeen(focusPause);
  const onOnline = (): void => refreshSeen(0);
  ports.page.addEventListener('focus', onFocus);
  ports.page.addEventListener('visibilitychange', onFocus);
  ports.page.addEventListener('online', onOnline);
  const ticking = ports.page.setInterval(() => refreshSeen(calmInterval), retryInterval);

  return {
    open(scope) {
      const name = scopeName(scope);
      const entry = watched.get(name) ?? {
        scope,
        viewers: 0,
        state: empty,
        fetchedAt: 0,
        triedAt: 0,
        fetching: null,
        again: false,
      };
      watched.set(name, entry);
      entry.viewers++;
      void start(entry);
      return () => {
        entry.viewers--;
      };
    },
    state: (scope) => watched.get(scopeName(scope))?.state ?? empty,
    async refresh(scope) {
      const entries = scope
        ? [watched.get(scopeName(scope))]
        : [...watched.values()].filter((entry) => entry.viewers > 0);
      await Promise.all(entries.map((entry) => entry && fetchEntry(entry)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      stopped = true;
      ports.page.removeEventListener('focus', onFocus);
      ports.page.removeEventListener('visibilitychange', onFocus);
      ports.page.removeEventListener('online', onOnline);
      ports.page.clearInterval(ticking);
      watched.clear();
    },
  };
}

/** The next moment in which nobody scrolls, drags or types; not every browser tells. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}
