// Keeps watched sources fresh: first from this device, then from the network. Sources followed live (live.ts) are fetched again only after
// a gap; all others on focus, on reconnecting and at an interval. A source is only something that can be fetched, and handles its own
// result.

import type { TableName } from './rows.ts';
import type { Scope } from './scopes.ts';

export type SourceState =
  | { readonly phase: 'empty' }
  | { readonly phase: 'remembered' }
  | { readonly phase: 'fresh' }
  | { readonly phase: 'failed'; readonly reason: Error; readonly remembered: boolean };

/** Something that can be asked for again. */
export interface Source {
  readonly name: string;
  fetch(): Promise<void>;
  /** What this device remembers; `wanted` turns false when the network was faster. True: there was something. */
  load(wanted: () => boolean): Promise<boolean>;
  save(): Promise<void>;
  /** Milliseconds within which a look at it does not ask again. */
  readonly staysFresh: number;
  /** What it is made of, where changes of rows concern it. */
  readonly about?: Scope | Figures;
  /** Nobody has looked at it for long: what it holds beside rows goes. */
  evict?(): void;
}

/** Figures of a project, or of all of one's projects. */
export interface Figures {
  readonly kind: 'figures';
  readonly projectId: string | undefined;
  /** Tables that they are made of beside the counted ones; `alone`: without those. */
  readonly tables?: readonly TableName[];
  readonly alone?: true;
}

export interface RefetchPorts {
  /** Whether a refetch would now disturb writes on their way. */
  readonly busy: () => boolean;
  readonly page: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setInterval' | 'clearInterval'>;
  readonly visible: () => boolean;
  readonly clock: () => number;
  /** The next moment in which nobody scrolls, drags or types. */
  readonly pause: () => Promise<void>;
  /** Changes of this source come by themselves. */
  readonly isLive: (name: string) => boolean;
}

export const pollInterval = 45_000;
/** What could not be had is asked for again sooner. */
export const retryInterval = 5_000;
/** Coming back to the window asks again, but not more often than this. */
export const focusPause = 4_000;
/** What nobody looks at stays so long. */
export const evictAfter = 3_600_000;

interface Watched {
  readonly source: Source;
  viewers: number;
  /** When the last viewer left. */
  leftAt: number;
  state: SourceState;
  fetchedAt: number;
  triedAt: number;
  fetching: Promise<void> | null;
  /** Asked for while an answer was on its way: that may be too old. */
  isStale: boolean;
}

const empty: SourceState = { phase: 'empty' };
const remembered: SourceState = { phase: 'remembered' };
const fresh: SourceState = { phase: 'fresh' };

const isKnown = (state: SourceState): boolean =>
  state.phase === 'failed' ? state.remembered : state.phase !== 'empty';

const unseen = (source: Source): Watched => ({
  ...{ source, viewers: 0, leftAt: 0, state: empty },
  ...{ fetchedAt: 0, triedAt: 0, fetching: null, isStale: false },
});

function tell(listeners: Iterable<() => void>): void {
  for (const listener of listeners) listener();
}

export type Refetch = ReturnType<typeof startRefetch>;

