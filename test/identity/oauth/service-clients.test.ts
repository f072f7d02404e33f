// Clients of service accounts (client credentials): a maintained client library gets tokens by discovery; they are short, narrowed, and end at once.

import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { records } from '../../helpers/records.ts';
import { addMember, addTask, makeProject, one } from '../../sql/board.ts';
import { claimsOf, openPrograms, type Registered } from './program.ts';

/** Tokens of one client in five minutes. */
const most = 12;
const app = forSuite(() =>
  startApp({ settings: { AUTH_LIMIT_EXEMPT: '', AUTH_LIMIT_VERIFY: '0', AUTH_LIMIT_REFRESH: String(most) } }),
);
const programs = openPrograms(app);
let ada: TestUser;
let web: string;
let shop: string;
let task: string;
let bot: string;

beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  web = (await makeProject(app, ada, 'Web site')).project;
  shop = (await makeProject(app, ada, 'Shop')).project;
  task = await addTask(app, ada, { project_id: web, title: 'Draft' });
  bot = ((await one(ada.client.rpc('create_service_account', { name: 'Release bot' }))) as { id: string }).id;
  for (const project of [web, shop])
    await one(
      ada.client.from('project_members').insert({ project_id: project, user_id: bot, role: 'editor' }).select(),
    );
});

async function make(given: Record<string, unknown> = {}, account = bot): Promise<Required<Registered>> {
  const made = (await one(
    ada.client.rpc('create_service_account_client', {
      ...{ service_account_id: account, name: 'Deploy', scope: 'write' },
      ...given,
    }),
  )) as Required<Registered>;
  records?.keepSecret(made.client_secret);
  return made;
}

const ask = (client: Registered, more: Record<string, string> = {}) =>
  programs.post('/oauth/token', { grant_type: 'client_credentials', ...more }, programs.basic(client));
const statusOf = async (token: string, path = '/rest/v1/tasks?select=id'): Promise<number> =>
  (await app.request(path, { headers: { apikey: app.anonKey, authorization: `Bearer ${token}` } })).status;
const untilRefused = (token: string): Promise<void> => expect.poll(() => statusOf(token)).toBe(401) as Promise<void>;
const refusedWith = async (answer: PromiseLike<{ error: { code: string } | null }>): Promise<string | undefined> =>
  (await answer).error?.code;

test.each([
  ['its usual way', undefined],
  ['Authorization: Basic', oidc.ClientSecretBasic],
])('a client library gets tokens by discovery, in %s', async (_, way) => {
  const { client_id, client_secret } = await make();
  const issuer = new URL(`${app.url}/auth/v1`);
  const config = await oidc.discovery(issuer, client_id, client_secret, way?.(client_secret), {
    execute: [oidc.allowInsecureRequests],
  });
  expect(config.serverMetadata().grant_types_supported).toContain('client_credentials');
  const tokens = await oidc.clientCredentialsGrant(config, { scope: 'read' });
  records?.keepSecret(tokens.access_token);
  expect(tokens).toMatchObject({ scope: 'read', token_type: 'bearer' });
  expect(tokens.expires_in).toBeLessThanOrEqual(3600);
  expect(tokens.refresh_token).toBeUndefined();
  expect(claimsOf(tokens.access_token)).toMatchObject({
    ...{ sub: bot, client_id, scope: 'read', role: 'authenticated' },
    act: { kind: 'app', sub: client_id, name: 'Deploy' },
  });
  expect(await statusOf(tokens.access_token)).toBe(200);
  await oidc.tokenRevocation(config, tokens.access_token);
  await untilRefused(tokens.access_token);
});

test('history names service account and client', async () => {
  const client = await make();
  const { body } = await ask(client);
  const kanbase = app.client({ token: body.access_token });
  await one(kanbase.from('tasks').update({ title: 'Deployed' }).eq('id', task).select());
  const lines = await one(ada.client.from('task_activity').select('actor_id, program').eq('task_id', task).order('id'));
  expect(lines.at(-1)).toEqual({ actor_id: bot, program: { kind: 'app', sub: client.client_id, name: 'Deploy' } });
});

