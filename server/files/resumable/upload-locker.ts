// Lock of a resumable upload: one request at a time. A new request asks the holder to stop, which may hang on a dead connection, and waits until it
// has.

import type { Locker } from '@tus/server';
import { ERRORS } from '@tus/server';

interface Holder {
  readonly askToStop: () => void | Promise<void>;
  readonly freed: Promise<void>;
  readonly free: () => void;
}

export function openUploadLocker(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock(id) {
      let mine: Holder | null = null;
      return {
        async lock(signal, askToStop) {
          for (let other = holders.get(id); other !== undefined; other = holders.get(id)) {
            await other.askToStop();
            await Promise.race([other.freed, aborted(signal)]);
          }
          let free = (): void => undefined;
          const freed = new Promise<void>((resolve) => {
            free = resolve;
          });
          mine = { askToStop, freed, free };
          holders.set(id, mine);
        },
        async unlock() {
          if (mine === null) return;
          holders.delete(id);
          mine.free();
          mine = null;
        },
      };
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(ERRORS.ABORTED);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
