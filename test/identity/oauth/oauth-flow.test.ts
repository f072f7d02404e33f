// OAuth 2.1 server: a program lets a person sign in and gets tokens, with the unmodified official client on the person's side.

import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { deviceGrant } from '../../../server/identity/oauth/client-metadata.ts';
import { startApp } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { callback, claimsOf, openPrograms } from './program.ts';

const app = forSuite(startApp);
const programs = openPrograms(app);

describe('a program that a person lets in', () => {
  test('gets a code at its address, and tokens with its name, its scopes and the issuer', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { verifier, challenge } = programs.pkce();
    const { status, location } = await programs.ask(
      programs.request(client, challenge, { scope: 'openid email comment', nonce: 'n-1' }),
    );
    expect(status).toBe(302);
    expect(`${location?.origin}${location?.pathname}`).toBe(`${app.url}/oauth/consent`);
    const id = location?.searchParams.get('authorization_id') ?? '';
    const { data: details } = await ada.auth.oauth.getAuthorizationDetails(id);
    const me = (await ada.auth.getUser()).data.user;
    expect(details).toMatchObject({
      authorization_id: id,
      redirect_uri: callback,
      client: { id: client.client_id, name: 'Planner' },
      user: { id: me?.id, email: me?.email },
      scope: 'openid email read comment',
    });
    const { data } = await ada.auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true });
    const back = new URL(data?.redirect_url ?? '');
    expect(back.href.startsWith(`${callback}?`)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.any(String),
      state: 'xyz',
      iss: `${app.url}/auth/v1`,
    });
    const answer = await programs.exchange(client, back.searchParams.get('code') ?? '', verifier, {
      redirect_uri: callback,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'openid email read comment' });
    const claims = claimsOf(answer.body.access_token);
    expect(claims).toMatchObject({
      sub: me?.id,
      role: 'authenticated',
      client_id: client.client_id,
      act: { kind: 'app', sub: client.client_id, name: 'Planner' },
      scope: 'openid email read comment',
    });
    expect(claims).not.toHaveProperty('projects');
    expect(claims).not.toHaveProperty('user_metadata');
    expect(claimsOf(answer.body.id_token)).toMatchObject({
      sub: me?.id,
      aud: client.client_id,
      nonce: 'n-1',
      email: me?.email,
    });

    const info = await app.request('/auth/v1/oauth/userinfo', {
      headers: { authorization: `Bearer ${answer.body.access_token}` },
    });
    expect(await info.json()).toEqual({ sub: me?.id, email: me?.email, email_verified: false });
  });

  test('is told that an address is verified only if somebody vouches for it', async () => {
    const client = await programs.register();
    const verified = async (who: SupabaseClient) => {
      const { body } = await programs.tokensFor(client, who);
      const info = await app.request('/auth/v1/oauth/userinfo', {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      const { email_verified } = (await info.json()) as Record<string, unknown>;
      return [claimsOf(body.id_token).email_verified, email_verified];
    };
    // Confirmed by the setting alone.
    expect(await verified(await programs.person())).toEqual([false, false]);
    const account = { email: 'proven@example.test', password: 'secret1' };
    const admin = app.client({ key: app.serviceKey }).auth.admin;
    expect((await admin.createUser({ ...account, email_confirm: true })).error).toBeNull();
    const proven = app.client();
    expect((await proven.auth.signInWithPassword(account)).error).toBeNull();
    expect(await verified(proven)).toEqual([true, true]);
  });

  test('reads and refreshes with its tokens, and is listed until it is put out', async () => {
    const client = await programs.register({ client_name: 'Reader' });
    const ada = await programs.person();
    const { body } = await programs.tokensFor(client, ada);
    const read = (token: string) =>
      app.request('/rest/v1/projects?select=id', {
        headers: { apikey: app.anonKey, authorization: `Bearer ${token}` },
      });
    expect((await read(body.access_token)).status).toBe(200);
    const next = await programs.refresh(client, body.refresh_token);
    expect(next.status).toBe(200);
    expect(claimsOf(next.body.access_token).session_id).toBe(claimsOf(body.access_token).session_id);
    expect(await ada.auth.oauth.listGrants()).toMatchObject({
      data: [{ client: { id: client.client_id, name: 'Reader' }, scopes: ['openid', 'email', 'read'] }],
      error: null,
    });
    expect((await ada.rpc('list_my_sessions')).data).toHaveLength(1);
    expect((await ada.auth.oauth.revokeGrant({ clientId: client.client_id })).error).toBeNull();
    expect((await ada.auth.oauth.listGrants()).data).toEqual([]);
    await expect.poll(async () => (await read(next.body.access_token)).status).toBe(401);
    expect((await programs.refresh(client, next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ada.auth.oauth.revokeGrant({ clientId: client.client_id })).error?.code).toBe(
      'oauth_grant_not_found',
    );
  });

  test('has what the person chose: projects, less scope, and a time', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const project = '0198f0de-0000-7000-8000-000000000001';
    const choice = { scope: 'openid read', projects: [project], expires_in: 3600 };
    const { body } = await programs.tokensFor(client, ada, { scope: 'openid write' }, choice);
    expect(body.scope).toBe('openid read');
    expect(claimsOf(body.access_token)).toMatchObject({ scope: 'openid read', projects: [project] });
    const { data } = await ada.auth.oauth.listGrants();
    expect(data).toMatchObject([{ project_ids: [project], expires_at: expect.any(String) }]);
    await app.sql(`update auth.oauth_grants set expires_at = now() - interval '1 second' where client_id = $1`, [
      client.client_id,
    ]);
    expect((await programs.refresh(client, body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await ada.auth.oauth.listGrants()).data).toEqual([]);
  });

  test('is asked for less or fewer later only by ending what was more', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const more = await programs.tokensFor(client, ada, { scope: 'openid write' });
    const less = await programs.tokensFor(client, ada, { scope: 'openid read', prompt: 'consent' });
    expect((await programs.refresh(client, more.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await programs.refresh(client, less.body.refresh_token)).status).toBe(200);
  });

  test('has nothing of an earlier consent that was wider, though its code was not exchanged yet', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const wide = await programs.codeFor(client, ada, { scope: 'openid write' });
    const narrow = await programs.codeFor(client, ada, { scope: 'openid read', prompt: 'consent' });
    const same = await programs.codeFor(client, ada, { scope: 'openid read', prompt: 'consent' });
    expect((await programs.exchange(client, wide.code, wide.verifier)).body.error).toBe('invalid_grant');
    for (const { code, verifier } of [narrow, same])
      expect((await programs.exchange(client, code, verifier)).body.scope).toBe('openid read');
  });

  test('has nothing of a wider consent on a device either', async () => {
    const { client_id } = await programs.register({
      token_endpoint_auth_method: 'none',
      grant_types: [deviceGrant, 'authorization_code'],
    });
    const ada = await programs.person();
    const token = (await ada.auth.getSession()).data.session?.access_token;
    const { body: device } = await programs.post('/oauth/device_authorization', { client_id, scope: 'write' });
    const { body } = await app.call('POST', '/auth/v1/oauth/device', { user_code: device.user_code }, token);
    await programs.consent(ada, body.authorization_id);
    await programs.codeFor({ client_id }, ada, { scope: 'read', prompt: 'consent' });
    const fields = { grant_type: deviceGrant, device_code: device.device_code, client_id };
    expect((await programs.post('/oauth/token', fields)).body.error).toBe('expired_token');
  });

  test('has tokens that end no later than the time that the person chose', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const first = await programs.tokensFor(client, ada, {}, { expires_in: 600 });
    const [grant] = await app.sql<{ ends: number }>(
      `select extract(epoch from expires_at)::float8 as ends from auth.oauth_grants where client_id = '${client.client_id}'`,
    );
    for (const { body } of [first, await programs.refresh(client, first.body.refresh_token)]) {
      expect(body.expires_in).toBeLessThanOrEqual(600);
      expect(claimsOf(body.access_token).exp).toBeLessThanOrEqual(grant?.ends ?? 0);
    }
  });

  test('is let in again without a question where it runs on a server, and never where it runs on a device', async () => {
    const ada = await programs.person();
    const client = await programs.register();
    await programs.tokensFor(client, ada);
    const { challenge } = programs.pkce();
    const again = await programs.ask(programs.request(client, challenge));
    const details = await ada.auth.oauth.getAuthorizationDetails(
      again.location?.searchParams.get('authorization_id') ?? '',
    );
    expect(details.data).toEqual({
      redirect_url: expect.stringMatching(/^https:\/\/program\.example\/callback\?code=/),
    });

    const local = 'http://127.0.0.1/done';
    const device = await programs.register({ redirect_uris: [local], token_endpoint_auth_method: 'none' });
    expect(device.client_secret).toBeUndefined();
    const there = { redirect_uri: 'http://127.0.0.1:49152/done' };
    expect((await programs.tokensFor(device, ada, there)).status).toBe(200);
    const asked = await programs.ask(programs.request(device, challenge, there));
    const shown = await ada.auth.oauth.getAuthorizationDetails(
      asked.location?.searchParams.get('authorization_id') ?? '',
    );
    expect(shown.data).toHaveProperty('client');
  });

  test('is told when the person refuses', async () => {
    const client = await programs.register();
    const ada = await programs.person();
    const { location } = await programs.ask(programs.request(client, programs.pkce().challenge));
    const id = location?.searchParams.get('authorization_id') ?? '';
    const { data } = await ada.auth.oauth.denyAuthorization(id, { skipBrowserRedirect: true });
    const back = new URL(data?.redirect_url ?? '');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: `${app.url}/auth/v1`,
    });
    expect((await ada.auth.oauth.approveAuthorization(id)).error?.code).toBe('oauth_authorization_not_found');
  });
});

