// Bodies that bring what is not theirs to bring: columns, prototypes, headers and markup for mails, sizes, types.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() =>
  startMailedApp({
    settings: { AUTH_ANONYMOUS: 'true', AUTH_MANUAL_LINKING: 'true', AUTH_LIMIT_FACTOR: '0' },
  }),
);

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `input${count}@example.test`;
}

const call = (method: string, path: string, body?: unknown, token = app.anonKey) =>
  app.call(method, `/auth/v1${path}`, body, token);

async function confirmed(): Promise<{ email: string; token: string; id: string }> {
  const email = someone();
  await app.client({ key: app.serviceKey }).auth.admin.createUser({ email, password, email_confirm: true });
  const { body } = await call('POST', '/token?grant_type=password', { email, password });
  return { email, token: body.access_token, id: body.user.id };
}

describe('columns', () => {
  const later = '2099-01-01T00:00:00Z';
  const theirs = {
    id: '00000000-0000-4000-8000-00000000beef',
    user_id: '00000000-0000-4000-8000-00000000beef',
    sub: '00000000-0000-4000-8000-00000000beef',
    aud: 'admin',
    role: 'service_role',
    app_metadata: { admin: true },
    raw_app_meta_data: { admin: true },
    raw_user_meta_data: { admin: true },
    is_super_admin: true,
    is_sso_user: true,
    is_anonymous: false,
    email_confirm: true,
    email_confirmed_at: later,
    confirmed_at: later,
    phone_confirmed_at: later,
    banned_until: later,
    ban_duration: '1h',
    deleted_at: later,
    created_at: later,
    invited_at: later,
    encrypted_password: 'x',
    password_hash: '$2a$10$abcdefghijklmnopqrstuuJ0tZ0tZ0tZ0tZ0tZ0tZ0tZ0tZ0tZ0tZ',
    aal: 'aal2',
    amr: [{ method: 'totp' }],
    factors: [{ id: 'x' }],
    identities: [{ provider: 'google' }],
    session_id: '00000000-0000-4000-8000-00000000beef',
    create_user: true,
  };

  async function expectPlain(id: string, confirmedToo: boolean): Promise<void> {
    const [row] = await app.sql(
      `select id::text, aud, role, raw_app_meta_data, raw_user_meta_data, is_sso_user, email_confirmed_at is not null as confirmed,
        banned_until, deleted_at, invited_at, phone, created_at < now() + interval '1 hour' as made_now,
        (select count(*)::int from auth.identities i where i.user_id = users.id and i.provider <> 'email') as others
      from auth.users where id = $1`,
      [id],
    );
    expect(row).toEqual({
      id: expect.not.stringContaining('beef'),
      aud: 'authenticated',
      role: 'authenticated',
      raw_app_meta_data: {},
      raw_user_meta_data: confirmedToo ? { email_verified: true } : {},
      is_sso_user: false,
      confirmed: confirmedToo,
      banned_until: null,
      deleted_at: null,
      invited_at: null,
      phone: null,
      made_now: true,
      others: 0,
    });
  }

  const idOf = async (email: string) =>
    (await app.sql<{ id: string }>('select id from auth.users where email = $1', [email]))[0]?.id ?? '';

  test('are not set by signing up, by asking for a mail, by coming anonymously', async () => {
    const [one, two] = [someone(), someone()];
    expect((await call('POST', '/signup', { ...theirs, email: one, password })).status).toBe(200);
    await expectPlain(await idOf(one), false);
    expect((await call('POST', '/otp', { ...theirs, email: two })).status).toBe(200);
    await expectPlain(await idOf(two), false);
    const { body } = await call('POST', '/signup', { ...theirs, is_anonymous: true });
    expect(JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString())).toMatchObject({
      role: 'authenticated',
      aud: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'anonymous' }],
      is_anonymous: true,
    });
    await expectPlain(body.user.id, false);
  });

  test('are not set by changing an account, nor by an anonymous one that becomes real', async () => {
    const { app_metadata: _refused, ...changes } = theirs;
    const { token, id } = await confirmed();
    expect((await call('PUT', '/user', changes, token)).status).toBe(200);
    await expectPlain(id, true);
    const { body } = await call('POST', '/signup', {});
    const upgraded = await call('PUT', '/user', { ...changes, email: someone() }, body.access_token);
    expect(upgraded.body).toMatchObject({ is_anonymous: true, new_email: `input${count}@example.test` });
    await expectPlain(body.user.id, false);
  });

  test('of one’s own may shrink when they are too large already, and not grow', async () => {
    const { id, token } = await confirmed();
    const large = 'x'.repeat(20_000);
    await app.sql(
      'update auth.users set raw_user_meta_data = jsonb_build_object($2::text, $4::text, $3::text, $4::text) where id = $1',
      [id, 'one', 'other', large],
    );
    const grown = await call('PUT', '/user', { data: { small: 1 } }, token);
    expect(grown).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const shrunk = await call('PUT', '/user', { data: { one: null } }, token);
    expect([shrunk.status, Object.keys(shrunk.body.user_metadata ?? {})]).toEqual([200, ['other']]);
  });

  test('are not set by a token exchange', async () => {
    const { email, id } = await confirmed();
    const { body } = await call('POST', '/token?grant_type=password', { ...theirs, email, password });
    expect(body.user).toMatchObject({ id, role: 'authenticated' });
    const again = await call('POST', '/token?grant_type=refresh_token', {
      ...theirs,
      refresh_token: body.refresh_token,
    });
    expect(JSON.parse(Buffer.from(again.body.access_token.split('.')[1], 'base64url').toString())).toMatchObject({
      sub: id,
      role: 'authenticated',
      aal: 'aal1',
      session_id: expect.not.stringContaining('beef'),
    });
  });
});

