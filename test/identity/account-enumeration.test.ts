// Strangers learn nothing of an address: every question is answered alike for an account in any state and for none. Only a sign-up says
// that an address is confirmed already: by empty identities, which clients of GoTrue look for.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(startMailedApp);

const password = 'secret1';
const kinds = [
  'nobody',
  'a member',
  'unconfirmed',
  'banned',
  'without a password',
  'deleted softly',
  'invited',
  'with a second factor',
] as const;
type Kind = (typeof kinds)[number];
let count = 0;

function admin() {
  return app.client({ key: app.serviceKey }).auth.admin;
}

/** An address of somebody in that state. */
async function addressOf(kind: Kind): Promise<string> {
  count += 1;
  const email = `there${count}@example.test`;
  if (kind === 'nobody') return email;
  if (kind === 'invited') {
    expect((await admin().inviteUserByEmail(email)).error).toBeNull();
    return email;
  }
  const { data, error } = await admin().createUser({
    email,
    email_confirm: kind !== 'unconfirmed',
    ...(kind === 'without a password' ? {} : { password }),
    ...(kind === 'banned' ? { ban_duration: '24h' } : {}),
  });
  expect(error).toBeNull();
  const id = data.user?.id ?? '';
  if (kind === 'deleted softly') await admin().deleteUser(id, true);
  if (kind === 'with a second factor')
    await app.sql(`insert into auth.mfa_factors (user_id, factor_type, status) values ($1, 'totp', 'verified')`, [id]);
  return email;
}

