// Texts of screens by catalog key, in the language of the tested browser, so that a changed text costs no test.

import compile from 'icu-minify/compile';
import { sayMessage } from '../../contract/say-message.ts';
import { argumentTypes } from '../../scripts/generate/messages.ts';
import { partsOf, readPart } from '../../scripts/strings.mjs';
import type { MessageArguments as OfServer } from '../../server/texts/keys.ts';
import type { MessageArguments as OfApp } from '../../web/strings/keys.ts';

interface Arguments extends OfApp, OfServer {}
export type Key = keyof Arguments;
type Given<K extends Key> = Arguments[K] extends null ? [] : [values: Arguments[K]];
/** Arguments that are not given may be anything; a pattern stands for what it matches. */
type Partly<K extends Key> = { readonly [Name in keyof Arguments[K]]?: Arguments[K][Name] | RegExp };

/** Put where an argument may be anything. */
const anything = { words: '\0', number: 987_654_321 };

/** The words of a language, for browsers of a locale. */
export function wordsIn(language: string, locale = language) {
  const texts = new Map(partsOf(language).flatMap((part) => [...readPart(language, part)]));
  const textOf = (key: string): string => {
    const text = texts.get(key);
    if (text === undefined) throw new Error(`No text for “${key}”`);
    return text;
  };
  const say = (key: string, values: Readonly<Record<string, string | number>>): string =>
    sayMessage(compile(textOf(key)), locale, values);

  function inside<K extends Key>(key: K, given: Partly<K> = {}): string {
    const asked = [...argumentTypes(textOf(key))].map(([name, type]) => [
      name,
      type === 'number' ? anything.number : anything.words,
    ]);
    const patterns: string[] = [];
    const put = (value: unknown) =>
      value instanceof RegExp ? `\uE000${patterns.push(value.source) - 1}\uE000` : value;
    const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, put(value)]));
    return say(key, { ...Object.fromEntries(asked), ...values })
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/\0|987\\?.654\\?.321|987654321/g, '.*')
      .replaceAll(/\uE000(\d+)\uE000/g, (_, at) => `(?:${patterns[Number(at)]})`);
  }

  return {
    /** The whole text. */
    t: <K extends Key>(key: K, ...[values]: Given<K>): string => say(key, values ?? {}),
    /** Source of a pattern that finds the text anywhere, as in a longer text or the output of a command. */
    inside,
    /** What begins with the text. */
    saying: <K extends Key>(key: K, given?: Partly<K>): RegExp => new RegExp(`^${inside(key, given)}`),
    /** What holds the text. */
    holding: <K extends Key>(key: K, given?: Partly<K>): RegExp => new RegExp(inside(key, given)),
  };
}

export const { t, inside, saying, holding } = wordsIn('en', 'en-GB');

export const either = (...some: readonly RegExp[]): RegExp => new RegExp(some.map(({ source }) => source).join('|'));
