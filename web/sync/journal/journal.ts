// Journal: shows a mutation at once, has it sent in its turn, and keeps or rolls it back as the server answers. Undo and redo are further
// entries of the list. A delayed one is sent when its time is up, so that undoing it needs no server at all.

import type { Diff, RowDiff } from '../rows/diff.ts';
import type { RowChange, Store } from '../rows/store.ts';
import {
  baselineOf,
  type Commands,
  type Entry,
  type EntryState,
  historyOf,
  inverseOf,
  isOpen,
  type Mutation,
  openIds,
  PartRefusal,
  wordsOf,
} from './entries.ts';
import type { SavedEntries } from './saved-entries.ts';
import { type Answer, isConflict, openSending, type Timer } from './sending.ts';

export type JournalEvent =
  | { readonly kind: 'shown' | 'redone'; readonly entry: Entry }
  /** `left`: so many of all its rows others have changed since, and they stay. */
  | { readonly kind: 'undone'; readonly entry: Entry; readonly left: number; readonly all: number }
  /** `rows`: what the server answered that it holds now. */
  | { readonly kind: 'accepted'; readonly entry: Entry; readonly rows: readonly RowChange[] }
  /** `part`: how many of all its rows, where the others were accepted. `words`: what somebody typed in it. */
  | {
      readonly kind: 'refused';
      readonly entry: Entry;
      readonly reason: Error;
      readonly part?: { readonly refused: number; readonly all: number };
      readonly words: string;
    }
  | { readonly kind: 'offline' | 'online' };

export interface JournalPorts {
  readonly store: Store;
  readonly send: (entry: Entry) => Promise<readonly RowChange[]>;
  readonly revert: Commands['revert'];
  readonly saved?: Pick<SavedEntries, 'save' | 'remove' | 'setAside'>;
  readonly timer?: Timer;
}

const unsaved: Required<JournalPorts>['saved'] = {
  save: () => undefined,
  remove: () => undefined,
  setAside: () => undefined,
};

/** So many entries are remembered for undo, and all that are open. */
const mostEntries = 300;

export type Journal = ReturnType<typeof openJournal>;

export function openJournal({ store, send, revert, saved = unsaved, timer = setTimeout }: JournalPorts) {
  const entries: Entry[] = [];
  const outcomes = new Map<Entry, (refusal?: Error) => void>();
  const { tell, lookAgain, until, subscribe } = openListeners();
  const sending = openSending({ entries, send, settle: openSettling(store, close, tell), tell, timer });
  const nextId = openIds();
  const isBusy = (): boolean => entries.some(isOpen);

  /** Takes it into the list, and shows it. */
  function append(mutation: Mutation, given: Partial<Entry> = {}): Entry {
    const diff = given.diff ?? mutation.apply(store);
    const state = mutation.delay === undefined ? 'queued' : 'delayed';
    const entry: Entry = {
      ...{ ...mutation, id: nextId(), state, diff, baseline: baselineOf(mutation, diff) },
      ...{ checksConflicts: sending.isOffline, undoes: undefined, redoes: undefined, ...given },
    };
    store.apply(diff);
    entries.push(entry);
    const oldest = entries.length > mostEntries ? entries.findIndex((one) => !isOpen(one)) : -1;
    if (oldest >= 0) entries.splice(oldest, 1);
    return entry;
  }

  function start(entry: Entry): Promise<void> {
    saved.save(entry);
    const outcome = new Promise<void>((resolve, reject) => {
      outcomes.set(entry, (refusal) => (refusal ? reject(refusal) : resolve()));
    });
    if (entry.state === 'delayed') timer(() => release(entry), entry.delay ?? 0);
    else sending.start();
    return outcome;
  }

  function release(entry: Entry): void {
    if (entry.state !== 'delayed') return;
    entry.state = 'queued';
    sending.start();
  }

  function close(entry: Entry, state: EntryState, refusal?: Error): void {
    entry.state = state;
    // One in conflict stays on this device, for its owner to look at.
    if (state === 'conflict') saved.setAside(entry);
    else saved.remove(entry);
    outcomes.get(entry)?.(refusal);
    outcomes.delete(entry);
  }

  const flush = (): void => entries.forEach(release);

  return {
    /** Resolves when the server has agreed; rejects with its reason after the store was rolled back. `was`: what it did, for rows that are not here. */
    run(mutation: Mutation, was: Diff = []): Promise<void> {
      const applied = mutation.apply(store);
      const diff = applied.length > 0 ? applied : was;
      if (diff.length === 0) return Promise.resolve();
      const entry = append(mutation, { diff });
      const outcome = start(entry);
      tell({ kind: 'shown', entry });
      return outcome;
    },
    /** A mutation of an earlier page, with what it does: it isn't undone from this one. */
    resume: (mutation: Mutation, { id, diff }: Pick<Entry, 'id' | 'diff'>): Promise<void> =>
      start(append({ ...mutation, silent: true }, { id, diff, state: 'queued', checksConflicts: true })),
    /** The last entry, or this one while it can still be undone. */
    undo(asked?: Entry): Entry | null {
      const { done } = historyOf(entries);
      const entry = asked === undefined ? done.at(-1) : done.find((one) => one === asked);
      if (entry === undefined) return null;
      const isDelayed = entry.state === 'delayed';
      const all = entry.diff.length;
      const back = append(revert(isDelayed ? [] : inverseOf(entry, store), entry.label), { undoes: entry.id });
      const left = isDelayed ? 0 : all - back.diff.length;
      if (isDelayed) {
        store.refuse(entry.diff);
        close(entry, 'undone');
        back.state = 'accepted';
      } else if (left === all) back.state = 'conflict';
      else start(back).catch(() => undefined);
      tell({ kind: 'undone', entry, left, all });
      return entry;
    },
    redo(): Entry | null {
      const undone = historyOf(entries).undone.at(-1);
      if (undone === undefined) return null;
      const entry = append(undone, { redoes: undone.id });
      start(entry).catch(() => undefined);
      tell({ kind: 'redone', entry });
      return entry;
    },
    /** Sends what is delayed, now: the page is closing. */
    flush,
    /** Nothing is open, or what is open can't be sent for now. */
    idle(): Promise<void> {
      flush();
      return until(() => !isBusy() || sending.isOffline);
    },
    get busy(): boolean {
      return isBusy();
    },
    /** The server can't be reached: entries wait. */
    get isOffline(): boolean {
      return sending.isOffline;
    },
    /** Tries again now what waits for the server. */
    retry: sending.retry,
    /** The end: what is open is not sent from here, but stays saved. */
    clear(): void {
      sending.end();
      for (const entry of entries.splice(0)) outcomes.get(entry)?.(new Error('the page is gone'));
      lookAgain();
    },
    subscribe,
  };
}

