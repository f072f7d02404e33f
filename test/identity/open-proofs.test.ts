// Mails, changes of address and links of identities that are on their way when an account changes, or when what they open cannot
// be written.

import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { asGoogle, startIssuer, there } from './issuer.ts';
import { fragmentOf, startMailedApp } from './mailed-app.ts';

const issuer = forSuite(startIssuer);
const app = forSuite(() =>
  startMailedApp({
    settings: { ...asGoogle(issuer), AUTH_REAUTHENTICATE: 'true' },
    prepare: `create function public.refuse_row() returns trigger language plpgsql as $$
      begin raise exception using errcode = '57014', message = 'refused for a test'; end $$`,
  }),
);

const password = 'correct horse';
let count = 0;
function someone(): string {
  count += 1;
  return `open${count}@example.test`;
}

async function member() {
  const email = someone();
  const client = app.client();
  const { data } = await client.auth.signUp({ email, password });
  const { code } = await app.post.next(email);
  expect((await client.auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
  return { email, client, id: data.user?.id ?? '' };
}

const admin = () => app.client({ key: app.serviceKey }).auth.admin;

async function changeAddress(client: SupabaseClient, from: string, to: string) {
  expect((await client.auth.updateUser({ email: to })).error).toBeNull();
  await app.follow(await app.post.next(to));
  expect(fragmentOf(await app.follow(await app.post.next(from))).type).toBe('email_change');
}

describe('a mail to the address an account had', () => {
  const ways: Record<string, (one: Awaited<ReturnType<typeof member>>, to: string) => Promise<unknown>> = {
    'its owner': ({ client, email }, to) => changeAddress(client, email, to),
    'an administrator': async ({ id }, to) => {
      expect((await admin().updateUserById(id, { email: to })).error).toBeNull();
    },
    'an operator with a client of SQL': ({ id }, to) =>
      app.sql('update auth.users set email = $2 where id = $1', [id, to]),
  };

  test.each(Object.entries(ways))('lets nobody in once %s has changed it', async (_who, change) => {
    const one = await member();
    expect((await app.client().auth.resetPasswordForEmail(one.email)).error).toBeNull();
    const mail = await app.post.next(one.email);
    await change(one, someone());
    expect(fragmentOf(await app.follow(mail))).toMatchObject({ error_code: 'otp_expired' });
    const typed = await app.client().auth.verifyOtp({ email: one.email, token: mail.code, type: 'recovery' });
    expect(typed.error?.code).toBe('otp_expired');
  });

  test('does not confirm the new one', async () => {
    const email = someone();
    const { data } = await app.client().auth.signUp({ email, password });
    const mail = await app.post.next(email);
    const id = data.user?.id ?? '';
    expect((await admin().updateUserById(id, { email: someone() })).error).toBeNull();
    expect(fragmentOf(await app.follow(mail))).toMatchObject({ error_code: 'otp_expired' });
    expect((await admin().getUserById(id)).data.user?.email_confirmed_at).toBeUndefined();
  });

  test('still does what it says when an administrator changes something else', async () => {
    const { email, id } = await member();
    expect((await app.client().auth.resetPasswordForEmail(email)).error).toBeNull();
    const mail = await app.post.next(email);
    expect((await admin().updateUserById(id, { email, user_metadata: { name: 'Other' } })).error).toBeNull();
    expect(fragmentOf(await app.follow(mail)).access_token).toBeTruthy();
  });
});

describe('a proof begun with the old password', () => {
  const ways: Record<string, (one: Awaited<ReturnType<typeof member>>) => Promise<{ error: unknown }>> = {
    'its owner': ({ client }) => client.auth.updateUser({ password: 'another correct horse' }),
    'an administrator': ({ id }) => admin().updateUserById(id, { password: 'another correct horse' }),
  };

  test.each(Object.entries(ways))('ends when %s changes it', async (_who, change) => {
    const one = await member();
    const thief = app.pkceClient();
    await thief.auth.signInWithPassword({ email: one.email, password });
    const theirs = someone();
    expect((await thief.auth.updateUser({ email: theirs })).error).toBeNull();
    const [atNew, atOld] = [await app.post.next(theirs), await app.post.next(one.email)];
    const link = await thief.auth.linkIdentity({ provider: 'google', options: { redirectTo: there } });
    expect(link.error).toBeNull();
    const reader = app.pkceClient();
    await reader.auth.signInWithOtp({ email: one.email });
    const code = (await app.follow(await app.post.next(one.email))).searchParams.get('code') ?? '';

    expect((await change(one)).error).toBeNull();
    for (const mail of [atNew, atOld])
      expect(Object.fromEntries((await app.follow(mail)).searchParams)).toMatchObject({ error_code: 'otp_expired' });
    expect((await admin().getUserById(one.id)).data.user).toMatchObject({ email: one.email });
    expect((await admin().getUserById(one.id)).data.user?.new_email).toBeUndefined();
    expect((await reader.auth.exchangeCodeForSession(code)).error?.code).toBe('flow_state_not_found');
    expect(await app.sql('select from auth.flow_state where linking_user_id = $1', [one.id])).toEqual([]);
  });

  test('identities on their way to be linked end with everybody’s sessions', async () => {
    const { client, id } = await member();
    const flows = () => app.sql('select from auth.flow_state where linking_user_id = $1', [id]);
    expect((await client.auth.linkIdentity({ provider: 'google', options: { redirectTo: there } })).error).toBeNull();
    expect((await client.auth.signOut({ scope: 'others' })).error).toBeNull();
    expect(await flows()).toHaveLength(1);
    expect((await client.auth.signOut({ scope: 'global' })).error).toBeNull();
    expect(await flows()).toEqual([]);
  });
});

describe('proofs after a failed write', () => {
  /** While this runs, rows of the table that are this account's are refused. */
  async function without<T>(table: string, when: string, id: string, work: () => Promise<T>): Promise<T> {
    const key = table === 'auth.users' ? 'id' : 'user_id';
    await app.sql(`create trigger refuse_row before ${when} on ${table}
      for each row when (new.${key} = '${id}') execute function public.refuse_row()`);
    try {
      return await work();
    } finally {
      await app.sql(`drop trigger refuse_row on ${table}`);
    }
  }

  test('a typed code is good the next time, and then no more', async () => {
    const { email, id } = await member();
    await app.client().auth.signInWithOtp({ email });
    const { code: token } = await app.post.next(email);
    const enter = () => app.client().auth.verifyOtp({ email, token, type: 'email' });
    expect((await without('auth.sessions', 'insert', id, enter)).error?.status).toBeGreaterThanOrEqual(500);
    expect((await enter()).error).toBeNull();
    expect((await enter()).error?.code).toBe('otp_expired');
  });

  test('the code of a change of password too', async () => {
    const { email, client, id } = await member();
    await app.sql(`update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`, [id]);
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const { code: nonce } = await app.post.next(email);
    const change = (next: string) => client.auth.updateUser({ password: next, nonce });
    const refused = await without('auth.users', 'update of encrypted_password', id, () => change('another one'));
    expect(refused.error?.status).toBeGreaterThanOrEqual(500);
    expect((await change('another one')).error).toBeNull();
    expect((await change('one more')).error?.code).toBe('reauthentication_not_valid');
  });

  test('a code with its verifier too', async () => {
    const { email, id } = await member();
    const reader = app.pkceClient();
    await reader.auth.signInWithOtp({ email });
    const auth_code = (await app.follow(await app.post.next(email))).searchParams.get('code');
    const [flow] = await app.sql<{ id: string }>('select id from auth.flow_state where user_id = $1', [id]);
    const code_verifier = 'v'.repeat(64);
    await app.sql(`update auth.flow_state set code_challenge = $2, code_challenge_method = 'plain' where id = $1`, [
      flow?.id,
      code_verifier,
    ]);
    const exchange = () => app.call('POST', '/auth/v1/token?grant_type=pkce', { auth_code, code_verifier });
    expect((await without('auth.sessions', 'insert', id, exchange)).status).toBeGreaterThanOrEqual(500);
    expect((await exchange()).status).toBe(200);
    expect(await exchange()).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
  });
});
