// Access tokens: how long they live, what a Postgres function adds, what they say of providers.

import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `switch${count}@example.test`;
}

function claimsOf(token: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
}

const app = forSuite(() =>
  startApp({
    settings: {
      AUTH_TOKEN_LIFETIME: '120',
      AUTH_PROVIDER_METADATA: 'true',
      AUTH_CLAIMS_HOOK: 'public.add_claims',
      SECRET_KEYS: 'sb_secret_of_the_tests',
      PUBLISHABLE_KEYS: 'sb_publishable_of_the_tests',
    },
    prepare: `
      create function public.add_claims(event jsonb) returns jsonb language plpgsql as $$
      begin
        if event #>> '{claims,email}' like 'broken%' then raise exception 'no claims today'; end if;
        return jsonb_build_object('claims', event -> 'claims' || jsonb_build_object(
          'plan', 'gold', 'method', event ->> 'authentication_method', 'sub', 'somebody else', 'aal', 'aal9', 'mfa_pending', false));
      end $$;
      revoke all on function public.add_claims(jsonb) from public;
      grant usage on schema public to kanbase_identity;
      grant execute on function public.add_claims(jsonb) to kanbase_identity;`,
  }),
);

async function member(email = someone()) {
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  return { client, email, id: data.user?.id ?? '', session: data.session, user: data.user, error };
}

describe('tokens', () => {
  test('live as long as is set', async () => {
    const { session } = await member();
    expect(session?.expires_in).toBe(120);
    const { exp, iat } = claimsOf(session?.access_token);
    expect(Number(exp) - Number(iat)).toBe(120);
  });

  test('carry what a Postgres function adds, but stay about the same person', async () => {
    const { client, email, session, id } = await member();
    expect(claimsOf(session?.access_token)).toMatchObject({ plan: 'gold', method: 'password', sub: id, aal: 'aal1' });
    const { data } = await client.auth.refreshSession();
    expect(claimsOf(data.session?.access_token)).toMatchObject({ plan: 'gold', method: 'token_refresh' });
    // Nor does it decide who has shown a second factor.
    expect(claimsOf(data.session?.access_token)).not.toHaveProperty('mfa_pending');
    const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (factor?.type !== 'totp') throw new Error('no TOTP factor');
    const code = new TOTP({ secret: factor.totp.secret }).generate();
    expect((await client.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull();
    const { data: again } = await app.client().auth.signInWithPassword({ email, password });
    expect(claimsOf(again.session?.access_token)).toMatchObject({ aal: 'aal1', mfa_pending: true });
    const broken = await app.request('/auth/v1/signup', {
      method: 'POST',
      body: JSON.stringify({ email: 'broken@example.test', password }),
    });
    expect(broken.status).toBe(500);
    expect(await broken.json()).toMatchObject({ code: 'hook_failed' });
  });

  test('say which provider an account came by, where that is set', async () => {
    const { user } = await member();
    expect(user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  });
});

describe('keys', () => {
  test('opaque keys work like the others', async () => {
    const { session } = await member();
    const headers = { apikey: 'sb_publishable_of_the_tests', authorization: `Bearer ${session?.access_token}` };
    expect((await fetch(`${app.url}/auth/v1/user`, { headers })).status).toBe(200);
    const { data, error } = await app.client({ key: 'sb_secret_of_the_tests' }).auth.admin.listUsers();
    expect(error).toBeNull();
    expect(data.users.length).toBeGreaterThan(0);
  });
});
