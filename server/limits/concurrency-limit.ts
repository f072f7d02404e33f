// So many at a time, in the order they came.

/** Work that begins when it is its turn. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** `onLine` is told how many wait already, and may throw. */
export function limitConcurrency(
  atOnce: number,
  onLine: (waiting: number) => void = () => undefined,
): ConcurrencyLimit {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    onLine(waiting.length);
    if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) working--;
      else next();
    }
  };
}
