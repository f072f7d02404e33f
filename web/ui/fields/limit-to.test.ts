import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessOf } from './limit-to.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'ö', '🚢', ' '), maxLength: 30 });

test('text typed or pasted over the limit is left out, counted in characters; all else stays', () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(40), (before, typed, after, most) => {
      fc.pre([...before, ...after].length <= most);
      const value = before + typed + after;
      const [from, to] = excessOf(value, (before + typed).length, most) ?? [0, 0];
      const kept = value.slice(0, from) + value.slice(to);
      const room = most - [...before, ...after].length;
      expect(kept).toBe(before + [...typed].slice(0, room).join('') + after);
    }),
  );
});
