// Providers entered by the official client with the service key: a mock issuer, people who sign in with it, and addresses that lead inward.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeOperator } from '../admin/operator.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { Browser, type Issuer, startIssuer, there, travel } from './issuer.ts';
import { fragmentOf, pkceClient } from './mailed-app.ts';

const issuer = forSuite(() => startIssuer());
const app = forSuite(() =>
  startApp({
    settings: { AUTH_OAUTH_DOCUMENT_NETWORKS: 'loopback', JWT_SECRET: 'a secret that two nodes have in common' },
  }),
);
const providers = (at: TestApp = app) => at.client({ key: at.serviceKey }).auth.admin.customProviders;

let count = 0;
beforeEach(() => {
  count += 1;
  issuer.meet(count);
});

const openId = (identifier: string, from: Issuer = issuer) => ({
  provider_type: 'oidc' as const,
  identifier,
  name: 'Acme',
  client_id: 'kanbase',
  client_secret: 'a secret of acme',
  issuer: from.url,
});

async function signIn(provider: string, at: TestApp = app) {
  const client = pkceClient(at);
  const { data, error } = await client.auth.signInWithOAuth({
    provider: provider as `custom:${string}`,
    options: { redirectTo: there },
  });
  expect(error).toBeNull();
  const end = await travel(at, data.url ?? '');
  const code = end.searchParams.get('code');
  if (code === null) return { fault: fragmentOf(end), user: null };
  return { fault: null, user: (await client.auth.exchangeCodeForSession(code)).data.user };
}

describe('entering', () => {
  test('is created, listed, read, changed and deleted, and never tells its secret', async () => {
    const created = await providers().createProvider({ ...openId('custom:crud'), scopes: ['email'] });
    expect(created.error).toBeNull();
    expect(created.data).toMatchObject({
      provider_type: 'oidc',
      identifier: 'custom:crud',
      name: 'Acme',
      client_id: 'kanbase',
      scopes: ['email'],
      enabled: true,
      pkce_enabled: true,
      email_optional: false,
      skip_nonce_check: false,
      issuer: issuer.url,
      discovery_document: { issuer: issuer.url, supported_id_token_signing_algs: ['RS256'] },
    });
    const read = await providers().getProvider('custom:crud');
    expect(read.data).toEqual(created.data);
    const changed = await providers().updateProvider('custom:crud', {
      name: 'Acme & Co',
      client_secret: 'another secret',
    });
    expect(changed.data).toMatchObject({ id: created.data?.id, name: 'Acme & Co', scopes: ['email'] });
    expect((await providers().listProviders({ type: 'oidc' })).data.providers).toMatchObject([{ name: 'Acme & Co' }]);
    expect((await providers().listProviders({ type: 'oauth2' })).data.providers).toEqual([]);
    const kept = await app.sql(
      `select to_jsonb(p) as row from auth.custom_oauth_providers p where identifier = 'custom:crud'`,
    );
    for (const told of [created, read, changed, kept])
      expect(JSON.stringify(told)).not.toMatch(/a secret of acme|another secret/);
    expect((await providers().deleteProvider('custom:crud')).error).toBeNull();
    for (const asked of [
      providers().getProvider('custom:crud'),
      providers().updateProvider('custom:crud', { name: 'X' }),
    ])
      expect((await asked).error).toMatchObject({ code: 'custom_provider_not_found', status: 404 });
    expect((await providers().deleteProvider('custom:crud')).error?.code).toBe('custom_provider_not_found');
  });

  test('is for the service key alone', async () => {
    const { data } = await app.client().auth.signUp({ email: 'somebody@example.test', password: 'secret1' });
    const asSomebody = app.client({ token: data.session?.access_token ?? '' }).auth.admin.customProviders;
    expect((await asSomebody.listProviders()).error).toMatchObject({ code: 'not_admin', status: 403 });
    expect((await asSomebody.createProvider(openId('custom:mine'))).error?.code).toBe('not_admin');
  });

  test.each([
    [{ identifier: 'acme' }, /must start with 'custom:' prefix/],
    [{ identifier: 'custom:With Spaces' }, /small letters/],
    [{ name: '' }, /name is required/],
    [{ client_secret: '' }, /client_secret is required/],
    [{ provider_type: 'saml' }, /must be either 'oauth2' or 'oidc'/],
    [{ issuer: undefined }, /issuer is required for OIDC/],
    [{ issuer: 'http://issuer.example' }, /issuer needs https/],
    [{ provider_type: 'oauth2' }, /authorization_url is required for OAuth2/],
    [{ authorization_params: { state: 'mine' } }, /reserved OAuth parameter: state/],
    [{ attribute_mapping: { role: 'job' } }, /protected system field: role/],
    [{ attribute_mapping: { email: 7 } }, /email must name a claim/],
  ])('%j is refused', async (wrong, words) => {
    const { error } = await providers().createProvider({ ...openId('custom:wrong'), ...wrong } as never);
    expect(error).toMatchObject({ code: 'validation_failed', status: 400 });
    expect(error?.message).toMatch(words);
  });

  test('twice under one name is a conflict', async () => {
    await providers().createProvider(openId('custom:twice'));
    expect((await providers().createProvider(openId('custom:twice'))).error).toMatchObject({ code: 'conflict' });
  });
});

