// History of undo and redo, newest last.

import type { Mutation } from './mutation.ts';

export interface History {
  /** Something new was done: what was undone before cannot be done again. */
  did(mutation: Mutation): void;
  /** The last one, or this one while it can still be undone. */
  takeDone(asked?: Mutation): Mutation | undefined;
  undid(mutation: Mutation): void;
  takeUndone(): Mutation | undefined;
  redid(mutation: Mutation): void;
  /** It cannot be undone, or done again, any more. */
  forget(mutation: Mutation): void;
  clear(): void;
}

const remembered = 100;

export function openHistory(): History {
  const done: Mutation[] = [];
  const undone: Mutation[] = [];
  const take = (list: Mutation[], mutation: Mutation | undefined): Mutation | undefined => {
    const at = mutation === undefined ? -1 : list.indexOf(mutation);
    return at < 0 ? undefined : list.splice(at, 1)[0];
  };
  return {
    did(mutation) {
      done.push(mutation);
      if (done.length > remembered) done.shift();
      undone.length = 0;
    },
    takeDone: (asked) => take(done, asked ?? done.at(-1)),
    undid: (mutation) => void undone.push(mutation),
    takeUndone: () => undone.pop(),
    redid: (mutation) => void done.push(mutation),
    forget(mutation) {
      take(done, mutation);
      take(undone, mutation);
    },
    clear() {
      done.length = 0;
      undone.length = 0;
    },
  };
}
