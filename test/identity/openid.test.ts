// Sign-in through an OpenID Connect issuer: a real mock issuer, the official client, and people with bad intentions.

import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { whileHeld } from '../helpers/while-held.ts';
import { arrive, asGoogle, Browser, startIssuer, there, travel } from './issuer.ts';
import { fragmentOf, pkceClient } from './mailed-app.ts';

const issuer = forSuite(() => startIssuer());
const app = forSuite(() =>
  startApp({
    settings: {
      ...asGoogle(issuer),
      AUTH_OIDC_NAME: 'acme',
      AUTH_OIDC_ISSUER: issuer.url,
      AUTH_OIDC_CLIENT_ID: 'kanbase',
      AUTH_OIDC_CLIENT_SECRET: 'secret',
    },
  }),
);
let count = 0;
beforeEach(() => {
  count += 1;
  issuer.meet(count);
});

test('the implicit flow ends with a session in the fragment', async () => {
  const { data } = await app
    .client()
    .auth.signInWithOAuth({ provider: 'google', options: { redirectTo: there, skipBrowserRedirect: true } });
  const end = await travel(app, data.url ?? '');
  expect(end.origin).toBe('http://localhost:5173');
  const session = fragmentOf(end);
  expect(session).toMatchObject({ token_type: 'bearer' });
  expect(session.provider_token).toBeTruthy();
  const me = await app.client({ token: session.access_token ?? '' }).auth.getUser(session.access_token);
  expect(me.data.user).toMatchObject({
    email: `person${count}@example.test`,
    app_metadata: { provider: 'google', providers: ['google'] },
    user_metadata: { name: 'Grace', full_name: 'Grace', avatar_url: 'https://img.test/g.png' },
  });
});

test('the PKCE flow ends with a code; a second sign-in finds the same account', async () => {
  const ids: (string | undefined)[] = [];
  for (const provider of ['google', 'google'] as const) {
    const client = pkceClient(app);
    const { data } = await client.auth.signInWithOAuth({ provider, options: { redirectTo: there } });
    const end = await travel(app, data.url ?? '');
    expect(end.searchParams.get('next')).toBe('/app');
    const exchanged = await client.auth.exchangeCodeForSession(end.searchParams.get('code') ?? '');
    expect(exchanged.error).toBeNull();
    expect(exchanged.data.session?.provider_token).toBeTruthy();
    ids.push(exchanged.data.user?.id);
  }
  expect(ids[0]).toBe(ids[1]);
});

test('the redirect to the issuer carries state, nonce, PKCE, our scopes and the client’s', async () => {
  const out = await new Browser().visit(
    `${app.url}/auth/v1/authorize?provider=google&scopes=calendar&prompt=consent&client_id=evil&redirect_uri=https://evil.test`,
  );
  const query = new URL(out.location).searchParams;
  expect(query.get('client_id')).toBe('kanbase');
  expect(query.get('redirect_uri')).toMatch(/\/auth\/v1\/callback$/);
  expect(query.get('scope')).toBe('openid email profile calendar');
  expect(query.get('prompt')).toBe('consent');
  expect(query.get('code_challenge_method')).toBe('S256');
  for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)?.length).toBeGreaterThan(30);
});

test('a provider that is off, and one nobody knows', async () => {
  const off = await app.request('/auth/v1/authorize?provider=github');
  expect(off.status).toBe(400);
  expect(await off.json()).toMatchObject({
    code: 'validation_failed',
    msg: 'Unsupported provider: provider is not enabled',
  });
  expect((await app.request('/auth/v1/authorize?provider=nope')).status).toBe(400);
});

