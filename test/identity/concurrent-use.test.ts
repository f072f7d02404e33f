// Fifty requests at once with what is good for one: tokens of mails, codes, states, answers of a second factor.

import { createHash, randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { Browser, startIssuer } from './issuer.ts';
import { startMailedApp } from './mailed-app.ts';

const issuer = forSuite(() => startIssuer());
const app = forSuite(() =>
  startMailedApp({
    settings: {
      AUTH_LIMIT_FACTOR: '0',
      AUTH_OIDC_NAME: 'acme',
      AUTH_OIDC_ISSUER: issuer.url,
      AUTH_OIDC_CLIENT_ID: 'kanbase',
      AUTH_OIDC_CLIENT_SECRET: 'secret',
    },
  }),
);

const many = Array.from({ length: 50 }, (_, at) => at);
let count = 0;

async function post(path: string, body: object, token?: string) {
  const answer = await app.request(`/auth/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** How often each status came back. */
function tally(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function member() {
  count += 1;
  const email = `many${count}@example.test`;
  await app.sql(`insert into auth.users (email, email_confirmed_at) values ($1, now())`, [email]);
  await post('/otp', { email });
  const mail = await app.post.next(email);
  return { email, mail, token: new URL(mail.link).searchParams.get('token') ?? '' };
}

async function signedIn() {
  const { email, token } = await member();
  const { body } = await post('/verify', { type: 'magiclink', token_hash: token });
  return { email, token: body.access_token as string, refreshToken: body.refresh_token as string };
}

test('a refresh token: everybody gets the one successor, and the line goes on', async () => {
  const { refreshToken } = await signedIn();
  const refresh = (refresh_token: string) => post('/token?grant_type=refresh_token', { refresh_token });
  const answers = await Promise.all(many.map(() => refresh(refreshToken)));
  expect(tally(answers)).toEqual({ 200: 50 });
  const next = new Set(answers.map(({ body }) => body.refresh_token as string));
  expect(next.size).toBe(1);
  const [successor = ''] = next;
  expect(successor).not.toBe(refreshToken);
  expect((await refresh(successor)).status).toBe(200);
});

describe('a mail', () => {
  test('its link lets one in', async () => {
    const { token } = await member();
    const answers = await Promise.all(many.map(() => post('/verify', { type: 'magiclink', token_hash: token })));
    expect(tally(answers)).toEqual({ 200: 1, 403: 49 });
  });

  test('its link lets one in by the browser', async () => {
    const { token } = await member();
    const ends = await Promise.all(
      many.map(async () => {
        const answer = await app.request(`/auth/v1/verify?type=magiclink&token=${token}`, { token: null });
        return answer.headers.get('location') ?? '';
      }),
    );
    expect(ends.filter((end) => end.includes('access_token='))).toHaveLength(1);
    expect(ends.filter((end) => end.includes('error_code=otp_expired'))).toHaveLength(49);
  });

  test('its code lets one in', async () => {
    const { email, mail } = await member();
    const answers = await Promise.all(many.map(() => post('/verify', { type: 'email', email, token: mail.code })));
    expect(tally(answers)).toEqual({ 200: 1, 403: 49 });
  });

  test('its code bears five guesses, however many come together', async () => {
    const { email, mail } = await member();
    const wrong = mail.code === '111111' ? '222222' : '111111';
    const guesses = await Promise.all(many.map(() => post('/verify', { type: 'email', email, token: wrong })));
    expect(tally(guesses)).toEqual({ 403: 50 });
    expect((await post('/verify', { type: 'email', email, token: mail.code })).status).toBe(403);
    const [row] = await app.sql<{ attempts: number }>(
      'select attempts from auth.one_time_tokens where relates_to = $1',
      [email],
    );
    expect(row?.attempts).toBe(5);
  });
});

test('a code of the PKCE flow is exchanged once', async () => {
  const { email } = await signedIn();
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  await post('/otp', { email, code_challenge, code_challenge_method: 's256' });
  const mail = await app.post.next(email);
  const code = (await app.follow(mail)).searchParams.get('code') ?? '';
  const exchange = () => post('/token?grant_type=pkce', { auth_code: code, code_verifier: verifier });
  expect(tally(await Promise.all(many.map(exchange)))).toEqual({ 200: 1, 404: 49 });
});

test('a state comes back from an issuer once', async () => {
  issuer.claims = { sub: 'many', email: 'many@issuer.test', email_verified: true };
  const browser = new Browser();
  const out = await browser.visit(`${app.url}/auth/v1/authorize?provider=acme`);
  const callback = new URL((await fetch(out.location, { redirect: 'manual' })).headers.get('location') ?? '');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const ends = await Promise.all(
    many.map(async () => {
      const answer = await fetch(`${app.url}${callback.pathname}${callback.search}`, {
        redirect: 'manual',
        headers: { cookie },
      });
      return answer.headers.get('location') ?? '';
    }),
  );
  expect(ends.filter((end) => end.includes('access_token='))).toHaveLength(1);
  expect(ends.filter((end) => end.includes('error_code=bad_oauth_state'))).toHaveLength(49);
});

test('a code of an authenticator app counts once, on however many challenges', async () => {
  const { token } = await signedIn();
  const { body: factor } = await post('/factors', { factor_type: 'totp' }, token);
  const totp = new TOTP({ secret: factor.totp.secret });
  const challenge = async () => (await post(`/factors/${factor.id}/challenge`, {}, token)).body.id as string;
  const answer = (challenge_id: string, code: string, by: string) =>
    post(`/factors/${factor.id}/verify`, { challenge_id, code }, by);
  const code = totp.generate();
  const ids = await Promise.all(many.slice(0, 20).map(challenge));
  const answers = await Promise.all(ids.map((id) => answer(id, code, token)));
  expect(tally(answers)).toEqual({ 200: 1, 422: 19 });
});
