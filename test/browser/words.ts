// Texts of screens by key, as the app says them to the browsers of these tests: a better text costs no test.

import compile from 'icu-minify/compile';
import { sayMessage } from '../../contract/say-message.ts';
import { argumentTypes } from '../../scripts/generate/messages.ts';
import { partsOf, readPart } from '../../scripts/strings.mjs';
import type { MessageArguments as OfServer } from '../../server/texts/keys.ts';
import type { MessageArguments as OfApp } from '../../web/strings/keys.ts';

interface Arguments extends OfApp, OfServer {}
export type Key = keyof Arguments;
type Given<K extends Key> = Arguments[K] extends null ? [] : [values: Arguments[K]];

const texts = new Map(partsOf('en').flatMap((part) => [...readPart('en', part)]));

/** Put where an argument may be anything. */
const anything = { words: '\0', number: 987_654_321 };

const textOf = (key: string): string => {
  const text = texts.get(key);
  if (text === undefined) throw new Error(`No text for “${key}”`);
  return text;
};
const say = (key: string, values: Readonly<Record<string, string | number>>): string =>
  sayMessage(compile(textOf(key)), 'en-GB', values);

/** The whole text. */
export function t<K extends Key>(key: K, ...[values]: Given<K>): string {
  return say(key, values ?? {});
}

/** What begins with the text; arguments that are not given may be anything. */
export function saying<K extends Key>(key: K, given?: Partial<Arguments[K]>): RegExp {
  const asked = [...argumentTypes(textOf(key))].map(([name, type]) => [
    name,
    type === 'number' ? anything.number : anything.words,
  ]);
  const text = say(key, { ...Object.fromEntries(asked), ...given });
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/\0|987,654,321|987654321/g, '.*')}`);
}

/** Source of a pattern that finds the text anywhere, as in the output of a command. */
export const inside = <K extends Key>(key: K, given?: Partial<Arguments[K]>): string =>
  saying(key, given).source.slice(1);

export const either = (...some: readonly RegExp[]): RegExp => new RegExp(some.map(({ source }) => source).join('|'));
