// Formats a price, on the landing page and on the billing page.

import { sayMoney } from '../../contract/money.ts';
import type { Price } from '../../contract/price.ts';
import { t } from './messages.ts';

/** The amount, and for how long it lasts; null when the provider alone knows the amount. */
export function readPrice(price: Price): { readonly amount: string; readonly per: string } | null {
  if (price.amount === null || price.currency === null) return null;
  const amount = sayMoney(price.amount, price.currency);
  if (price.mode === 'payment') return { amount, per: t('price.once') };
  if (!/^(day|week|month|year)$/.test(price.interval ?? '')) return { amount, per: '' };
  return { amount, per: t('price.per', { unit: price.interval ?? '', count: price.intervalCount ?? 1 }) };
}
