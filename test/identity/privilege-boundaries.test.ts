// People with bad intentions: forged tokens, fields that are not theirs, questions that give away who has an account, and what
// the identity room's own role may not do.

import { createHmac, generateKeyPairSync } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { textsIn } from '../../server/texts/texts.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const secret = 'a secret for tests that has enough characters';
const app = forSuite(() => startApp({ settings: { JWT_SECRET: secret, AUTH_ANONYMOUS: 'true' } }));

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const email = `prey${count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  const token = data.session?.access_token ?? '';
  return { email, client, id: data.user?.id ?? '', token, refreshToken: data.session?.refresh_token ?? '' };
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

async function user(token: string) {
  const answer = await app.request('/auth/v1/user', { token });
  return { status: answer.status, body: await answer.json() };
}

async function refresh(refreshToken: string) {
  const answer = await app.request('/auth/v1/token?grant_type=refresh_token', {
    method: 'POST',
    body: JSON.stringify({ refresh_token: refreshToken }),
  });
  return { status: answer.status, body: await answer.json() };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function forge(header: object, claims: object, sign: (text: string) => string): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign(text)}`;
}

const hs256 = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest('base64url');

describe('tokens', () => {
  test('no signature, someone else’s signature, another algorithm', async () => {
    const { token } = await member();
    const claims = claimsOf(token);
    const [head = '', body = '', seal = ''] = token.split('.');
    const other = await member();
    const forged = {
      none: forge({ alg: 'none', typ: 'JWT' }, claims, () => ''),
      None: forge({ alg: 'None' }, claims, () => ''),
      unsigned: `${head}.${body}.`,
      'another secret': forge({ alg: 'HS256' }, claims, hs256('guessed')),
      'an empty secret': forge({ alg: 'HS256' }, claims, hs256('')),
      'HS512 with our secret': forge({ alg: 'HS512' }, claims, (text) =>
        createHmac('sha512', secret).update(text).digest('base64url'),
      ),
      'the body of another token': `${head}.${other.token.split('.')[1]}.${seal}`,
      'a key of their own in the header': await ownKey(claims),
      'a kid that is a path': forge({ alg: 'HS256', kid: '../../dev/null' }, claims, hs256('')),
      nonsense: 'a.b.c',
      'not even that': 'x',
    };
    for (const [what, forgery] of Object.entries(forged)) {
      const answer = await user(forgery);
      expect([what, answer.status, answer.body.code]).toEqual([what, 401, 'bad_jwt']);
    }
    expect((await user(token)).status).toBe(200);
  });

  async function ownKey(claims: Record<string, unknown>): Promise<string> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = await exportJWK(publicKey);
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', jwk }).sign(privateKey);
  }

  test('of the past, of the future, without an expiry, for a role of the server', async () => {
    const { token } = await member();
    const claims = claimsOf(token);
    const now = Math.floor(Date.now() / 1000);
    for (const change of [
      { exp: now - 3600 },
      { nbf: now + 3600 },
      { role: 'kanbase_identity' },
      { role: 'pg_monitor' },
    ]) {
      const answer = await user(forge({ alg: 'HS256' }, { ...claims, ...change }, hs256(secret)));
      expect([change, answer.status]).toEqual([change, 401]);
    }
  });

  test('subjects and sessions that do not belong together', async () => {
    const [one, other] = [await member(), await member()];
    const claims = claimsOf(one.token);
    const sign = (change: object) => forge({ alg: 'HS256' }, { ...claims, ...change }, hs256(secret));
    expect((await user(sign({ session_id: claimsOf(other.token).session_id }))).body.code).toBe('session_not_found');
    expect((await user(sign({ sub: '00000000-0000-4000-8000-000000000000' }))).body.code).toBe('user_not_found');
    expect((await user(sign({ sub: "' or true --" }))).body.code).toBe('bad_jwt');
    expect((await user(sign({ session_id: 'x' }))).body.code).toBe('bad_jwt');
  });

  test('an access token is no API key, and no refresh token', async () => {
    const { token } = await member();
    const headers = { apikey: token, authorization: `Bearer ${token}` };
    expect((await fetch(`${app.url}/auth/v1/user`, { headers })).status).toBe(401);
    expect((await refresh(token)).body.code).toBe('refresh_token_not_found');
  });

  test('a public key is no HMAC secret', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'one', use: 'sig' };
    const asymmetric = await startApp({ settings: { JWT_KEYS: JSON.stringify({ keys: [key] }) } });
    const { data } = await asymmetric.client().auth.signUp({ email: 'es256@example.test', password });
    const token = data.session?.access_token ?? '';
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      alg: 'ES256',
      kid: 'one',
    });
    const { keys } = await (await fetch(`${asymmetric.url}/auth/v1/.well-known/jwks.json`)).json();
    expect(keys).toMatchObject([{ kid: 'one', kty: 'EC' }, { kty: 'EC' }]);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    expect((await asymmetric.request('/auth/v1/user', { token })).status).toBe(200);
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    for (const confused of [pem, JSON.stringify(keys[0])])
      for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'one' }]) {
        const forged = forge(header, claimsOf(token), hs256(confused));
        expect((await asymmetric.request('/auth/v1/user', { token: forged })).status).toBe(401);
      }
    await asymmetric.close();
  });
});

