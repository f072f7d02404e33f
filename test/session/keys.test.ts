// Keys by the doors that clients use: opaque API keys, tokens of a key set of one's own, tokens signed elsewhere.

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const jwtSecret = 'a secret that another service has, too';
const publishable = 'sb_publishable_of_this_test';
const secret = 'sb_secret_of_this_test';
const app = forSuite(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const JWT_KEYS = JSON.stringify({ keys: [{ ...(await exportJWK(privateKey)), kid: 'current' }] });
  return startApp({
    settings: { JWT_SECRET: jwtSecret, JWT_KEYS, PUBLISHABLE_KEYS: publishable, SECRET_KEYS: secret },
  });
});

test('the official client works with opaque keys: the publishable one sees no rows, the secret one passes policies', async () => {
  const ada = await app.createUser({ name: 'Ada' });
  expect((await app.client({ key: publishable }).from('profiles').select('id')).data).toEqual([]);
  const { data, error } = await app.client({ key: secret }).from('profiles').select('id').eq('id', ada.id);
  expect([error, data]).toEqual([null, [{ id: ada.id }]]);
});

test('people sign in with an opaque key and get tokens of the key set, which others can verify', async () => {
  const client = app.client({ key: publishable });
  const { data, error } = await client.auth.signUp({ email: 'ada@example.test', password: 'a good long password' });
  expect(error).toBeNull();
  const token = data.session?.access_token ?? '';
  expect(JSON.parse(atob(token.split('.')[0] ?? ''))).toMatchObject({ alg: 'ES256', kid: 'current' });
  const published = await (await fetch(`${app.url}/auth/v1/.well-known/jwks.json`)).json();
  expect(published).toMatchObject({ keys: [{ kid: 'current', alg: 'ES256', kty: 'EC' }, { alg: 'ES256' }] });
  expect(JSON.stringify(published)).not.toContain('"d"');
  const own = await client.from('profiles').select('id');
  expect([own.error, own.data]).toEqual([null, [{ id: data.user?.id }]]);
});

test('tokens and keys signed elsewhere with the same secret are good here', async () => {
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT({ iss: 'elsewhere', exp: 4_102_444_800, ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(jwtSecret));
  const ada = await app.createUser({ name: 'Ada' });
  const client = app.client({
    key: await sign({ role: 'anon' }),
    token: await sign({ role: 'authenticated', sub: ada.id }),
  });
  const { data, error } = await client.from('profiles').select('id').eq('id', ada.id);
  expect([error, data]).toEqual([null, [{ id: ada.id }]]);
});

test('an unknown key opens nothing, in the dialect of the door', async () => {
  const strange = { apikey: 'sb_publishable_other', authorization: `Bearer ${publishable}` };
  for (const path of ['/rest/v1/profiles', '/auth/v1/user'])
    for (const response of [await fetch(app.url + path), await fetch(app.url + path, { headers: strange })]) {
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ message: expect.any(String) });
    }
  // Where nobody has to be known yet, no key is needed; a wrong one is a wrong set-up, and an error.
  for (const apikey of ['sb_publishable_other', 'nonsense']) {
    const response = await fetch(`${app.url}/auth/v1/settings`, { headers: { apikey } });
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ msg: expect.any(String) }),
    ]);
  }
  expect((await fetch(`${app.url}/auth/v1/settings`)).status).toBe(200);
});
