// Sign in with Kanbase: a maintained OpenID Connect client library does all of it by discovery, in a browser's way and on a device.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { callback, claimsOf, openPrograms } from './program.ts';

const app = forSuite(startApp);
const programs = openPrograms(app);
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const discover = (id: string, secret?: string, algorithm?: 'oauth2') =>
  oidc.discovery(
    new URL(`${app.url}/auth/v1`),
    id,
    secret,
    secret === undefined ? oidc.None() : oidc.ClientSecretBasic(secret),
    { execute: [oidc.allowInsecureRequests], ...(algorithm === undefined ? {} : { algorithm }) },
  );

test('a person signs in, and the ID token fits the published keys', async () => {
  const { client_id, client_secret } = await programs.register();
  const config = await discover(client_id, client_secret);
  const verifier = oidc.randomPKCECodeVerifier();
  const [nonce, state] = [oidc.randomNonce(), oidc.randomState()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
  });
  const ada = await programs.person();
  const { location } = await programs.ask(Object.fromEntries(url.searchParams));
  const back = new URL(await programs.consent(ada, location?.searchParams.get('authorization_id') ?? ''));
  const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state, idTokenExpected: true };

  // A mix-up: the answer names another issuer, or none.
  for (const iss of ['https://evil.example', null]) {
    const other = new URL(back);
    if (iss === null) other.searchParams.delete('iss');
    else other.searchParams.set('iss', iss);
    await expect(oidc.authorizationCodeGrant(config, other, checks)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"iss"') },
    });
  }
  const tokens = await oidc.authorizationCodeGrant(config, back, checks);
  const { data } = await ada.auth.getUser();
  expect(tokens.claims()).toMatchObject({ sub: data.user?.id, email: data.user?.email, name: 'Ada', nonce });
  const keys = createRemoteJWKSet(new URL(`${app.url}/auth/v1/.well-known/jwks.json`));
  const { protectedHeader } = await jwtVerify(tokens.id_token ?? '', keys, {
    issuer: `${app.url}/auth/v1`,
    audience: client_id,
  });
  expect(protectedHeader.alg).toBe('ES256');
  expect(await oidc.fetchUserInfo(config, tokens.access_token, data.user?.id ?? '')).toMatchObject({ name: 'Ada' });

  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(renewed.claims()?.sub).toBe(data.user?.id);
  await oidc.tokenRevocation(config, renewed.refresh_token ?? '');
  await expect(oidc.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('the same by the metadata of RFC 8414, with the token bound to one door', async () => {
  const { client_id } = await programs.register({ token_endpoint_auth_method: 'none' });
  const config = await discover(client_id, undefined, 'oauth2');
  const resource = `${app.url}/rest/v1`;
  const about = await (await fetch(`${app.url}/.well-known/oauth-protected-resource/rest/v1`)).json();
  expect(about).toMatchObject({ resource, authorization_servers: [config.serverMetadata().issuer] });
  const ada = await programs.person();
  const { body } = await programs.tokensFor({ client_id }, ada, { resource, scope: 'read' });
  expect(claimsOf(body.access_token).aud).toEqual(['authenticated', resource]);
  const at = async (path: string, token: string) =>
    (await app.request(path, { headers: { apikey: app.anonKey, authorization: `Bearer ${token}` } })).status;
  expect(await at('/rest/v1/projects', body.access_token)).toBe(200);
  expect(await at('/storage/v1/bucket', body.access_token)).not.toBe(200);
  const files = await programs.tokensFor({ client_id }, ada, {
    ...{ resource: `${app.url}/storage/v1`, scope: 'read', prompt: 'consent' },
  });
  expect(await at('/rest/v1/projects', files.body.access_token)).toBe(401);
  const whole = await programs.tokensFor({ client_id }, ada, { resource: app.url, scope: 'read', prompt: 'consent' });
  expect(await at('/rest/v1/projects', whole.body.access_token)).toBe(200);
  const refused = await programs.refresh({ client_id }, body.refresh_token, { resource: app.url });
  expect(refused.body.error).toBe('invalid_target');
});

test('a device shows a short code and gets its tokens once the person has entered it', async () => {
  const { client_id } = await programs.register({
    ...{ redirect_uris: [], token_endpoint_auth_method: 'none' },
    grant_types: [deviceGrant, 'refresh_token'],
  });
  const config = await discover(client_id);
  const started = await oidc.initiateDeviceAuthorization(config, { scope: 'openid read' });
  expect(started.user_code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
  expect(started.verification_uri).toBe(`${app.url}/oauth/device`);
  const poll = () =>
    programs.post('/oauth/token', { grant_type: deviceGrant, device_code: started.device_code, client_id });
  expect((await poll()).body.error).toBe('authorization_pending');
  expect((await poll()).body.error).toBe('slow_down');
  const ada = await programs.person();
  const token = (await ada.auth.getSession()).data.session?.access_token;
  const enter = (user_code: string) => app.call('POST', '/auth/v1/oauth/device', { user_code }, token);
  expect((await enter('BBBB-BBBB')).status).toBe(404);
  const { body } = await enter(started.user_code.toLowerCase().replace('-', ' '));
  expect(await programs.consent(ada, body.authorization_id)).toBe('');
  const answer = await poll();
  expect(answer.body).toMatchObject({ scope: 'openid read', id_token: expect.any(String) });
  expect((await poll()).body.error).toBe('invalid_grant');
  expect((await programs.refresh({ client_id }, answer.body.refresh_token)).body.error).toBe('invalid_grant');
});

test('a device hears that the person refused', async () => {
  const { client_id } = await programs.register({
    token_endpoint_auth_method: 'none',
    grant_types: [deviceGrant],
    redirect_uris: [],
  });
  const started = await programs.post('/oauth/device_authorization', { client_id, scope: 'read' });
  const ada = await programs.person();
  const token = (await ada.auth.getSession()).data.session?.access_token;
  const { body } = await app.call('POST', '/auth/v1/oauth/device', { user_code: started.body.user_code }, token);
  await ada.auth.oauth.denyAuthorization(body.authorization_id);
  const poll = await programs.post('/oauth/token', {
    grant_type: deviceGrant,
    device_code: started.body.device_code,
    client_id,
  });
  expect(poll.body.error).toBe('access_denied');
});
