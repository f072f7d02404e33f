// What we did, in order: shown at once, sent one after the other, kept or taken back with a reason, undone and done again.
// A held command is shown at once but sent only when its time is up, so that undoing it needs no server at all.

import type { Send } from './send.ts';
import type { Step } from './step.ts';
import { reverseSteps } from './step.ts';
import type { Store } from './store.ts';

export interface Deed {
  /** What the person did, in words: "Moved WEB-12 to Done". */
  readonly label: string;
  readonly steps: readonly Step[];
  /** Milliseconds to wait before sending; undo within them. */
  readonly hold?: number;
  /** Not worth undoing (a reversal itself, a mark as read). */
  readonly silent?: boolean;
}

export interface Journal {
  /** Resolves when the server has agreed; rejects with its reason after the store was rolled back. */
  run(deed: Deed): Promise<void>;
  undo(): Deed | null;
  redo(): Deed | null;
  /** Sends what is held, now: the page is closing. */
  flush(): void;
  /** Nothing is held or on its way. */
  idle(): Promise<void>;
  readonly busy: boolean;
  /** Forgets history, and what is held is not sent. */
  clear(): void;
  subscribe(listener: (news: JournalNews) => void): () => void;
}

export type JournalNews =
  | { readonly kind: 'done'; readonly deed: Deed }
  | { readonly kind: 'kept'; readonly deed: Deed }
  | { readonly kind: 'refused'; readonly deed: Deed; readonly reason: Error }
  | { readonly kind: 'undone' | 'redone'; readonly deed: Deed };

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

export function openJournal(store: Store, send: Send, timer: Timer = realTimer): Journal {
  const done: Deed[] = [];
  const undone: Deed[] = [];
  const held = new Map<Deed, Held>();
  const listeners = new Set<(news: JournalNews) => void>();
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const tell = (news: JournalNews): void => {
    for (const listener of listeners) listener(news);
  };

  function post(deed: Deed): Promise<void> {
    waiting++;
    const sent = queue.then(async () => {
      try {
        const rows = await send(deed.steps);
        store.settle(deed.steps, 'kept', rows);
        tell({ kind: 'kept', deed });
      } catch (thrown) {
        store.settle(deed.steps, 'refused');
        forget(deed);
        const reason = thrown instanceof Error ? thrown : new Error(String(thrown));
        tell({ kind: 'refused', deed, reason });
        throw reason;
      } finally {
        waiting--;
      }
    });
    queue = sent.catch(() => undefined);
    return sent;
  }

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
          store.settle(deed.steps, 'refused');
          resolve();
        },
      });
    });
  }

  function start(deed: Deed): Promise<void> {
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
    undo() {
      const deed = done.pop();
      if (deed === undefined) return null;
      const waitingDeed = held.get(deed);
      if (waitingDeed) waitingDeed.cancel();
      else {
        const reverse: Deed = { label: deed.label, steps: reverseSteps(deed.steps), silent: true };
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
      start(deed).catch(() => undefined);
      tell({ kind: 'redone', deed });
      return deed;
    },
    flush() {
      for (const one of [...held.values()]) one.release();
    },
    async idle() {
      this.flush();
      while (waiting > 0) await queue;
    },
    get busy() {
      return waiting > 0 || held.size > 0;
    },
    clear() {
      for (const one of [...held.values()]) one.cancel();
      done.length = 0;
      undone.length = 0;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
