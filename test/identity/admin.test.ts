// Administration with the service key, through the official client.

import { hashSync } from '@node-rs/bcrypt';
import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { fragmentOf, startMailedApp } from './mailed-app.ts';

const app = forSuite(startMailedApp);

function admin() {
  return app.client({ key: app.serviceKey }).auth.admin;
}

let count = 0;
function someone(): string {
  count += 1;
  return `admin${count}@example.test`;
}

async function made(attributes: Record<string, unknown> = {}) {
  const email = someone();
  const { data, error } = await admin().createUser({ email, password: 'secret1', email_confirm: true, ...attributes });
  expect(error).toBeNull();
  return { email, id: data.user?.id ?? '' };
}

function signIn(email: string, password = 'secret1') {
  return app.client().auth.signInWithPassword({ email, password });
}

describe('accounts', () => {
  test('create, read, change, delete', async () => {
    const { email, id } = await made({ user_metadata: { name: 'Eve' }, app_metadata: { plan: 'gold' } });
    const { data: read } = await admin().getUserById(id);
    expect(read.user).toMatchObject({ email, user_metadata: { name: 'Eve' }, app_metadata: { plan: 'gold' } });
    const { data } = await admin().updateUserById(id, {
      user_metadata: { city: 'Rome', name: null },
      app_metadata: { seats: 3 },
      email: 'moved@example.test',
      role: 'authenticated',
    });
    expect(data.user).toMatchObject({ email: 'moved@example.test', app_metadata: { plan: 'gold', seats: 3 } });
    expect(data.user?.user_metadata).toEqual({ city: 'Rome', email_verified: true });
    expect((await admin().deleteUser(id)).error).toBeNull();
    expect((await admin().getUserById(id)).error).toMatchObject({ code: 'user_not_found', status: 404 });
    expect((await admin().deleteUser(id)).error).toMatchObject({ code: 'user_not_found', status: 404 });
  });

  test('app_metadata reaches the token', async () => {
    const { email } = await made({ app_metadata: { plan: 'gold' } });
    const { data } = await signIn(email);
    const claims = JSON.parse(Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.app_metadata).toEqual({ plan: 'gold' });
  });

  test('a phone number is kept, shown and taken away', async () => {
    const { id, email } = await made({ phone: '+49 151 000', phone_confirm: true });
    const kept = (await admin().getUserById(id)).data.user;
    expect(kept).toMatchObject({ email, phone: '49151000', phone_confirmed_at: expect.any(String) });
    const other = await made();
    const taken = await admin().updateUserById(other.id, { phone: '49151000' });
    expect(taken.error).toMatchObject({ code: 'phone_exists', status: 422 });
    const changed = await admin().updateUserById(id, { phone: '49151001' });
    expect(changed.data.user).toMatchObject({ phone: '49151001' });
    expect(changed.data.user?.phone_confirmed_at).toBeUndefined();
    expect((await admin().updateUserById(id, { phone: '' })).data.user?.phone).toBe('');
    expect((await admin().updateUserById(id, { phone: 'none' })).error?.code).toBe('validation_failed');
  });

  test('a taken address, a made-up id, no address', async () => {
    const { email } = await made();
    const taken = await admin().createUser({ email: email.toUpperCase(), password: 'secret1' });
    expect(taken.error).toMatchObject({ code: 'email_exists', status: 422 });
    expect((await app.request('/auth/v1/admin/users/nonsense', { token: app.serviceKey })).status).toBe(404);
    const none = await admin().createUser({ password: 'secret1' });
    expect(none.error?.message).toBe('Cannot create a user without either an email or phone');
  });

  test('pages', async () => {
    for (let index = 0; index < 3; index += 1) await made();
    const { data } = await admin().listUsers({ page: 1, perPage: 2 });
    expect(data.users).toHaveLength(2);
    expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2 });
    expect('total' in data && data.total).toBeGreaterThanOrEqual(3);
    const raw = await app.request('/auth/v1/admin/users?page=1&per_page=2', { token: app.serviceKey });
    expect(raw.headers.get('x-total-count')).toMatch(/^\d+$/);
    expect(raw.headers.get('link')).toMatch(
      /^<\/auth\/v1\/admin\/users\?page=2&per_page=2>; rel="next", <.*>; rel="last"$/,
    );
    expect((await app.request('/auth/v1/admin/users?page=-1', { token: app.serviceKey })).status).toBe(400);
  });

  test('a ban keeps out and ends sessions; lifting it lets in', async () => {
    const { email, id } = await made();
    const client = app.client();
    await client.auth.signInWithPassword({ email, password: 'secret1' });
    await admin().updateUserById(id, { ban_duration: '24h' });
    expect((await client.auth.refreshSession()).error).not.toBeNull();
    expect((await signIn(email)).error?.code).toBe('user_banned');
    await admin().updateUserById(id, { ban_duration: 'none' });
    expect((await signIn(email)).error).toBeNull();
    expect((await admin().updateUserById(id, { ban_duration: 'soon' })).error?.code).toBe('validation_failed');
  });

  test('soft deletion keeps the row and forgets the person', async () => {
    const { email, id } = await made({ user_metadata: { name: 'Gone' } });
    expect((await admin().deleteUser(id, true)).error).toBeNull();
    const { data } = await admin().getUserById(id);
    expect(JSON.stringify(data.user)).not.toContain(email);
    expect(data.user).toMatchObject({ user_metadata: {}, identities: [] });
    expect((await signIn(email)).error?.code).toBe('invalid_credentials');
    expect((await admin().createUser({ email, password: 'secret1' })).error).toBeNull();
  });

  test('bcrypt hashes brought from elsewhere are accepted, and replaced at the next sign-in', async () => {
    const { email, id } = await made({ password: undefined, password_hash: hashSync('old secret', 4) });
    const kept = async () =>
      (await app.sql<{ hash: string }>('select encrypted_password as hash from auth.users where id = $1', [id]))[0]
        ?.hash;
    expect((await signIn(email, 'wrong')).error?.code).toBe('invalid_credentials');
    expect(await kept()).toMatch(/^\$2/);
    expect((await signIn(email, 'old secret')).error).toBeNull();
    expect(await kept()).toMatch(/^\$argon2id\$/);
    expect((await signIn(email, 'old secret')).error).toBeNull();
  });

  test('sign somebody out, list and delete factors, read the audit log', async () => {
    const { email, id } = await made();
    const client = app.client();
    const { data } = await client.auth.signInWithPassword({ email, password: 'secret1' });
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    const { data: list } = await admin().mfa.listFactors({ userId: id });
    expect(list?.factors).toMatchObject([{ id: factor?.id }]);
    const renamed = await app.request(`/auth/v1/admin/users/${id}/factors/${factor?.id}`, {
      method: 'PUT',
      token: app.serviceKey,
      body: JSON.stringify({ friendly_name: 'Phone' }),
    });
    expect(await renamed.json()).toMatchObject({ id: factor?.id, friendly_name: 'Phone' });
    const gone = await admin().mfa.deleteFactor({ userId: id, id: factor?.id ?? '' });
    expect(gone.error).toBeNull();
    expect((await client.auth.getUser()).data.user?.factors).toBeUndefined();
    expect((await admin().signOut(data.session?.access_token ?? '', 'global')).error).toBeNull();
    expect((await client.auth.refreshSession()).error).not.toBeNull();
    const audit = await app.request('/auth/v1/admin/audit?query=action:logout', { token: app.serviceKey });
    expect((await audit.json())[0]).toMatchObject({
      payload: { action: 'logout', actor_username: email, log_type: 'account' },
    });
  });
});

