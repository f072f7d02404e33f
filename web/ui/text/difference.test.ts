import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf, wordDifferenceOf } from './difference.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('each text can be read out of the difference, and equal texts have none', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const lines = differenceOf(one, other);
      const without = (of: string) => lines.filter((line) => line.of !== of).map(({ line }) => line);
      expect(without('other').join('\n')).toBe(one);
      expect(without('one').join('\n')).toBe(other);
      if (one === other) expect(lines.every(({ of }) => of === 'both')).toBe(true);
    }),
  );
});

test('lines in both texts appear once', () => {
  expect(differenceOf('a\nb\nc', 'a\nx\nc').map(({ of, line }) => `${of} ${line}`)).toEqual([
    'both a',
    'one b',
    'other x',
    'both c',
  ]);
});

const prose = fc
  .array(fc.constantFrom('red', 'paint', ' ', '  ', '\n', '.', 'é', '👍'), { maxLength: 24 })
  .map((words) => words.join(''));

test('each text can be read out of the difference of words', () => {
  fc.assert(
    fc.property(prose, prose, (one, other) => {
      const parts = wordDifferenceOf(one, other);
      const without = (of: string) => parts.map((part) => (part.of === of ? '' : part.text)).join('');
      expect(without('other')).toBe(`${one}\n`);
      expect(without('one')).toBe(`${other}\n`);
    }),
  );
});

test('words that differ stand together, and texts with nothing in common one after the other', () => {
  const say = (one: string, other: string) => wordDifferenceOf(one, other).map(({ of, text }) => `${of} ${text}`);
  expect(say('Top\nUse the red paint', 'Top\nUse two dark coats of paint')).toEqual([
    'both Top\n',
    'both Use ',
    'one the red ',
    'other two dark coats of ',
    'both paint\n',
  ]);
  expect(say('a b c', 'x y z')).toEqual(['one a b c\n', 'other x y z\n']);
});

test('very long texts of one line are compared in no time, as a whole', () => {
  const long = (word: string) => `${word} `.repeat(20_000);
  expect(wordDifferenceOf(long('red'), long('blue')).map(({ of }) => of)).toEqual(['one', 'other']);
});