test('scope and projects narrow, and are never wider than the client', async () => {
  const client = await make({ scope: 'comment', project_ids: [web] });
  const seen = async (more: Record<string, string>) => {
    const { body } = await ask(client, more);
    return one(app.client({ token: body.access_token }).from('projects').select('name'));
  };
  expect((await ask(client)).body.scope).toBe('read comment');
  expect(await seen({})).toEqual([{ name: 'Web site' }]);
  expect(await seen({ projects: web, scope: 'read' })).toEqual([{ name: 'Web site' }]);
  expect((await ask(client, { scope: 'write' })).body.error).toBe('invalid_scope');
  expect((await ask(client, { scope: 'openid email' })).body.error).toBe('invalid_scope');
  expect((await ask(client, { projects: `${web} ${shop}` })).body.error).toBe('invalid_request');
  expect((await ask(client, { projects: 'all' })).body.error).toBe('invalid_request');
  const all = await make();
  const { body } = await ask(all, { projects: shop });
  expect(await one(app.client({ token: body.access_token }).from('projects').select('name'))).toEqual([
    { name: 'Shop' },
  ]);
  // Of what the account reaches later nothing is added.
  expect(await refusedWith(app.client({ token: body.access_token }).rpc('create_service_account', { name: 'x' }))).toBe(
    '42501',
  );
  const bound = await ask(all, { resource: `${app.url}/rest/v1` });
  expect(await statusOf(bound.body.access_token)).toBe(200);
  expect(await statusOf(bound.body.access_token, '/storage/v1/bucket')).not.toBe(200);
  expect((await ask(all, { resource: 'https://elsewhere.example' })).body.error).toBe('invalid_target');
});

