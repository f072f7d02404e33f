// A number of a field with its unit. Money has cents or none; anything else is rounded to hundredths.

import { localized } from './messages.ts';

const money = /^(?:[$€£¥₣₤₩₹₽₺]|[A-Z]{3}|Fr\.|kr)$/;
const rounded = localized((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
const withCents = localized(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

export function sayAmount(number: number, unit: string | null): string {
  if (unit === null) return rounded().format(number);
  const whole = Math.abs(number - Math.round(number)) < 0.005;
  const said = money.test(unit) && !whole ? withCents() : rounded();
  return `${said.format(number)}\u00a0${unit}`;
}