/** What the server accepted stays as it has it, and is undone for itself; what it refused is rolled back. */
function openSettling(
  store: Store,
  close: (entry: Entry, state: EntryState, refusal?: Error) => void,
  tell: (event: JournalEvent) => void,
): (entry: Entry, answer: Answer) => void {
  return (entry, answer) => {
    const thrown = 'refusal' in answer ? answer.refusal : null;
    const part = thrown instanceof PartRefusal ? thrown : null;
    const rows = 'rows' in answer ? answer.rows : (part?.rows ?? []);
    const words = wordsOf(entry.diff);
    const refused: RowDiff[] = [];
    const accepted: RowDiff[] = [];
    for (const one of entry.diff) (thrown === null || part?.isAccepted(one) ? accepted : refused).push(one);
    store.batch(() => {
      store.refuse(refused);
      entry.diff = store.accept(accepted, rows);
    });
    const reason = part?.reason ?? thrown;
    close(
      entry,
      thrown === null || part ? 'accepted' : isConflict(thrown) ? 'conflict' : 'refused',
      reason ?? undefined,
    );
    if (entry.state === 'accepted') tell({ kind: 'accepted', entry, rows });
    if (reason === null) return;
    const counts = { refused: refused.length, all: refused.length + accepted.length };
    tell({ kind: 'refused', entry, reason, words, ...(part ? { part: counts } : {}) });
  };
}

/** Tells listeners; refusals that came before anyone listened go to the first who does. */
function openListeners() {
  const listeners = new Set<(event: JournalEvent) => void>();
  const waiting = new Set<() => void>();
  const undelivered: JournalEvent[] = [];
  const lookAgain = (): void => {
    for (const look of waiting) look();
  };
  return {
    lookAgain,
    tell(event: JournalEvent): void {
      for (const listener of listeners) listener(event);
      if (listeners.size === 0 && event.kind === 'refused') undelivered.push(event);
      lookAgain();
    },
    until(isTrue: () => boolean): Promise<void> {
      return new Promise((resolve) => {
        const look = (): void => {
          if (!isTrue()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    subscribe(listener: (event: JournalEvent) => void): () => void {
      listeners.add(listener);
      for (const event of undelivered.splice(0)) listener(event);
      return () => listeners.delete(listener);
    },
  };
}
