// Accounts brought from Supabase: rows as a dump of its schema auth writes them, then signing in as before.

import { randomUUID } from 'node:crypto';
import { hashSync } from '@node-rs/bcrypt';
import { TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(startMailedApp);

const password = 'brought-along-1';
const zero = '00000000-0000-0000-0000-000000000000';

/** The columns in the order of a data-only dump, with what GoTrue writes where it has nothing. */
async function bringUser(id: string, email: string): Promise<void> {
  await app.sql(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
       confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at, email_change_token_new, email_change,
       email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin, created_at, updated_at,
       phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at, email_change_token_current,
       email_change_confirm_status, banned_until, reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at,
       is_anonymous)
     values ($1, $2, 'authenticated', 'authenticated', $3, $4, '2024-05-01 10:00:00+00', null,
       'a-token-in-the-clear', '2024-05-01 09:59:00+00', '', null, '', '',
       null, '2025-01-01 08:00:00+00', '{"provider": "email", "providers": ["email"]}', '{"name": "Grace"}', null,
       '2024-05-01 09:58:00+00', '2025-01-01 08:00:00+00', null, null, '', '', null, '', 0, null, '', null, false, null,
       false)`,
    [zero, id, email, hashSync(password, 4)],
  );
  await app.sql(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at, id)
     values ($1, $2, $3, 'email', '2024-05-01 09:58:00+00', '2024-05-01 09:58:00+00', '2024-05-01 09:58:00+00', $4)`,
    [id, id, JSON.stringify({ sub: id, email, email_verified: false, phone_verified: false }), randomUUID()],
  );
}

test('people sign in with the password they had, and are who they were', async () => {
  const id = randomUUID();
  await bringUser(id, 'grace@brought.test');
  const client = app.client();
  const { data, error } = await client.auth.signInWithPassword({ email: 'grace@brought.test', password });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    id,
    created_at: '2024-05-01T09:58:00.000000Z',
    user_metadata: { name: 'Grace' },
    app_metadata: { provider: 'email', providers: ['email'] },
    identities: [{ provider: 'email', id }],
  });
  for (const field of ['new_email', 'banned_until']) expect(data.user).not.toHaveProperty(field);
  expect(await app.sql('select display_name from public.profiles where id = $1', [id])).toEqual([
    { display_name: 'Grace' },
  ]);
  const [kept] = await app.sql<{ hash: string; tokens: string | null }>(
    `select encrypted_password as hash, concat(confirmation_token, recovery_token, email_change_token_new) as tokens
     from auth.users where id = $1`,
    [id],
  );
  expect(kept?.hash).toMatch(/^\$argon2id\$/);
  expect(kept?.tokens).toBe('');
});

test('a mail that signs in does not cost them their password', async () => {
  const email = 'mailed@brought.test';
  await bringUser(randomUUID(), email);
  await app.client().auth.signInWithOtp({ email });
  const { code } = await app.post.next(email);
  expect((await app.client().auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
});

test('an authenticator app goes on working', async () => {
  const [id, email] = [randomUUID(), 'factor@brought.test'];
  await bringUser(id, email);
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const [factor] = await app.sql<{ id: string }>(
    `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
     values ($1, 'Phone', 'totp', 'verified', now(), now(), $2) returning id`,
    [id, secret],
  );
  const client = app.client();
  await client.auth.signInWithPassword({ email, password });
  const code = new TOTP({ secret }).generate();
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: factor?.id ?? '', code });
  expect(error).toBeNull();
});

test('rows of a seed say little, and get the rest', async () => {
  const id = randomUUID();
  await app.sql(
    `insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, role, aud)
     values ($1, 'seed@brought.test', $2, now(), null, null, null, null)`,
    [id, hashSync(password, 4)],
  );
  await app.sql(
    `insert into auth.identities (id, user_id, identity_data, provider, provider_id) values ($1, $1, $2, 'email', null)`,
    [id, JSON.stringify({ sub: id, email: 'seed@brought.test' })],
  );
  const { data, error } = await app.client().auth.signInWithPassword({ email: 'seed@brought.test', password });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ role: 'authenticated', aud: 'authenticated', user_metadata: {} });
});
