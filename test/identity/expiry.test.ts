// Expiry: sessions after their lifetime, and everything that is swept away in time.

import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const password = 'secret1';
let count = 0;
function someone(): string {
  count += 1;
  return `switch${count}@example.test`;
}

const app = forSuite(() =>
  startApp({
    settings: { AUTH_SESSION_LIFETIME: '7200', AUTH_SESSION_INACTIVITY: '3600', AUTH_ANONYMOUS: 'true' },
  }),
);

async function member(email = someone()) {
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  return { client, email, id: data.user?.id ?? '', session: data.session, user: data.user, error };
}

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
