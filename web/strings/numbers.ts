// Numbers in cells, as the reader's region writes them: read from what was typed or pasted, and written so that a spreadsheet reads them.

import { localized } from './messages.ts';

const marks = localized((locale) => {
  const parts = new Intl.NumberFormat(locale).formatToParts(12345.6);
  const mark = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? '';
  return { group: mark('group'), decimal: mark('decimal') || '.' };
});

/** Null: it is none. A mark that stands before three digits each groups them, where it does so in the reader's region; else it is the decimal one. */
export function readNumber(text: string, unit: string | null = null): number | null {
  let typed = text.trim();
  if (unit && typed.endsWith(unit)) typed = typed.slice(0, -unit.length);
  typed = typed.replace(/^[-−](?=[\d.,])/, '-').replace(/[\s\u00a0\u202f'’]|^[$€£¥]|[$€£¥%]$/g, '');
  const { group, decimal } = marks();
  const last = typed.search(/[.,](?=[^.,]*$)/);
  if (/[.,]/.test(typed)) {
    const mark = typed[last] ?? '';
    const grouped = new RegExp(`^-?\\d{1,3}(\\${mark}\\d{3})+$`).test(typed);
    const several = typed.indexOf(mark) !== last;
    if (grouped && (mark === group || several) && mark !== decimal) typed = typed.replaceAll(mark, '');
    else {
      // Before the decimal mark stand digits, or groups of the other one: `1.2.3` and a day are no number.
      const whole = typed.slice(0, last);
      if (!(mark === ',' ? /^-?(\d*|\d{1,3}(\.\d{3})+)$/ : /^-?(\d*|\d{1,3}(,\d{2,3})*,\d{3})$/).test(whole))
        return null;
      typed = `${whole.replace(/[.,]/g, '')}.${typed.slice(last + 1)}`;
    }
  }
  if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(typed)) return null;
  const number = Number(typed);
  return Number.isFinite(number) ? number : null;
}

/** From the first on, and less than the second. */
export type NumberRange = readonly [from: number, below: number];

/** As the database has them. */
export const estimateRange: NumberRange = [0, 1_000_000];
export const fieldRange: NumberRange = [-1e15 + 1, 1e15];

/** Null: it is none, or out of the range. */
export function readNumberIn([from, below]: NumberRange, text: string, unit: string | null = null): number | null {
  const number = readNumber(text, unit);
  return number !== null && number >= from && number < below ? number : null;
}

const bare = localized((locale) => new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 }));

export function writeNumber(number: number): string {
  return bare().format(number);
}

const short = localized((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));

/** Of sums and averages. */
export function sayRounded(number: number): string {
  return short().format(number);
}
