// The words of GoTrue, one by one: clients show them, and suites of others compare them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailedApp, startMailedApp } from './mailed-app.ts';

let app: MailedApp;
beforeAll(async () => {
  app = await startMailedApp({
    settings: { AUTH_CLAIMS_HOOK: 'public.doorkeeper', AUTH_ANONYMOUS: 'true' },
    prepare: `
      create function public.doorkeeper(event jsonb) returns jsonb language sql as $$
        select case when event #>> '{claims,email}' like 'unwanted%'
          then '{"error": {"http_code": 403, "message": "Members only"}}'::jsonb
          else event || jsonb_build_object('claims', event -> 'claims' || jsonb_build_object('until', event #> '{claims,exp}')) end
      $$;
      grant usage on schema public to kanbase_identity;
      grant execute on function public.doorkeeper(jsonb) to kanbase_identity;`,
  });
});
afterAll(() => app.close());

async function call(method: string, path: string, body?: unknown, token: string = app.serviceKey) {
  const answer = await app.request(`/auth/v1${path}`, {
    method,
    token,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}

const email = 'words@example.test';
const phone = '+39 06 1234567';
const password = 'secret1';

describe('refusals', () => {
  const formless = 'Unable to validate email address: invalid format';
  test.each<[string, Record<string, unknown>, number, string, string]>([
    ['/signup', { email, phone, password }, 400, 'validation_failed', 'Only an email address or phone number should be provided on signup.'],
    ['/signup', { phone, password }, 400, 'phone_provider_disabled', 'Phone signups are disabled'],
    ['/signup', { email, password, code_challenge: 'x'.repeat(42), code_challenge_method: 's256' }, 400, 'validation_failed', 'code challenge has to be between 43 and 128 characters'],
    ['/signup', { email, password, code_challenge: '!'.repeat(43), code_challenge_method: 's256' }, 400, 'validation_failed', 'code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes'],
    ['/verify', { type: 'sms', phone, token: '123456' }, 403, 'otp_expired', 'Token has expired or is invalid'],
    ['/verify', { type: 'phone_change', phone, token: '123456' }, 403, 'otp_expired', 'Token has expired or is invalid'],
    ['/verify', { type: 'sms', phone: '06-x', token: '123456' }, 400, 'validation_failed', 'Invalid phone number format (E.164 required)'],
    ['/verify', { type: 'email', email, phone, token: '123456' }, 400, 'validation_failed', 'Only an email address or phone number should be provided on verify'],
    ['/verify', { type: 'email', token_hash: 'x', redirect_to: 'http://x' }, 400, 'validation_failed', 'Only the token_hash and type should be provided'],
    ['/verify', { type: 'nonsense', token_hash: 'x' }, 400, 'validation_failed', 'Unsupported verification type'],
    ['/otp', {}, 400, 'validation_failed', 'One of email or phone must be set'],
    ['/otp', { email, channel: 'sms' }, 400, 'validation_failed', 'Channel should only be specified with Phone OTP'],
    ['/otp', { phone }, 400, 'phone_provider_disabled', 'Unsupported phone provider'],
    ['/otp', { email, create_user: false }, 422, 'otp_disabled', 'Signups not allowed for otp'],
    ['/recover', {}, 400, 'validation_failed', 'Password recovery requires an email'],
    ['/recover', { email: 'nonsense' }, 400, 'validation_failed', formless],
    ['/resend', { email }, 400, 'validation_failed', 'Missing one of these types: signup, email_change, sms, phone_change'],
    ['/resend', { type: 'signup', phone }, 400, 'validation_failed', 'Type provided requires an email address'],
    ['/resend', { type: 'sms', email }, 400, 'validation_failed', 'Type provided requires a phone number'],
    ['/resend', { type: 'signup', email, phone }, 400, 'validation_failed', 'Only an email address or phone number should be provided.'],
    ['/resend', { type: 'email_change' }, 400, 'validation_failed', 'Missing email address or phone number'],
    ['/resend', { type: 'sms', phone }, 400, 'phone_provider_disabled', 'Phone logins are disabled'],
    ['/token?grant_type=id_token', { id_token: 'x', provider: 'google' }, 400, 'provider_disabled', 'Provider (issuer "https://accounts.google.com") is not enabled'],
    ['/token?grant_type=id_token', { id_token: 'x', provider: 'nobody' }, 400, 'validation_failed', 'Custom OIDC provider "nobody" not allowed'],
    ['/admin/users', { email, id: '00000000-0000-0000-0000-000000000000' }, 400, 'validation_failed', 'ID cannot be a nil uuid'],
  ])('POST %s %j: %i %s', async (path, body, status, code, message) => {
    expect(await call('POST', path, body)).toMatchObject({ status, body: { code, message } });
  }); // biome-ignore format: a table

  test.each([
    ['/authorize', 'Unsupported provider: Provider could not be found'],
    ['/authorize?provider=snapchat', 'Unsupported provider: provider is not enabled'],
    ['/admin/users?sort=email', "Bad Sort Parameters: bad field for sort 'email'"],
    [
      '/admin/users?sort=created_at+up',
      "Bad Sort Parameters: bad direction for sort 'up', only 'asc' and 'desc' allowed",
    ],
    ['/admin/audit?query=nobody:x', 'Invalid query scope: nobody:x'],
    ['/admin/audit?query=login', 'Invalid query scope: login'],
  ])('GET %s', async (path, message) => {
    expect(await call('GET', path)).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
  });

  test('a link of an unknown kind leads back to the site', async () => {
    const answer = await app.request('/auth/v1/verify?type=nonsense&token=x', { token: null });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('#error=invalid_request&error_code=validation_failed');
  });
});

describe('the service key', () => {
  test('lists by age, finds by full_name, and keeps both in the links', async () => {
    for (const name of ['Zoe One', 'Zoe Two'])
      await call('POST', '/admin/users', {
        email: `${name.replace(' ', '.')}@example.test`,
        user_metadata: { full_name: name },
      });
    const names = ({ body }: Awaited<ReturnType<typeof call>>) =>
      body.users.map((user: { user_metadata: { full_name: string } }) => user.user_metadata.full_name);
    expect(names(await call('GET', '/admin/users?filter=zoe&sort=created_at+asc'))).toEqual(['Zoe One', 'Zoe Two']);
    const page = await call('GET', '/admin/users?filter=zoe&per_page=1');
    expect(names(page)).toEqual(['Zoe Two']);
    expect(page.headers.get('link')).toBe(
      '</auth/v1/admin/users?page=2&per_page=1&filter=zoe>; rel="next", </auth/v1/admin/users?page=2&per_page=1&filter=zoe>; rel="last"',
    );
  });

  test('finds in the links what it asked for, and nothing else', async () => {
    const { headers } = await call('GET', '/admin/users?page=1');
    expect(headers.get('link')).toBe('</auth/v1/admin/users?page=1>; rel="last"');
  });

  test('is the actor of what it did; whose account it was stands in the traits', async () => {
    const { body: made } = await call('POST', '/admin/users', {
      email: 'deed@example.test',
      password,
      email_confirm: true,
    });
    await call('PUT', `/admin/users/${made.id}`, { user_metadata: { a: 1 } });
    await call('DELETE', `/admin/users/${made.id}`, null);
    const { body } = await call('GET', '/admin/audit?query=author:service_role&per_page=3');
    const payload = (action: string, log_type: string) => ({
      payload: {
        action,
        actor_id: '00000000-0000-0000-0000-000000000000',
        actor_username: 'service_role',
        log_type,
        traits: { user_id: made.id, user_email: 'deed@example.test', user_phone: '' },
      },
    });
    expect(body).toMatchObject([
      payload('user_deleted', 'team'),
      payload('user_modified', 'user'),
      payload('user_signedup', 'team'),
    ]);
  });

  test('makes accounts without a password, but takes none away by an empty one', async () => {
    const { status, body } = await call('POST', '/admin/users', { email: 'empty@example.test', password: '' });
    expect(status).toBe(200);
    expect(await call('PUT', `/admin/users/${body.id}`, { password: '' })).toMatchObject({
      status: 400,
      body: { code: 'weak_password', message: 'Password should be at least 6 characters.' },
    });
    expect((await call('PUT', `/admin/users/${body.id}`, { password: null })).status).toBe(200);
  });

  test('gets a link with the address as it was given, escaped where it must be', async () => {
    await call('POST', '/admin/users', { email, email_confirm: true });
    const link = async (redirect_to: string) =>
      (await call('POST', '/admin/generate_link', { type: 'magiclink', email, redirect_to })).body;
    const bare = app.url.replace('127.0.0.1', 'localhost');
    expect(await link(bare)).toMatchObject({
      redirect_to: bare,
      action_link: expect.stringMatching(/&redirect_to=http:\/\/localhost:\d+$/),
    });
    const { action_link } = await link(`${app.url}/a?b=1&c=2#d`);
    expect(new URL(action_link).searchParams.get('redirect_to')).toBe(`${app.url}/a?b=1&c=2#d`);
  });

  test('sees the factor it removed', async () => {
    const { data } = await app
      .client({ key: app.serviceKey })
      .auth.admin.createUser({ email: 'factor@example.test', password, email_confirm: true });
    const client = app.client();
    await client.auth.signInWithPassword({ email: 'factor@example.test', password });
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
    const gone = await call('DELETE', `/admin/users/${data.user?.id}/factors/${factor?.id}`);
    expect(gone).toMatchObject({
      status: 200,
      body: { id: factor?.id, factor_type: 'totp', status: 'unverified', friendly_name: 'phone' },
    });
  });
});

test('a hook sees when a token ends, and keeps people out in its own words', async () => {
  for (const name of ['welcome', 'unwanted'])
    await call('POST', '/admin/users', { email: `${name}@example.test`, password, email_confirm: true });
  const signIn = (name: string) =>
    call('POST', '/token?grant_type=password', { email: `${name}@example.test`, password });
  const { body } = await signIn('welcome');
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
  expect(Math.abs(claims.until - claims.exp)).toBeLessThanOrEqual(1);
  expect(await signIn('unwanted')).toMatchObject({
    status: 403,
    body: { code: 'hook_failed', message: 'Members only' },
  });
});

test('null is as good as nothing', async () => {
  const { body } = await call('POST', '/signup', { email: null, phone: null, password: null, data: null });
  expect(body.user).toMatchObject({ is_anonymous: true });
  const changed = await call(
    'PUT',
    '/user',
    { email: null, password: null, app_metadata: null, data: { a: 1 } },
    body.access_token,
  );
  expect(changed).toMatchObject({ status: 200, body: { user_metadata: { a: 1 } } });
});

test('a body that is null is an empty one', async () => {
  expect((await call('POST', '/signup', null)).body.user).toMatchObject({ is_anonymous: true });
  expect(await call('POST', '/recover', null)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Password recovery requires an email' },
  });
});

test('a slash behind a path changes nothing', async () => {
  const { body } = await call('POST', '/signup/', {});
  const id: string = body.user.id;
  expect((await call('GET', '/user/', undefined, body.access_token)).body.id).toBe(id);
  for (const path of ['/admin/users/', `/admin/users/${id}/`, `/admin/users/${id}/factors/`, '/admin/audit/'])
    expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  expect((await call('POST', '/verify/', {})).body.code).toBe('validation_failed');
  expect((await app.request('/auth/v1/verify/?type=signup&token=x', { method: 'HEAD' })).status).toBe(204);
});

test('a refreshed session has its line in the audit log, once for each new token', async () => {
  const { body } = await call('POST', '/signup', { data: { name: 'R' } });
  const again = () => call('POST', '/token?grant_type=refresh_token', { refresh_token: body.refresh_token });
  await Promise.all([again(), again(), again()]);
  const audit = await call('GET', '/admin/audit?query=action:token_refreshed');
  const lines = audit.body.filter((line: { payload: { actor_id: string } }) => line.payload.actor_id === body.user.id);
  expect(lines).toMatchObject([
    { ip_address: '127.0.0.1', payload: { action: 'token_refreshed', log_type: 'token', actor_via_sso: false } },
  ]);
  expect(lines).toHaveLength(1);
});

test('what the protocol has and we do not offer says so, after asking who asks', async () => {
  const { body } = await call('POST', '/signup', {});
  const off = (message: string) => ({ status: 404, body: { code: 'feature_disabled', message } });
  const server = off('OAuth server is disabled');
  expect(await call('GET', '/oauth/authorize', undefined, app.anonKey)).toMatchObject(server);
  expect(await call('GET', '/oauth/authorizations/x', undefined, body.access_token)).toMatchObject(server);
  expect(await call('GET', '/user/oauth/grants', undefined, body.access_token)).toMatchObject(server);
  expect((await call('GET', '/user/oauth/grants', undefined, app.anonKey)).status).toBe(401);
  expect((await call('GET', '/admin/oauth/clients', undefined, body.access_token)).status).toBe(403);
  const admin = app.client({ key: app.serviceKey }).auth.admin;
  expect((await admin.oauth.listClients()).error).toMatchObject({ status: 404, code: 'feature_disabled' });
  expect(await call('POST', '/admin/custom-providers', {})).toMatchObject(off('Custom OAuth providers are disabled'));
  expect(await call('DELETE', '/factors/recovery-codes', undefined, body.access_token)).toMatchObject(
    off('Recovery codes are disabled'),
  );
});

test('other services find out who signs our tokens', async () => {
  const issuer = `${app.house.siteUrl}/auth/v1`;
  expect((await call('GET', '/.well-known/openid-configuration')).body).toEqual({
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  });
});