describe('attacks', () => {
  test('a wrong, missing or another client’s secret opens nothing', async () => {
    const [client, other] = [await make(), await make()];
    for (const client_secret of ['', 'wrong', other.client_secret]) {
      const { status, body } = await ask({ ...client, client_secret });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    const named = await programs.post('/oauth/token', {
      ...{ grant_type: 'client_credentials', client_id: client.client_id },
    });
    expect(named.body.error).toBe('invalid_client');
  });

  test('clients of people get nothing so, and this one no person', async () => {
    for (const more of [{}, { token_endpoint_auth_method: 'none' }]) {
      const client = await programs.register(more);
      const { body } =
        client.client_secret === undefined
          ? await programs.post('/oauth/token', { grant_type: 'client_credentials', client_id: client.client_id })
          : await ask(client);
      expect(body.error).toBe('unauthorized_client');
    }
    const client = await make();
    const { status } = await programs.ask(programs.request(client, programs.pkce().challenge));
    expect(status).toBe(400);
    const device = await programs.post('/oauth/device_authorization', { scope: 'read' }, programs.basic(client));
    expect(device.body.error).toBe('unauthorized_client');
    const refreshed = await ask(client, { grant_type: 'refresh_token', refresh_token: 'x' });
    expect(refreshed.body.error).toBe('unauthorized_client');
  });

  test('no registration makes one, and no client becomes one', async () => {
    const admin = app.client({ key: app.serviceKey }).auth.admin.oauth;
    const grant_types = ['client_credentials'] as never;
    const { error } = await admin.createClient({ client_name: 'x', redirect_uris: [], grant_types });
    expect(error?.code).toBe('validation_failed');
    const client = await programs.register();
    expect((await admin.updateClient(client.client_id, { grant_types })).error?.code).toBe('validation_failed');
    const ours = await make();
    expect((await admin.updateClient(ours.client_id, { client_name: 'Other' })).error?.code).toBe('validation_failed');
    for (const change of [
      'service_account_id = null',
      `grant_types = '{authorization_code,client_credentials}'`,
      `token_endpoint_auth_method = 'none', secret_hash = null`,
    ])
      await expect(app.sql(`update auth.oauth_clients set ${change} where id = $1`, [ours.client_id])).rejects.toThrow(
        /oauth_clients_of_service_account/,
      );
  });

  test('more tokens than its share are refused, whatever others ask', async () => {
    const [client, other] = [await make(), await make()];
    // A slow run gets a few more meanwhile.
    let last = await ask(client);
    for (let n = 1; n < 3 * most && last.status === 200; n++) last = await ask(client);
    expect([last.status, last.headers.has('retry-after')]).toEqual([429, true]);
    expect((await ask(other)).status).toBe(200);
  });

  test('others neither see nor change it', async () => {
    const client = await make();
    const bea = await app.createUser({ name: 'Bea' });
    await addMember(app, web, bea, 'owner');
    expect(await refusedWith(bea.client.rpc('service_account_clients', { service_account_id: bot }))).toBe('PT404');
    for (const name of ['rotate_service_account_client', 'delete_service_account_client'])
      expect(await refusedWith(bea.client.rpc(name, { client_id: client.client_id }))).toBe('PT404');
    // Not even of one's own programs, which are no service account's.
    const own = await programs.register();
    expect(await refusedWith(ada.client.rpc('rotate_service_account_client', { client_id: own.client_id }))).toBe(
      'PT404',
    );
    const outside = (await makeProject(app, bea, 'Beas')).project;
    expect(
      await refusedWith(
        ada.client.rpc('create_service_account_client', {
          ...{ service_account_id: bot, name: 'x', scope: 'read', project_ids: [outside] },
        }),
      ),
    ).toBe('PT404');
  });
});

describe('ends at once', () => {
  const account = async (): Promise<string> => {
    const { id } = (await one(ada.client.rpc('create_service_account', { name: 'Brief', project_id: web }))) as {
      id: string;
    };
    return id;
  };

  test.each<[string, (account: string, client: string) => Promise<unknown>, string]>([
    ['the client', (_, client) => one2('delete_service_account_client', { client_id: client }), 'invalid_client'],
    ['its account', (id) => one2('delete_service_account', { service_account_id: id }), 'invalid_client'],
    [
      'a ban of its account',
      (id) => app.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [id]),
      'invalid_client',
    ],
  ])('with %s', async (_, end, error) => {
    const id = await account();
    const client = await make({}, id);
    const { body } = await ask(client);
    expect(await statusOf(body.access_token)).toBe(200);
    await end(id, client.client_id);
    await untilRefused(body.access_token);
    expect((await ask(client)).body.error).toBe(error);
  });

  const one2 = async (name: string, args: Record<string, unknown>): Promise<void> => {
    expect((await ada.client.rpc(name, args)).error).toBeNull();
  };

  test('with its secret, when another takes its place', async () => {
    const client = await make();
    const { body } = await ask(client);
    const next = (await one(
      ada.client.rpc('rotate_service_account_client', { client_id: client.client_id }),
    )) as Required<Registered>;
    records?.keepSecret(next.client_secret);
    await untilRefused(body.access_token);
    expect((await ask(client)).body.error).toBe('invalid_client');
    const fresh = await ask(next);
    expect(await statusOf(fresh.body.access_token)).toBe(200);
    const { data } = await app
      .client({ key: app.serviceKey })
      .auth.admin.oauth.regenerateClientSecret(client.client_id);
    records?.keepSecret(data?.client_secret ?? '');
    await untilRefused(fresh.body.access_token);
  });

  test('one token leaves the others; of many the oldest goes', async () => {
    const client = await make();
    const [first, second] = [await ask(client), await ask(client)];
    await programs.post('/oauth/revoke', { token: first.body.access_token }, programs.basic(client));
    await untilRefused(first.body.access_token);
    expect(await statusOf(second.body.access_token)).toBe(200);
    await app.sql(
      `insert into auth.sessions (user_id, not_after, oauth_grant_id, oauth_scopes, oauth_resources)
       select g.user_id, now() + interval '1 hour', g.id, g.scopes, '{}'
       from auth.oauth_grants g, generate_series(1, 499) where g.client_id = $1`,
      [client.client_id],
    );
    await ask(client);
    await untilRefused(second.body.access_token);
  });

  test('expired sessions of a program, and of no person, go without a message to the nodes', async () => {
    const client = await make();
    const open = async (columns: string, values: string): Promise<string> => {
      const [row] = await app.sql<{ id: string }>(
        `insert into auth.sessions (user_id, oauth_grant_id, oauth_scopes, oauth_resources, ${columns})
         select g.user_id, g.id, g.scopes, '{}', ${values} from auth.oauth_grants g where g.client_id = $1 returning id`,
        [client.client_id],
      );
      return row?.id ?? '';
    };
    const expired = await open('not_after', `now() - interval '2 minutes'`);
    const lately = await open('not_after', `now() - interval '30 seconds'`);
    const live = await open('not_after', `now() + interval '1 hour'`);
    const [{ id: own = '' } = {}] = await app.sql<{ id: string }>(
      `insert into auth.sessions (user_id, not_after) values ($1, now() - interval '2 minutes') returning id`,
      [ada.id],
    );
    const all = `{${[expired, lately, live, own].join()}}`;
    await app.sql('delete from auth.sessions where id = any ($1::uuid[])', [all]);
    const noted = await app.sql<{ id: string }>('select id from auth.ended_sessions where id = any ($1::uuid[])', [
      all,
    ]);
    expect(noted.map(({ id }) => id).sort()).toEqual([lately, live, own].sort());
  });
});