describe('privileges', () => {
  test('sign-up takes no role, no app_metadata, no id, no confirmation', async () => {
    count += 1;
    const answer = await app.request('/auth/v1/signup', {
      method: 'POST',
      body: JSON.stringify({
        email: `mass${count}@example.test`,
        password,
        id: '00000000-0000-4000-8000-000000000000',
        role: 'service_role',
        aud: 'admin',
        app_metadata: { admin: true },
        raw_app_meta_data: { admin: true },
        is_super_admin: true,
        is_anonymous: true,
        banned_until: null,
        options: { data: { role: 'service_role' }, app_metadata: { admin: true } },
        data: { name: 'M', app_metadata: { admin: true } },
      }),
    });
    const { user: made, access_token } = await answer.json();
    expect(made).toMatchObject({ role: 'authenticated', aud: 'authenticated', app_metadata: {}, is_anonymous: false });
    expect(made.id).not.toMatch(/^0000/);
    expect(claimsOf(access_token)).toMatchObject({ role: 'authenticated', app_metadata: {} });
  });

  test('nor does a change of the account', async () => {
    const { token } = await member();
    const put = async (body: object) => {
      const answer = await app.request('/auth/v1/user', { method: 'PUT', token, body: JSON.stringify(body) });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await put({ app_metadata: { admin: true } })).toMatchObject({ status: 403, body: { code: 'not_admin' } });
    const changed = await put({ role: 'service_role', aud: 'x', is_anonymous: true, data: { name: 'N' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { role: 'authenticated', app_metadata: {}, user_metadata: { name: 'N' } },
    });
  });

  test('the role of the identity room reaches schema auth and nothing else', async () => {
    const reachable = await app.sql<{ name: string }>(`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname not in ('auth', 'pg_catalog', 'information_schema')
        and n.nspname !~ '^pg_'
        and has_table_privilege('kanbase_identity', c.oid, 'select, insert, update, delete')`);
    expect(reachable).toEqual([]);
    const schemas = await app.sql<{ nspname: string }>(`
      select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'auth')
        and has_schema_privilege('kanbase_identity', nspname, 'create')`);
    expect(schemas).toEqual([]);
    await expect(app.asUser({ role: 'kanbase_identity' }, 'select * from public.tasks')).rejects.toThrow(
      /permission denied/,
    );
  });

  test('no other role reads accounts, not through policies and not through the data door', async () => {
    const { id } = await member();
    for (const role of ['anon', 'authenticated'])
      await expect(app.asUser({ role, sub: id }, 'select * from auth.users')).rejects.toThrow(/permission denied/);
    const { error } = await app.client({ schema: 'auth' }).from('users').select();
    expect(error).not.toBeNull();
  });
});

describe('questions that give nothing away', () => {
  test('an unknown address and a wrong password', async () => {
    const { email } = await member();
    const ask = async (address: string) => {
      const answer = await app.request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        body: JSON.stringify({ email: address, password: 'guess!' }),
      });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ask(email)).toEqual(await ask('nobody@example.test'));
  });

  test('an account without a password, a deleted one, one of an issuer, an anonymous one', async () => {
    const { email, id } = await member();
    await app.sql('update auth.users set encrypted_password = null where id = $1', [id]);
    for (const guess of ['', 'null', 'undefined', password]) {
      const { error } = await app.client().auth.signInWithPassword({ email, password: guess });
      expect(error?.code).toBe('invalid_credentials');
    }
    // Accounts that are not this door's to open: gone, or of an issuer that signs in by itself.
    for (const state of ['deleted_at = now()', 'is_sso_user = true']) {
      const other = await member();
      await app.sql(`update auth.users set ${state} where id = $1`, [other.id]);
      const { error } = await app.client().auth.signInWithPassword({ email: other.email, password });
      expect(error?.code).toBe('invalid_credentials');
    }
    const nobody = app.client();
    await nobody.auth.signInAnonymously();
    expect((await app.client().auth.signInWithPassword({ email: '', password: '' })).error?.code).toBe(
      'validation_failed',
    );
  });

  test('letter case of an address makes no second account', async () => {
    const { email } = await member();
    const { error } = await app.client().auth.signUp({ email: ` ${email.toUpperCase()} `, password });
    expect(error?.code).toBe('user_already_exists');
  });

  test('two sign-ups at once make one account', async () => {
    const email = 'twins@example.test';
    const answers = await Promise.all([1, 2, 3].map(() => app.client().auth.signUp({ email, password })));
    expect(answers.filter((one) => one.error === null)).toHaveLength(1);
    expect(answers.filter((one) => one.error?.code === 'user_already_exists')).toHaveLength(2);
  });
});

