// Responses that are the same for every address must also take the same time: what is done for an account (a few more rows
// written) could be timed otherwise. They leave at the next multiple of a fixed time after the work is done.

const everyMs = 50;

export interface Clock {
  /** Milliseconds, with fractions. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** As soon as whatever else is ready has run. */
  yield(): Promise<void>;
}

const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  yield: () => new Promise((resolve) => setImmediate(resolve)),
};

export async function atFixedTimes<T>(work: () => Promise<T>, clock: Clock = realClock): Promise<T> {
  const started = clock.now();
  try {
    return await work();
  } finally {
    const end = started + Math.ceil((clock.now() - started) / everyMs) * everyMs;
    // Timers know whole milliseconds and drop the rest, which would show the fraction that the work took: the timer ends a
    // little early, and the last stretch is waited out by looking at the clock.
    await clock.sleep(Math.max(0, Math.floor(end - clock.now()) - 1));
    while (clock.now() < end) await clock.yield();
  }
}