async function post(path: string, body: object) {
  const answer = await app.request(`/auth/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  const headers = [...answer.headers.keys()].filter((name) => name !== 'date').sort();
  return { status: answer.status, headers, text: await answer.text() };
}

/** Without what differs from one account to the next anyway. */
function plain({ status, headers, text }: Awaited<ReturnType<typeof post>>, email: string) {
  const words = text
    .replaceAll(email, 'EMAIL')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\.\d{6}Z/g, 'MOMENT');
  return { status, headers, words };
}

async function answersTo(path: string, body: (email: string) => object) {
  const answers = await Promise.all(
    kinds.map(async (kind) => {
      const email = await addressOf(kind);
      return [kind, plain(await post(path, body(email)), email)] as const;
    }),
  );
  return new Map(answers);
}

const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' };

describe.each<[string, string, (email: string) => object]>([
  ['a wrong password', '/token?grant_type=password', (email) => ({ email, password: 'guess!' })],
  ['a forgotten password', '/recover', (email) => ({ email })],
  ['a forgotten password (PKCE)', '/recover', (email) => ({ email, ...pkce })],
  ['a sign-in mail', '/otp', (email) => ({ email })],
  ['a sign-in mail, and no account', '/otp', (email) => ({ email, create_user: false })],
  ['a magic link', '/magiclink', (email) => ({ email, ...pkce })],
  ['a confirmation once more', '/resend', (email) => ({ type: 'signup', email })],
  ['a change of address once more', '/resend', (email) => ({ type: 'email_change', email })],
  ['a wrong code', '/verify', (email) => ({ type: 'email', email, token: '000000' })],
  ['a wrong recovery code', '/verify', (email) => ({ type: 'recovery', email, token: '000000' })],
])('%s', (_what, path, body) => {
  test('is answered alike', async () => {
    const answers = await answersTo(path, body);
    const expected = answers.get('nobody');
    for (const [kind, answer] of answers) expect([kind, answer]).toEqual([kind, expected]);
  });
});

const confirmedKinds: readonly Kind[] = ['a member', 'banned', 'without a password', 'with a second factor'];

test('a sign-up is answered alike, but for the identities of a confirmed address', async () => {
  const answers = await answersTo('/signup', (email) => ({
    email,
    password,
    data: { name: 'Eve', z: 1, a: { b: 2 } },
  }));
  const expected = answers.get('nobody');
  const { identities, ...rest } = JSON.parse(expected?.words ?? '');
  expect(identities).toHaveLength(1);
  for (const [kind, answer] of answers) {
    const wanted = { ...rest, identities: confirmedKinds.includes(kind) ? [] : identities };
    const { words, ...wire } = answer;
    expect([kind, wire, JSON.parse(words)]).toEqual([kind, { status: 200, headers: expected?.headers }, wanted]);
  }
});

test('a change to the address of another account is answered like one to a free address', async () => {
  const email = await addressOf('a member');
  const session = await app.client().auth.signInWithPassword({ email, password });
  const token = session.data.session?.access_token ?? '';
  const change = async (to: string) => {
    const answer = await app.request('/auth/v1/user', { method: 'PUT', token, body: JSON.stringify({ email: to }) });
    return plain({ status: answer.status, headers: [], text: await answer.text() }, to);
  };
  const free = await change(await addressOf('nobody'));
  for (const kind of kinds) expect([kind, await change(await addressOf(kind))]).toEqual([kind, free]);
});

test('a second sign-up tells nothing either: the same ids again, and times that are new', async () => {
  const check = async (kind: Kind) => {
    const email = await addressOf(kind);
    const signUp = async () => JSON.parse((await post('/signup', { email, password })).text);
    const started = new Date().toISOString();
    const [one, two] = [await signUp(), await signUp()];
    expect([kind, two.id, two.identities[0]?.identity_id]).toEqual([kind, one.id, one.identities[0]?.identity_id]);
    expect([kind, Object.keys(two)]).toEqual([kind, Object.keys(one)]);
    for (const { created_at, updated_at, identities } of [one, two])
      for (const moment of [
        created_at,
        updated_at,
        ...identities.flatMap((one: Record<string, string>) => [one.created_at, one.last_sign_in_at]),
      ])
        expect([kind, moment >= started]).toEqual([kind, true]);
  };
  await Promise.all(kinds.map(check));
});

test('a right password alone tells that an account is banned or unconfirmed', async () => {
  for (const [kind, code] of [
    ['banned', 'user_banned'],
    ['unconfirmed', 'email_not_confirmed'],
  ] as const) {
    const email = await addressOf(kind);
    const answer = await post('/token?grant_type=password', { email, password });
    expect(JSON.parse(answer.text).code).toBe(code);
  }
});

test('an address is one address, however it is written, and none that only looks like it', async () => {
  const email = await addressOf('a member');
  const signIn = async (address: string) =>
    JSON.parse((await post('/token?grant_type=password', { email: address, password })).text);
  for (const spelling of [email.toUpperCase(), ` ${email}`, `${email}\n`])
    expect([spelling, (await signIn(spelling)).user?.email]).toEqual([spelling, email]);
  const [name = '', host = ''] = email.split('@');
  for (const other of [
    `${email}.`,
    `${name}+x@${host}`,
    `${name}.@${host}`,
    `${name}@\uFF45xample.test`,
    `${name}@ex\u0430mple.test`,
    email.replace('t', '\u1E97'),
    email.replace('e', '\u0435'),
    `"${name}"@${host}`,
    `${name}@${host}, ${email}`,
  ]) {
    expect([other, (await signIn(other)).code]).toEqual([other, 'invalid_credentials']);
    // Nor can such an address be signed up with where it is no plain one.
    if (!/^[\x21-\x7e]+$/.test(other) || /[",]|\.$/.test(other))
      expect([other, JSON.parse((await post('/signup', { email: other, password })).text).code]).toEqual([
        other,
        'validation_failed',
      ]);
  }
});

test('letters of other alphabets do not become ours when they are made small', async () => {
  // The Kelvin sign becomes a plain k, the Turkish capital İ an i with a dot.
  for (const [plainEmail, odd] of [
    ['kelvin@example.test', '\u212Aelvin@example.test'],
    ['ines@example.test', '\u0130nes@example.test'],
  ]) {
    await admin().createUser({ email: plainEmail ?? '', password, email_confirm: true });
    const signUp = JSON.parse((await post('/signup', { email: odd, password })).text);
    expect(signUp.code).toBe('validation_failed');
    const reset = JSON.parse((await post('/recover', { email: odd })).text);
    expect(reset.code).toBe('validation_failed');
  }
});
