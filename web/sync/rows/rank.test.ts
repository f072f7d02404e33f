// A rank between two ranks is always between them, whatever was dropped there before.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRanks, rankBetween } from './rank.ts';

test('any sequence of drops keeps a strict order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 120 }), (places) => {
      const ranks: string[] = ['a0', 'a1', 'a1V', 'b'];
      for (const place of places) {
        const at = place % (ranks.length + 1);
        ranks.splice(at, 0, rankBetween(ranks[at - 1] ?? null, ranks[at] ?? null));
      }
      for (let at = 1; at < ranks.length; at++) expect(compareRanks(ranks[at - 1] ?? '', ranks[at] ?? '')).toBe(-1);
    }),
  );
});

test('a thousand drops into the same gap find room', () => {
  let high = 'a1';
  for (let drop = 0; drop < 1000; drop++) {
    const next = rankBetween('a0', high);
    expect(next > 'a0' && next < high).toBe(true);
    high = next;
  }
});

test('the first task of a column has a rank, and so has the last', () => {
  expect(rankBetween(null, null)).toBe('a0');
  expect(rankBetween('a5', null) > 'a5').toBe(true);
  expect(rankBetween(null, 'a0') < 'a0').toBe(true);
});