test('a person who presses the button of an issuer that is away, or off, is back in the app with words', async () => {
  const away = await startApp({
    settings: { AUTH_OIDC_NAME: 'acme', AUTH_OIDC_ISSUER: 'http://127.0.0.1:9', AUTH_OIDC_CLIENT_ID: 'x' },
  });
  const back = await away.request(`/auth/v1/authorize?provider=acme&redirect_to=${encodeURIComponent(there)}`);
  expect(back.status).toBe(302);
  const end = new URL(back.headers.get('location') ?? '');
  expect(end.origin + end.pathname).toBe('http://localhost:5173/auth/callback');
  expect(end.searchParams.get('next')).toBe('/app');
  expect(fragmentOf(end)).toEqual({
    error: 'temporarily_unavailable',
    error_code: 'unexpected_failure',
    error_description: 'acme cannot be reached at the moment, please try again',
  });
  const evil = await away.request('/auth/v1/authorize?provider=acme&redirect_to=https://evil.test');
  expect(new URL(evil.headers.get('location') ?? '').origin).toBe(new URL(away.services.siteUrl).origin);
  const off = await fetch(`${away.url}/auth/v1/authorize?provider=github`, {
    redirect: 'manual',
    headers: { accept: 'text/html,*/*;q=0.8' },
  });
  expect(off.headers.get('location')).toContain('error=invalid_request&error_code=validation_failed');
  await away.close();
});

