// Access tokens are good for an hour by their signature. Who signed out, was banned or deleted, or whose password was
// changed elsewhere, is out at every door long before.

import { decodeJwt } from 'jose';
import { describe, expect, test, vi } from 'vitest';
import { unreachable } from '../../server/database/errors.ts';
import { type Fragment, statement } from '../../server/database/sql.ts';
import type { Database } from '../../server/database/types.ts';
import type { IdentityContext } from '../../server/identity/identity-context.ts';
import { watchEndedSessions } from '../../server/identity/tokens/ended-sessions.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

const password = 'secret1';
let count = 0;

async function member() {
  count += 1;
  const email = `door${count}@example.test`;
  const client = app.client();
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  const project = await client.rpc('create_project_with_defaults', { name: 'Board' });
  expect(project.error).toBeNull();
  const token = data.session?.access_token ?? '';
  return { email, client, id: data.user?.id ?? '', token, projectId: (project.data as { id: string }).id };
}

function admin() {
  return app.client({ key: app.serviceKey }).auth.admin;
}

/** Every door, reading and writing. */
async function doors(token: string, projectId: string, on: TestApp = app): Promise<Record<string, number>> {
  const json = { 'content-type': 'application/json' };
  const asks: Record<string, [path: string, init?: RequestInit]> = {
    user: ['/auth/v1/user'],
    change: ['/auth/v1/user', { method: 'PUT', body: '{"data":{"seen":true}}' }],
    factor: ['/auth/v1/factors', { method: 'POST', body: '{"factor_type":"totp"}' }],
    read: ['/rest/v1/projects?select=id'],
    write: [`/rest/v1/projects?id=eq.${projectId}`, { method: 'PATCH', headers: json, body: '{"name":"Mine"}' }],
    procedure: [
      '/rest/v1/rpc/dashboard_metrics',
      { method: 'POST', headers: json, body: `{"project_id":"${projectId}"}` },
    ],
    portal: [
      '/api/billing/create-portal',
      { method: 'POST', headers: json, body: JSON.stringify({ returnUrl: app.url }) },
    ],
  };
  const statuses: Record<string, number> = {};
  for (const [door, [path, init]] of Object.entries(asks))
    statuses[door] = (await on.request(path, { ...init, token })).status;
  return statuses;
}

const out = { user: 401, change: 401, factor: 401, read: 401, write: 401, procedure: 401, portal: 401 };

/** The news travels through Postgres; it takes a moment. */
async function expectOut(token: string, projectId: string, on?: TestApp): Promise<void> {
  await vi.waitFor(async () => expect(await doors(token, projectId, on)).toEqual(out), {
    timeout: 30_000,
    interval: 20,
  });
}

describe('out at every door', () => {
  const ways: Record<string, (who: Awaited<ReturnType<typeof member>>) => Promise<unknown>> = {
    'signed out': ({ client }) => client.auth.signOut(),
    banned: ({ id }) => admin().updateUserById(id, { ban_duration: '24h' }),
    deleted: ({ id }) => admin().deleteUser(id),
    'deleted softly': ({ id }) => admin().deleteUser(id, true),
    'banned by an operator with SQL': ({ id }) =>
      app.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [id]),
    'given another password': ({ id }) => admin().updateUserById(id, { password: 'another one' }),
  };
  test.each(Object.entries(ways))('%s', async (_how, act) => {
    const who = await member();
    const before = await doors(who.token, who.projectId);
    expect(Object.values(before).filter((status) => status === 401)).toEqual([]);
    await act(who);
    await expectOut(who.token, who.projectId);
    const { code, message } = await (await app.request('/rest/v1/projects', { token: who.token })).json();
    expect({ code, message }).toEqual({ code: 'PGRST303', message: 'The session of this token has ended' });
  });

  test('the other devices, when the password is changed on one', async () => {
    const { client, token, projectId, email } = await member();
    const elsewhere = await app.client().auth.signInWithPassword({ email, password });
    expect((await client.auth.updateUser({ password: 'another one' })).error).toBeNull();
    await expectOut(elsewhere.data.session?.access_token ?? '', projectId);
    expect((await doors(token, projectId)).read).toBe(200);
  });

  test('the person whose stolen refresh token was used', async () => {
    const { client, token, projectId, id } = await member();
    const first = (await client.auth.getSession()).data.session?.refresh_token ?? '';
    await client.auth.refreshSession();
    await client.auth.refreshSession();
    await app.sql(`update auth.sessions set refreshed_at = now() - interval '1 minute' where user_id = $1`, [id]);
    const { error } = await app.client().auth.refreshSession({ refresh_token: first });
    expect(error?.code).toBe('refresh_token_already_used');
    await expectOut(token, projectId);
  });

  test('a node that comes later, and one that runs beside', async () => {
    const beside = await startApp({ settings: { JWT_SECRET: 'a secret that two nodes have in common' } });
    const { data } = await beside.client().auth.signUp({ email: 'node@example.test', password });
    const token = data.session?.access_token ?? '';
    const node = async () => {
      const { openServices } = await import('../../server/open-services.ts');
      return openServices(
        beside.services.config,
        { url: beside.databaseUrl, directUrl: beside.ownerUrl },
        beside.services.log,
      );
    };
    const ask = async (one: Awaited<ReturnType<typeof node>>) => {
      const headers = { apikey: beside.anonKey, authorization: `Bearer ${token}` };
      return (await one.services.fetch(`${beside.url}/rest/v1/projects?select=id`, { headers })).status;
    };
    const second = await node();
    await second.app.ready();
    expect(await ask(second)).toBe(200);
    await beside.client({ key: beside.serviceKey }).auth.admin.signOut(token, 'global');
    await vi.waitFor(async () => expect(await ask(second)).toBe(401), { timeout: 30_000, interval: 20 });
    await second.close();
    const third = await node();
    await third.app.ready();
    await vi.waitFor(async () => expect(await ask(third)).toBe(401), { timeout: 30_000, interval: 20 });
    await third.close();
    await beside.close();
  });
});

test('sessions that ended while the connection was away are looked for until they are found', async () => {
  const { client, token } = await member();
  const ended: string[] = [];
  let failures = 0;
  let reconnect: () => void = () => undefined;
  const context = {
    settings: { tokenLifetime: 3600 },
    log: app.services.log,
    sessions: { end: (ids: readonly string[]) => void ended.push(...ids) },
    query: (fragment: Fragment) =>
      failures-- > 0
        ? Promise.reject(unreachable(null))
        : app.database.objectsAs({ role: 'kanbase_identity', claims: '{}' }, statement(fragment)),
  } as unknown as IdentityContext;
  const deaf: Pick<Database, 'listen'> = {
    async listen(_channel, _onMessage, onReconnect = () => undefined) {
      reconnect = onReconnect;
      return async () => undefined;
    },
  };
  const stop = await watchEndedSessions(context, deaf);
  await client.auth.signOut();
  failures = 3;
  reconnect();
  const session = (decodeJwt(token) as { session_id: string }).session_id;
  await expect.poll(() => ended, { timeout: 20_000 }).toContain(session);
  await stop();
});
