// The texts of emails, push messages and pages in one of the languages there are. English where a language is none of them.

import { sayDay } from '../../contract/say-day.ts';
import { type MessageValues, sayMessage } from '../../contract/say-message.ts';
import { catalogs } from './catalogs.ts';
import type { MessageArguments, MessageKey } from './keys.ts';

export type { MessageKey } from './keys.ts';

/** What a message takes; unknown: nothing. */
export type ValuesOf<K extends MessageKey> = MessageArguments[K] extends null ? unknown : MessageArguments[K];
type Given<K extends MessageKey> = unknown extends ValuesOf<K> ? [] : [values: ValuesOf<K>];

export interface Texts {
  readonly language: string;
  /** The text of a key, with its arguments put in. */
  t<K extends MessageKey>(key: K, ...given: Given<K>): string;
  /** The same for a key made from what the database says: the values may be more than it takes. Null: there is no such message. */
  find(key: string, values: MessageValues): string | null;
  /** `2026-05-15`, written as the language writes it. */
  sayDay(day: string): string;
}

export const languages: readonly string[] = Object.keys(catalogs);

export function isLanguage(language: unknown): language is string {
  return typeof language === 'string' && languages.includes(language);
}

export function textsIn(wanted: unknown): Texts {
  const language = isLanguage(wanted) ? wanted : 'en';
  const catalog = catalogs[language] ?? {};
  const find = (key: string, values: MessageValues): string | null => {
    const message = Object.hasOwn(catalog, key) ? catalog[key] : undefined;
    return message === undefined ? null : sayMessage(message, language, values);
  };
  return {
    language,
    find,
    t: (key, ...[values]) => find(key, (values ?? {}) as MessageValues) ?? key,
    sayDay: (day) => sayDay(day, language),
  };
}
