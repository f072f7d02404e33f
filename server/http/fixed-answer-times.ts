// Answers that are the same whether or not something is there must also take the same time: what is done for what is there (a few
// more rows read or written) could be timed otherwise. They leave at the next multiple of a fixed time after the work is done.

const everyMs = 50;

/** For what differs by tenths of a millisecond: nearly all of it is done by the first step, and nobody feels one. */
export const SHORT_STEP_MS = 10;

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

export async function answerAtFixedTimes<T>(work: () => Promise<T>, clock: Clock = realClock): Promise<T> {
  const started = clock.now();
  try {
    return await work();
  } finally {
    await nextStep(started, everyMs, clock);
  }
}

/** `started` and now are of `performance.now()`. */
export async function nextStep(started: number, stepMs = SHORT_STEP_MS, clock: Clock = realClock): Promise<void> {
  const end = started + Math.ceil((clock.now() - started) / stepMs) * stepMs;
  // Timers know whole milliseconds and drop the rest, which would show the fraction that the work took: the timer ends a
  // little early, and the last stretch is waited out by looking at the clock.
  await clock.sleep(Math.max(0, Math.floor(end - clock.now()) - 1));
  while (clock.now() < end) await clock.yield();
}
