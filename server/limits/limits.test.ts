import { expect, test } from 'vitest';
import { openBudget } from './budget.ts';
import { countInMemory } from './count-in-memory.ts';

const limit = { name: 'signIn', points: 2, windowSeconds: 60 };

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

test('a clock that is set back by days takes nothing from a bucket or a budget', async () => {
  let now = 200_000_000;
  const limits = countInMemory(() => now);
  const budget = openBudget(60, () => now);
  await limits.take(limit, 'a');
  budget.charge('ada', 1000);
  now = 0;
  expect((await limits.take(limit, 'a')).allowed).toBe(true);
  budget.charge('ada', 1000);
  budget.admit('ada');
});

test('keys and names are counted apart', async () => {
  const limits = countInMemory(() => 0);
  for (let turn = 0; turn < 3; turn += 1) await limits.take(limit, 'a');
  expect((await limits.take(limit, 'b')).allowed).toBe(true);
  expect((await limits.take({ ...limit, name: 'other' }, 'a')).allowed).toBe(true);
});

test('long keys are counted apart too', async () => {
  const limits = countInMemory(() => 0);
  const [one, other] = ['a', 'b'].map((end) => `${'x'.repeat(10_000)}${end}`) as [string, string];
  for (const allowed of [true, true, false]) expect((await limits.take(limit, one)).allowed).toBe(allowed);
  expect((await limits.take(limit, other)).allowed).toBe(true);
  await limits.give(limit, one);
  expect((await limits.look(limit, one)).allowed).toBe(true);
});

test('looking takes nothing, and what is given back can be taken again', async () => {
  const limits = countInMemory(() => 0);
  for (let look = 0; look < 5; look += 1) expect((await limits.look(limit, 'a')).allowed).toBe(true);
  await limits.take(limit, 'a');
  await limits.take(limit, 'a');
  expect(await limits.look(limit, 'a')).toEqual({ allowed: false, retryAfterSeconds: 30 });
  await limits.give(limit, 'a');
  expect((await limits.take(limit, 'a')).allowed).toBe(true);
  expect((await limits.take(limit, 'a')).allowed).toBe(false);
  // Never more than the bucket holds.
  for (let gift = 0; gift < 5; gift += 1) await limits.give(limit, 'a');
  for (const allowed of [true, true, false]) expect((await limits.take(limit, 'a')).allowed).toBe(allowed);
});
