// The messages of GoTrue, one by one: clients show them, and suites of others compare them.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() => startMailedApp({ settings: { AUTH_ANONYMOUS: 'true' } }));

const call = (method: string, path: string, body?: unknown, token = app.serviceKey) =>
  app.call(method, `/auth/v1${path}`, body, token);

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
