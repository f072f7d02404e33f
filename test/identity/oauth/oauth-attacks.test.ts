// Attacks on the OAuth server: injected codes, mixed-up servers, redirects led astray, replays, PKCE taken away, and tokens used where they do
// not belong.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { callback, claimsOf, openPrograms } from './program.ts';

const app = forSuite(startApp);
const programs = openPrograms(app);

describe('a redirect', () => {
  test.each([
    ['a longer path', `${callback}/more`],
    ['a shorter path', 'https://program.example/'],
    ['a query of its own', `${callback}?next=https://evil.example`],
    ['a fragment', `${callback}#x`],
    ['another case', 'https://program.example/Callback'],
    ['another scheme', 'http://program.example/callback'],
    ['a port', 'https://program.example:8443/callback'],
    ['the usual port, written out', 'https://program.example:443/callback'],
    ['a host that begins alike', 'https://program.example.evil.example/callback'],
    ['a host that ends alike', 'https://evilprogram.example/callback'],
    ['a name before the host', 'https://program.example@evil.example/callback'],
    ['a backslash', 'https://evil.example\\@program.example/callback'],
    ['dots in the path', 'https://program.example/x/../callback'],
    ['encoded dots', 'https://program.example/%2e%2e/callback'],
    ['a trailing slash', `${callback}/`],
    ['a trailing dot', 'https://program.example./callback'],
    ['a space', `${callback} `],
    ['no scheme', '//program.example/callback'],
    ['a script', 'javascript:alert(1)//program.example/callback'],
    ['nothing', ''],
  ])('with %s leads nowhere', async (_what, redirectUri) => {
    const client = await programs.register({ redirect_uris: [callback, 'https://program.example/other'] });
    const request = programs.request(client, programs.pkce().challenge, { redirect_uri: redirectUri });
    const { status, location, body } = await programs.ask(request);
    expect(status).toBe(400);
    expect(location).toBeNull();
    expect(JSON.parse(body).error).toBe('invalid_request');
  });

  test('to a loopback address may have any port, and nothing else that differs', async () => {
    const client = await programs.register({
      redirect_uris: ['http://127.0.0.1:1234/done', 'http://[::1]/done'],
      token_endpoint_auth_method: 'none',
    });
    const at = async (redirect_uri: string) =>
      (await programs.ask(programs.request(client, programs.pkce().challenge, { redirect_uri }))).status;
    for (const good of ['http://127.0.0.1:5/done', 'http://127.0.0.1/done', 'http://[::1]:61000/done'])
      expect([good, await at(good)]).toEqual([good, 302]);
    for (const bad of [
      'http://127.0.0.1:5/other',
      'http://127.0.0.2:5/done',
      'http://localhost:5/done',
      'https://127.0.0.1:5/done',
      'http://127.0.0.1:5@evil.example/done',
      'http://127.0.0.1:5.evil.example/done',
      'http://127.0.0.1.evil.example/done',
      'http://127.0.0.1:5/done#x',
      'http://127.1:5/done',
    ])
      expect([bad, await at(bad)]).toEqual([bad, 400]);
  });

  test('of a client that is unknown, or named twice, leads nowhere', async () => {
    const client = await programs.register();
    const request = programs.request(client, programs.pkce().challenge);
    expect((await programs.ask({ ...request, client_id: '0198f0de-0000-7000-8000-000000000001' })).location).toBeNull();
    expect((await programs.ask({ ...request, client_id: 'x' })).status).toBe(400);
    const twice = await fetch(
      `${app.url}/auth/v1/oauth/authorize?${new URLSearchParams(request)}&redirect_uri=https%3A%2F%2Fevil.example`,
      { redirect: 'manual' },
    );
    expect(twice.status).toBe(400);
  });
});

describe('a request without its proof', () => {
  test.each([
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 's256' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'openid admin' }, 'invalid_scope'],
    [{ resource: 'https://evil.example/' }, 'invalid_target'],
    [{ prompt: 'none' }, 'interaction_required'],
    [{ request: 'a.b.c' }, 'request_not_supported'],
  ])('%o goes back with an error and the issuer', async (more, error) => {
    const client = await programs.register();
    const { location } = await programs.ask(programs.request(client, programs.pkce().challenge, more));
    expect(location?.href.startsWith(`${callback}?`)).toBe(true);
    expect(Object.fromEntries(location?.searchParams ?? [])).toMatchObject({
      error,
      state: 'xyz',
      iss: `${app.url}/auth/v1`,
    });
  });
});

