// No two files of a zip have the same name, and none leads out of it.

import { expect, test } from 'vitest';
import { distinctNames } from './zip-files.ts';

test.each([
  [
    ['a.txt', 'a.txt', 'A.TXT'],
    ['a.txt', 'a (2).txt', 'A (3).TXT'],
  ],
  [
    ['a (2).txt', 'a.txt', 'a.txt'],
    ['a (2).txt', 'a.txt', 'a (3).txt'],
  ],
  [
    ['../../etc/passwd', '..', 'a\\b'],
    ['.._.._etc_passwd', '_', 'a_b'],
  ],
  [
    ['none', 'none', '.env', '.env'],
    ['none', 'none (2)', '.env', '.env (2)'],
  ],
])('%j becomes %j', (given, expected) => {
  expect(distinctNames(given)).toEqual(expected);
});
