// Seed of tests that draw at random. `SEED=… npm test -- <file>` draws the same again; it stands in the names of those tests that draw by
// themselves, and fast-check tells it where it fails. In CI it is always the same, so that a failure there says something of the change;
// everywhere else each run draws anew. `THOROUGH=true` draws four times as much.

import fc from 'fast-check';

const { SEED, CI, THOROUGH } = process.env;
const given = SEED ?? (CI ? '20261123' : undefined);

export const seed = Number(given ?? Date.now() % 0x7fff_ffff);
if (given !== undefined) fc.configureGlobal({ seed });

/** Everything there is to try, for an hour that has time; a part of it otherwise, which is then another one each time. */
export const isThorough = /^(true|1)$/i.test(THOROUGH ?? '');

/** How many are drawn of so many. */
export const draws = (all: number): number => (isThorough ? all : Math.ceil(all / 4));
