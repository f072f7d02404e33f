// What we did, in order: shown at once, sent one after the other, kept or taken back with a reason, undone and done again.
// A held command is shown at once but sent only when its time is up, so that undoing it needs no server at all.
// While the server cannot be reached nothing is taken back: all waits here, in order, and is tried again and again; what has
// not arrived is kept (unsent.ts), so that it outlives the page.

import { Refusal } from './door.ts';
import { PartRefusal, type Send } from './send.ts';
import type { Step } from './step.ts';
import { isOvertaken, reverseSteps, stepKey } from './step.ts';
import type { RowChange, Store } from './store.ts';

export interface Deed {
  /** What the person did, in words: "Moved WEB-12 to Done". */
  readonly label: string;
  readonly steps: readonly Step[];
  /** Milliseconds to wait before sending; undo within them. */
  readonly hold?: number;
  /** Not worth undoing (a reversal itself, a mark as read). */
  readonly silent?: boolean;
  /** Takes something out of sight: said at once, with a way back. */
  readonly told?: boolean;
}

/** Remembers deeds until the server has answered. */
export interface Keeper {
  keep(deed: Deed): void;
  drop(deed: Deed): void;
}

export interface Journal {
  /** Resolves when the server has agreed; rejects with its reason after the store was rolled back. */
  run(deed: Deed): Promise<void>;
  /** A deed of an earlier page, which is kept already. */
  resume(deed: Deed): Promise<void>;
  /** The last deed, or this one while it can still be undone. */
  undo(deed?: Deed): Deed | null;
  redo(): Deed | null;
  /** Sends what is held, now: the page is closing. */
  flush(): void;
  /** Nothing is held or on its way, or what is on its way cannot arrive for now. */
  idle(): Promise<void>;
  readonly busy: boolean;
  /** Why nothing arrives for now; null while all is well. */
  readonly trouble: Error | null;
  /** Tries again now what waits for the server. */
  retry(): void;
  /** The end: forgets history; what is held or waits is not sent from here, but stays kept. */
  clear(): void;
  subscribe(listener: (news: JournalNews) => void): () => void;
}

export type JournalNews =
  | { readonly kind: 'done'; readonly deed: Deed }
  /** `rows`: what the server said it holds now. */
  | { readonly kind: 'kept'; readonly deed: Deed; readonly rows: readonly RowChange[] }
  /** `part`: how many of the deed's steps, where the others were kept. */
  | { readonly kind: 'refused'; readonly deed: Deed; readonly reason: Error; readonly part?: number }
  /** `overtaken`: not undone, since someone has changed it meanwhile. */
  | { readonly kind: 'undone' | 'redone' | 'overtaken'; readonly deed: Deed }
  /** The server cannot be reached: deeds wait. Told once, until `arriving`. */
  | { readonly kind: 'stuck'; readonly reason: Error }
  | { readonly kind: 'arriving' };

