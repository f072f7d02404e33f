// The seed of tests that draw at random beyond what fast-check repeats by itself: `SEED=… npm test -- <file>` draws the
// same again. It stands in the names of those tests, so that a failure tells it.

export const seed = Number(process.env.SEED ?? Date.now() % 0x7fff_ffff);
