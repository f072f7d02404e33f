// Tokens that somebody made, shown to every door: the algorithm is ours to choose, keys come from nowhere but our own
// set, and a token is good from when it was issued until it expires.

import { createHmac, generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto';
import { exportJWK } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const secret = 'a secret for tests that has enough characters';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const foreignRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreignEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let claims: Record<string, unknown>;
let real: string;
const app = forSuite(async () => {
  const keys = [
    { ...(await exportJWK(ec.privateKey)), alg: 'ES256', kid: 'ec', use: 'sig' },
    { ...(await exportJWK(rsa.privateKey)), alg: 'RS256', kid: 'rsa', use: 'sig' },
  ];
  return startApp({ settings: { JWT_SECRET: secret, JWT_KEYS: JSON.stringify({ keys }) } });
});
beforeAll(async () => {
  const { data } = await app.client().auth.signUp({ email: 'forged@example.test', password: 'secret1' });
  real = data.session?.access_token ?? '';
  claims = JSON.parse(Buffer.from(real.split('.')[1] ?? '', 'base64url').toString());
});

type Sign = (text: string) => string;

const hs256 =
  (key: string | Buffer): Sign =>
  (text) =>
    createHmac('sha256', key).update(text).digest('base64url');
const rs256 =
  (key: KeyObject): Sign =>
  (text) =>
    signWith('sha256', Buffer.from(text), key).toString('base64url');
const es256 =
  (key: KeyObject): Sign =>
  (text) =>
    signWith('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');

function forge(header: object, sign: Sign, change: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part({ ...claims, ...change })}`;
  return `${text}.${sign(text)}`;
}

/** What each door says to it: identity, data, and billing as somebody signed in. */
async function doors(token: string): Promise<number[]> {
  const user = await app.request('/auth/v1/user', { token });
  const rows = await app.request('/rest/v1/projects?select=id&limit=1', { token });
  const portal = await app.request('/api/billing/create-portal', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ returnUrl: app.url }),
  });
  return [user.status, rows.status, portal.status === 401 ? 401 : 200];
}

const open = [200, 200, 200];
const shut = [401, 401, 401];

test('tokens signed with any of our keys are good', async () => {
  for (const token of [
    real,
    forge({ alg: 'HS256' }, hs256(secret)),
    forge({ alg: 'ES256', kid: 'ec' }, es256(ec.privateKey)),
    forge({ alg: 'RS256', kid: 'rsa' }, rs256(rsa.privateKey)),
    forge({ alg: 'RS256' }, rs256(rsa.privateKey)),
  ])
    expect(await doors(token)).toEqual(open);
});

test('a public key is no secret, in whatever form it is written', async () => {
  for (const { publicKey } of [rsa, ec]) {
    const jwk = await exportJWK(publicKey);
    const forms: (string | Buffer)[] = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      Buffer.from(jwk.n ?? jwk.x ?? '', 'base64url'),
    ];
    for (const form of forms)
      for (const kid of [undefined, 'rsa', 'ec'])
        expect(await doors(forge({ alg: 'HS256', ...(kid && { kid }) }, hs256(form)))).toEqual(shut);
  }
});

test('keys of their own, named or brought along, open nothing', async () => {
  const theirs = await exportJWK(foreignRsa.publicKey);
  const headers: object[] = [
    { alg: 'RS256' },
    { alg: 'RS256', kid: 'rsa' },
    { alg: 'RS256', kid: 'ec' },
    { alg: 'RS256', kid: 'missing' },
    { alg: 'RS256', kid: '../../../etc/passwd' },
    { alg: 'RS256', kid: "rsa' or '1'='1" },
    { alg: 'RS256', kid: '__proto__' },
    { alg: 'RS256', kid: 'rsa', jwk: theirs },
    { alg: 'RS256', kid: 'theirs', jwk: { ...theirs, kid: 'theirs' } },
    { alg: 'RS256', kid: 'rsa', jku: 'http://127.0.0.1:9/jwks.json' },
    { alg: 'RS256', kid: 'rsa', x5u: 'http://127.0.0.1:9/cert.pem' },
    {
      alg: 'RS256',
      kid: 'rsa',
      x5c: [foreignRsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
    },
    { alg: 'RS256', kid: 'rsa', crit: ['exp'] },
  ];
  for (const header of headers)
    expect([header, await doors(forge(header, rs256(foreignRsa.privateKey)))]).toEqual([header, shut]);
  expect(await doors(forge({ alg: 'ES256', kid: 'ec' }, es256(foreignEc.privateKey)))).toEqual(shut);
  // One of ours, under the name of another of ours, or with an algorithm that is not its own.
  expect(await doors(forge({ alg: 'RS256', kid: 'ec' }, rs256(rsa.privateKey)))).toEqual(shut);
  expect(await doors(forge({ alg: 'ES256', kid: 'rsa' }, es256(ec.privateKey)))).toEqual(shut);
  expect(await doors(forge({ alg: 'PS256', kid: 'rsa' }, rs256(rsa.privateKey)))).toEqual(shut);
  expect(await doors(forge({ alg: 'HS256', crit: ['b64'], b64: false }, hs256(secret)))).toEqual(shut);
});

test('none, in any spelling, with and without a signature', async () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', ' none'])
    for (const sign of [() => '', hs256(secret)]) expect(await doors(forge({ alg }, sign))).toEqual(shut);
  const { status, body } = await app.call(
    'GET',
    '/rest/v1/tasks',
    undefined,
    forge({ alg: 'none' }, () => ''),
  );
  expect([status, body]).toEqual([
    401,
    {
      code: 'PGRST301',
      message: 'Wrong or unsupported encoding algorithm',
      details: "JWT is unsecured but expected 'alg' was not 'none'",
      hint: null,
    },
  ]);
});

test('not before its time and not after it', async () => {
  const now = Math.floor(Date.now() / 1000);
  const sign = (change: object) => forge({ alg: 'HS256' }, hs256(secret), change);
  for (const change of [
    { exp: now - 60 },
    { exp: 0 },
    { exp: String(now + 3600) },
    { nbf: now + 60 },
    { nbf: 'later' },
    { iat: now + 60 },
    { iat: now + 86_400, exp: now + 90_000 },
    { iat: 'now' },
  ])
    expect([change, await doors(sign(change))]).toEqual([change, shut]);
  // Clocks of two machines differ a little.
  for (const change of [{ iat: now + 5 }, { nbf: now + 5 }, { exp: now - 5 }])
    expect([change, await doors(sign(change))]).toEqual([change, open]);
});

test('the key of the service and the public key are nobody', async () => {
  for (const token of [app.anonKey, app.serviceKey]) {
    expect((await app.request('/auth/v1/user', { token })).status).toBe(401);
    expect((await app.request('/auth/v1/user', { method: 'PUT', token, body: '{"data":{}}' })).status).toBe(401);
    expect((await app.request('/auth/v1/logout', { method: 'POST', token })).status).toBe(401);
  }
  // Neither the person's token nor the public key is the service's.
  for (const token of [real, app.anonKey])
    expect((await app.request('/auth/v1/admin/users', { token })).status).toBe(403);
  // A person who has the role of the service in their metadata has no rights of it.
  const boast = forge({ alg: 'HS256' }, hs256('guessed'), { role: 'service_role' });
  expect((await app.request('/auth/v1/admin/users', { token: boast })).status).toBe(401);
});
