// How a price reads, on the landing page and on the billing page.

import { sayMoney } from '../../contract/money.ts';
import type { Price } from '../sync/page-settings.ts';

const units: Readonly<Record<string, string>> = { day: 'day', week: 'week', month: 'month', year: 'year' };

/** The amount, and for how long it lasts; null when the provider alone knows the amount. */
export function readPrice(price: Price): { readonly amount: string; readonly per: string } | null {
  if (price.amount === null || price.currency === null) return null;
  const amount = sayMoney(price.amount, price.currency);
  const unit = units[price.interval ?? ''];
  if (price.mode === 'payment') return { amount, per: 'once' };
  if (unit === undefined) return { amount, per: '' };
  return { amount, per: price.intervalCount === 1 ? `a ${unit}` : `every ${price.intervalCount} ${unit}s` };
}