describe('accounts of identities', () => {
  test('an existing account is found by a verified address, and keeps its name and password', async () => {
    const email = `person${count}@example.test`;
    const { data: up } = await app
      .client()
      .auth.signUp({ email, password: 'secret1', options: { data: { name: 'Own name' } } });
    await app.client({ key: app.serviceKey }).auth.admin.updateUserById(up.user?.id ?? '', { email_confirm: true });
    const end = await travel(
      app,
      `${app.url}/auth/v1/authorize?provider=acme&redirect_to=${encodeURIComponent(there)}`,
    );
    const { data } = await app.client().auth.getUser(fragmentOf(end).access_token);
    expect(data.user).toMatchObject({
      id: up.user?.id,
      user_metadata: { name: 'Own name' },
      app_metadata: { providers: ['email', 'acme'] },
    });
    expect((await app.client().auth.signInWithPassword({ email, password: 'secret1' })).error).toBeNull();
  });

  test('an account whose mailbox nobody proved is handed over without the ways in of whoever made it', async () => {
    const email = `person${count}@example.test`;
    const stranger = pkceClient(app);
    const { data: up } = await stranger.auth.signUp({ email, password: 'secret1' });
    expect(up.user?.identities?.[0]?.identity_data).toMatchObject({ email, email_verified: false });
    const own = { sub: `stranger-${count}`, email: `stranger${count}@example.test`, email_verified: true };
    const linked = await stranger.auth.linkIdentity({ provider: 'google', token: await issuer.idToken(own) });
    expect(linked.error).toBeNull();
    await stranger.auth.updateUser({ email: `waiting${count}@evil.test` });
    const { data: factor } = await stranger.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    expect((await stranger.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull();

    const end = await travel(
      app,
      `${app.url}/auth/v1/authorize?provider=acme&redirect_to=${encodeURIComponent(there)}`,
    );
    const { data } = await app.client().auth.getUser(fragmentOf(end).access_token);
    expect(data.user).toMatchObject({ id: up.user?.id, email, app_metadata: { providers: ['acme'] } });
    expect(data.user?.factors ?? []).toEqual([]);
    expect(data.user).not.toHaveProperty('new_email');
    const { session } = (await stranger.auth.getSession()).data;
    expect((await app.request('/auth/v1/user', { token: session?.access_token ?? '' })).status).toBe(401);
    expect((await stranger.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    const { error } = await app.client().auth.signInWithPassword({ email, password: 'secret1' });
    expect(error?.code).toBe('invalid_credentials');
    const back = await app.client().auth.signInWithIdToken({ provider: 'google', token: await issuer.idToken(own) });
    expect(back.data.user?.id).not.toBe(up.user?.id);
  });

  test('never by an address the issuer does not vouch for', async () => {
    const email = `person${count}@example.test`;
    await app.client().auth.signUp({ email, password: 'secret1' });
    issuer.claims = { ...issuer.claims, email_verified: false };
    const end = await travel(app, `${app.url}/auth/v1/authorize?provider=acme`);
    expect(end.searchParams.get('error_code')).toBe('provider_email_needs_verification');
    expect(fragmentOf(end)).toMatchObject({ error: 'access_denied', error_code: 'provider_email_needs_verification' });
    expect(end.hash).not.toContain('access_token');
  });

  test('an account that a stranger prepared with the address loses the password of the stranger', async () => {
    const email = `person${count}@example.test`;
    await app.sql(`insert into auth.users (email, encrypted_password) values ($1, 'x')`, [email]);
    await travel(app, `${app.url}/auth/v1/authorize?provider=acme`);
    const [row] = await app.sql<{ encrypted_password: string | null; confirmed: boolean }>(
      'select encrypted_password, email_confirmed_at is not null as confirmed from auth.users where email = $1',
      [email],
    );
    expect(row).toEqual({ encrypted_password: null, confirmed: true });
  });

  test('a banned person stays out', async () => {
    await travel(app, `${app.url}/auth/v1/authorize?provider=acme`);
    await app.sql(`update auth.users set banned_until = now() + interval '1 day' where email = $1`, [
      `person${count}@example.test`,
    ]);
    const end = await travel(app, `${app.url}/auth/v1/authorize?provider=acme`);
    expect(end.searchParams.get('error_code')).toBe('user_banned');
  });
});

describe('bad intentions', () => {
  test('a state is good once, and only one of ours', async () => {
    const browser = new Browser();
    const out = await browser.visit(`${app.url}/auth/v1/authorize?provider=google`);
    const atIssuer = await fetch(out.location, { redirect: 'manual' });
    const callback = new URL(atIssuer.headers.get('location') ?? '');
    const kept = new Map(browser.cookies);
    expect(fragmentOf(await arrive(app, callback, browser)).access_token).toBeTruthy();
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await arrive(app, callback, browser)).searchParams.get('error_code')).toBe('bad_oauth_state');
    callback.searchParams.set('state', 'made-up');
    expect((await arrive(app, callback, browser)).searchParams.get('error_code')).toBe('bad_oauth_state');
  });

  test('a sign-in cannot be finished in the browser of somebody else', async () => {
    const out = await new Browser().visit(`${app.url}/auth/v1/authorize?provider=google`);
    const atIssuer = await fetch(out.location, { redirect: 'manual' });
    const end = await arrive(app, new URL(atIssuer.headers.get('location') ?? ''), new Browser());
    expect(end.searchParams.get('error_code')).toBe('bad_oauth_state');
  });

  test.each([
    ['another audience', { aud: 'somebody-else' }],
    ['another issuer', { iss: 'https://evil.test' }],
    ['another nonce', { nonce: 'guessed' }],
    ['a token of the past', { exp: 1_000_000_000 }],
  ])('%s is refused', async (_what, spoiled) => {
    issuer.spoil = (token) => {
      if (token.payload.nonce !== undefined) Object.assign(token.payload, spoiled);
    };
    const end = await travel(app, `${app.url}/auth/v1/authorize?provider=google`);
    expect(end.searchParams.get('error_code')).toBe('bad_oauth_callback');
  });

  test.each([
    'https://evil.test',
    '//evil.test',
    '\\\\evil.test',
    'https:\\\\evil.test',
    'http://localhost@evil.test',
    'javascript:alert(1)',
    'https://evil.test/%2f..',
    'http://localhost.evil.test',
    'https:evil.test',
    'http://localhost:0@evil.test/',
    '/\\evil.test',
    '%2f%2fevil.test',
    'http://evil.test#@localhost',
  ])('no way to %s', async (address) => {
    const end = await travel(
      app,
      `${app.url}/auth/v1/authorize?provider=google&redirect_to=${encodeURIComponent(address)}`,
    );
    expect(end.origin).toBe(new URL(app.services.siteUrl).origin);
  });

  test('a refusal at the issuer comes back with its message', async () => {
    const browser = new Browser();
    const out = await browser.visit(`${app.url}/auth/v1/authorize?provider=google`);
    const state = new URL(out.location).searchParams.get('state');
    const end = await arrive(
      app,
      new URL(`${app.url}/auth/v1/callback?error=access_denied&error_description=No&state=${state}`),
      browser,
    );
    expect(end.searchParams.get('error')).toBe('access_denied');
    expect(fragmentOf(end).error_description).toBe('No');
  });
});

describe('ID tokens', () => {
  test('two first sign-ins at once make one account', async () => {
    const token = await issuer.idToken(issuer.claims);
    const all = await Promise.all(
      Array.from({ length: 6 }, () => app.client().auth.signInWithIdToken({ provider: 'google', token })),
    );
    expect(all.map(({ error }) => error)).toEqual(all.map(() => null));
    expect(new Set(all.map(({ data }) => data.user?.id)).size).toBe(1);
  });

  test('a sign-in takes the account before its identity, as others do: neither waits for the other', async () => {
    const token = await issuer.idToken(issuer.claims);
    const signIn = () => app.client().auth.signInWithIdToken({ provider: 'google', token });
    const id = (await signIn()).data.user?.id;
    const second = await whileHeld({
      ...{ app, row: 'select from auth.users where id = $1', id, ask: signIn },
      meanwhile: (held) => held.query('update auth.identities set updated_at = now() where user_id = $1', [id]),
    });
    expect(second.data.user?.id).toBe(id);
  });

  test('sign in, with and without a nonce', async () => {
    const nonce = 'once';
    const hashed = createHash('sha256').update(nonce).digest('hex');
    const token = await issuer.idToken({ ...issuer.claims, nonce: hashed });
    const good = await app.client().auth.signInWithIdToken({ provider: 'google', token, nonce });
    expect(good.error).toBeNull();
    expect(good.data.user?.email).toBe(`person${count}@example.test`);
    expect(
      (await app.client().auth.signInWithIdToken({ provider: 'google', token, nonce: 'other' })).error?.message,
    ).toBe('Nonces mismatch');
    expect((await app.client().auth.signInWithIdToken({ provider: 'google', token })).error?.message).toContain(
      'both exist or not',
    );
    const plain = await app
      .client()
      .auth.signInWithIdToken({ provider: 'google', token: await issuer.idToken(issuer.claims) });
    expect(plain.data.user?.id).toBe(good.data.user?.id);
  });

  test('for several parties only when we asked, and only with their own access token', async () => {
    const signIn = async (claims: object, access_token?: string) => {
      const token = await issuer.idToken({ ...issuer.claims, ...claims });
      const options = { provider: 'google', token, ...(access_token === undefined ? {} : { access_token }) };
      return (await app.client().auth.signInWithIdToken(options)).error?.code;
    };
    expect(await signIn({ aud: ['kanbase', 'other'] })).toBe('bad_jwt');
    expect(await signIn({ aud: ['kanbase', 'other'], azp: 'other' })).toBe('bad_jwt');
    expect(await signIn({ aud: ['kanbase', 'other'], azp: 'kanbase' })).toBeUndefined();
    const at_hash = createHash('sha256').update('theirs').digest().subarray(0, 16).toString('base64url');
    expect(await signIn({ at_hash }, 'another')).toBe('bad_jwt');
    expect(await signIn({ at_hash }, 'theirs')).toBeUndefined();
    expect(await signIn({ at_hash })).toBeUndefined();
  });

  test('not for somebody else, not too old, not unsigned', async () => {
    for (const claims of [{ aud: 'other' }, { exp: 1_000_000_000 }, { iss: 'https://evil.test' }]) {
      const token = await issuer.idToken({ ...issuer.claims, ...claims });
      expect((await app.client().auth.signInWithIdToken({ provider: 'google', token })).error?.code).toBe('bad_jwt');
    }
    const [, payload] = (await issuer.idToken(issuer.claims)).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    expect((await app.client().auth.signInWithIdToken({ provider: 'google', token: none })).error?.code).toBe(
      'bad_jwt',
    );
    expect((await app.client().auth.signInWithIdToken({ provider: 'apple', token: none })).error?.code).toBe(
      'provider_disabled',
    );
  });
});
