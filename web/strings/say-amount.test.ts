import { afterAll, expect, test } from 'vitest';
import { setCatalog } from './messages.ts';
import { sayAmount } from './say-amount.ts';

afterAll(() => setCatalog({}, 'en'));

test.each([
  ['en', 856.176, '€', '856.18 €'],
  ['de', 856.176, '€', '856,18 €'],
  ['de', 1200, 'EUR', '1.200 EUR'],
  ['en', 12.5, '$', '12.50 $'],
  ['en', 0.125, 'kg', '0.125 kg'],
  ['en', 0.125, null, '0.125'],
])('%s: %d %s', (language, number, unit, said) => {
  setCatalog({}, language);
  expect(sayAmount(number, unit)).toBe(said);
});