test('prototypes stay as they are, and what looks like one is stored as text is', async () => {
  const email = someone();
  const body = `{"email":"${email}","password":"${password}","__proto__":{"role":"service_role"},"options":{"data":{"__proto__":{"spoiled":1}}},"data":{"constructor":{"prototype":{"spoiled":1}},"name":"P"}}`;
  const { status, body: made } = await call('POST', '/signup', body);
  expect(status).toBe(200);
  expect(made.role).toBe('authenticated');
  expect(made.user_metadata).toMatchObject({ name: 'P', constructor: { prototype: { spoiled: 1 } } });
  expect(({} as { spoiled?: unknown }).spoiled).toBeUndefined();
  // What only a prototype has is not there.
  const inherited = await call(
    'POST',
    '/token?grant_type=password',
    `{"__proto__":{"email":"${email}","password":"x"}}`,
  );
  expect(inherited.body).toMatchObject({ code: 'validation_failed', message: 'missing email or phone' });
});

describe('mails', () => {
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const break_ = 'Eve\r\nBcc: victim@example.test\r\nSubject: Won\r\n\r\n';

  test('carry no header and no markup of whoever caused them', async () => {
    const email = someone();
    const there = `http://localhost:3000/back?next=${encodeURIComponent(markup)}&x=%0d%0aBcc:%20victim@example.test`;
    const { status } = await call('POST', `/signup?redirect_to=${encodeURIComponent(there)}`, {
      email,
      password,
      data: { name: break_ + markup, full_name: break_, display_name: markup, email: 'victim@example.test' },
    });
    expect(status).toBe(200);
    const mail = await app.post.next(email);
    const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'));
    expect(head).not.toMatch(/^Bcc/im);
    expect(head.match(/^Subject:/gim)).toHaveLength(1);
    expect(mail.to).toBe(email);
    for (const what of ['<script', 'onerror=alert', '\r\nBcc:']) expect(mail.raw).not.toContain(what);
    // The address survives all that, and leads where it was asked to.
    const end = await app.follow(mail);
    expect(end.origin + end.pathname).toBe('http://localhost:3000/back');
    expect(end.searchParams.get('next')).toBe(markup);
  });

  test.each([
    `a@b.test\r\nBcc: victim@example.test`,
    `"a\r\nBcc: v"@b.test`,
    `Eve <a@b.test>`,
    `a@b.test,victim@example.test`,
    `a@b.test;victim@example.test`,
    `a@b.test%0d%0aBcc:victim@example.test`,
    `a@[127.0.0.1]`,
    `a@b.test\u2028Bcc: v@example.test`,
    `<a@b.test>`,
  ])('go to no such address: %j', async (email) => {
    const { token } = await confirmed();
    for (const answer of [
      await call('POST', '/signup', { email, password }),
      await call('POST', '/otp', { email }),
      await call('POST', '/recover', { email }),
      await call('PUT', '/user', { email }, token),
      await call('POST', '/admin/generate_link', { type: 'magiclink', email }, app.serviceKey),
      await call('POST', '/invite', { email }, app.serviceKey),
    ])
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('sizes', () => {
  test('metadata has an end, also bit by bit', async () => {
    const { token } = await confirmed();
    const whole = await call('PUT', '/user', { data: { a: 'x'.repeat(20_000) } }, token);
    expect(whole).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await call('PUT', '/user', { data: { a: 'x'.repeat(9000) } }, token)).status).toBe(200);
    const more = await call('PUT', '/user', { data: { b: 'x'.repeat(9000) } }, token);
    expect(more).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await call('PUT', '/user', { data: { a: null, b: 'x'.repeat(9000) } }, token)).status).toBe(200);
  });

  test('a body that is too large, or too deep, is refused in the words of this door', async () => {
    const large = await call('POST', '/signup', { email: someone(), password, filler: 'x'.repeat(30_000_000) });
    expect(large.status).toBe(413);
    expect(large.body).toMatchObject({ code: expect.any(String), msg: expect.any(String) });
    const deep = (depth: number) =>
      call(
        'POST',
        '/signup',
        `{"email":"${someone()}","password":"${password}","data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
      );
    for (const depth of [200, 5000])
      expect(await deep(depth)).toMatchObject({
        status: 400,
        body: { code: 'bad_json', msg: expect.stringContaining('more than 200 levels deep') },
      });
    expect((await deep(100_000)).status).toBe(413);
  });
});

test('no value of a field makes a door fail', async () => {
  const { token, email } = await confirmed();
  const odd: unknown[] = [0, true, [], { a: { $ne: null } }, '', '\u0000', '\ud800', "' or 1=1 --", 'x'.repeat(5000)];
  const fields: Record<string, readonly string[]> = {
    'POST /signup': ['email', 'password', 'data', 'options', 'code_challenge', 'code_challenge_method', 'phone'],
    'POST /token?grant_type=password': ['email', 'password'],
    'POST /token?grant_type=refresh_token': ['refresh_token'],
    'POST /token?grant_type=pkce': ['auth_code', 'code_verifier'],
    'POST /token?grant_type=id_token': ['id_token', 'provider', 'nonce', 'access_token'],
    'POST /otp': ['email', 'create_user', 'data', 'channel'],
    'POST /recover': ['email', 'code_challenge'],
    'POST /resend': ['type', 'email'],
    'POST /verify': ['type', 'token', 'token_hash', 'email', 'redirect_to'],
    'PUT /user': ['email', 'password', 'data', 'nonce', 'app_metadata', 'phone'],
    'POST /factors': ['factor_type', 'friendly_name', 'issuer'],
    'POST /passkeys/authentication/verify': ['challenge_id', 'credential'],
    'POST /passkeys/registration/verify': ['challenge_id', 'credential', 'friendly_name'],
  };
  const usual: Record<string, unknown> = {
    email,
    type: 'email',
    token: '123456',
    auth_code: 'x',
    code_verifier: 'y',
    provider: 'google',
    factor_type: 'totp',
  };
  for (const [door, names] of Object.entries(fields)) {
    const [method = '', path = ''] = door.split(' ');
    const asks = names.flatMap((name) => odd.map((value) => ({ name, value })));
    const answers = await Promise.all(
      asks.map(async ({ name, value }) => {
        const { status } = await call(method, path, { ...usual, [name]: value }, token);
        return { door, name, value, status };
      }),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
  for (const path of ['/verify', '/authorize', '/callback', '/confirm'])
    for (const name of ['token', 'type', 'redirect_to', 'state', 'code', 'provider', 'error'])
      await Promise.all(
        ['%00', '%ff', '%0d%0aset-cookie:x=1', 'x'.repeat(5000)].map(async (value) => {
          const answer = await app.request(`/auth/v1${path}?token=x&type=signup&${name}=${value}`, { token: null });
          await answer.body?.cancel();
          expect([path, name, value, answer.status >= 500]).toEqual([path, name, value, false]);
          expect(answer.headers.get('set-cookie') ?? '').not.toContain('x=1');
        }),
      );
});

test.each([
  '',
  'PASSWORD',
  'password,refresh_token',
  'authorization_code',
  'client_credentials',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
])('there is no grant_type %j', async (type) => {
  const { email } = await confirmed();
  expect(await call('POST', `/token?grant_type=${type}`, { email, password })).toMatchObject({
    status: 400,
    body: { code: 'unsupported_grant_type' },
  });
});