describe('a discovery document', () => {
  let document: string;
  let status = 200;
  const held = forSuite(
    async () => {
      const made = createServer((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', location: issuer.url }).end(document);
      });
      await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
      return { server: made };
    },
    (made) => new Promise<void>((resolve) => made.server.close(() => resolve())),
  );
  const address = () => `http://127.0.0.1:${(held.server.address() as AddressInfo).port}`;
  const good = () => ({
    issuer: address(),
    authorization_endpoint: `${address()}/authorize`,
    token_endpoint: `${address()}/token`,
    jwks_uri: `${address()}/keys`,
  });
  const enter = () => providers().createProvider({ ...openId(`custom:found${count}`), issuer: address() });

  test('is asked for, and must be one of this issuer with all it takes', async () => {
    status = 200;
    for (const [wrong, words] of [
      ['no json', /no JSON object/],
      ['[]', /no JSON object/],
      [JSON.stringify({ ...good(), issuer: 'https://else.example' }), /another issuer/],
      [JSON.stringify({ ...good(), jwks_uri: undefined }), /no jwks_uri/],
      [
        JSON.stringify({ ...good(), token_endpoint: 'http://10.0.0.1/token' }),
        /token_endpoint of the discovery document needs https/,
      ],
      [JSON.stringify({ ...good(), filler: 'x'.repeat(300_000) }), /cannot be fetched/],
    ] as const) {
      document = wrong;
      const { error } = await enter();
      expect(error).toMatchObject({ code: 'validation_failed' });
      expect(error?.message).toMatch(words);
    }
    document = JSON.stringify(good());
    status = 302;
    expect((await enter()).error?.message).toMatch(/answers with 302/);
    status = 200;
    const entered = await enter();
    expect(entered.data?.discovery_document).toEqual(good());
    document = 'no json';
    // Known, and not asked again unless it moves.
    const { data } = await providers().updateProvider(`custom:found${count}`, { enabled: false });
    expect(data?.enabled).toBe(false);
    const moved = await providers().updateProvider(`custom:found${count}`, { discovery_url: `${address()}/elsewhere` });
    expect(moved.error?.code).toBe('validation_failed');
    expect((await providers().getProvider(`custom:found${count}`)).data?.discovery_url).toBeUndefined();
  });

  test('that would be inside is asked for nowhere, however it is spelt', async () => {
    const strict = await startApp();
    const { port } = held.server.address() as AddressInfo;
    let asked = 0;
    held.server.on('request', () => (asked += 1));
    for (const at of [
      ...[
        '127.0.0.1',
        '127.1',
        '0x7f.1',
        '2130706433',
        '0177.0.0.1',
        'localhost',
        '0.0.0.0',
        '[::1]',
        '[::ffff:127.0.0.1]',
      ].map((host) => `https://${host}:${port}`),
      ...['169.254.169.254', '10.0.0.1', '[fd00::1]', '[64:ff9b::7f00:1]'].map((host) => `https://${host}`),
      `http://127.0.0.1:${port}`,
      'file:///etc/passwd',
    ]) {
      const { error } = await providers(strict).createProvider({ ...openId('custom:inward'), issuer: at });
      expect([at, error?.code]).toEqual([at, 'validation_failed']);
    }
    expect(asked).toBe(0);
    await strict.close();
  });
});

