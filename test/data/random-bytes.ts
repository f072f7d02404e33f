// Generator of random bytes, letters of all scripts, and fragments with a meaning to parsers.

import fc from 'fast-check';

const NUL = String.fromCharCode(0);
const RIGHT_TO_LEFT = String.fromCharCode(0x202e);
const HALF_PAIR = String.fromCharCode(0xd800);

export const PIECES = [
  ...['eq.', 'not.', 'in.(', ')', '(', ',', '.', '->', '->>', '::', ':', '!', '...', '*', '"', '\\', "'", ';--', '/*'],
  ...['$1', '{', '}', '[', ']', NUL, '%', '+', 'id', 'name', 'ships', 'ports', 'select', 'and', 'or', 'is.null'],
  ...['count()', '.sum()', 'fts(english).', 'like(any).', '1', '-1', '9e99', 'NaN', '🚢', HALF_PAIR, RIGHT_TO_LEFT],
  ...['asc', 'desc', 'nullsfirst', '!inner', 'limit', 'offset', 'order', "' or 1=1 --", '"; drop table ships; --'],
];

export const noise: fc.Arbitrary<string> = fc.oneof(
  fc.uint8Array({ maxLength: 24 }).map((array) => Buffer.from(array).toString('latin1')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
