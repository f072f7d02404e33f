// What an operator may set or add: lifetimes, claims from a Postgres function, counting together, sweeping, keys.

import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countInMemory } from '../../server/limits/count-in-memory.ts';
import { countInPostgres } from '../../server/limits/count-in-postgres.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `switch${count}@example.test`;
}

function claimsOf(token: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString());
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp({
    settings: {
      AUTH_TOKEN_LIFETIME: '120',
      AUTH_SESSION_LIFETIME: '7200',
      AUTH_SESSION_INACTIVITY: '3600',
      AUTH_PROVIDER_METADATA: 'true',
      AUTH_ANONYMOUS: 'true',
      AUTH_ANONYMOUS_DAYS: '30',
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
  });
});
afterAll(() => app.close());

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

  test('provider metadata as Supabase has it, when asked for', async () => {
    const { user } = await member();
    expect(user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  });
});

describe('sessions end', () => {
  test.each([
    ['after their lifetime', `created_at = now() - interval '3 hours', not_after = now() - interval '1 hour'`],
    ['when nobody refreshes them', `refreshed_at = now() - interval '2 hours'`],
  ])('%s', async (_when, change) => {
    const { client, id } = await member();
    await app.sql(`update auth.sessions set ${change} where user_id = $1`, [id]);
    expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'session_expired', status: 400 });
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

describe('limits', () => {
  test('nodes that count in Postgres count together', async () => {
    const limit = { name: 'together', points: 3, windowSeconds: 60 };
    const nodes = [1, 2].map(() => countInPostgres(app.database, countInMemory()));
    const answers = [];
    for (let knock = 0; knock < 4; knock += 1) answers.push(await nodes[knock % 2]?.take(limit, 'somebody'));
    expect(answers.map((one) => one?.allowed)).toEqual([true, true, true, false]);
    expect(answers[3]?.retryAfterSeconds).toBeGreaterThan(0);
    expect((await nodes[0]?.take(limit, 'somebody else'))?.allowed).toBe(true);
    await app.sql(`update private.limits set read_at = read_at - interval '1 minute'`);
    expect((await nodes[1]?.take(limit, 'somebody'))?.allowed).toBe(true);
  });
});

describe('limits in Postgres', () => {
  const limit = { name: 'looked at', points: 2, windowSeconds: 60 };

  test('looking takes nothing, and what is given back can be taken again', async () => {
    const limits = countInPostgres(app.database, countInMemory());
    const take = async () => (await limits.take(limit, 'a')).allowed;
    for (let look = 0; look < 3; look += 1) expect((await limits.look(limit, 'a')).allowed).toBe(true);
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
    const spent = await limits.look(limit, 'a');
    expect(spent.allowed).toBe(false);
    expect(spent.retryAfterSeconds).toBeGreaterThan(0);
    await limits.give(limit, 'a');
    expect([await take(), await take()]).toEqual([true, false]);
    for (let gift = 0; gift < 5; gift += 1) await limits.give(limit, 'a');
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });
});

describe('sweeping', () => {
  test('takes what has had its time and nothing else', async () => {
    const { id, client } = await member();
    const nobody = app.client();
    const { data: anonymous } = await nobody.auth.signInAnonymously();
    await app.sql(`
      insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, expires_at) values
        ('${id}', 'recovery', 'old', 'x', now() - interval '1 hour'), ('${id}', 'confirmation', 'new', 'x', now() + interval '1 hour');
      insert into auth.flow_state (provider_type, authentication_method, expires_at) values ('x', 'x', now() - interval '1 hour');
      insert into auth.sessions (user_id, not_after) values ('${id}', now() - interval '1 hour');
      insert into auth.sessions (user_id, refreshed_at) values ('${id}', now() - interval '1 year');
      insert into auth.audit_log_entries (payload, created_at) values ('{"action": "ancient"}', now() - interval '1 year');
      insert into auth.ended_sessions (id, ended_at) values (gen_random_uuid(), now() - interval '9 days'), (gen_random_uuid(), now() - interval '6 days');
      update auth.users set last_sign_in_at = now() - interval '1 year' where id = '${anonymous.user?.id}';
      update auth.sessions set refreshed_at = now() - interval '1 year' where user_id = '${anonymous.user?.id}';`);
    await app.sql('select auth.sweep(90, 180, 30)');
    const left = async (text: string) => (await app.sql<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n;
    expect(await left(`auth.one_time_tokens where user_id = '${id}'`)).toBe(1);
    expect(await left(`auth.flow_state`)).toBe(0);
    expect(await left(`auth.sessions where user_id = '${id}'`)).toBe(1);
    expect(await left(`auth.audit_log_entries where payload ->> 'action' = 'ancient'`)).toBe(0);
    expect(await left(`auth.users where id = '${anonymous.user?.id}'`)).toBe(0);
    expect(await left(`auth.ended_sessions where ended_at < now() - interval '5 days'`)).toBe(1);
    expect((await client.auth.getUser()).error).toBeNull();
  });
});
