// The texts of the app in one language: loaded once before the first screen is drawn, then asked for by key. Parts of the app that
// are fetched later may bring a catalog of their own.
// A catalog is a folder of ICU messages (`en/app.json`); scripts/strings.mjs compiles it; the types of its keys (`./keys.ts`) lie outside the tree.

import { type Catalog, formatters, sayMessage } from '../../contract/say-message.ts';
import type { MessageArguments, MessageKey } from './keys.ts';

export type { Catalog } from '../../contract/say-message.ts';
export type { MessageKey } from './keys.ts';

/** The languages there are: how to fetch each catalog, by its path. */
type Catalogs = Readonly<Record<string, () => Promise<Catalog>>>;
type Given<K extends MessageKey> = MessageArguments[K] extends null ? [] : [values: MessageArguments[K]];

const fallback = 'en';
let catalog: Catalog = {};
/** For numbers, days and plurals: the region is the reader's own where it speaks the language of the catalog. */
let locale = fallback;
/** A part that is fetched at the same time must not be overwritten by the first catalog, nor come in another language. */
let choose: () => void = () => undefined;
const isChosen = new Promise<void>((resolve) => {
  choose = resolve;
});

/** Loads the first language of the reader that there are catalogs for. */
export async function loadMessages(catalogs: Catalogs, wanted: readonly string[]): Promise<void> {
  const chosen = wanted.find((tag) => inLanguage(catalogs, tag).length > 0) ?? fallback;
  const parts = await Promise.all(inLanguage(catalogs, chosen).map((load) => load()));
  setCatalog(Object.assign({}, ...parts), chosen);
  document.documentElement.lang = languageOf(chosen);
}

/** Loads more of the same language, once that is known; every language has every message. */
export async function addMessages(catalogs: Catalogs): Promise<void> {
  await isChosen;
  const parts = await Promise.all(inLanguage(catalogs, locale).map((load) => load()));
  setCatalog(Object.assign({}, catalog, ...parts), locale);
}

function inLanguage(catalogs: Catalogs, tag: string): (() => Promise<Catalog>)[] {
  return Object.entries(catalogs).flatMap(([path, load]) => (path.split('/').at(-2) === languageOf(tag) ? [load] : []));
}

export function setCatalog(messages: Catalog, tag: string): void {
  catalog = messages;
  locale = tag;
  choose();
}

/** The text of a key, with its arguments put in. */
export function t<K extends MessageKey>(key: K, ...[values]: Given<K>): string {
  const message = catalog[key];
  if (message === undefined) throw new Error(`No text for “${key}”: the messages are not loaded`);
  return sayMessage(message, locale, values ?? {});
}

/** For keys that are made from what a server says. */
export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(catalog, key);
}

export function sayNumber(n: number): string {
  return formatters.getNumberFormat(locale).format(n);
}

/** Something of `Intl` for the language on the page, made when it is first needed. */
export function localized<T>(make: (locale: string) => T): () => T {
  let made: { readonly locale: string; readonly value: T } | null = null;
  return () => {
    if (made?.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
}

const languageOf = (tag: string): string => tag.split('-', 1)[0] ?? tag;
