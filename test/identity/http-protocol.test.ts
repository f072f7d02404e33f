// Identity door over raw HTTP: shapes, statuses, headers, and the words for disabled features.

import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(() => startApp({ settings: { TRUST_PROXY: '127.0.0.1', AUTH_LIMIT_SIGN_IN: '20' } }));

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `wire${count}@example.test`;
}

async function post(path: string, body: unknown, init: RequestInit & { token?: string | null } = {}) {
  const answer = await app.request(`/auth/v1${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? null : JSON.parse(text) };
}

async function signedUp(extra: Record<string, unknown> = {}) {
  const email = someone();
  const { body } = await post('/signup', { email, password, ...extra });
  return { email, ...body } as {
    email: string;
    access_token: string;
    refresh_token: string;
    user: Record<string, unknown>;
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

describe('sessions', () => {
  test('a sign-up answers with a token response', async () => {
    const email = someone();
    const answer = await post('/signup', { email, password, options: { data: { name: 'Ada' } } }, { token: null });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toContain('application/json');
    const now = Date.now() / 1000;
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(Math.abs(answer.body.expires_at - now - 3600)).toBeLessThan(30);
    expect(answer.body.access_token.split('.')).toHaveLength(3);
    const { user } = answer.body;
    expect(user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      app_metadata: {},
      user_metadata: { name: 'Ada' },
      is_anonymous: false,
    });
    expect(user.app_metadata).toEqual({});
    expect(user.id).toMatch(uuid);
    for (const field of ['created_at', 'updated_at', 'last_sign_in_at', 'email_confirmed_at', 'confirmed_at'])
      expect(user[field]).toMatch(moment);
    expect(user.identities).toMatchObject([
      {
        id: user.id,
        user_id: user.id,
        provider: 'email',
        identity_data: { sub: user.id, email, email_verified: false },
      },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('password');
  });

  test("the token carries what Supabase's tokens carry", async () => {
    const { access_token, user } = await signedUp({ data: { name: 'Ada' } });
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({
      iss: `${app.services.siteUrl}/auth/v1`,
      sub: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: user.email,
      phone: '',
      app_metadata: {},
      user_metadata: { name: 'Ada' },
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(uuid),
      is_anonymous: false,
    });
    expect(claims.app_metadata).toEqual({});
    expect(claims.exp - claims.iat).toBe(3600);
  });

  test('/user wants a key, and a token of somebody', async () => {
    const { access_token, user } = await signedUp();
    const authorization = `Bearer ${access_token}`;
    const ask = (headers: Record<string, string>) => fetch(`${app.url}/auth/v1/user`, { headers });
    const good = await ask({ apikey: app.anonKey, authorization });
    expect(good.status).toBe(200);
    expect(good.headers.get('content-type')).toContain('application/json');
    expect(await good.json()).toMatchObject({ id: user.id, app_metadata: {} });
    for (const headers of [{}, { authorization }]) {
      const refused = await ask(headers as Record<string, string>);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ code: 'no_authorization', message: expect.any(String) });
    }
    // A key alone is nobody, at every route that is a person's own.
    const own = ['GET /user', 'PUT /user', 'POST /logout', 'POST /factors', 'GET /passkeys', 'GET /reauthenticate'];
    for (const route of own)
      for (const inAddress of [false, true]) {
        const [method = '', path = ''] = route.split(' ');
        const nobody = await fetch(`${app.url}/auth/v1${path}${inAddress ? `?apikey=${app.anonKey}` : ''}`, {
          method,
          headers: inAddress ? {} : { apikey: app.anonKey },
        });
        expect({ route, status: nobody.status, body: await nobody.json() }).toMatchObject({
          route,
          status: 401,
          body: { code: 'no_authorization', message: 'This endpoint requires a Bearer token' },
        });
      }
    expect((await fetch(`${app.url}/auth/v1/user?apikey=${app.anonKey}`, { headers: { authorization } })).status).toBe(
      200,
    );
    expect((await ask({ apikey: 'wrong', authorization })).status).toBe(401);
    expect((await ask({ apikey: app.anonKey, authorization: `Bearer ${app.anonKey}` })).status).toBe(401);
  });

  test('/logout wants a token of somebody, answers 200 with nothing, and the session is over', async () => {
    const { access_token, refresh_token } = await signedUp();
    const nobody = await post('/logout', '', { token: null });
    expect(nobody.status).toBe(401);
    const answer = await post('/logout?scope=global', '', { token: access_token });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    const refreshed = await post('/token?grant_type=refresh_token', { refresh_token });
    expect(refreshed).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
    expect((await app.request('/auth/v1/user', { token: access_token })).status).toBe(401);
  });

  test('sign-out has scopes', async () => {
    const { email, access_token: first } = await signedUp();
    const again = () => post('/token?grant_type=password', { email, password });
    const [second, third] = [(await again()).body, (await again()).body];
    const alive = async (token: string) => (await app.request('/auth/v1/user', { token })).status === 200;
    await post('/logout?scope=local', '', { token: second.access_token });
    expect([await alive(first), await alive(second.access_token), await alive(third.access_token)]).toEqual([
      true,
      false,
      true,
    ]);
    await post('/logout?scope=others', '', { token: third.access_token });
    expect([await alive(first), await alive(third.access_token)]).toEqual([false, true]);
    expect((await post('/logout?scope=everyone', '', { token: third.access_token })).status).toBe(400);
  });
});

describe('saying no', () => {
  test('every error has code and message, and the older names beside them', async () => {
    for (const headers of [{}, { 'x-supabase-api-version': '2024-01-01' }] as Record<string, string>[]) {
      const answer = await post('/token?grant_type=password', { email: someone(), password }, { headers });
      expect(answer.status).toBe(400);
      expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials');
      expect(answer.headers.get('x-supabase-api-version')).toBe('2024-01-01');
      expect(answer.body).toMatchObject({
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      });
    }
  });

  test.each([
    ['/signup', { password }, 400, 'validation_failed'],
    ['/signup', { email: '', password }, 400, 'validation_failed'],
    ['/signup', { email: 'nonsense', password }, 400, 'validation_failed'],
    ['/signup', { email: 'a@b@c.test', password }, 400, 'validation_failed'],
    ['/signup', { email: `${'a'.repeat(250)}@b.test`, password }, 400, 'validation_failed'],
    ['/signup', { email: 'a@b.test\nBcc: c@d.test', password }, 400, 'validation_failed'],
    ['/signup', { email: 42, password }, 400, 'validation_failed'],
    ['/signup', { email: 'no-password@example.test' }, 400, 'validation_failed'],
    ['/signup', { email: 'short@example.test', password: '12345' }, 400, 'weak_password'],
    ['/signup', { email: 'long@example.test', password: 'x'.repeat(600) }, 400, 'validation_failed'],
    ['/signup', { email: 'data@example.test', password, data: 'text' }, 400, 'validation_failed'],
    ['/signup', { email: 'nul@example.test', password, data: { name: 'a\u0000b' } }, 400, 'validation_failed'],
    ['/signup', { phone: '+391234', password }, 400, 'phone_provider_disabled'],
    ['/signup', {}, 422, 'anonymous_provider_disabled'],
    ['/signup', '{', 400, 'bad_json'],
    ['/signup', '[]', 400, 'bad_json'],
    ['/token', { email: 'a@b.test', password }, 400, 'unsupported_grant_type'],
    ['/token?grant_type=magic', {}, 400, 'unsupported_grant_type'],
    ['/token?grant_type=password', {}, 400, 'validation_failed'],
    ['/token?grant_type=password', { phone: '+391234', password }, 422, 'phone_provider_disabled'],
    ['/token?grant_type=web3', {}, 422, 'web3_provider_disabled'],
    ['/token?grant_type=refresh_token', {}, 400, 'validation_failed'],
    ['/token?grant_type=refresh_token', { refresh_token: 'made-up' }, 400, 'refresh_token_not_found'],
    ['/token?grant_type=pkce', { auth_code: 'x' }, 400, 'validation_failed'],
    ['/token?grant_type=pkce', { auth_code: 'x', code_verifier: 'y' }, 404, 'flow_state_not_found'],
    ['/otp', { phone: '+391234' }, 400, 'phone_provider_disabled'],
    ['/verify', { type: 'sms', phone: '+391234', token: '1' }, 403, 'otp_expired'],
    ['/verify', { type: 'signup' }, 400, 'validation_failed'],
    ['/verify', { token: '123456' }, 400, 'validation_failed'],
    ['/verify', { type: 'email', email: 'a@b.test', token: '123456' }, 403, 'otp_expired'],
    ['/recover', { email: 'nonsense' }, 400, 'validation_failed'],
    ['/resend', { email: 'a@b.test', type: 'nonsense' }, 400, 'validation_failed'],
    ['/sso', { domain: 'b.test' }, 404, 'saml_provider_disabled'],
    [
      '/signup',
      { email: 'pkce@example.test', password, code_challenge: 'short', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    ['/nothing', {}, 404, 'not_found'],
  ])('POST %s %j: %i %s', async (path, body, status, code) => {
    const answer = await post(path, body);
    expect(answer.body).toMatchObject({ code, error_code: code, message: expect.any(String), msg: expect.any(String) });
    expect(answer.status).toBe(status);
  });

  test('a weak password comes with reasons', async () => {
    const { error } = await app.client().auth.signUp({ email: someone(), password: '12345' });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
    expect(error?.message).toBe('Password should be at least 6 characters.');
  });

  test('a taken address, where the answer would be a session', async () => {
    const { email } = await signedUp();
    const answer = await post('/signup', { email: email.toUpperCase(), password });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists', message: 'User already registered' },
    });
  });

  test('switches say what is off', async () => {
    const closed = await startApp({ settings: { AUTH_DISABLE_SIGNUP: 'true', AUTH_PASSWORD_MIN: '10' } });
    const up = await closed.client().auth.signUp({ email: someone(), password: 'long enough' });
    expect(up.error).toMatchObject({
      code: 'signup_disabled',
      status: 422,
      message: 'Signups not allowed for this instance',
    });
    const otp = await closed.client().auth.signInWithOtp({ email: someone() });
    // No error: it would tell who has an account.
    expect(otp.error).toBeNull();
    const settings = await (await closed.request('/auth/v1/settings')).json();
    expect(settings).toMatchObject({
      disable_signup: true,
      mailer_autoconfirm: true,
      phone_autoconfirm: false,
      saml_enabled: false,
      external: { email: true, phone: false, google: false, anonymous_users: false },
    });
    await closed.close();
    const linking = await app.request('/auth/v1/user/identities/authorize?provider=google');
    expect(linking.status).toBe(404);
    expect(await linking.json()).toMatchObject({
      code: 'manual_linking_disabled',
      message: 'Manual linking is disabled',
    });
  });

  test('common passwords, when they are refused', async () => {
    const strict = await startApp({ settings: { AUTH_REFUSE_COMMON_PASSWORDS: 'true' } });
    const { error } = await strict.client().auth.signUp({ email: someone(), password: 'Password1' });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['pwned'] });
    expect((await strict.client().auth.signUp({ email: someone(), password: 'seldom used words' })).error).toBeNull();
    await strict.close();
  });
});

describe('keys and health', () => {
  test('health and the key set are open', async () => {
    expect((await fetch(`${app.url}/auth/v1/health`)).status).toBe(200);
    expect(await (await fetch(`${app.url}/auth/v1/.well-known/jwks.json`)).json()).toEqual({
      keys: [expect.objectContaining({ kty: 'EC', alg: 'ES256', use: 'sig' })],
    });
    expect(await (await fetch(`${app.url}/auth/v1/settings`)).json()).toHaveProperty('external.email', true);
  });

  test('an unknown path is 404 in the dialect of this door', async () => {
    for (const [method, path] of [
      ['GET', '/signup'],
      ['GET', '/nothing'],
      ['DELETE', '/user'],
      ['PUT', '/token'],
    ]) {
      const answer = await app.request(`/auth/v1${path}`, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'not_found', msg: expect.any(String) });
    }
  });

  test('any page may ask', async () => {
    const answer = await app.request('/auth/v1/settings', { headers: { origin: 'https://app.test' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/X-Total-Count/);
  });
});

describe('limits', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  /** Of forty sign-ins at once, by as many people, one that was refused: points come back too slowly to let all of them in. */
  const refusedOfForty = async (address: (attempt: number) => string) => {
    const attempts = Array.from({ length: 40 }, (_, attempt) =>
      post('/token?grant_type=password', { email: someone(), password }, from(address(attempt))),
    );
    return (await Promise.all(attempts)).find(({ status }) => status === 429);
  };

  test('sign-ins, by address', async () => {
    const refused = await refusedOfForty(() => '203.0.113.7');
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await post('/token?grant_type=password', { email: 'x@example.test', password }, from('203.0.113.8'));
    expect(other.status).toBe(400);
  });

  test('wrong passwords for one account shut out their address, not the owner', async () => {
    const { email } = await signedUp();
    let refused: Awaited<ReturnType<typeof post>> | undefined;
    for (let guess = 0; guess < 20 && refused?.status !== 429; guess += 1)
      refused = await post('/token?grant_type=password', { email, password: 'guess!' }, from('203.0.113.9'));
    expect(refused?.status).toBe(429);
    const owner = await post('/token?grant_type=password', { email, password }, from('203.0.113.10'));
    expect(owner.status).toBe(200);
  });

  test('a household of IPv6 addresses counts as one', async () => {
    const refused = await refusedOfForty((attempt) => `2001:db8::${attempt}`);
    expect(refused?.status).toBe(429);
  });

  test('an IPv4 address counts as itself, also when it comes as IPv6', async () => {
    // Twenty of each: as two they would all be let in.
    const refused = await refusedOfForty((attempt) => (attempt % 2 === 0 ? '203.0.113.11' : '::ffff:203.0.113.11'));
    expect(refused?.status).toBe(429);
    const next = { email: 'm@example.test', password };
    expect((await post('/token?grant_type=password', next, from('::ffff:203.0.113.12'))).status).toBe(400);
  });

  test('mail to one address, whether or not it has an account', async () => {
    const { email } = await signedUp();
    for (const address of [email, 'nobody@example.test']) {
      expect((await post('/recover', { email: address })).status).toBe(200);
      const second = await post('/recover', { email: address });
      expect(second).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } });
      expect(second.body.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    }
  });
});