describe('links', () => {
  test('invite by mail', async () => {
    const email = someone();
    const redirectTo = 'http://localhost:5173/join';
    const { data, error } = await admin().inviteUserByEmail(email, { data: { name: 'Guest' }, redirectTo });
    expect(error).toBeNull();
    expect(data.user?.invited_at).toBeTruthy();
    const there = await app.follow(await app.post.next(email));
    expect(there.pathname).toBe('/join');
    expect(fragmentOf(there)).toMatchObject({ type: 'invite' });
    expect((await admin().inviteUserByEmail(email)).error?.code).toBe('email_exists');
  });

  test('an invited account takes no password from a stranger who signs up', async () => {
    const email = someone();
    await admin().inviteUserByEmail(email);
    await app.post.next(email);
    await app.client().auth.signUp({ email, password: 'of a stranger' });
    const mail = await app.post.next(email);
    expect(mail.subject).toContain('invited');
    await app.follow(mail);
    expect((await signIn(email, 'of a stranger')).error?.code).toBe('invalid_credentials');
  });

  test.each(['magiclink', 'recovery'] as const)('generate a %s', async (type) => {
    const { email, id } = await made();
    const { data, error } = await admin().generateLink({ type, email });
    expect(error).toBeNull();
    expect(data.user?.id).toBe(id);
    const { action_link = '', email_otp, hashed_token = '', verification_type } = data.properties ?? {};
    expect(verification_type).toBe(type);
    expect(email_otp).toMatch(/^\d{6}$/);
    expect(new URL(action_link).searchParams.get('token')).toBe(hashed_token);
    const { data: verified, error: refused } = await app.client().auth.verifyOtp({ type, token_hash: hashed_token });
    expect(refused).toBeNull();
    expect(verified.user?.id).toBe(id);
  });

  test('generate a sign-up, and a change of address in two steps', async () => {
    const email = someone();
    const { data } = await admin().generateLink({ type: 'signup', email, password: 'secret1' });
    expect(fragmentOf(await app.follow(data.properties?.action_link ?? '')).type).toBe('signup');
    const newEmail = someone();
    const links: string[] = [];
    for (const type of ['email_change_current', 'email_change_new'] as const)
      links.push((await admin().generateLink({ type, email, newEmail })).data.properties?.action_link ?? '');
    expect(fragmentOf(await app.follow(links[0] ?? '')).message).toBeTruthy();
    expect(fragmentOf(await app.follow(links[1] ?? '')).access_token).toBeTruthy();
    expect((await signIn(newEmail)).error).toBeNull();
  });

  test('an unknown address gets no recovery link, and a magic link signs it up', async () => {
    const { error } = await admin().generateLink({ type: 'recovery', email: someone() });
    expect(error).toMatchObject({ code: 'user_not_found', status: 404 });
    const { data } = await admin().generateLink({ type: 'magiclink', email: someone() });
    expect(data.properties?.verification_type).toBe('signup');
  });
});

test('the service key alone is its own token', async () => {
  const ask = (apikey: string) => fetch(`${app.url}/auth/v1/admin/users`, { headers: { apikey } });
  expect((await ask(app.serviceKey)).status).toBe(200);
  expect((await ask(app.anonKey)).status).toBe(401);
});

describe('everyone else', () => {
  const paths = [
    'GET /admin/users',
    'POST /admin/users',
    'POST /admin/generate_link',
    'POST /invite',
    'GET /admin/audit',
  ];

  test.each(paths)('%s is for the service key', async (path) => {
    const [method = '', where = ''] = path.split(' ');
    const { email } = await made();
    const { data } = await signIn(email);
    const body = method === 'POST' ? { body: '{}' } : {};
    const nobody = await app.request(`/auth/v1${where}`, { method, token: null, ...body });
    expect(nobody.status).toBe(401);
    for (const token of [app.anonKey, data.session?.access_token ?? '']) {
      const answer = await app.request(`/auth/v1${where}`, { method, token, ...body });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'not_admin', message: 'User not allowed' });
    }
  });
});
