// Recovery codes with the official client: made and replaced at aal2, used once each, gone with the last other factor.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forSuite } from '../helpers/for-suite.ts';
import { whileHeld } from '../helpers/while-held.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() => startMailedApp({ settings: { AUTH_LIMIT_FACTOR: '0', AUTH_LIMIT_GUESSES: '5' } }));

const password = 'secret1';
let count = 0;

function openClient(): SupabaseClient {
  return createClient(app.url, app.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { recoveryCodes: true } },
    realtime: { transport: WebSocket as never },
  });
}

/** Signed in with a verified authenticator app. */
async function enrolled() {
  count += 1;
  const email = `recovers${count}@example.test`;
  const { data: made } = await app
    .client({ key: app.serviceKey })
    .auth.admin.createUser({ email, password, email_confirm: true });
  const client = await signIn(email);
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (data?.type !== 'totp') throw new Error('no TOTP factor');
  const code = new TOTP({ secret: data.totp.secret }).generate();
  expect((await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })).error).toBeNull();
  return { client, email, factorId: data.id, id: made.user?.id ?? '' };
}

async function signIn(email: string): Promise<SupabaseClient> {
  const client = openClient();
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  return client;
}

async function withCodes() {
  const one = await enrolled();
  const { data, error } = await one.client.auth.mfa.recoveryCodes.generate();
  expect(error).toBeNull();
  return { ...one, codes: data?.codes ?? [], recoveryId: data?.id ?? '' };
}

async function levelOf(client: SupabaseClient): Promise<string | null | undefined> {
  return (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel;
}

describe('making them', () => {
  test('ten codes, told once, counted afterwards and hashed at rest', async () => {
    const { client, id } = await enrolled();
    expect((await client.auth.mfa.recoveryCodes.getStatus()).error).toMatchObject({
      code: 'mfa_factor_not_found',
      status: 404,
    });
    const { data, error } = await client.auth.mfa.recoveryCodes.generate({ friendlyName: 'On paper' });
    expect(error).toBeNull();
    expect(data).toMatchObject({ type: 'recovery_code', friendly_name: 'On paper', total: 10 });
    expect(new Set(data?.codes).size).toBe(10);
    for (const code of data?.codes ?? []) expect(code).toMatch(/^[2-9a-hjkmnp-z]{16}$/);
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toEqual({
      id: data?.id,
      type: 'recovery_code',
      total: 10,
      remaining: 10,
    });
    const { data: listed } = await client.auth.mfa.listFactors();
    expect(listed?.all).toMatchObject([{ factor_type: 'totp' }, { factor_type: 'recovery_code', status: 'verified' }]);
    const rest = await app.sql(
      `select c::text as row from auth.mfa_recovery_codes c join auth.mfa_factors f on f.id = c.factor_id where f.user_id = $1
       union all select payload::text from auth.audit_log_entries`,
      [id],
    );
    for (const code of data?.codes ?? []) expect(JSON.stringify(rest)).not.toContain(code);
  });

  test('never as the only factor, nor twice, nor by a password alone', async () => {
    const { client, email } = await withCodes();
    expect((await client.auth.mfa.recoveryCodes.generate()).error).toMatchObject({
      code: 'mfa_verified_factor_exists',
      status: 422,
    });
    const thief = await signIn(email);
    const { recoveryCodes } = thief.auth.mfa;
    for (const asked of [recoveryCodes.generate(), recoveryCodes.regenerate(), recoveryCodes.unenroll()])
      expect((await asked).error).toMatchObject({ code: 'insufficient_aal', status: 403 });
    expect((await recoveryCodes.getStatus()).data?.remaining).toBe(10);

    const bare = openClient();
    const { data } = await app
      .client({ key: app.serviceKey })
      .auth.admin.createUser({ email: `bare${count}@example.test`, password, email_confirm: true });
    await bare.auth.signInWithPassword({ email: data.user?.email ?? '', password });
    expect((await bare.auth.mfa.recoveryCodes.generate()).error).toMatchObject({
      code: 'mfa_recovery_codes_sole_factor',
      status: 422,
    });
  });

  test('at once with themselves: one set comes of it', async () => {
    const { client, id } = await enrolled();
    const tries = await Promise.all([1, 2, 3].map(() => client.auth.mfa.recoveryCodes.generate()));
    expect(tries.filter(({ error }) => error === null).length).toBe(1);
    expect(
      await app.sql(
        `select count(*)::int as n from auth.mfa_recovery_codes c join auth.mfa_factors f on f.id = c.factor_id where f.user_id = $1`,
        [id],
      ),
    ).toEqual([{ n: 10 }]);
  });

  test('new ones in place of the old, under the same id and name', async () => {
    const { client, email, codes, recoveryId } = await withCodes();
    const { data } = await client.auth.mfa.recoveryCodes.regenerate();
    expect(data).toMatchObject({ id: recoveryId, friendly_name: 'Recovery codes', total: 10 });
    const other = await signIn(email);
    expect((await other.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error?.code).toBe(
      'mfa_verification_failed',
    );
    expect((await other.auth.mfa.recoveryCodes.verify({ code: data?.codes[0] ?? '' })).error).toBeNull();
  });

  test('tells their owner by email, without the codes', async () => {
    const { client, email, codes } = await withCodes();
    const { data } = await client.auth.mfa.recoveryCodes.regenerate();
    for (const mail of [await app.post.next(email), await app.post.next(email)]) {
      expect(mail.subject).toContain('New recovery codes');
      for (const code of [...codes, ...(data?.codes ?? [])]) expect(mail.text).not.toContain(code);
    }
  });

  test('never for a password alone, when the owner’s first factor comes while the thief’s request is on its way', async () => {
    count += 1;
    const { data } = await app
      .client({ key: app.serviceKey })
      .auth.admin.createUser({ email: `raced${count}@example.test`, password, email_confirm: true });
    const thief = await signIn(data.user?.email ?? '');
    const { error } = await whileHeld({
      ...{ app, row: 'select from auth.users where id = $1', id: data.user?.id },
      ask: () => thief.auth.mfa.recoveryCodes.generate(),
      meanwhile: (held) =>
        held.query(
          `insert into auth.mfa_factors (user_id, factor_type, friendly_name, status) values ($1, 'totp', 'Own', 'verified')`,
          [data.user?.id],
        ),
    });
    expect(error).toMatchObject({ code: 'insufficient_aal', status: 403 });
  });

  test('never for a session that ends while its request is on its way', async () => {
    const { client, id } = await withCodes();
    const { error } = await whileHeld({
      ...{ app, row: 'select from auth.users where id = $1', id },
      ask: () => client.auth.mfa.recoveryCodes.regenerate(),
      meanwhile: (held) => held.query('delete from auth.sessions where user_id = $1', [id]),
    });
    expect(error).toMatchObject({ code: 'insufficient_aal', status: 403 });
  });
});

describe('using one', () => {
  test('lifts the session, as people type it, and ends others that gave a password alone', async () => {
    const { client: first, email, codes } = await withCodes();
    const aside = await signIn(email);
    const client = await signIn(email);
    const typed = ` ${(codes[3] ?? '').toUpperCase().match(/.{4}/g)?.join('-')} `;
    const { data, error } = await client.auth.mfa.recoveryCodes.verify({ code: typed });
    expect(error).toBeNull();
    expect(data?.user.factors?.map((factor) => factor.factor_type)).toEqual(['totp', 'recovery_code']);
    const claims = await client.auth.getClaims();
    expect(claims.data?.claims).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    });
    expect(claims.data?.claims.mfa_pending).toBeUndefined();
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data?.remaining).toBe(9);
    expect((await aside.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await first.auth.refreshSession()).error).toBeNull();
    // Emails may overtake each other.
    const mails = [await app.post.next(email), await app.post.next(email)];
    const mail = mails.find(({ subject }) => subject.includes('recovery code was used'));
    expect(mail?.text).toContain('Unused codes: 9.');
    expect(mail?.text).not.toContain(codes[3]);
  });

  test('is done once, also by many at once', async () => {
    const { email, codes } = await withCodes();
    const clients: SupabaseClient[] = [];
    for (let n = 0; n < 4; n++) clients.push(await signIn(email));
    const tries = await Promise.all(
      clients.map((client) => client.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })),
    );
    expect(tries.filter(({ error }) => error === null).length).toBe(1);
    const again = await signIn(email);
    expect((await again.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toMatchObject({
      code: 'mfa_verification_failed',
      status: 422,
    });
  });

  test('of somebody else, or where there are none, is a wrong one', async () => {
    const { codes } = await withCodes();
    const { client } = await enrolled();
    expect((await client.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error?.code).toBe(
      'mfa_verification_failed',
    );
  });

  test('is locked after wrong ones, until there are new ones', async () => {
    const { client, email, codes } = await withCodes();
    const thief = await signIn(email);
    const guess = (code: string) => thief.auth.mfa.recoveryCodes.verify({ code });
    for (let n = 0; n < 5; n++) expect((await guess(`wrong${n}`)).error?.code).toBe('mfa_verification_failed');
    expect((await guess(codes[0] ?? '')).error).toMatchObject({ code: 'mfa_recovery_codes_locked', status: 429 });
    const { data } = await client.auth.mfa.recoveryCodes.regenerate();
    expect((await guess(data?.codes[0] ?? '')).error).toBeNull();
  });
});

