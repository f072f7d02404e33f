import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceOf } from './difference.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('both texts can be read out of their difference, and equal ones have none', () => {
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

test('what both have stands once', () => {
  expect(differenceOf('a\nb\nc', 'a\nx\nc').map(({ of, line }) => `${of} ${line}`)).toEqual([
    'both a',
    'one b',
    'other x',
    'both c',
  ]);
});
