// Names of emoji: the same in every language, found by any of their words.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emojis, isEmoji } from '../../../commands.ts';
import { findEmojis, listOf } from './emojis.ts';

const namesIn = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
const english = namesIn('en.json');

test.each(readdirSync(import.meta.dirname).filter((file) => file.endsWith('.json')))(
  '%s names every emoji, each a single sign',
  (file) => {
    const names = namesIn(file);
    expect(Object.keys(names)).toEqual(Object.keys(english));
    expect(Object.keys(names).filter((emoji) => !isEmoji(emoji))).toEqual([]);
    expect(Object.entries(names).filter(([, words]) => !/^[^;]+;/.test(words))).toEqual([]);
  },
);

test('those offered first are among them', () => {
  expect(emojis.filter((emoji) => english[emoji] === undefined)).toEqual([]);
});

test('texts, two signs and a lone part of a sign are no emoji', () => {
  for (const text of ['', 'a', '1', '👍👍', '👍 ', ':+1:', '🇩', '\u200d', '\ufe0f', 'a\u20e3', '👍'.repeat(40)])
    expect(isEmoji(text), text).toBe(false);
});

test('found by the beginning of any word, without accents, by name first', () => {
  const some = listOf({ '🌮': 'taco;mexican', '🦄': 'licorne;tête visage', '🎩': 'tête haute;mexicain' });
  const found = (text: string) => findEmojis(text, some).map(({ emoji }) => emoji);
  expect(found('')).toEqual(['🌮', '🦄', '🎩']);
  expect(found('tete')).toEqual(['🎩', '🦄']);
  expect(found('visage LIC')).toEqual(['🦄']);
  expect(found('exican')).toEqual([]);
});
