// Amounts of the payment provider: integers in the smallest unit of a currency, by a list of the provider's own. The list
// differs from what locales write: 1000 of HUF is 10 forint, though locales have no fillér any more.

const withoutFraction = /^(bif|clp|djf|gnf|jpy|kmf|krw|mga|pyg|rwf|vnd|vuv|xaf|xof|xpf)$/i;
const inThousandths = /^(bhd|jod|kwd|omr|tnd)$/i;

/** As people write it, in the language of `locale` (the reader's own when undefined). */
export function sayMoney(amount: number, currency: string, locale?: string): string {
  const digits = withoutFraction.test(currency) ? 0 : inThousandths.test(currency) ? 3 : 2;
  const value = amount / 10 ** digits;
  const format = { style: 'currency', currency: currency.toUpperCase() } as const;
  return new Intl.NumberFormat(locale, {
    ...format,
    // Nothing behind the point when there is nothing to say, and never less than there is to pay.
    ...(Number.isInteger(value)
      ? { minimumFractionDigits: 0, maximumFractionDigits: 0 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  }).format(value);
}
