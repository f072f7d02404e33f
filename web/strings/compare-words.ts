// Order of names and titles: that of the language the app is in, whatever the browser's.

import { localized } from './messages.ts';

const order = localized((locale) => new Intl.Collator(locale, { sensitivity: 'base', numeric: true }));

export function compareWords(one: string, other: string): number {
  return order().compare(one, other);
}