describe('administration', () => {
  test('lists, changes, renews and removes programs with the official client', async () => {
    const { oauth } = app.client({ key: app.serviceKey }).auth.admin;
    const made = await programs.register({ client_name: 'Made', client_uri: 'https://program.example/' });
    expect(made).toMatchObject({
      client_type: 'confidential',
      registration_type: 'manual',
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const { data: listed } = await oauth.listClients({ page: 1, perPage: 100 });
    expect(listed.clients.map((one) => one.client_id)).toContain(made.client_id);
    expect(JSON.stringify(listed)).not.toContain(made.client_secret);
    expect((await oauth.getClient(made.client_id)).data).toMatchObject({
      client_name: 'Made',
      client_uri: 'https://program.example/',
    });
    const changed = await oauth.updateClient(made.client_id, {
      client_name: 'Changed',
      redirect_uris: ['https://program.example/new'],
    });
    expect(changed.error).toBeNull();
    expect(changed.data).toMatchObject({ client_name: 'Changed', redirect_uris: ['https://program.example/new'] });
    const renewed = await oauth.regenerateClientSecret(made.client_id);
    expect(renewed.data?.client_secret).not.toBe(made.client_secret);
    const old = await programs.post(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      programs.basic(made),
    );
    expect(old).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(old.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await oauth.deleteClient(made.client_id)).error).toBeNull();
    expect((await oauth.getClient(made.client_id)).error?.code).toBe('oauth_client_not_found');
    const [row] = await app.sql<{ kept: string }>(
      'select string_agg(encode(secret_hash, $1), $2) as kept from auth.oauth_clients',
      ['escape', ' '],
    );
    expect(row?.kept ?? '').not.toContain(renewed.data?.client_secret);
  });

  test('is for the service key alone', async () => {
    const ada = await programs.person();
    const { error } = await ada.auth.admin.oauth.listClients();
    expect(error?.code).toBe('not_admin');
  });

  test.each([
    ['https://program.example/*', 'wildcard'],
    ['https://program.example/#x', 'fragment'],
    ['http://program.example/', 'loopback'],
    ['https://a@program.example/', 'name or password'],
    ['https://program.example/a/../b', 'would be read as'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['//program.example/', 'absolute'],
    ['https://program.example/\\x', 'characters'],
  ])('refuses %s as an address to come back to', async (uri, words) => {
    const { error } = await app
      .client({ key: app.serviceKey })
      .auth.admin.oauth.createClient({ client_name: 'X', redirect_uris: [uri] });
    expect(error?.code).toBe('validation_failed');
    expect(error?.message).toContain(words);
  });
});
