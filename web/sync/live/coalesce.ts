// Changes of rows in batches: at once while there are few; a flood is drawn as often as leaves time for everything else.

/** For a hand on its way to something, changes wait so long at most. */
const longestHold = 1500;
const holdStep = 50;
/** Of the time, what is not drawing. */
const restShare = 4;
const longestRest = 500;

export function openCoalescing<T>(receive: (some: readonly T[]) => void, isHeld: () => boolean) {
  let batch: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntil = 0;
  let since = 0;
  function flushUnheld(): void {
    if (isHeld() && performance.now() - since < longestHold) timer = setTimeout(flushUnheld, holdStep);
    else flush();
  }
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (batch.length === 0) return;
    const began = performance.now();
    const some = batch;
    batch = [];
    receive(some);
    const ended = performance.now();
    restUntil = ended + Math.min(longestRest, restShare * (ended - began));
  }
  return {
    add(one: T): void {
      const now = performance.now();
      if (batch.length === 0) since = now;
      batch.push(one);
      timer ??= setTimeout(flushUnheld, Math.max(0, restUntil - now));
    },
    /** What waits is handed on now, hand or no hand. */
    flush,
    close(): void {
      clearTimeout(timer);
    },
  };
}