describe('a session somebody else began', () => {
  test('is not the one that a sign-in opens, whatever was sent along', async () => {
    const [planted, mine] = [await member(), await member()];
    const answer = await app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      token: planted.token,
      headers: { cookie: `sb-access-token=${planted.token}; sb-refresh-token=${planted.refreshToken}` },
      body: JSON.stringify({ email: mine.email, password, session_id: claimsOf(planted.token).session_id }),
    });
    const { access_token, user: signed } = await answer.json();
    expect(signed.id).toBe(mine.id);
    const sessions = [planted.token, mine.token, access_token].map((token) => claimsOf(token).session_id);
    expect(new Set(sessions).size).toBe(3);
    // A refresh token speaks for its own session, whoever's access token comes with it.
    const crossed = await app.request('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      token: mine.token,
      body: JSON.stringify({ refresh_token: planted.refreshToken }),
    });
    expect((await crossed.json()).user.id).toBe(planted.id);
  });
});

describe('the page that a mail leads to', () => {
  test.each([
    ['en-GB', '', 'en'],
    ['de-CH', '', 'de'],
    ['en-GB', 'kanbase-language=de', 'de'],
  ])('is in the language of the browser (%s) or the one chosen in it (%s)', async (accepted, cookie, language) => {
    const page = await fetch(`${app.url}/auth/v1/confirm?token=x&type=recovery`, {
      headers: { 'accept-language': accepted, cookie },
    });
    expect(await page.text()).toContain(`<title>${textsIn(language).t('link.confirm.recovery.title')}</title>`);
  });
});

describe('names that every object has', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is no kind of link', async (type) => {
    const page = await fetch(`${app.url}/auth/v1/confirm?token=x&type=${type}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`<title>${textsIn('en').t('link.confirm.other.title')}</title>`);
    const posted = await app.request('/auth/v1/verify', {
      method: 'POST',
      body: JSON.stringify({ type, token_hash: 'x' }),
    });
    expect(posted.status).toBe(400);
    expect(await posted.json()).toMatchObject({ code: 'validation_failed', message: 'Unsupported verification type' });
    const opened = await app.request(`/auth/v1/verify?type=${type}&token=x`);
    expect(opened.headers.get('location')).toContain('error_code=validation_failed');
  });
});

describe('anonymous accounts', () => {
  test('sign in without anything, become real with an address and a password', async () => {
    const client = app.client();
    const { data, error } = await client.auth.signInAnonymously({ options: { data: { theme: 'dark' } } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      is_anonymous: true,
      email: '',
      app_metadata: {},
      user_metadata: { theme: 'dark' },
    });
    expect(claimsOf(data.session?.access_token ?? '')).toMatchObject({
      is_anonymous: true,
      amr: [{ method: 'anonymous' }],
    });
    expect((await client.auth.updateUser({ password })).error).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
    const upgraded = await client.auth.updateUser({ email: 'somebody@example.test', password });
    expect(upgraded.error).toBeNull();
    expect(upgraded.data.user).toMatchObject({
      id: data.user?.id,
      is_anonymous: false,
      email: 'somebody@example.test',
    });
    const signed = await app.client().auth.signInWithPassword({ email: 'somebody@example.test', password });
    expect(signed.data.user?.id).toBe(data.user?.id);
  });
});