describe('a code', () => {
  test('that was injected, with a verifier that is not its own, is gone', async () => {
    const client = await programs.register();
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    expect((await programs.exchange(client, code, programs.pkce().verifier)).body.error).toBe('invalid_grant');
    expect((await programs.exchange(client, code, verifier)).body.error).toBe('invalid_grant');
  });

  test('without a verifier is refused, and so is the challenge in its place', async () => {
    const client = await programs.register();
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    expect((await programs.exchange(client, code, '')).body.error).toBe('invalid_request');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect((await programs.exchange(client, code, challenge)).body.error).toBe('invalid_grant');
  });

  test('of one client is nothing to another, whoever holds the verifier', async () => {
    const [client, other] = [await programs.register(), await programs.register({ client_name: 'Other' })];
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    expect((await programs.exchange(other, code, verifier)).body.error).toBe('invalid_grant');
  });

  test('with another address than it was sent to is refused', async () => {
    const client = await programs.register({ redirect_uris: [callback, 'https://program.example/other'] });
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    const answer = await programs.exchange(client, code, verifier, { redirect_uri: 'https://program.example/other' });
    expect(answer.body.error).toBe('invalid_grant');
  });

  test('that comes twice ends all that was granted', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { code, verifier } = await programs.codeFor(client, ada);
    const first = await programs.exchange(client, code, verifier);
    expect(first.status).toBe(200);
    expect((await programs.exchange(client, code, verifier)).body.error).toBe('invalid_grant');
    expect((await programs.refresh(client, first.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ada.auth.oauth.listGrants()).data).toEqual([]);
  });

  test('sent by many at once is exchanged once at most', async () => {
    const client = await programs.register();
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    const answers = await Promise.all(Array.from({ length: 8 }, () => programs.exchange(client, code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('that is too old is refused', async () => {
    const client = await programs.register();
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    const [row] = await app.sql<{ seconds: number; kept: string }>(`
      select extract(epoch from expires_at - now())::int as seconds, encode(code_hash, 'escape') as kept
      from auth.oauth_authorizations where client_id = '${client.client_id}'`);
    expect(row?.seconds).toBeGreaterThan(500);
    expect(row?.seconds).toBeLessThanOrEqual(600);
    expect(row?.kept).not.toContain(code);
    await app.sql(
      `update auth.oauth_authorizations set expires_at = now() - interval '1 second' where client_id = $1`,
      [client.client_id],
    );
    expect((await programs.exchange(client, code, verifier)).body.error).toBe('invalid_grant');
  });
});

describe('a refresh token', () => {
  test('that was rotated away ends the grant when it comes again', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { body } = await programs.tokensFor(client, ada);
    const next = await programs.refresh(client, body.refresh_token);
    expect((await programs.refresh(client, body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await programs.refresh(client, next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ada.auth.oauth.listGrants()).data).toEqual([]);
  });

  test('of another client, or narrowed and then widened, is refused', async () => {
    const [client, other] = [await programs.register(), await programs.register()];
    const { body } = await programs.tokensFor(client, await programs.person());
    expect((await programs.refresh(other, body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await programs.refresh(client, body.refresh_token, { scope: 'openid write' })).body.error).toBe(
      'invalid_scope',
    );
    const narrow = await programs.refresh(client, body.refresh_token, { scope: 'openid' });
    expect(narrow.body.scope).toBe('openid');
  });

  test('is no token of a person’s session, nor is theirs one of a program', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { body } = await programs.tokensFor(client, ada);
    const asPerson = await app.call('POST', '/auth/v1/token?grant_type=refresh_token', {
      refresh_token: body.refresh_token,
    });
    expect(asPerson.body.code).toBe('refresh_token_not_found');
    const { data } = await ada.auth.getSession();
    expect((await programs.refresh(client, data.session?.refresh_token ?? '')).body.error).toBe('invalid_grant');
  });
});

describe('a client', () => {
  test('that has a secret is let in by it alone, in the way it is registered for', async () => {
    const client = await programs.register();
    const grant = { grant_type: 'refresh_token', refresh_token: 'x' };
    const named = { ...grant, client_id: client.client_id };
    for (const [fields, headers] of [
      [named, {}],
      [{ ...named, client_secret: client.client_secret ?? '' }, {}],
      [grant, programs.basic({ ...client, client_secret: 'wrong' })],
      [grant, programs.basic({ client_id: client.client_id })],
    ] as const)
      expect(await programs.post('/oauth/token', { ...fields }, { ...headers })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    const both = await programs.post(
      '/oauth/token',
      { ...named, client_secret: client.client_secret ?? '' },
      programs.basic(client),
    );
    expect(both.body.error).toBe('invalid_request');
    expect((await programs.post('/oauth/token', grant, programs.basic(client))).body.error).toBe('invalid_grant');
  });

  test('that sends its secret in the form does so if it is registered for it', async () => {
    const client = await programs.register({ token_endpoint_auth_method: 'client_secret_post' });
    const { code, verifier } = await programs.codeFor(client, await programs.person());
    const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: client.client_id };
    expect((await programs.post('/oauth/token', { ...fields, client_secret: client.client_secret ?? '' })).status).toBe(
      200,
    );
  });

  test('gets no more than the scope it is registered for', async () => {
    const client = await programs.register({ scope: 'openid read' });
    const { location } = await programs.ask(
      programs.request(client, programs.pkce().challenge, { scope: 'openid write' }),
    );
    expect(location?.searchParams.get('error')).toBe('invalid_scope');
  });

  test('that uses another grant or none is told so', async () => {
    const client = await programs.register();
    const at = async (fields: Record<string, string>) =>
      (await programs.post('/oauth/token', fields, programs.basic(client))).body.error;
    expect(await at({})).toBe('invalid_request');
    expect(await at({ grant_type: 'password', username: 'x', password: 'y' })).toBe('unsupported_grant_type');
    expect(await at({ grant_type: 'client_credentials' })).toBe('unauthorized_client');
  });
});

describe('a program’s token', () => {
  test('does nothing with the account itself', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { body } = await programs.tokensFor(client, ada, { scope: 'openid email profile write' });
    const token = body.access_token;
    const { location } = await programs.ask(programs.request(client, programs.pkce().challenge));
    const id = location?.searchParams.get('authorization_id');
    for (const [method, path, sent] of [
      ['GET', '/user', undefined],
      ['PUT', '/user', { password: 'another1' }],
      ['POST', '/logout', undefined],
      ['POST', '/factors', { factor_type: 'totp' }],
      ['GET', '/passkeys', undefined],
      ['GET', '/user/oauth/grants', undefined],
      ['DELETE', `/user/oauth/grants?client_id=${client.client_id}`, undefined],
      ['GET', `/oauth/authorizations/${id}`, undefined],
      ['POST', `/oauth/authorizations/${id}/consent`, { action: 'approve' }],
    ] as const) {
      const answer = await app.call(method, `/auth/v1${path}`, sent, token);
      expect([path, answer.status, answer.body?.code]).toEqual([path, 403, 'insufficient_scope']);
    }
  });

  test('reaches no administration, though the person is an administrator', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { body } = await programs.tokensFor(client, ada, { scope: 'openid write' });
    await app.sql('update auth.users set is_operator = true where id = $1', [claimsOf(body.access_token).sub]);
    const own = (await ada.auth.getSession()).data.session?.access_token;
    expect((await app.call('GET', '/api/admin/accounts', undefined, own)).status).toBe(200);
    expect((await app.call('GET', '/api/admin/accounts', undefined, body.access_token)).status).toBe(403);
  });

  test('ends with the password, with a ban, and with the program', async () => {
    for (const end of ['password', 'ban', 'client'] as const) {
      const client = await programs.register();
      const ada = await programs.person();
      const { body } = await programs.tokensFor(client, ada);
      const { sub } = claimsOf(body.access_token);
      if (end === 'password') expect((await ada.auth.updateUser({ password: 'another1' })).error).toBeNull();
      if (end === 'ban')
        await app.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [sub]);
      if (end === 'client') await app.client({ key: app.serviceKey }).auth.admin.oauth.deleteClient(client.client_id);
      const read = () =>
        app.request('/rest/v1/projects', {
          headers: { apikey: app.anonKey, authorization: `Bearer ${body.access_token}` },
        });
      await expect.poll(async () => [end, (await read()).status]).toEqual([end, 401]);
      expect((await programs.refresh(client, body.refresh_token)).body.error).toBe(
        end === 'client' ? 'invalid_client' : 'invalid_grant',
      );
      expect(await app.sql('select from auth.oauth_grants where user_id = $1', [sub])).toEqual([]);
    }
  });

  test('is no ID token, nor the other way round', async () => {
    const client = await programs.register();
    const { body } = await programs.tokensFor(client, await programs.person());
    const asToken = await app.request('/rest/v1/projects', {
      headers: { apikey: app.anonKey, authorization: `Bearer ${body.id_token}` },
    });
    expect(asToken.status).toBe(401);
    const info = await app.request('/auth/v1/oauth/userinfo', {
      headers: { authorization: `Bearer ${body.id_token}` },
    });
    expect(info.status).toBe(401);
    expect(info.headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('without openid does not say who the person is', async () => {
    const client = await programs.register();
    const { body } = await programs.tokensFor(client, await programs.person(), { scope: 'read' });
    expect(body.id_token).toBeUndefined();
    const info = await app.request('/auth/v1/oauth/userinfo', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(info.status).toBe(403);
  });
});

describe('a request on its way', () => {
  test('belongs to the person it was shown to first', async () => {
    const client = await programs.register();
    const [ada, bob] = [await programs.person(), await programs.person()];
    const { location } = await programs.ask(programs.request(client, programs.pkce().challenge));
    const id = location?.searchParams.get('authorization_id') ?? '';
    expect((await ada.auth.oauth.getAuthorizationDetails(id)).error).toBeNull();
    expect((await bob.auth.oauth.getAuthorizationDetails(id)).error?.code).toBe('oauth_authorization_not_found');
    expect((await bob.auth.oauth.approveAuthorization(id)).error?.code).toBe('oauth_authorization_not_found');
  });
});
