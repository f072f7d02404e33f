import { expect, test } from 'vitest';
import { countInMemory } from './count-in-memory.ts';

const limit = { name: 'knock', points: 2, windowSeconds: 60 };

test('a bucket empties, tells how long to wait, and fills again', async () => {
  let now = 0;
  const limits = countInMemory(() => now);
  expect(await limits.take(limit, 'a')).toEqual({ allowed: true, retryAfterSeconds: 0 });
  expect(await limits.take(limit, 'a')).toEqual({ allowed: true, retryAfterSeconds: 0 });
  expect(await limits.take(limit, 'a')).toEqual({ allowed: false, retryAfterSeconds: 30 });
  now = 20_000;
  expect(await limits.take(limit, 'a')).toEqual({ allowed: false, retryAfterSeconds: 10 });
  now = 30_000;
  expect(await limits.take(limit, 'a')).toEqual({ allowed: true, retryAfterSeconds: 0 });
});

test('keys and names are counted apart', async () => {
  const limits = countInMemory(() => 0);
  for (let knock = 0; knock < 3; knock += 1) await limits.take(limit, 'a');
  expect((await limits.take(limit, 'b')).allowed).toBe(true);
  expect((await limits.take({ ...limit, name: 'other' }, 'a')).allowed).toBe(true);
});