describe('their end', () => {
  test('comes with the last other factor, and so does that of sessions that used one', async () => {
    const { client, email, codes, factorId, id } = await withCodes();
    const other = await signIn(email);
    await other.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect((await client.auth.mfa.recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found');
    expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect(await app.sql('select id from auth.mfa_factors where user_id = $1', [id])).toEqual([]);
  });

  test('a lost phone: the session of a code removes the app, and is an ordinary one then', async () => {
    const { email, codes, factorId } = await withCodes();
    const client = await signIn(email);
    await client.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? '' });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    await client.auth.refreshSession();
    expect(await levelOf(client)).toBe('aal1');
    expect((await client.auth.getUser()).data.user?.factors).toBeUndefined();
  });

  test('by hand, and by an administrator; not through the calls of other factors', async () => {
    const { client, recoveryId } = await withCodes();
    expect((await client.auth.mfa.challenge({ factorId: recoveryId })).error?.code).toBe('mfa_factor_not_found');
    expect((await client.auth.mfa.unenroll({ factorId: recoveryId })).error?.code).toBe('mfa_factor_not_found');
    expect((await client.auth.mfa.recoveryCodes.unenroll()).data).toEqual({ id: recoveryId });
    expect((await client.auth.mfa.recoveryCodes.unenroll()).error?.code).toBe('mfa_factor_not_found');
    expect(await levelOf(client)).toBe('aal2');

    const second = await withCodes();
    const admin = app.client({ key: app.serviceKey }).auth.admin.mfa;
    const removed = await admin.deleteFactor({ id: second.recoveryId, userId: second.id });
    expect(removed.error).toBeNull();
    expect((await second.client.auth.mfa.recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found');
  });
});