describe('in a project', () => {
  interface Reaching {
    readonly id: string;
    readonly name: string;
    readonly user_id: string;
  }
  const listed = async (project: string): Promise<readonly Reaching[]> =>
    (await one(ada.client.rpc('project_programs', { project_id: project }))) as readonly Reaching[];

  test('its owners see apps of members and clients, and take them out of reach', async () => {
    const { project } = await makeProject(app, ada, 'Shared');
    const bea = await programs.person();
    const beaId = (await bea.auth.getUser()).data.user?.id ?? '';
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      project,
      beaId,
    ]);
    const own = (await one(bea.rpc('create_project_with_defaults', { name: 'Own' }))) as { id: string };
    const planner = await programs.register({ client_name: 'Planner' });
    const tokens = await programs.tokensFor(planner, bea, { scope: 'write' }, { scope: 'write', projects: null });
    const signIn = await programs.register({ client_name: 'Only signs in' });
    await programs.tokensFor(signIn, bea, { scope: 'openid' });
    await one(
      ada.client.from('project_members').insert({ project_id: project, user_id: bot, role: 'viewer' }).select(),
    );
    const client = await make({ name: 'Deploy here', project_ids: [project] });
    const service = await ask(client);

    const found = await listed(project);
    expect(found.map(({ name, user_id }) => [name, user_id])).toEqual(
      expect.arrayContaining([
        ['Planner', beaId],
        ['Deploy here', bot],
      ]),
    );
    expect(found.some(({ name }) => name === 'Only signs in')).toBe(false);
    expect(await refusedWith(bea.rpc('project_programs', { project_id: project }))).toBe('42501');
    const idOf = (called: string): string => found.find(({ name }) => name === called)?.id ?? '';
    const remove = (called: string, { rpc } = ada.client) =>
      rpc.call(ada.client, 'remove_program_from_project', { grant_id: idOf(called), project_id: project });
    expect(
      await refusedWith(bea.rpc('remove_program_from_project', { grant_id: idOf('Planner'), project_id: project })),
    ).toBe('42501');
    for (const called of ['Planner', 'Deploy here']) expect((await remove(called)).error).toBeNull();
    await untilRefused(tokens.body.access_token);
    await untilRefused(service.body.access_token);
    expect((await ask(client)).body.error).toBe('invalid_client');
    expect((await listed(project)).filter(({ name }) => ['Planner', 'Deploy here'].includes(name))).toEqual([]);
    expect(await refusedWith(remove('Planner'))).toBe('PT404');
    const [grant] = await app.sql<{ project_ids: string[] }>(
      'select to_jsonb(project_ids) as project_ids from auth.oauth_grants where client_id = $1',
      [planner.client_id],
    );
    expect(grant?.project_ids).toEqual([own.id]);
    const lines = await app.sql<{ name: string; change: unknown }>(
      `select subject ->> 'name' as name, change from public.access_log
       where project_id = $1 and subject ->> 'kind' = 'program' and subject ->> 'name' in ('Planner', 'Deploy here') order by id`,
      [project],
    );
    const line = (name: string, from: string | null, to: string | null) => ({ name, change: { scope: { from, to } } });
    expect(lines).toEqual([
      line('Planner', null, 'write'),
      line('Deploy here', null, 'write'),
      line('Planner', 'write', null),
      line('Deploy here', 'write', null),
    ]);
  });
});

