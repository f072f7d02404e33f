// Puts arguments into a message of web/strings, with plurals and numbers of its language: for the app and the server alike.

import type { CompiledMessage } from 'icu-minify/format';
import format from 'icu-minify/format';

/** The compiled messages of a language, by key. */
export type Catalog = Readonly<Record<string, CompiledMessage>>;
export type MessageValues = Readonly<Record<string, string | number>>;

/** `locale` may name a region: `de-AT`. */
export function sayMessage(message: CompiledMessage, locale: string, values: MessageValues): string {
  return String(format(message, locale, values, { formatters }));
}

function kept<O, T>(make: (locale: string, options?: O) => T): (locale: string, options?: O) => T {
  const known = new Map<string, T>();
  return (tag, options) => {
    const name = options === undefined ? tag : tag + JSON.stringify(options);
    const value = known.get(name) ?? make(tag, options);
    known.set(name, value);
    return value;
  };
}

export const formatters = {
  getNumberFormat: kept((tag, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options)),
  getDateTimeFormat: kept((tag, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options)),
  getPluralRules: kept((tag, options?: Intl.PluralRulesOptions) => new Intl.PluralRules(tag, options)),
};
