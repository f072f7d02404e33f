// Compares the texts of a language with the English ones: missing, unknown and misplaced messages, other arguments, missing plural forms,
// and texts where English has a link.

import { linksOf, partsOf, readPart, writtenIn } from '../strings.mjs';
import { argumentTypes, pluralForms } from './messages.ts';

/** Texts by the name of their file and their key. */
export type Texts = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function textsOf(language: string): Texts {
  return new Map(partsOf(language).map((part) => [part, readPart(language, part)]));
}

/** One line for each fault. */
export function translationFaults(language: string, texts: Texts, english: Texts): string[] {
  const missing = [...english].flatMap(([part, messages]) =>
    [...messages.keys()]
      .filter((key) => !texts.get(part)?.has(key))
      .map((key) => `${language}/${part}.json: ${key} is missing`),
  );
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const others = [...texts].flatMap(([part, messages]) =>
    [...messages].flatMap(([key, text]) => {
      const original = english.get(part)?.get(key);
      const fault = original === undefined ? 'is not in English' : faultIn(text, original, needed);
      return fault === null ? [] : [`${language}/${part}.json: ${key} ${fault}`];
    }),
  );
  return [...missing, ...others];
}

/** One line for each text that is written where English links to another one. */
export function linkFaults(language: string, folder?: string): string[] {
  return partsOf(language, folder).flatMap((part) => {
    const written = writtenIn(language, part, folder);
    return [...linksOf(part, folder)].flatMap(([key, target]) =>
      [undefined, `@:${target}`].includes(written.get(key))
        ? []
        : [`${language}/${part}.json: ${key} is the text of ${target}: translate that one, and remove this`],
    );
  });
}

function faultIn(text: string, original: string, needed: readonly string[]): string | null {
  try {
    const [own, wanted] = [text, original].map((message) => [...argumentTypes(message).keys()].sort().join(', '));
    if (own !== wanted) return `takes ${own || 'no arguments'}, in English ${wanted || 'none'}`;
    const lacking = pluralForms(text).flatMap((forms) => needed.filter((form) => !forms.includes(form)));
    return lacking.length === 0 ? null : `has no plural form ${[...new Set(lacking)].join(', ')}`;
  } catch (error) {
    return `can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
