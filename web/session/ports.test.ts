// Tests for reading a client's session: the user, and a missing second factor.

import { expect, test } from 'vitest';
import { live } from './ports.ts';

const token = (claims: object): string => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
const verified = [{ status: 'verified' }];

test.each([
  ['a password alone is all there is', { aal: 'aal1' }, [], false],
  ['the factor was shown', { aal: 'aal2' }, verified, false],
  ['the factor is enrolled and was not shown', { aal: 'aal1' }, verified, true],
  ['the server says so, whatever we remember of the factors', { aal: 'aal1', mfa_pending: true }, [], true],
  ['a factor is being set up', { aal: 'aal1' }, [{ status: 'unverified' }], false],
  ['a token of nobody we know', 'broken', verified, true],
] as const)('%s', (_, claims, factors, due) => {
  const access_token = typeof claims === 'string' ? claims : token(claims);
  expect(live({ access_token, user: { id: 'ada', email: 'ada@example.test', factors } })).toEqual({
    user: { id: 'ada', email: 'ada@example.test' },
    factorDue: due,
  });
});

test('a client without a session has no user', () => {
  expect(live(null)).toBeNull();
});
