// Formats the size of a file.

import { localized } from '../strings/messages.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

const formats = localized((locale) =>
  units.map(
    (unit, at) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: at === 0 ? 'long' : 'short',
        maximumFractionDigits: at > 1 ? 1 : 0,
      }),
  ),
);

export function saySize(bytes: number): string {
  let size = bytes;
  let at = 0;
  while (size >= 1000 && at < units.length - 1) {
    size /= 1000;
    at++;
  }
  return formats()[at]?.format(size) ?? String(bytes);
}
