// A number of a field with its unit. Money has cents or none.

import { localized, sayNumber } from './messages.ts';

const money = /^(?:[$€£¥₣₤₩₹₽₺]|[A-Z]{3}|Fr\.|kr)$/;
const withCents = localized(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

export function sayAmount(number: number, unit: string | null): string {
  if (unit === null) return sayNumber(number);
  if (!money.test(unit)) return `${sayNumber(number)} ${unit}`;
  const whole = Math.abs(number - Math.round(number)) < 0.005;
  return `${whole ? sayNumber(Math.round(number)) : withCents().format(number)} ${unit}`;
}
