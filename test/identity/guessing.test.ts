// People who guess: how often they may, from where, and that nobody is shut out by somebody else's guesses.

import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { fragmentOf, startMailedApp } from './mailed-app.ts';

const app = forSuite(() =>
  startApp({ settings: { TRUST_PROXY: 'loopback', AUTH_LIMIT_FAILURES: '3', AUTH_LIMIT_GUESSES: '5' } }),
);

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const email = `guessed${count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { email, client, token: data.session?.access_token ?? '' };
}

async function put(token: string, body: object) {
  const answer = await app.request('/auth/v1/user', { method: 'PUT', token, body: JSON.stringify(body) });
  return { status: answer.status, code: (await answer.json()).code };
}

describe('a session in the wrong hands', () => {
  test('does not find out the password by proposing it as the new one', async () => {
    const { email, token } = await member();
    // A change that fails for another reason leaves everything as it was, and would answer guess after guess.
    for (let guess = 0; guess < 3; guess += 1)
      expect(await put(token, { password })).toEqual({ status: 422, code: 'same_password' });
    expect(await put(token, { password })).toEqual({ status: 429, code: 'over_request_rate_limit' });
    expect(await put(token, { password: 'another one' })).toEqual({ status: 429, code: 'over_request_rate_limit' });
    expect((await app.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });
});

interface Client {
  readonly from: string;
  readonly cookie?: string | undefined;
}

async function signIn(email: string, guess: string, { from, cookie }: Client) {
  const answer = await app.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'x-forwarded-for': from, ...(cookie === undefined ? {} : { cookie }) },
    body: JSON.stringify({ email, password: guess }),
  });
  const body = await answer.json();
  return {
    status: answer.status,
    message: body.message,
    token: body.access_token as string,
    cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0],
    attributes: answer.headers.getSetCookie()[0]?.split('; ').slice(1),
  };
}

/** A new address for every attempt. */
let host = 0;
function anywhere(): string {
  host += 1;
  return `203.0.${host >> 8}.${host & 255}`;
}

async function guessAtOnce(email: string, guesses: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: guesses }, () => signIn(email, 'guess!', { from: anywhere() })),
  );
  return answers.map((answer) => answer.status).sort();
}

describe('guesses from one address', () => {
  test('once there were too many, a right one is refused there as well', async () => {
    const { email } = await member();
    const from = anywhere();
    for (let guess = 0; guess < 3; guess += 1) expect((await signIn(email, 'guess!', { from })).status).toBe(400);
    // Asking on takes nothing more away: the wall stands because of wrong guesses alone.
    for (let guess = 0; guess < 3; guess += 1) expect((await signIn(email, password, { from })).status).toBe(429);
    expect((await signIn(email, password, { from: anywhere() })).status).toBe(200);
  });

  test('an account that waits for its owner is opened by its mail alone', async () => {
    const admin = app.client({ key: app.serviceKey }).auth.admin;
    const [made, invited] = ['made@example.test', 'asked@example.test'];
    expect((await admin.createUser({ email: made })).error).toBeNull();
    expect((await admin.inviteUserByEmail(invited)).error).toBeNull();
    for (const email of [made, invited]) {
      expect((await app.client().auth.signUp({ email, password })).error?.code).toBe('user_already_exists');
      expect((await app.client().auth.signInWithPassword({ email, password })).error?.code).toBe('invalid_credentials');
    }
  });
});

describe('a few guesses from each of many addresses', () => {
  test('run into a wall, however many come at once, with and without an account', async () => {
    const { email } = await member();
    for (const address of [email, 'nobody-at-all@example.test']) {
      expect(await guessAtOnce(address, 8)).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
      const right = await signIn(address, password, { from: anywhere() });
      expect(right).toMatchObject({ status: 429, message: expect.stringContaining('Sign in by mail') });
    }
  });

  test('keep out nobody who was here before: their network, their browser', async () => {
    const { email } = await member();
    const home = anywhere();
    const { cookie, attributes } = await signIn(email, password, { from: home });
    expect(attributes).toEqual(['Path=/auth/v1', 'Max-Age=31536000', 'HttpOnly', 'SameSite=Lax']);
    await guessAtOnce(email, 8);
    expect((await signIn(email, password, { from: home })).status).toBe(200);
    const away = await signIn(email, password, { from: anywhere(), cookie });
    expect(away.status).toBe(200);
    // A browser that is known already gets no second cookie.
    expect(away.cookie).toBeUndefined();
    expect((await signIn(email, password, { from: anywhere() })).status).toBe(429);
  });

  test('the cookie of one account opens no other, and a made-up one opens none', async () => {
    const [one, other] = [await member(), await member()];
    const { cookie = '' } = await signIn(one.email, password, { from: anywhere() });
    const theirs = await signIn(other.email, password, { from: anywhere() });
    await guessAtOnce(other.email, 8);
    const name = theirs.cookie?.split('=', 1)[0];
    const value = cookie.split('=', 2)[1] ?? '';
    for (const forged of [cookie, `${name}=${value}`, `${name}=${'a'.repeat(22)}.${'b'.repeat(43)}`])
      expect((await signIn(other.email, password, { from: anywhere(), cookie: forged })).status).toBe(429);
  });

  test('a known place has a ration too, and right passwords cost none', async () => {
    const { email } = await member();
    const { cookie } = await signIn(email, password, { from: anywhere() });
    for (let visit = 0; visit < 6; visit += 1)
      expect((await signIn(email, password, { from: anywhere(), cookie })).status).toBe(200);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await signIn(email, 'guess!', { from: anywhere(), cookie })).status).toBe(400);
    expect((await signIn(email, password, { from: anywhere(), cookie })).status).toBe(429);
    // Strangers have another one.
    expect((await signIn(email, password, { from: anywhere() })).status).toBe(200);
  });
});

describe('codes of a second factor', () => {
  async function call(path: string, token: string, from: string, body: object = {}) {
    const answer = await app.request(`/auth/v1/factors/${path}`, {
      method: 'POST',
      token,
      headers: { 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  }

  test('guessed by who has the password run out, and not for the owner', async () => {
    const { email, client } = await member();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const totp = new TOTP({ secret: factor.totp.secret });
    const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code: code(-1) });

    const home = anywhere();
    const answer = async (token: string, from: string, guess: string) => {
      const challenge = await call(`${factor.id}/challenge`, token, from);
      return call(`${factor.id}/verify`, token, from, { challenge_id: challenge.body.id, code: guess });
    };
    const owner = await signIn(email, password, { from: home });
    // The password alone makes no browser a known one.
    expect(owner.cookie).toBeUndefined();
    expect((await answer(owner.token, home, code(0))).status).toBe(200);

    const den = anywhere();
    const thief = await signIn(email, password, { from: den });
    for (let guess = 0; guess < 5; guess += 1) expect((await answer(thief.token, den, 'nonsense')).status).toBe(422);
    expect(await answer(thief.token, den, code(1))).toMatchObject({
      status: 429,
      body: { code: 'over_request_rate_limit' },
    });
    const back = await signIn(email, password, { from: home });
    expect((await answer(back.token, home, code(1))).status).toBe(200);
  });

  test('recovery codes are replaced a few times a minute, whatever the address', async () => {
    const { client } = await member();
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code });
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    let last = await call('recovery-codes', token, anywhere());
    for (let n = 0; n < 45 && last.status === 200; n += 1)
      last = await call('recovery-codes/regenerate', token, anywhere());
    expect(last).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } });
  });
});

describe('codes of mails', () => {
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000');

  test('guessed from anywhere run out with the account, however many mails are asked for; links do not', async () => {
    const mailed = await startMailedApp({ settings: { TRUST_PROXY: 'loopback', AUTH_LIMIT_GUESSES: '7' } });
    try {
      const verify = async (email: string, token: string) => {
        const answer = await mailed.request('/auth/v1/verify', {
          method: 'POST',
          headers: { 'x-forwarded-for': anywhere() },
          body: JSON.stringify({ type: 'email', email, token }),
        });
        return answer.status;
      };
      const ask = async (email: string) => {
        expect((await mailed.client().auth.signInWithOtp({ email })).error).toBeNull();
        return mailed.post.next(email);
      };
      const email = 'codes@example.test';
      // Right ones cost nothing.
      for (let visit = 0; visit < 8; visit += 1) expect(await verify(email, (await ask(email)).code)).toBe(200);
      const first = await ask(email);
      for (let guess = 0; guess < 5; guess += 1) expect(await verify(email, wrongFor(first.code))).toBe(403);
      const second = await ask(email);
      for (let guess = 0; guess < 2; guess += 1) expect(await verify(email, wrongFor(second.code))).toBe(403);
      expect(await verify(email, wrongFor(second.code))).toBe(429);
      expect(await verify(email, second.code)).toBe(429);
      expect(fragmentOf(await mailed.follow(second)).access_token).toBeTruthy();
      const nobody = 'nobody-at-all@example.test';
      for (let guess = 0; guess < 7; guess += 1) expect(await verify(nobody, '000000')).toBe(403);
      expect(await verify(nobody, '000000')).toBe(429);
    } finally {
      await mailed.close();
    }
  });
});