describe('signing in', () => {
  test('works at once, by code and PKCE, and finds the same account again', async () => {
    await providers().createProvider({ ...openId('custom:acme'), authorization_params: { prompt: 'select_account' } });
    const out = await new Browser().visit(`${app.url}/auth/v1/authorize?provider=custom:acme&scopes=calendar`);
    const query = new URL(out.location).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      prompt: 'select_account',
      client_id: 'kanbase',
      scope: 'openid email profile calendar',
      code_challenge_method: 'S256',
    });
    expect(query.get('nonce')).toBeTruthy();
    const first = await signIn('custom:acme');
    expect(first.user).toMatchObject({
      email: `person${count}@example.test`,
      app_metadata: { provider: 'custom:acme', providers: ['custom:acme'] },
    });
    expect((await signIn('custom:acme')).user?.id).toBe(first.user?.id);
  });

  test('is offered by name, until it is disabled or deleted', async () => {
    const offered = async () => {
      const { body } = await app.call('GET', '/auth/v1/settings');
      return [
        body.external['custom:offered'],
        body.custom_providers.some((one: { name: string }) => one.name === 'Offered'),
      ];
    };
    const asked = async () => (await app.request('/auth/v1/authorize?provider=custom:offered')).status;
    await providers().createProvider({ ...openId('custom:offered'), name: 'Offered' });
    expect([await offered(), await asked()]).toEqual([[true, true], 302]);
    await providers().updateProvider('custom:offered', { enabled: false });
    expect([await offered(), await asked()]).toEqual([[undefined, false], 400]);
    await providers().updateProvider('custom:offered', { enabled: true });
    await providers().deleteProvider('custom:offered');
    expect([await offered(), await asked()]).toEqual([[undefined, false], 400]);
  });

  test('is shown to operators, with how many people use it', async () => {
    await providers().createProvider({ ...openId('custom:shown'), name: 'Shown' });
    await signIn('custom:shown');
    await providers().updateProvider('custom:shown', { enabled: false });
    const operator = await makeOperator(app, 'Opal');
    const { body } = await operator.ask('GET', '/providers');
    expect(body.sign_in).toContainEqual({
      identifier: 'custom:shown',
      name: 'Shown',
      host: new URL(issuer.url).host,
      is_enabled: false,
      people: 1,
    });
  });

  test('knows a change on another node at once', async () => {
    const { openServices } = await import('../../server/open-services.ts');
    const second = await openServices(
      app.services.config,
      { url: app.databaseUrl, directUrl: app.ownerUrl },
      app.services.log,
    );
    await second.app.ready();
    const ask = async () => {
      const answer = await second.services.fetch(`${app.url}/auth/v1/authorize?provider=custom:nodes`, {
        headers: { apikey: app.anonKey },
        redirect: 'manual',
      });
      return [answer.status, new URL(answer.headers.get('location') ?? 'none:').searchParams.get('client_id')];
    };
    await providers().createProvider(openId('custom:nodes'));
    expect(await ask()).toEqual([302, 'kanbase']);
    await providers().updateProvider('custom:nodes', { client_id: 'changed' });
    expect(await ask()).toEqual([302, 'changed']);
    await second.close();
  });

  test('with an ID token, of any client that is named', async () => {
    await providers().createProvider({ ...openId('custom:mobile'), acceptable_client_ids: ['phone'] });
    const nonce = 'a nonce';
    const { createHash } = await import('node:crypto');
    const claims = {
      sub: `mobile-${count}`,
      email: `mobile${count}@example.test`,
      email_verified: true,
      nonce: createHash('sha256').update(nonce).digest('hex'),
    };
    issuer.claims = {};
    for (const [aud, code] of [
      ['phone', undefined],
      ['stranger', 'bad_jwt'],
    ] as const) {
      const token = await issuer.idToken({ ...claims, aud });
      const { error } = await app.client().auth.signInWithIdToken({ provider: 'custom:mobile', token, nonce });
      expect([aud, error?.code]).toEqual([aud, code]);
    }
  });

  test('keeps chosen claims, and finds others where they are mapped', async () => {
    await providers().createProvider({
      ...openId('custom:mapped'),
      attribute_mapping: { email: 'contact.mail', email_verified: 'contact.is_proven', name: 'label' },
      custom_claims_allowlist: ['groups'],
    });
    issuer.claims = {
      sub: `mapped-${count}`,
      contact: { mail: `Mapped${count}@example.test`, is_proven: true },
      label: 'Mapped',
      groups: ['a', 'b'],
      role: 'service_role',
    };
    const { user } = await signIn('custom:mapped');
    expect(user).toMatchObject({
      email: `mapped${count}@example.test`,
      role: 'authenticated',
      user_metadata: { name: 'Mapped', custom_claims: { groups: ['a', 'b'] } },
    });
  });

  test('by a mapped address opens no account, unless a claim for that address proves it', async () => {
    const victim = `victim${count}@example.test`;
    await app.client().auth.signUp({ email: victim, password: 'secret1' });
    await providers().createProvider({
      ...openId('custom:named'),
      attribute_mapping: { email: 'preferred_username' },
    });
    issuer.claims = {
      sub: `thief-${count}`,
      email: `thief${count}@example.test`,
      email_verified: true,
      preferred_username: victim,
    };
    const refused = { error_code: 'provider_email_needs_verification' };
    expect((await signIn('custom:named')).fault).toMatchObject(refused);
    const token = await issuer.idToken({ ...issuer.claims });
    const byToken = await app.client().auth.signInWithIdToken({ provider: 'custom:named', token });
    expect(byToken.error?.code).toBe(refused.error_code);
    // The claim that would prove it is missing: the one for the other address is no substitute.
    const mapping = { email: 'preferred_username', email_verified: 'is_proven' };
    await providers().updateProvider('custom:named', { attribute_mapping: mapping });
    expect((await signIn('custom:named')).fault).toMatchObject(refused);
    issuer.claims = { ...issuer.claims, is_proven: true };
    expect((await signIn('custom:named')).user?.email).toBe(victim);
  });

  test('takes no other claim where a mapped one is missing', async () => {
    await providers().createProvider({
      ...openId('custom:lacking'),
      attribute_mapping: { sub: 'employee', email: 'work_mail', email_verified: true },
    } as never);
    const whole = { employee: `employee-${count}`, work_mail: `employee${count}@example.test` };
    // As the endpoint for userinfo says, which is asked where there is no address.
    const usual = { ...issuer.claims, sub: 'johndoe' };
    issuer.claims = { ...usual, ...whole, work_mail: undefined };
    expect((await signIn('custom:lacking')).fault).toMatchObject({ error_code: 'bad_oauth_callback' });
    issuer.claims = { ...usual, ...whole, employee: undefined };
    expect((await signIn('custom:lacking')).fault).toMatchObject({ error_code: 'bad_oauth_callback' });
    issuer.claims = { ...usual, ...whole };
    expect((await signIn('custom:lacking')).user).toMatchObject({
      email: whole.work_mail,
      identities: [{ id: whole.employee }],
    });
  });

  test('opens no account of an issuer that had the name before', async () => {
    await providers().createProvider(openId('custom:reused'));
    const first = await signIn('custom:reused');
    await app.sql(
      `update auth.identities set identity_data = identity_data || '{"iss": "https://before.example"}' where user_id = $1`,
      [first.user?.id],
    );
    expect((await signIn('custom:reused')).fault).toMatchObject({ error_code: 'identity_already_exists' });
  });

  test('without an address, only where it is optional', async () => {
    await providers().createProvider(openId('custom:bare'));
    // As the endpoint for userinfo says, which is asked where there is no address.
    issuer.claims = { sub: 'johndoe', email_verified: true };
    expect((await signIn('custom:bare')).fault).toMatchObject({ error_code: 'bad_oauth_callback' });
    await providers().updateProvider('custom:bare', { email_optional: true });
    const first = await signIn('custom:bare');
    expect(first.user).toMatchObject({ email: '', is_anonymous: false });
    expect((await signIn('custom:bare')).user?.id).toBe(first.user?.id);
  });
});