test('operators make, list and remove clients of people', async () => {
  const root = await app.createUser({ name: 'Root' });
  await app.sql('update auth.users set is_operator = true where id = $1', [root.id]);
  const [session] = await app.sql<{ id: string }>('insert into auth.sessions (user_id) values ($1) returning id', [
    root.id,
  ]);
  const token = await app.services.sessions.sign(
    { sub: root.id, role: 'authenticated', aud: 'authenticated', session_id: session?.id },
    600,
  );
  const admin = async (method: string, path: string, body?: unknown, by = token) => {
    const answer = await app.request(`/api/admin${path}`, {
      ...{ method, token: by },
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const said = await answer.json();
    records?.keepSecret(said.client_secret ?? '');
    return { status: answer.status, body: said };
  };
  const given = { name: 'Reports', redirect_uris: ['https://reports.example/back'], is_confidential: true };
  expect((await admin('POST', '/clients', given, ada.token)).status).toBe(401);
  const made = (await admin('POST', '/clients', given)).body as Required<Registered>;
  expect(made.client_secret).toHaveLength(43);
  expect((await admin('GET', '/clients?words=reports')).body).toMatchObject({
    total: 1,
    clients: [{ id: made.client_id, name: 'Reports', is_confidential: true, registration: 'manual', people: 0 }],
  });
  const person = await programs.person();
  const { code, verifier } = await programs.codeFor(made, person, { redirect_uri: 'https://reports.example/back' });
  const next = (await admin('POST', `/clients/${made.client_id}/secret`)).body as Required<Registered>;
  expect((await programs.exchange(made, code, verifier)).body.error).toBe('invalid_client');
  expect((await programs.exchange(next, code, verifier)).status).toBe(200);
  // Newer, and found by the same words.
  const decoy = await programs.register({ client_name: `Decoy ${made.client_id}` });
  expect((await admin('POST', '/clients', { ...given, redirect_uris: ['http://evil.example/*'] })).status).toBe(400);
  expect((await admin('DELETE', `/clients/${made.client_id}`)).status).toBe(200);
  expect((await admin('DELETE', `/clients/${made.client_id}`)).status).toBe(404);
  expect((await admin('GET', '/log?words=Decoy')).body).toEqual([]);
  expect((await admin('GET', '/clients?words=Decoy')).body.clients).toMatchObject([{ id: decoy.client_id }]);
  const log = await admin('GET', '/log?words=Reports');
  expect(log.body.map(({ action }: { action: string }) => action)).toEqual([
    ...['client_deleted', 'client_created', 'client_secret_replaced', 'client_created'],
  ]);
});
