// ID tokens while the issuer does not answer: a bad token is the client's fault and never a 500.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const issuer = 'http://127.0.0.1:9';
const app = forSuite(() => startApp({ settings: { GOOGLE_CLIENT_ID: 'mine', GOOGLE_ISSUER: issuer } }));

function token(header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.c2lnbmF0dXJl`;
}

async function present(idToken: string) {
  const answer = await app.request('/auth/v1/token?grant_type=id_token', {
    method: 'POST',
    body: JSON.stringify({ provider: 'google', id_token: idToken }),
  });
  return { status: answer.status, code: (await answer.json()).code };
}

const soon = Math.floor(Date.now() / 1000) + 600;
const claims = { iss: issuer, aud: 'mine', sub: 'x', iat: soon - 600, exp: soon };

test.each([
  ['nonsense', 'nonsense'],
  ['three parts of nonsense', 'a.b.c'],
  ['unsigned', token({ alg: 'none' }, claims)],
  ['signed with a secret', token({ alg: 'HS256' }, claims)],
  ['from another issuer', token({ alg: 'RS256' }, { ...claims, iss: 'https://evil.test' })],
  ['without an issuer', token({ alg: 'RS256' }, { ...claims, iss: undefined })],
  ['expired', token({ alg: 'RS256' }, { ...claims, exp: soon - 1200 })],
])('%s is 400', async (_what, idToken) => {
  expect(await present(idToken)).toEqual({ status: 400, code: 'bad_jwt' });
});

test('a token that only an unreachable issuer could judge is 503', async () => {
  expect(await present(token({ alg: 'RS256', kid: 'x' }, claims))).toEqual({ status: 503, code: 'unexpected_failure' });
});
