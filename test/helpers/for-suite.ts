// Opens something that the tests of a file, or of the `describe` around it, share, and closes it after the last of them:
// `const app = forSuite(() => startApp({ settings }))`. For use in tests and hooks: it is an empty object until the first hook has run.

import { afterAll, beforeAll } from 'vitest';

type Closable = { close(): unknown } | { stop(): unknown };

const end = (opened: Closable): unknown => ('close' in opened ? opened.close() : opened.stop());

/** In the order of their calls, and closed in the reverse one. `close` is for what has neither method; a plain object is given. */
export function forSuite<T extends Closable>(open: () => Promise<T>): T;
export function forSuite<T extends object>(open: () => Promise<T>, close: (opened: T) => unknown): T;
export function forSuite<T extends object>(
  open: () => Promise<T>,
  close: (opened: T) => unknown = (opened) => end(opened as T & Closable),
): T {
  const shared = {} as T;
  let opened: T | undefined;
  beforeAll(async () => {
    const given: T = await open();
    opened = given;
    // What a test sets is set there.
    for (const name of Object.keys(given) as (keyof T)[])
      Object.defineProperty(shared, name, {
        get: () => given[name],
        set: (value: T[keyof T]) => {
          given[name] = value;
        },
        ...{ enumerable: true, configurable: true },
      });
  });
  afterAll(async () => {
    if (opened !== undefined) await close(opened);
  });
  return shared;
}
