// Pages on one origin, /auth/v1 on another: links lead to the one that serves the API and return to the pages, and passkeys
// belong to the pages' domain.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { Authenticator } from './authenticator.ts';
import { startMailedApp } from './mailed-app.ts';

const api = 'https://api.board.test';
const site = 'https://app.board.test';
const app = forSuite(() =>
  startMailedApp({
    settings: {
      SITE_URL: site,
      API_EXTERNAL_URL: api,
      AUTH_RELYING_PARTY_ID: 'board.test',
      AUTH_RELYING_PARTY_ORIGINS: `${site},android:apk-key-hash:abc`,
      GOOGLE_CLIENT_ID: 'google-id',
    },
  }),
);

const password = 'secret1';

test('links in mails go to the API and come back to the site; tokens name the API', async () => {
  const email = 'ada@board.test';
  await app.client().auth.signUp({ email, password });
  const mail = await app.post.next(email);
  expect(new URL(mail.link).origin).toBe(api);
  expect(new URL(mail.link).searchParams.get('redirect_to')).toBe(site);
  const back = await app.follow(mail);
  expect(back.origin).toBe(site);
  const { access_token: token = '' } = Object.fromEntries(new URLSearchParams(back.hash.slice(1)));
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.iss).toBe(`${api}/auth/v1`);
  const discovery = await (await app.request('/auth/v1/.well-known/openid-configuration')).json();
  expect(discovery).toMatchObject({ issuer: `${api}/auth/v1`, jwks_uri: `${api}/auth/v1/.well-known/jwks.json` });
});

test('issuers send people back to the API', async () => {
  const answer = await app.request('/auth/v1/authorize?provider=google');
  const there = new URL(answer.headers.get('location') ?? '');
  expect(there.searchParams.get('redirect_uri')).toBe(`${api}/auth/v1/callback`);
});

test('passkeys belong to the domain that is set, on the origins that are', async () => {
  const email = 'grace@board.test';
  await app.client({ key: app.serviceKey }).auth.admin.createUser({ email, password, email_confirm: true });
  const client = app.client();
  await client.auth.signInWithPassword({ email, password });
  const register = async (origin: string) => {
    const { data: start } = await client.auth.passkey.startRegistration();
    expect(start?.options).toMatchObject({ rp: { id: 'board.test' } });
    return client.auth.passkey.verifyRegistration({
      challengeId: start?.challenge_id ?? '',
      credential: new Authenticator(origin).create(start?.options as never) as never,
    });
  };
  expect((await register('https://evil.test')).error?.code).toBe('webauthn_verification_failed');
  expect((await register(api)).error?.code).toBe('webauthn_verification_failed');
  expect((await register(site)).error).toBeNull();
});