export function startRefetch(ports: RefetchPorts) {
  const watched = new Map<string, Watched>();
  const listeners = new Set<() => void>();
  const viewListeners = new Set<() => void>();
  let stopped = false;

  const settle = (entry: Watched, state: SourceState): void => {
    if (stopped) return;
    entry.state = state;
    tell(listeners);
  };
  const fetchEntry = openFetching(ports, settle, () => stopped);

  /** A moment that is yet to come, since the clock was set back, counts as long ago. */
  const ageOf = (at: number): number => Math.abs(ports.clock() - at);

  async function start(entry: Watched): Promise<void> {
    if (entry.state.phase !== 'empty') {
      const old = ageOf(entry.fetchedAt) > entry.source.staysFresh;
      if (entry.state.phase === 'failed' || (old && !ports.isLive(entry.source.name))) await fetchEntry(entry);
      return;
    }
    // The first answer is on its way for someone else; it serves both.
    if (entry.fetching) return entry.fetching;
    const asked = fetchEntry(entry);
    // Wanted as long as the network has given nothing: it may be slow, or refuse at once.
    const wanted = (): boolean => entry.state.phase === 'empty' || entry.state.phase === 'failed';
    if ((await entry.source.load(wanted)) && wanted()) settle(entry, rememberedOf(entry));
    return asked;
  }

  /** Asks for what someone looks at, does not come by itself, and is as old as this. */
  function poll(age: number): void {
    if (!ports.visible() || ports.busy()) return;
    for (const entry of watched.values()) {
      if (entry.viewers === 0) continue;
      const failed = entry.state.phase === 'failed';
      if (!failed && ports.isLive(entry.source.name)) continue;
      const since = ageOf(failed ? entry.triedAt : entry.fetchedAt);
      if (since >= Math.min(age, failed ? retryInterval : age)) void fetchEntry(entry);
    }
  }

  const polls = new Set<number>();
  const forgetPage = watchPage(ports.page, poll);

  return {
    /** Someone looks at it, until the function that comes back is called. `loaded`: what this device remembers of it has been read. */
    open(source: Source, loaded = false): () => void {
      const entry = watched.get(source.name) ?? unseen(source);
      watched.set(source.name, entry);
      if (loaded && entry.state.phase === 'empty') entry.state = remembered;
      entry.viewers++;
      if (entry.viewers === 1) tell(viewListeners);
      void start(entry);
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        entry.viewers--;
        entry.leftAt = ports.clock();
        if (entry.viewers === 0) tell(viewListeners);
      };
    },
    state: (name: string): SourceState => watched.get(name)?.state ?? empty,
    /** Asks again for what someone looks at, or of that what the test says. */
    async refresh(which?: (name: string) => boolean): Promise<void> {
      const entries = [...watched.values()].filter(
        ({ source, viewers }) => viewers > 0 && (which?.(source.name) ?? true),
      );
      await Promise.all(entries.map(fetchEntry));
    },
    /** Asks for it at this interval, while someone looks at it, until the function that comes back is called: for what is about to change. */
    pollEvery(name: string, interval: number): () => void {
      const ticking = ports.page.setInterval(() => {
        const entry = watched.get(name);
        if (entry && entry.viewers > 0 && !entry.fetching && ports.visible() && !ports.busy()) void fetchEntry(entry);
      }, interval);
      polls.add(ticking);
      return () => {
        ports.page.clearInterval(ticking);
        polls.delete(ticking);
      };
    },
    /** Nothing of it is known any more: it is asked for whoever looks at it, now or next. */
    reset(name: string): void {
      const entry = watched.get(name);
      if (entry === undefined) return;
      settle(entry, empty);
      if (entry.viewers > 0 || entry.fetching) void fetchEntry(entry);
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Forgets what nobody has looked at for long. False: not now, while the network could not bring it back. */
    evict: (): boolean => evictFrom(watched, ageOf),
    /** What someone looks at now, or looked at lately. */
    sources: (): readonly Source[] => [...watched.values()].map(({ source }) => source),
    /** What someone looks at now. */
    viewed: (): readonly Source[] =>
      [...watched.values()].filter(({ viewers }) => viewers > 0).map(({ source }) => source),
    /** Hears when that changes. */
    onViewed(listener: () => void): () => void {
      viewListeners.add(listener);
      return () => viewListeners.delete(listener);
    },
    stop(): void {
      stopped = true;
      forgetPage();
      for (const ticking of polls) ports.page.clearInterval(ticking);
      watched.clear();
    },
  };
}

const rememberedOf = ({ state }: Watched): SourceState =>
  state.phase === 'failed' ? { ...state, remembered: true } : remembered;

function evictFrom(watched: Map<string, Watched>, ageOf: (at: number) => number): boolean {
  const entries = [...watched.values()];
  if (entries.some(({ viewers, state }) => viewers > 0 && state.phase === 'failed')) return false;
  for (const { source, viewers, leftAt, fetching } of entries) {
    if (viewers > 0 || fetching !== null || ageOf(leftAt) < evictAfter) continue;
    watched.delete(source.name);
    source.evict?.();
  }
  return true;
}

/** One request at a time for each source; who asks meanwhile has it asked once more. */
function openFetching(
  ports: RefetchPorts,
  settle: (entry: Watched, state: SourceState) => void,
  isStopped: () => boolean,
): (entry: Watched) => Promise<void> {
  function fetchEntry(entry: Watched): Promise<void> {
    if (entry.fetching) entry.isStale = true;
    else {
      entry.triedAt = ports.clock();
      entry.fetching = ask(entry).finally(() => {
        entry.fetching = null;
        if (!entry.isStale || isStopped()) return;
        entry.isStale = false;
        void fetchEntry(entry);
      });
    }
    return entry.fetching ?? Promise.resolve();
  }

  async function ask(entry: Watched): Promise<void> {
    try {
      await entry.source.fetch();
      entry.fetchedAt = ports.clock();
      settle(entry, fresh);
      void remember(entry.source);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
      settle(entry, { phase: 'failed', reason, remembered: isKnown(entry.state) });
    }
  }

  async function remember(source: Source): Promise<void> {
    await ports.pause();
    if (!isStopped()) await source.save();
  }

  return fetchEntry;
}

/** The moments to ask again: the person is back, the network is back, and at an interval. */
function watchPage(page: RefetchPorts['page'], poll: (age: number) => void): () => void {
  const onFocus = (): void => poll(focusPause);
  const onOnline = (): void => poll(0);
  page.addEventListener('focus', onFocus);
  page.addEventListener('visibilitychange', onFocus);
  page.addEventListener('online', onOnline);
  const ticking = page.setInterval(() => poll(pollInterval), retryInterval);
  return () => {
    page.removeEventListener('focus', onFocus);
    page.removeEventListener('visibilitychange', onFocus);
    page.removeEventListener('online', onOnline);
    page.clearInterval(ticking);
  };
}
