import { expect, test } from 'vitest';
import type { Catalog } from './catalog/catalog.ts';
import { type CachedPlan, PlanCache, planKeyOf } from './plan-cache.ts';

const catalog = {} as Catalog;

/** A read whose SQL is so long. */
function readOf(length: number): CachedPlan {
  return { query: { statement: { text: ' '.repeat(length), values: [] } } } as unknown as CachedPlan;
}

function isCached(known: PlanCache, path: string, length: number): boolean {
  const asked = planKeyOf({ method: 'GET', path, query: '', headers: {} }, false);
  if (asked === null) throw new Error('not one to keep');
  if (known.find(asked, catalog) !== undefined) return true;
  known.keep(asked, readOf(length), () => readOf(length));
  return false;
}

test('known reads stay within a budget: the oldest is dropped first', () => {
  const known = new PlanCache();
  for (const path of ['/a', '/b', '/a', '/b']) expect(isCached(known, path, 400_000)).toBe(false);
  expect([isCached(known, '/a', 400_000), isCached(known, '/b', 400_000)]).toEqual([true, true]);
  for (let time = 0; time < 2; time++) isCached(known, '/c', 400_000);
  expect([isCached(known, '/c', 400_000), isCached(known, '/b', 400_000), isCached(known, '/a', 400_000)]).toEqual([
    true,
    true,
    false,
  ]);
  for (let time = 0; time < 2; time++) isCached(known, '/too-long', 2_000_000);
  expect(isCached(known, '/too-long', 2_000_000)).toBe(false);
});