describe('OAuth 2 without ID tokens', () => {
  const told: { person: Record<string, unknown> } = { person: {} };
  const held = forSuite(
    async () => {
      const made = new OAuth2Server();
      await made.issuer.keys.generate('RS256');
      await made.start(0, '127.0.0.1');
      made.service.on('beforeUserinfo', (answer: { body: unknown }) => {
        answer.body = told.person;
      });
      return { server: made };
    },
    (made) => made.server.stop(),
  );
  const plain = (identifier: string) => ({
    provider_type: 'oauth2' as const,
    identifier,
    name: 'Forge',
    client_id: 'kanbase',
    client_secret: 'secret',
    authorization_url: `${held.server.issuer.url}/authorize`,
    token_url: `${held.server.issuer.url}/token`,
    userinfo_url: `${held.server.issuer.url}/userinfo`,
    scopes: ['user'],
  });

  test('asks the provider who the person is; an address is proved where the provider says so', async () => {
    const { error } = await providers().createProvider(plain('custom:forge'));
    expect(error).toBeNull();
    told.person = { id: 4711, email: `forge${count}@example.test`, name: 'Forger' };
    expect((await signIn('custom:forge')).fault).toMatchObject({ error_code: 'provider_email_needs_verification' });
    await providers().updateProvider('custom:forge', { attribute_mapping: { email_verified: 'is_verified' } });
    told.person = { ...told.person, is_verified: true };
    const { user } = await signIn('custom:forge');
    expect(user).toMatchObject({
      email: `forge${count}@example.test`,
      identities: [{ provider: 'custom:forge', id: '4711' }],
      user_metadata: { name: 'Forger' },
    });
    const out = await new Browser().visit(`${app.url}/auth/v1/authorize?provider=custom:forge`);
    expect(new URL(out.location).searchParams.get('scope')).toBe('user');
    const byToken = await app.client().auth.signInWithIdToken({ provider: 'custom:forge', token: 'x.y.z' });
    expect(byToken.error?.code).toBe('validation_failed');
  });

  test('tells people apart by the whole address that says who they are, not by its host', async () => {
    const tenants = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told.person));
    });
    await new Promise<void>((resolve) => tenants.listen(0, '127.0.0.1', resolve));
    const at = (path: string) => `http://127.0.0.1:${(tenants.address() as AddressInfo).port}${path}`;
    const mapping = { attribute_mapping: { email_verified: true } };
    await providers().createProvider({ ...plain('custom:tenant'), ...mapping, userinfo_url: at('/a/me') } as never);
    told.person = { id: 1, email: `first${count}@example.test` };
    const first = await signIn('custom:tenant');
    expect(first.user?.email).toBe(`first${count}@example.test`);
    await providers().updateProvider('custom:tenant', { userinfo_url: at('/a/me?fields=id') });
    expect((await signIn('custom:tenant')).user?.id).toBe(first.user?.id);
    await providers().updateProvider('custom:tenant', { userinfo_url: at('/b/me') });
    told.person = { id: 1, email: `second${count}@example.test` };
    expect((await signIn('custom:tenant')).fault).toMatchObject({ error_code: 'identity_already_exists' });
    await new Promise((resolve) => tenants.close(resolve));
  });

  test('without PKCE, for one that knows nothing of it', async () => {
    await providers().createProvider({
      ...plain('custom:old'),
      pkce_enabled: false,
      attribute_mapping: { sub: 'login', email_verified: true },
    } as never);
    told.person = { login: `old-${count}`, email: `old${count}@example.test` };
    const out = await new Browser().visit(`${app.url}/auth/v1/authorize?provider=custom:old`);
    expect(new URL(out.location).searchParams.has('code_challenge')).toBe(false);
    expect((await signIn('custom:old')).user?.email).toBe(`old${count}@example.test`);
  });
});
