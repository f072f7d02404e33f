import { expect, test } from 'vitest';
import { answerAtFixedTimes, type Clock, nextStep, SHORT_STEP_MS } from './fixed-answer-times.ts';

/** Sleeps whole milliseconds, as timers do. */
function clockAt(start: number): Clock & { pass(ms: number): void } {
  let now = start;
  const pass = (ms: number): void => {
    now += ms;
  };
  return { now: () => now, sleep: async (ms) => pass(Math.trunc(ms)), yield: async () => pass(0.01), pass };
}

test.each([0.3, 2, 2.4, 7.91, 49.7, 50.2, 120.5])(
  'work of %s ms ends on the next step, to the hundredth',
  async (ms) => {
    const clock = clockAt(1000.37);
    const ended = await answerAtFixedTimes(async () => {
      clock.pass(ms);
      return 'done';
    }, clock);
    expect(ended).toBe('done');
    const late = (clock.now() - 1000.37) % 50;
    expect(Math.min(late, 50 - late)).toBeLessThan(0.02);
  },
);

test('work that fails leaves at the same times', async () => {
  const clock = clockAt(0);
  const failing = answerAtFixedTimes(async () => {
    clock.pass(3.3);
    throw new Error('no');
  }, clock);
  await expect(failing).rejects.toThrow('no');
  expect(clock.now()).toBeCloseTo(50, 1);
});

test.each([0.31, 0.34, 3, 9.4])('an answer begun %s ms ago leaves one step after its beginning', async (ms) => {
  const clock = clockAt(1000.37 + ms);
  await nextStep(1000.37, SHORT_STEP_MS, clock);
  expect(Math.abs(clock.now() - 1000.37 - SHORT_STEP_MS)).toBeLessThan(0.02);
});
