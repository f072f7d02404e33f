import { expect, test } from 'vitest';
import type { Catalog } from './catalog/catalog.ts';
import { type CachedPlan, PlanCache, planKeyOf } from './plan-cache.ts';

const catalog = {} as Catalog;

/** A read whose SQL is so long. */
function readOf(length: number): CachedPlan {
  return { query: { statement: { text: ' '.repeat(length), values: [] } } } as unknown as CachedPlan;
}

function isKept(known: PlanCache, path: string, length: number): boolean {
  const asked = planKeyOf({ method: 'GET', path, query: '', headers: {} }, false);
  if (asked === null) throw new Error('not one to keep');
  if (known.find(asked, catalog) !== undefined) return true;
  known.keep(asked, readOf(length), () => readOf(length));
  return false;
}

test('known reads stay within a budget: the oldest is dropped first', () => {
  const known = new PlanCache();
  for (const path of ['/a', '/b', '/a', '/b']) expect(isKept(known, path, 400_000)).toBe(false);
  expect([isKept(known, '/a', 400_000), isKept(known, '/b', 400_000)]).toEqual([true, true]);
  for (let time = 0; time < 2; time++) isKept(known, '/c', 400_000);
  expect([isKept(known, '/c', 400_000), isKept(known, '/b', 400_000), isKept(known, '/a', 400_000)]).toEqual([
    true,
    true,
    false,
  ]);
  for (let time = 0; time < 2; time++) isKept(known, '/too-long', 2_000_000);
  expect(isKept(known, '/too-long', 2_000_000)).toBe(false);
});
