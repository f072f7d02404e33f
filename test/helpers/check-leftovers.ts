// Test files share their process (see docs/why/tests.md#test-files-share-a-process), so each has to leave it as
// it found it. Whoever changes the environment, the directory, a global or the clock and does not put it back fails here.

import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, vi } from 'vitest';

/** What one file could leave lying about for the next. */
export function lookAround(): Readonly<Record<string, unknown>> {
  return {
    environment: { ...process.env },
    directory: process.cwd(),
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
    functions: [globalThis.fetch, globalThis.setTimeout, globalThis.Date, Math.random, process.exit, console.error],
    fakedClock: vi.isFakeTimers(),
    listeners: ['SIGTERM', 'SIGINT', 'uncaughtException'].map((event) => process.listenerCount(event)),
  };
}

/** The names of what differs. */
export function differences(before: Readonly<Record<string, unknown>>): string[] {
  const after = lookAround();
  return Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

let found: Readonly<Record<string, unknown>>;
beforeAll(() => {
  found = lookAround();
});
// A browser that was closed takes its listeners along when its process has ended, which can be a moment later.
afterAll(() =>
  vi.waitFor(
    () => {
      const left = differences(found);
      if (left.length > 0) throw new Error(`this file leaves behind it: ${left.join(', ')}`);
    },
    { timeout: 5000 },
  ),
);