export interface Timer {
  set(work: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export const realTimer: Timer = {
  set: (work, ms) => setTimeout(work, ms),
  clear: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

interface Held {
  readonly deed: Deed;
  readonly timer: unknown;
  readonly release: () => void;
  readonly cancel: () => void;
}

const remembered = 100;
/** Between tries, in milliseconds; the last one again and again. */
const pauses = [1000, 2000, 4000, 8000, 15_000];

const passes = (reason: Error): boolean => reason instanceof Refusal && reason.passing;

const nobody: Keeper = { keep: () => undefined, drop: () => undefined };

export function openJournal(store: Store, send: Send, keeper: Keeper = nobody, timer: Timer = realTimer): Journal {
  const done: Deed[] = [];
  const undone: Deed[] = [];
  const held = new Map<Deed, Held>();
  /** The steps of deeds that were refused in part. */
  const arrived = new WeakMap<Deed, readonly Step[]>();
  const listeners = new Set<(news: JournalNews) => void>();
  /** Refusals nobody was there to hear yet. */
  const unheard: JournalNews[] = [];
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let trouble: Error | null = null;
  let ended = false;
  let retry = (): void => undefined;
  let onTrouble = (): void => undefined;

  const tell = (news: JournalNews): void => {
    for (const listener of listeners) listener(news);
    if (listeners.size === 0 && news.kind === 'refused') unheard.push(news);
  };

  function post(deed: Deed): Promise<void> {
    waiting++;
    const sent = queue.then(async () => {
      try {
        const rows = await deliver(deed);
        keeper.drop(deed);
        store.settle(deed.steps, 'kept', rows);
        tell({ kind: 'kept', deed, rows });
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
        // Nobody has answered, and nobody is here any more: it waits for the next page.
        if (ended) throw reason;
        keeper.drop(deed);
        if (thrown instanceof PartRefusal) {
          keepPart(deed, thrown);
          throw thrown.reason;
        }
        store.settle(deed.steps, 'refused');
        forget(deed);
        tell({ kind: 'refused', deed, reason });
        throw reason;
      } finally {
        waiting--;
      }
    });
    queue = sent.catch(() => undefined);
    return sent;
  }

  /** What arrived stays, and can be undone for itself. */
  function keepPart(deed: Deed, { reason, refused, rows }: PartRefusal): void {
    const kept = deed.steps.filter((step) => !refused.includes(step));
    store.batch(() => {
      store.settle(refused, 'refused');
      store.settle(kept, 'kept', rows);
    });
    arrived.set(deed, kept);
    tell({ kind: 'kept', deed, rows });
    tell({ kind: 'refused', deed, reason, part: refused.length });
  }

  /** Until the server has answered, however long that takes; only an answer can be a refusal. */
  async function deliver(deed: Deed): ReturnType<Send> {
    for (let tried = 0; ; tried++) {
      if (ended) throw new Error('the page is gone');
      try {
        const rows = await send(deed.steps);
        recover();
        return rows;
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (ended || !passes(reason)) {
          recover();
          throw reason;
        }
        if (trouble === null) tell({ kind: 'stuck', reason });
        trouble = reason;
        onTrouble();
        await new Promise<void>((resolve) => {
          const handle = timer.set(resolve, pauses[Math.min(tried, pauses.length - 1)] ?? 0);
          retry = () => {
            timer.clear(handle);
            resolve();
          };
        });
        if (ended) throw reason;
      }
    }
  }

  function recover(): void {
    if (trouble === null) return;
    trouble = null;
    tell({ kind: 'arriving' });
  }

  const rowOf = (step: Step) => store.get(step.table, stepKey(step)) as Readonly<Record<string, unknown>> | undefined;

  function forget(deed: Deed): void {
    for (const list of [done, undone]) {
      const at = list.indexOf(deed);
      if (at >= 0) list.splice(at, 1);
    }
  }

  function hold(deed: Deed, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = (): void => {
        if (!held.delete(deed)) return;
        timer.clear(handle);
        // Sent for good: there is nothing left to undo it with.
        forget(deed);
        post(deed).then(resolve, reject);
      };
      const handle = timer.set(release, ms);
      held.set(deed, {
        deed,
        timer: handle,
        release,
        cancel: () => {
          held.delete(deed);
          timer.clear(handle);
          if (!ended) keeper.drop(deed);
          store.settle(deed.steps, 'refused');
          resolve();
        },
      });
    });
  }

  function start(deed: Deed): Promise<void> {
    keeper.keep(deed);
    store.apply(deed.steps);
    return deed.hold === undefined ? post(deed) : hold(deed, deed.hold);
  }

  return {
    run(deed) {
      if (deed.steps.length === 0) return Promise.resolve();
      if (!deed.silent) {
        done.push(deed);
        if (done.length > remembered) done.shift();
        undone.length = 0;
      }
      const outcome = start(deed);
      tell({ kind: 'done', deed });
      return outcome;
    },
    resume(deed) {
      store.apply(deed.steps);
      return post(deed);
    },
    undo(asked) {
      const deed = asked ?? done.at(-1);
      if (deed === undefined || !done.includes(deed)) return null;
      done.splice(done.indexOf(deed), 1);
      const waitingDeed = held.get(deed);
      if (waitingDeed) waitingDeed.cancel();
      else {
        // What others did since is not undone with it.
        const mine = (arrived.get(deed) ?? deed.steps).filter((step) => !isOvertaken(step, rowOf(step)));
        if (mine.length === 0) {
          tell({ kind: 'overtaken', deed });
          return deed;
        }
        const reverse: Deed = { label: deed.label, steps: reverseSteps(mine), silent: true };
        start(reverse).catch(() => forget(deed));
      }
      undone.push(deed);
      tell({ kind: 'undone', deed });
      return deed;
    },
    redo() {
      const deed = undone.pop();
      if (deed === undefined) return null;
      done.push(deed);
      arrived.delete(deed);
      start(deed).catch(() => undefined);
      tell({ kind: 'redone', deed });
      return deed;
    },
    flush() {
      for (const one of [...held.values()]) one.release();
    },
    async idle() {
      this.flush();
      while (waiting > 0 && trouble === null) {
        const stuck = new Promise<void>((resolve) => {
          onTrouble = resolve;
        });
        await Promise.race([queue, stuck]);
      }
    },
    get busy() {
      return waiting > 0 || held.size > 0;
    },
    get trouble() {
      return trouble;
    },
    retry: () => retry(),
    clear() {
      ended = true;
      retry();
      for (const one of [...held.values()]) one.cancel();
      done.length = 0;
      undone.length = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      for (const news of unheard.splice(0)) listener(news);
      return () => listeners.delete(listener);
    },
  };
}
