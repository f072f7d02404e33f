// Journal of mutations, in order: shown at once, sent one after the other, accepted or rolled back with a reason, undone and redone. A held
// mutation is shown at once but sent only when its time is up, so that undoing it needs no server at all. Unsent ones are stored by name
// and arguments (unsent.ts), so that they outlive the page. A mutation that is sent again gives way (retry.ts).

import type { Diff } from '../rows/diff.ts';
import type { RowChange, Store } from '../rows/store.ts';
import { type Delayed, openDelayed } from './delayed.ts';
import { type History, openHistory } from './history.ts';
import type { Commands, Mutation } from './mutation.ts';
import { PartRefusal } from './mutation.ts';
import { type Optimistic, openOptimistic } from './optimistic.ts';
import type { Outbox, SendResult, Timer } from './outbox.ts';
import { openOutbox, realTimer } from './outbox.ts';
import { isConflict } from './retry.ts';

/** Remembers mutations until the server has answered. */
export interface Keeper {
  /** `baseline`: what it writes over, where it must know. */
  keep(mutation: Mutation, baseline: Diff): void;
  drop(mutation: Mutation): void;
  /** It is not sent, since it would write over what others have written since: it stays, for its owner to look at. */
  strand(mutation: Mutation): void;
}

export interface Journal {
  /** Resolves when the server has agreed; rejects with its reason after the store was rolled back. */
  run(mutation: Mutation): Promise<void>;
  /** A mutation of an earlier page, which is kept already. */
  resume(mutation: Mutation, baseline: Diff): Promise<void>;
  /** The last mutation, or this one while it can still be undone. */
  undo(mutation?: Mutation): Mutation | null;
  redo(): Mutation | null;
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
  subscribe(listener: (event: JournalEvent) => void): () => void;
}

export type JournalEvent =
  | { readonly kind: 'done'; readonly mutation: Mutation }
  /** `rows`: what the server answered that it holds now. */
  | { readonly kind: 'kept'; readonly mutation: Mutation; readonly rows: readonly RowChange[] }
  /** `part`: how many of all its rows, where the others were kept. */
  | {
      readonly kind: 'refused';
      readonly mutation: Mutation;
      readonly reason: Error;
      readonly part?: { readonly refused: number; readonly all: number };
      /** The words it was to write. */
      readonly words: string;
    }
  /** `conflict`: not undone, since someone has changed it meanwhile. */
  | { readonly kind: 'redone' | 'conflict'; readonly mutation: Mutation }
  /** `part`: how many of all its rows stay, since someone has changed them meanwhile. */
  | {
      readonly kind: 'undone';
      readonly mutation: Mutation;
      readonly part?: { readonly left: number; readonly all: number };
    }
  /** The server cannot be reached: mutations wait. Sent once, until `arriving`. */
  | { readonly kind: 'stuck'; readonly reason: Error }
  | { readonly kind: 'arriving' };

export interface JournalPorts {
  readonly store: Store;
  /** `baseline`: given where it may have arrived already, or late; what it was to write over. */
  readonly send: (mutation: Mutation, baseline?: Diff) => Promise<readonly RowChange[]>;
  readonly revert: Commands['revert'];
  readonly keeper?: Keeper;
  readonly timer?: Timer;
}

const nobody: Keeper = { keep: () => undefined, drop: () => undefined, strand: () => undefined };

