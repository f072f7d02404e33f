// List of one's sessions, and signing out a single device: `list_my_sessions` and `end_my_session`, with the official client.

import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

interface Listed {
  readonly id: string;
  readonly user_agent: string | null;
  readonly address: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly aal: string;
  readonly is_current: boolean;
}

const password = 'secret1';
let count = 0;

async function member() {
  const email = `sessions${++count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { client, email, id: data.user?.id ?? '' };
}

async function signIn(email: string): Promise<SupabaseClient> {
  const client = app.client();
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull();
  return client;
}

async function list(client: SupabaseClient): Promise<Listed[]> {
  const { data, error } = await client.rpc('list_my_sessions');
  expect(error).toBeNull();
  return data;
}

async function ownId(client: SupabaseClient): Promise<string> {
  const { data } = await client.auth.getSession();
  return JSON.parse(Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString()).session_id;
}

const remaining = async (userId: string) =>
  (await app.sql<{ id: string }>('select id from auth.sessions where user_id = $1', [userId])).map(({ id }) => id);

describe('the list', () => {
  test('tells one’s own sessions, the asking one first, and nothing to sign in with', async () => {
    const { client, email } = await member();
    const other = await signIn(email);
    await (await member()).client.rpc('list_my_sessions');
    const here = await ownId(client);
    const there = await ownId(other);
    await app.sql(`update auth.sessions set ip = '2001:db8::7', user_agent = 'Lynx/2.9' where id = $1`, [there]);
    const listed = await list(client);
    expect(listed.map(({ id, is_current }) => [id, is_current])).toEqual([
      [here, true],
      [there, false],
    ]);
    expect(Object.keys(listed[0] ?? {}).sort()).toEqual(
      ['aal', 'address', 'created_at', 'id', 'is_current', 'last_seen_at', 'user_agent'].sort(),
    );
    expect(listed[1]).toMatchObject({ user_agent: 'Lynx/2.9', address: '2001:db8::7', aal: 'aal1' });
    expect((await list(other)).map(({ id }) => id)).toEqual([there, here]);
  });

  test('leaves out what has run out, and follows what is refreshed', async () => {
    const { client, email } = await member();
    const over = await ownId(await signIn(email));
    const fresh = await signIn(email);
    const quiet = await ownId(await signIn(email));
    await app.sql(`update auth.sessions set not_after = now() - interval '1 second' where id = $1`, [over]);
    await app.sql(`update auth.sessions set refreshed_at = now() - interval '3 days' where id = any ($1)`, [
      [quiet, await ownId(fresh)],
    ]);
    expect((await fresh.auth.refreshSession()).error).toBeNull();
    const listed = await list(client);
    expect(listed.map(({ id }) => id)).toEqual([await ownId(client), await ownId(fresh), quiet]);
    const [, seen] = listed;
    expect(Date.parse(seen?.last_seen_at ?? '')).toBeGreaterThanOrEqual(Date.parse(seen?.created_at ?? ''));
  });

  test('is asked for by GET too, and told by someone whose token names no session', async () => {
    const { client, id } = await member();
    const token = await app.services.sessions.sign({ sub: id, role: 'authenticated', aud: 'authenticated' }, 600);
    const answer = await app.request('/rest/v1/rpc/list_my_sessions?select=id,is_current', { token });
    expect([answer.status, await answer.json()]).toEqual([200, [{ id: await ownId(client), is_current: false }]]);
  });
});

describe('ending a session', () => {
  test('turns that device away at every door at once, leaves the others, and is on record', async () => {
    const { client, email, id } = await member();
    const [lost, kept] = [await signIn(email), await signIn(email)];
    const gone = await ownId(lost);
    const { error, status } = await client.rpc('end_my_session', { session_id: gone });
    expect([error, status]).toEqual([null, 204]);
    expect((await lost.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect((await list(client)).map((one) => one.id)).toEqual([await ownId(client), await ownId(kept)]);
    expect((await kept.auth.getUser()).error).toBeNull();
    const [line] = await app.sql<{ payload: Record<string, unknown> }>(
      `select payload from auth.audit_log_entries where payload ->> 'action' = 'logout' and payload ->> 'actor_id' = $1`,
      [id],
    );
    expect(line?.payload).toMatchObject({
      action: 'logout',
      actor_username: email,
      log_type: 'account',
      traits: { scope: 'session', session_id: gone },
    });
  });

  test('its access token reads no rows any more', async () => {
    const { client, email } = await member();
    const lost = await signIn(email);
    const { data } = await lost.auth.getSession();
    const token = data.session?.access_token ?? '';
    expect((await app.request('/rest/v1/profiles?select=id', { token })).status).toBe(200);
    await client.rpc('end_my_session', { session_id: await ownId(lost) }).throwOnError();
    await expect.poll(async () => (await app.request('/rest/v1/profiles?select=id', { token })).status).toBe(401);
    expect((await app.request('/auth/v1/user', { token })).status).toBe(401);
  });

  test('the current session may be ended', async () => {
    const { client, id } = await member();
    expect((await client.rpc('end_my_session', { session_id: await ownId(client) })).error).toBeNull();
    expect(await remaining(id)).toEqual([]);
  });

  test('a link that somebody follows ends nothing', async () => {
    const { client, id } = await member();
    const { data } = await client.auth.getSession();
    const session_id = await ownId(client);
    const got = await app.request(`/rest/v1/rpc/end_my_session?session_id=${session_id}`, {
      token: data.session?.access_token ?? '',
    });
    expect(got.status).toBe(405);
    expect(await remaining(id)).toEqual([session_id]);
  });
});

describe('sessions of others', () => {
  test('another person’s session is as good as none, whatever one knows of it', async () => {
    const [mine, theirs] = [await member(), await member()];
    const foreign = await ownId(theirs.client);
    const nowhere = randomUUID();
    const answers = await Promise.all(
      [foreign, nowhere].map((session_id) => mine.client.rpc('end_my_session', { session_id })),
    );
    for (const { status, error } of answers) expect([status, error?.code]).toEqual([404, 'PT404']);
    expect(answers[0]?.error).toEqual(answers[1]?.error);
    expect(await remaining(theirs.id)).toEqual([foreign]);
    expect((await mine.client.rpc('end_my_session', { session_id: null })).status).toBe(404);
    expect((await mine.client.rpc('end_my_session', { session_id: 'x' })).error?.code).toBe('22P02');
    expect((await mine.client.rpc('list_my_sessions', { user_id: theirs.id })).error?.code).toBe('PGRST202');
  });

  test('visitors may not, the service key has no sessions, and behind the door there is no way round', async () => {
    const { id, client } = await member();
    const session_id = await ownId(client);
    const anon = app.client();
    const service = app.client({ key: app.serviceKey });
    for (const [name, args] of [
      ['list_my_sessions', {}],
      ['end_my_session', { session_id }],
    ] as const) {
      expect([name, (await anon.rpc(name, args)).status]).toEqual([name, 401]);
      expect([name, (await service.rpc(name, args)).error]).toEqual([
        name,
        expect.objectContaining({ code: '42501', message: 'this needs a signed-in user' }),
      ]);
    }
    await expect(app.asUser(id, 'select id from auth.sessions')).rejects.toMatchObject({ sqlstate: '42501' });
    await expect(app.asUser(id, 'delete from auth.sessions')).rejects.toMatchObject({ sqlstate: '42501' });
    expect(await remaining(id)).toEqual([session_id]);
  });

  test('a session without the second factor lists and ends no sessions', async () => {
    const { client, email, id } = await member();
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
    if (data?.type !== 'totp') throw new Error('no TOTP factor');
    const totp = new TOTP({ secret: new URL(data.totp.uri).searchParams.get('secret') ?? '' });
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: totp.generate() });
    const thief = await signIn(email);
    const session_id = await ownId(client);
    expect((await thief.rpc('list_my_sessions')).error?.code).toBe('KB006');
    for (const wanted of [session_id, await ownId(thief)])
      expect((await thief.rpc('end_my_session', { session_id: wanted })).error?.code).toBe('KB006');
    expect(await remaining(id)).toContain(session_id);
    const listed = await list(client);
    expect(listed.map(({ aal, is_current }) => [aal, is_current])).toEqual([
      ['aal2', true],
      ['aal1', false],
    ]);
    await client.rpc('end_my_session', { session_id: await ownId(thief) }).throwOnError();
    expect(await remaining(id)).toEqual([session_id]);
  });
});
