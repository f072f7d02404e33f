// Amounts of money: the payment provider's units in words.

import { expect, it } from 'vitest';
import { sayMoney } from '../../contract/money.ts';

for (const [amount, currency, words] of [
  [900, 'eur', '€9'],
  [950, 'eur', '€9.50'],
  [0, 'usd', '$0'],
  [500, 'jpy', '¥500'],
  [5124, 'kwd', 'KWD 5.124'],
  [999000, 'huf', 'HUF 9,990'],
  [1990, 'idr', 'IDR 19.90'],
] as const)
  it(`${amount} of ${currency} is ${words}`, () =>
    expect(sayMoney(amount, currency, 'en').replace('\u00a0', ' ')).toBe(words));
