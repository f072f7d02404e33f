// A function of the operator sees every token before it is signed, and may keep people out. Others find out who signs.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startMailedApp } from './mailed-app.ts';

const app = forSuite(() =>
  startMailedApp({
    settings: { AUTH_CLAIMS_HOOK: 'public.doorkeeper', AUTH_ANONYMOUS: 'true' },
    prepare: `
      create function public.doorkeeper(event jsonb) returns jsonb language sql as $$
        select case when event #>> '{claims,email}' like 'unwanted%'
          then '{"error": {"http_code": 403, "message": "Members only"}}'::jsonb
          else event || jsonb_build_object('claims', event -> 'claims' || jsonb_build_object('until', event #> '{claims,exp}')) end
      $$;
      grant usage on schema public to kanbase_identity;
      grant execute on function public.doorkeeper(jsonb) to kanbase_identity;`,
  }),
);

const call = (method: string, path: string, body?: unknown, token = app.serviceKey) =>
  app.call(method, `/auth/v1${path}`, body, token);

const password = 'secret1';

test('a hook sees when a token ends, and keeps people out in its own words', async () => {
  for (const name of ['welcome', 'unwanted'])
    await call('POST', '/admin/users', { email: `${name}@example.test`, password, email_confirm: true });
  const signIn = (name: string) =>
    call('POST', '/token?grant_type=password', { email: `${name}@example.test`, password });
  const { body } = await signIn('welcome');
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
  expect(Math.abs(claims.until - claims.exp)).toBeLessThanOrEqual(1);
  expect(await signIn('unwanted')).toMatchObject({
    status: 403,
    body: { code: 'hook_failed', message: 'Members only' },
  });
});

test('other services find out who signs our tokens', async () => {
  const issuer = `${app.services.siteUrl}/auth/v1`;
  expect((await call('GET', '/.well-known/openid-configuration')).body).toMatchObject({
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
  });
});