export function openJournal({ store, send, revert, keeper = nobody, timer = realTimer }: JournalPorts): Journal {
  const { tell, subscribe } = openListeners();
  const shown = openOptimistic(store);
  const history = openHistory();
  const delayed = openDelayed(timer);
  const outbox = openOutbox(timer, {
    stuck: (reason) => tell({ kind: 'stuck', reason }),
    arriving: () => tell({ kind: 'arriving' }),
  });
  const { start, post, end } = openDelivery({ send, keeper, shown, history, delayed, outbox, tell });

  /** How many of all its rows stay: others have changed them since. */
  function takeBack(mutation: Mutation): { readonly left: number; readonly all: number } {
    const all = shown.size(mutation);
    const back = revert(shown.inverse(mutation), mutation.label);
    const left = all - shown.show(back);
    if (left < all) start(back).catch(() => history.forget(mutation));
    return { left, all };
  }

  return {
    run(mutation) {
      if (shown.show(mutation) === 0) return Promise.resolve();
      if (!mutation.silent) history.did(mutation);
      const outcome = start(mutation);
      tell({ kind: 'done', mutation });
      return outcome;
    },
    resume(mutation, baseline) {
      const forget = shown.showWhenKnown(mutation);
      return post(mutation, baseline, true).finally(forget);
    },
    undo(asked) {
      const mutation = history.takeDone(asked);
      if (mutation === undefined) return null;
      const part = delayed.cancel(mutation) ? { left: 0, all: 1 } : takeBack(mutation);
      if (part.left === part.all) {
        tell({ kind: 'conflict', mutation });
        return mutation;
      }
      history.undid(mutation);
      tell({ kind: 'undone', mutation, ...(part.left > 0 ? { part } : {}) });
      return mutation;
    },
    redo() {
      const undone = history.takeUndone();
      if (undone === undefined) return null;
      // A mutation of its own: the first and its way back may still be on their way, each with what it laid over the rows.
      const mutation = { ...undone };
      history.redid(mutation);
      shown.show(mutation);
      start(mutation).catch(() => undefined);
      tell({ kind: 'redone', mutation });
      return mutation;
    },
    flush: delayed.releaseAll,
    async idle() {
      delayed.releaseAll();
      await outbox.idle();
    },
    get busy() {
      return outbox.busy || delayed.size > 0;
    },
    get trouble() {
      return outbox.trouble;
    },
    retry: outbox.retry,
    clear() {
      end();
      outbox.end();
      delayed.cancelAll();
      history.clear();
    },
    subscribe,
  };
}

interface DeliveryParts extends Required<Pick<JournalPorts, 'send' | 'keeper'>> {
  readonly shown: Optimistic;
  readonly history: History;
  readonly delayed: Delayed;
  readonly outbox: Outbox;
  readonly tell: (event: JournalEvent) => void;
}

/** What becomes of a mutation: held for its time, sent in its turn, and kept or taken away as the server answers. */
function openDelivery({ send, keeper, shown, history, delayed, outbox, tell }: DeliveryParts) {
  let ended = false;

  function settle(mutation: Mutation, result: SendResult<readonly RowChange[]>): void {
    if ('refused' in result && isConflict(result.refused)) keeper.strand(mutation);
    else keeper.drop(mutation);
    if ('value' in result) {
      shown.keep(mutation, result.value);
      tell({ kind: 'kept', mutation, rows: result.value });
      return;
    }
    const reason = result.refused;
    const words = shown.words(mutation);
    if (reason instanceof PartRefusal) {
      const part = shown.keepPart(mutation, reason);
      tell({ kind: 'kept', mutation, rows: reason.rows });
      tell({ kind: 'refused', mutation, reason: reason.reason, part, words });
      throw reason.reason;
    }
    shown.takeAway(mutation);
    history.forget(mutation);
    tell({ kind: 'refused', mutation, reason, words });
    throw reason;
  }

  const post = (mutation: Mutation, baseline: Diff, isKept = false): Promise<void> =>
    outbox.post(
      (late) => send(mutation, late || isKept ? baseline : undefined),
      (result) => settle(mutation, result),
    );

  function hold(mutation: Mutation, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = (): void => {
        // Sent for good: there is nothing left to undo it with.
        history.forget(mutation);
        post(mutation, []).then(resolve, reject);
      };
      const cancel = (): void => {
        if (!ended) keeper.drop(mutation);
        shown.takeAway(mutation);
        resolve();
      };
      delayed.add(mutation, ms, release, cancel);
    });
  }

  function start(mutation: Mutation): Promise<void> {
    const baseline = mutation.merges ? [] : shown.writes(mutation);
    keeper.keep(mutation, baseline);
    return mutation.hold === undefined ? post(mutation, baseline) : hold(mutation, mutation.hold);
  }

  return {
    start,
    post,
    end(): void {
      ended = true;
    },
  };
}

/** Tells listeners; refusals that came before anyone listened go to the first who does. */
function openListeners() {
  const listeners = new Set<(event: JournalEvent) => void>();
  const undelivered: JournalEvent[] = [];
  return {
    tell(event: JournalEvent): void {
      for (const listener of listeners) listener(event);
      if (listeners.size === 0 && event.kind === 'refused') undelivered.push(event);
    },
    subscribe(listener: (event: JournalEvent) => void): () => void {
      listeners.add(listener);
      for (const event of undelivered.splice(0)) listener(event);
      return () => listeners.delete(listener);
    },
  };
}
