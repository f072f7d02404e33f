// Service key at /auth/v1/admin, and its entries in the audit log.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() => startMailedApp({ settings: { AUTH_ANONYMOUS: 'true' } }));

const call = (method: string, path: string, body?: unknown, token = app.serviceKey) =>
  app.call(method, `/auth/v1${path}`, body, token);

const email = 'words@example.test';
const password = 'secret1';

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
      email: 'made@example.test',
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
        traits: { user_id: made.id, user_email: 'made@example.test', user_phone: '' },
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

test('a refreshed session has its line in the audit log for each time, which says where the token had been exchanged before', async () => {
  const { body } = await call('POST', '/signup', { data: { name: 'R' } });
  const again = () => call('POST', '/token?grant_type=refresh_token', { refresh_token: body.refresh_token });
  await Promise.all([again(), again(), again()]);
  const audit = await call('GET', '/admin/audit?query=action:token_refreshed');
  const lines = audit.body.filter((line: { payload: { actor_id: string } }) => line.payload.actor_id === body.user.id);
  expect(lines).toHaveLength(3);
  for (const line of lines)
    expect(line).toMatchObject({
      ip_address: '127.0.0.1',
      payload: { action: 'token_refreshed', log_type: 'token', actor_via_sso: false },
    });
  const reused = lines.map((line: { payload: { traits: { reused?: boolean } } }) => line.payload.traits.reused);
  expect(reused.sort()).toEqual([true, true, undefined]);
});
