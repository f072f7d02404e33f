import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.each([
  'password',
  'Password1',
  'P@ssw0rd!',
  'qwerty123',
  '123456',
  '111111',
  'abcabc',
  'Summer2024',
  'letmein!',
  'abcdefgh',
  '98765432',
])('%s is tried first', (password) => expect(isCommonPassword(password)).toBe(true));

test.each(['correct horse battery', 'Tr0ub4dor&3x', 'zebra lamp 42 violin', 'lo7!kdP2', 'secretive otter'])(
  '%s is not',
  (password) => expect(isCommonPassword(password)).toBe(false),
);
