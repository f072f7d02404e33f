// Seeded random numbers: the same seed gives the same sequence.

export interface Dice {
  /** A whole number from 0 up to, not with, the limit. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
  bytes(count: number): Buffer;
}

export function seeded(seed: number): Dice {
  let state = seed >>> 0;
  // Mulberry32: four lines, and even enough for choosing.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      if (from.length === 0) throw new Error('There is nothing to pick from');
      return from[below(from.length)] as (typeof from)[number];
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
