// Everything that goes through a mailbox, with the official client and a real SMTP catcher.

import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { textsIn } from '../../server/texts/texts.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { fragmentOf, type MailedApp, startMailedApp } from './mailed-app.ts';

const app = forSuite(startMailedApp);

const { t } = textsIn('en');
const kanbase = { product: 'Kanbase' };
const password = 'correct horse';
let count = 0;
function someone(): string {
  count += 1;
  return `reader${count}@example.test`;
}

/** Signed up and confirmed. */
async function member(email = someone()) {
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password, options: { data: { name: 'Reader' } } });
  expect(error).toBeNull();
  const mail = await app.post.next(email);
  const { data: verified, error: refused } = await client.auth.verifyOtp({ email, token: mail.code, type: 'signup' });
  expect(refused).toBeNull();
  return { email, client, id: data.user?.id ?? '', session: verified.session };
}

describe('sign-up', () => {
  test('no session before the address is confirmed; the code signs in', async () => {
    const email = someone();
    const client = app.client();
    const { data } = await client.auth.signUp({ email, password });
    expect(data.session).toBeNull();
    expect(data.user?.email_confirmed_at).toBeUndefined();
    const early = await client.auth.signInWithPassword({ email, password });
    expect(early.error).toMatchObject({ code: 'email_not_confirmed', status: 400, message: 'Email not confirmed' });

    const mail = await app.post.next(email);
    expect(mail.subject).toBe(t('mail.confirmation.subject', kanbase));
    const verified = await client.auth.verifyOtp({ email, token: mail.code, type: 'email' });
    expect(verified.error).toBeNull();
    expect(verified.data.user?.email_confirmed_at).toBeTruthy();
    const again = await app.client().auth.verifyOtp({ email, token: mail.code, type: 'email' });
    expect(again.error).toMatchObject({ code: 'otp_expired', status: 403 });
  });

  test('the link redirects with a session in the fragment, once', async () => {
    const email = someone();
    await app.client().auth.signUp({ email, password, options: { emailRedirectTo: 'http://localhost:5173/welcome' } });
    const mail = await app.post.next(email);
    const there = await app.follow(mail);
    expect(there.origin + there.pathname).toBe('http://localhost:5173/welcome');
    expect(fragmentOf(there)).toMatchObject({ token_type: 'bearer', type: 'signup', expires_in: '3600' });
    const second = await app.follow(mail);
    expect(fragmentOf(second)).toMatchObject({ error: 'access_denied', error_code: 'otp_expired' });
  });

  test('with PKCE the link carries a code that only its client can exchange', async () => {
    const email = someone();
    const client = app.pkceClient();
    await client.auth.signUp({ email, password });
    const there = await app.follow(await app.post.next(email));
    const code = there.searchParams.get('code') ?? '';
    expect(there.hash).toBe('');
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    const stolen = await app.request('/auth/v1/token?grant_type=pkce', {
      method: 'POST',
      body: JSON.stringify({ auth_code: code, code_verifier: 'x'.repeat(64) }),
    });
    expect(stolen.status).toBe(404);
  });

  test('a taken address answers without identities, and its owner hears of it', async () => {
    const { email } = await member();
    const free = await app.request('/auth/v1/signup', {
      method: 'POST',
      body: JSON.stringify({ email: someone(), password }),
    });
    const taken = await app.request('/auth/v1/signup', { method: 'POST', body: JSON.stringify({ email, password }) });
    expect(taken.status).toBe(free.status);
    const [one, other] = [await free.json(), await taken.json()];
    expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
    expect([one.identities.length, other.identities]).toEqual([1, []]);
    expect((await app.post.next(email)).subject).toBe(t('mail.already_registered.subject', kanbase));
  });

  test('a second sign-up before the confirmation replaces the mail of the first, and leaves its password', async () => {
    const email = someone();
    await app.client().auth.signUp({ email, password });
    const first = await app.post.next(email);
    await app.client().auth.signUp({ email, password });
    const second = await app.post.next(email);
    expect(fragmentOf(await app.follow(first)).error_code).toBe('otp_expired');
    expect(fragmentOf(await app.follow(second)).access_token).toBeTruthy();
    expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  const stranger = 'of a stranger';

  test.each([
    ['before', [stranger, password]],
    ['after', [password, stranger]],
    ['before and after', [stranger, password, stranger]],
    ['twice after', [password, stranger, stranger]],
  ])('a stranger who signs up %s the owner of the mailbox leaves no password that opens it', async (_when, turns) => {
    const email = someone();
    for (const one of turns) expect((await app.client().auth.signUp({ email, password: one })).error).toBeNull();
    const mails = [];
    for (const _one of turns) mails.push(await app.post.next(email));
    const client = app.client();
    const token = mails.at(-1)?.code ?? '';
    expect((await client.auth.verifyOtp({ email, token, type: 'signup' })).error).toBeNull();
    for (const one of new Set(turns))
      expect((await app.client().auth.signInWithPassword({ email, password: one })).error?.code).toBe(
        'invalid_credentials',
      );
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  test('a sign-up whose mail has run out is forgotten with its password', async () => {
    const email = someone();
    await app.client().auth.signUp({ email, password: stranger });
    await app.post.next(email);
    await app.sql(`update auth.one_time_tokens set expires_at = now() - interval '1 second' where relates_to = $1`, [
      email,
    ]);
    await app.client().auth.signUp({ email, password });
    const { code } = await app.post.next(email);
    expect((await app.client().auth.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
    expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
    expect((await app.client().auth.signInWithPassword({ email, password: stranger })).error?.code).toBe(
      'invalid_credentials',
    );
  });

  test('resend', async () => {
    const email = someone();
    await app.client().auth.signUp({ email, password });
    await app.post.next(email);
    expect((await app.client().auth.resend({ type: 'signup', email })).error).toBeNull();
    const mail = await app.post.next(email);
    expect((await app.client().auth.verifyOtp({ email, token: mail.code, type: 'signup' })).error).toBeNull();
    expect((await app.client().auth.resend({ type: 'signup', email: 'nobody@example.test' })).error).toBeNull();
  });
});

test('signing up again right after confirming the address is answered without a wait', async () => {
  const mailed = await startMailedApp({ settings: { AUTH_MAIL_INTERVAL: '60' } });
  try {
    const email = someone();
    const client = mailed.client();
    expect((await client.auth.signUp({ email, password })).error).toBeNull();
    const { code } = await mailed.post.next(email);
    const confirmed = await client.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(confirmed.data.user?.user_metadata).toMatchObject({ email_verified: true });
    for (let turn = 0; turn < 3; turn += 1) {
      const { data, error } = await mailed.client().auth.signUp({ email, password });
      expect(error).toBeNull();
      expect(data.user?.identities).toEqual([]);
    }
    // One mail for three tries.
    expect((await mailed.post.next(email)).subject).toBe(t('mail.already_registered.subject', kanbase));
    const queued = await mailed.sql(`select id from private.outbox where kind = 'already_registered'`);
    expect(queued).toHaveLength(1);
  } finally {
    await mailed.close();
  }
});

describe('without a password', () => {
  test('magic link for a new and for a known address', async () => {
    const email = someone();
    expect((await app.client().auth.signInWithOtp({ email, options: { data: { name: 'Otto' } } })).error).toBeNull();
    const first = await app.post.next(email);
    const client = app.client();
    const { data } = await client.auth.verifyOtp({ email, token: first.code, type: 'email' });
    expect(data.user?.user_metadata).toEqual({ name: 'Otto', email_verified: true });

    await client.auth.signInWithOtp({ email });
    const second = await app.post.next(email);
    expect(second.subject).toBe(t('mail.magic_link.subject', kanbase));
    const token = new URL(second.link).searchParams.get('token') ?? '';
    const { data: again, error } = await client.auth.verifyOtp({ token_hash: token, type: 'magiclink' });
    expect(error).toBeNull();
    expect(again.user?.id).toBe(data.user?.id);
  });

  test('no account is made when none is wanted', async () => {
    const email = someone();
    const { error } = await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toBeNull();
    expect(await app.sql('select id from auth.users where email = $1', [email])).toEqual([]);
  });

  test('codes cannot be guessed through; the link in the same mail still works', async () => {
    const { email } = await member();
    await app.client().auth.signInWithOtp({ email });
    const mail = await app.post.next(email);
    const wrong = mail.code === '000000' ? '111111' : '000000';
    for (let guess = 0; guess < 5; guess += 1)
      await app.client().auth.verifyOtp({ email, token: wrong, type: 'email' });
    expect((await app.client().auth.verifyOtp({ email, token: mail.code, type: 'email' })).error?.code).toBe(
      'otp_expired',
    );
    expect(fragmentOf(await app.follow(mail)).access_token).toBeTruthy();
  });
});

describe('expired links and codes', () => {
  test('a mail of yesterday lets nobody in, neither by its link nor by its code', async () => {
    const { email } = await member();
    await app.client().auth.signInWithOtp({ email });
    const mail = await app.post.next(email);
    await app.sql(`update auth.one_time_tokens set expires_at = now() - interval '1 second' where relates_to = $1`, [
      email,
    ]);
    expect(fragmentOf(await app.follow(mail))).toMatchObject({ error: 'access_denied', error_code: 'otp_expired' });
    const typed = await app.client().auth.verifyOtp({ email, token: mail.code, type: 'email' });
    expect(typed.error?.code).toBe('otp_expired');
  });

  test('a letter that resets the password is worth nothing once the password was changed', async () => {
    const { email, client } = await member();
    await client.auth.resetPasswordForEmail(email);
    const mail = await app.post.next(email);
    expect((await client.auth.updateUser({ password: 'another correct horse' })).error).toBeNull();
    expect(fragmentOf(await app.follow(mail))).toMatchObject({ error_code: 'otp_expired' });
  });
});

describe('password', () => {
  test('recovery: in by mail, a new password, the other devices out', async () => {
    const { email, client: other } = await member();
    const client = app.client();
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
    const mail = await app.post.next(email);
    expect((await client.auth.verifyOtp({ email, token: mail.code, type: 'recovery' })).error).toBeNull();
    const changed = await client.auth.updateUser({ password: 'something new' });
    expect(changed.error).toBeNull();
    expect((await app.post.next(email)).subject).toBe(t('mail.password_changed.subject', kanbase));
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await app.client().auth.signInWithPassword({ email, password: 'something new' })).error).toBeNull();
    expect((await client.auth.resetPasswordForEmail('nobody@example.test')).error).toBeNull();
  });

  test('the same password again is refused', async () => {
    const { client } = await member();
    const { error } = await client.auth.updateUser({ password });
    expect(error).toMatchObject({ code: 'same_password', status: 422 });
  });

  test('reauthentication, when it is asked for', async () => {
    const strict = await startMailedApp({ settings: { AUTH_REAUTHENTICATE: 'true' } });
    const email = someone();
    const client = strict.client();
    await client.auth.signUp({ email, password });
    await client.auth.verifyOtp({ email, token: (await strict.post.next(email)).code, type: 'signup' });
    await strict.sql(`update auth.sessions set created_at = now() - interval '2 days'`);
    expect((await client.auth.updateUser({ password: 'another one' })).error?.code).toBe('reauthentication_needed');
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const mail = await strict.post.next(email);
    expect((await client.auth.updateUser({ password: 'another one', nonce: '1' })).error?.code).toBe(
      'reauthentication_not_valid',
    );
    expect((await client.auth.updateUser({ password: 'another one', nonce: mail.code })).error).toBeNull();
    await strict.close();
  });
});

describe('change of address', () => {
  test('the address changes once both addresses agree', async () => {
    const { email, client, id } = await member();
    const next = someone();
    const { data, error } = await client.auth.updateUser({ email: next });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, new_email: next });
    const [atNew, atOld] = [await app.post.next(next), await app.post.next(email)];
    const half = await app.follow(atNew);
    expect(fragmentOf(half).message).toContain('proceed to confirm link sent to the other email');
    expect((await app.sql<{ email: string }>('select email from auth.users where id = $1', [id]))[0]?.email).toBe(
      email,
    );
    const whole = await app.follow(atOld);
    expect(fragmentOf(whole)).toMatchObject({ type: 'email_change', token_type: 'bearer' });
    expect((await app.post.next(email)).subject).toBe(t('mail.email_changed.subject', kanbase));
    const signed = await app.client().auth.signInWithPassword({ email: next, password });
    expect(signed.data.user).toMatchObject({ id, email: next });
    expect(signed.data.user?.identities?.[0]?.identity_data).toMatchObject({ email: next, email_verified: true });
  });

  test('to a taken address looks like any other and is never finished; its owner hears of it', async () => {
    const { email, client } = await member();
    const other = await member();
    const ask = async (to: string) => (await client.auth.updateUser({ email: to })).data.user;
    const free = await ask(someone());
    const taken = await ask(other.email);
    expect(taken?.new_email).toBe(other.email);
    expect(Object.keys(taken ?? {})).toEqual(Object.keys(free ?? {}));
    const mail = await app.post.next(other.email);
    expect(mail.subject).toBe(t('mail.already_registered.subject', kanbase));
    expect(mail.text).not.toMatch(/verify|confirm\?/);
    await app.post.next(email);
    const half = await client.auth.verifyOtp({ email, token: (await app.post.next(email)).code, type: 'email_change' });
    expect(half).toMatchObject({ error: null, data: { session: null } });
    expect((await client.auth.getUser()).data.user?.email).toBe(email);
  });

  test('by codes', async () => {
    const { email, client } = await member();
    const next = someone();
    await client.auth.updateUser({ email: next });
    const half = await client.auth.verifyOtp({ email, token: (await app.post.next(email)).code, type: 'email_change' });
    expect(half.error).toBeNull();
    expect(half.data.session).toBeNull();
    const whole = await client.auth.verifyOtp({
      email: next,
      token: (await app.post.next(next)).code,
      type: 'email_change',
    });
    expect(whole.data.user?.email).toBe(next);
  });
});

describe('links', () => {
  test('programs that look ahead use nothing up', async () => {
    const { email } = await member();
    await app.client().auth.signInWithOtp({ email });
    const mail = await app.post.next(email);
    const link = new URL(mail.link);
    const page = await fetch(`${app.url}${link.pathname}${link.search}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<button');
    const direct = `${app.url}/auth/v1/verify${link.search}`;
    expect((await fetch(direct, { method: 'HEAD' })).status).toBe(204);
    expect((await fetch(direct, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    const pressed = await fetch(`${app.url}/auth/v1/confirm`, {
      method: 'POST',
      body: link.searchParams,
      redirect: 'manual',
    });
    expect(pressed.status).toBe(303);
    expect(fragmentOf(new URL(pressed.headers.get('location') ?? '')).access_token).toBeTruthy();
  });

  test('a person whose link was cut off is back in the app with words, a program gets the error', async () => {
    const asPerson = { headers: { accept: 'text/html,*/*' }, redirect: 'manual' } as const;
    for (const cut of ['type=signup', 'token=abc', 'token=abc&type=sig']) {
      const opened = await fetch(`${app.url}/auth/v1/verify?${cut}`, asPerson);
      expect(opened.status).toBe(303);
      expect(fragmentOf(new URL(opened.headers.get('location') ?? ''))).toMatchObject({
        error: 'invalid_request',
        error_code: 'validation_failed',
      });
    }
    expect((await fetch(`${app.url}/auth/v1/verify?type=signup`, { redirect: 'manual' })).status).toBe(400);
  });

  test('while the disk of the database is full: words for a person who presses the button, 503 for a program', async () => {
    const own = await startMailedApp();
    const email = someone();
    await own.client().auth.signUp({ email, password });
    const { searchParams } = new URL((await own.post.next(email)).link);
    await own.sql(`create function public.no_room() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = tg_argv[0]; end $$`);
    const press = (accept: string) =>
      fetch(`${own.url}/auth/v1/confirm`, {
        method: 'POST',
        body: searchParams,
        headers: { accept },
        redirect: 'manual',
      });
    for (const sqlstate of ['53100', '57P01']) {
      await own.sql(`create or replace trigger no_room before insert on auth.sessions for each row
        execute function public.no_room('${sqlstate}')`);
      const pressed = await press('text/html');
      expect(pressed.status).toBe(303);
      expect(fragmentOf(new URL(pressed.headers.get('location') ?? ''))).toMatchObject({
        error: 'temporarily_unavailable',
        error_code: 'KB503',
      });
      const answer = await press('application/json');
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
    }
    await own.close();
  });

  test('markup in a link stays text in the page', async () => {
    const page = await fetch(`${app.url}/auth/v1/confirm?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&type=signup`);
    expect(await page.text()).not.toContain('<script>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('accounts that needed no confirmation', () => {
  const open = forSuite(() => startMailedApp({ settings: { AUTH_AUTOCONFIRM: 'true' } }));

  async function unproven() {
    const email = someone();
    const client = open.client();
    const { data, error } = await client.auth.signUp({ email, password });
    expect(error).toBeNull();
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: false });
    return { email, client, token: data.session?.access_token ?? '' };
  }

  test('a mail that makes no account is refused to an address without one, as a sign-up would tell', async () => {
    const ask = async (app: MailedApp, email: string) =>
      (await app.pkceClient().auth.signInWithOtp({ email, options: { shouldCreateUser: false } })).error;
    const email = someone();
    expect(await ask(open, email)).toMatchObject({ status: 422, code: 'otp_disabled' });
    await open.client().auth.signUp({ email, password });
    expect(await ask(open, email)).toBeNull();
    expect((await open.post.next(email)).code).toMatch(/^\d{6}$/);
  });

  test('no such refusal while sign-up is off', async () => {
    const shut = await startMailedApp({ settings: { AUTH_AUTOCONFIRM: 'true', AUTH_SIGN_UP: 'off' } });
    try {
      const options = { shouldCreateUser: false };
      expect((await shut.client().auth.signInWithOtp({ email: someone(), options })).error).toBeNull();
    } finally {
      await shut.close();
    }
  });

  test('the first to open a sign-in mail has the account, and whoever made it has not', async () => {
    const { email, client, token } = await unproven();
    const { data: feed } = await client.rpc('create_calendar_feed', { kind: 'mine' });
    const readFeed = async () => (await fetch(`${open.url}${feed.path}`)).status;
    expect(await readFeed()).toBe(200);
    expect((await client.rpc('begin_export', { format: 'json' })).error).toBeNull();
    const reader = open.pkceClient();
    expect((await reader.auth.signInWithOtp({ email })).error).toBeNull();
    const there = await open.follow(await open.post.next(email));
    const { data, error } = await reader.auth.exchangeCodeForSession(there.searchParams.get('code') ?? '');
    expect(error).toBeNull();
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email, email_verified: true });
    expect((await open.request('/auth/v1/user', { token })).status).toBe(401);
    expect((await client.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await open.client().auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials');
    expect(await readFeed()).toBe(404);
    expect((await reader.rpc('my_exports')).data).toEqual([]);
  });

  test('once that is done, a later mail changes nothing, and a second factor outlives the first', async () => {
    const { email, client } = await unproven();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    expect((await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull();
    const signIn = async () => {
      const reader = open.client();
      await reader.auth.signInWithOtp({ email });
      const mail = await open.post.next(email);
      expect((await reader.auth.verifyOtp({ email, token: mail.code, type: 'email' })).error).toBeNull();
      return reader;
    };
    const first = await signIn();
    const { data: level } = await first.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    await signIn();
    expect((await first.auth.getUser()).error).toBeNull();
  });
});
