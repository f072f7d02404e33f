// Holds mutations back before they are sent: a deletion, while it can still be undone.

import type { Mutation } from './mutation.ts';
import type { Timer } from './outbox.ts';

interface Held {
  readonly handle: unknown;
  /** Its time is up. */
  readonly release: () => void;
  readonly cancel: () => void;
}

export interface Delayed {
  add(mutation: Mutation, ms: number, release: () => void, cancel: () => void): void;
  /** False: it is not held (any more). */
  cancel(mutation: Mutation): boolean;
  releaseAll(): void;
  cancelAll(): void;
  readonly size: number;
}

export function openDelayed(timer: Timer): Delayed {
  const held = new Map<Mutation, Held>();
  /** Out of the list first: what happens then may look at it. */
  const take = (mutation: Mutation): Held | undefined => {
    const one = held.get(mutation);
    if (one !== undefined) timer.clear(one.handle);
    held.delete(mutation);
    return one;
  };
  const cancel = (mutation: Mutation): boolean => {
    const one = take(mutation);
    one?.cancel();
    return one !== undefined;
  };
  return {
    add(mutation, ms, release, whenCancelled) {
      const handle = timer.set(() => take(mutation)?.release(), ms);
      held.set(mutation, { handle, release, cancel: whenCancelled });
    },
    cancel,
    releaseAll() {
      for (const mutation of [...held.keys()]) take(mutation)?.release();
    },
    cancelAll() {
      for (const mutation of [...held.keys()]) cancel(mutation);
    },
    get size() {
      return held.size;
    },
  };
}
