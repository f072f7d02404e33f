// The closest name, if any is close.

import { expect, test } from 'vitest';
import { closest } from './suggest.ts';

const best = (names: string[], wanted: string, least?: number): string | null =>
  closest(names, wanted, least)[0]?.[1] ?? null;

test.each([
  [['films', 'directors'], 'film', 'films'],
  [['films', 'directors', 'roles', 'actors'], 'role', 'roles'],
  [['test', 'another'], 'testt', 'test'],
  [['films'], 'noclosealternative', null],
  [['(name, param, val)', '(attr, id)'], '(nam, pqaram, vall)', '(name, param, val)'],
  [['(name, param, val)', '(attr, id)'], '(id)', '(attr, id)'],
])('%j for %s', (names, wanted, found) => {
  expect(best(names, wanted)).toBe(found);
});

test('tables and functions must be closer than arguments', () => {
  expect(best(['projects'], 'projcts', 0.75)).toBe('projects');
  expect(best(['projects'], 'pro', 0.75)).toBeNull();
});

test('letter case is no difference', () => {
  expect(closest(['Films'], 'films')).toEqual([[1, 'Films']]);
});
