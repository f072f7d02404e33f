import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

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
