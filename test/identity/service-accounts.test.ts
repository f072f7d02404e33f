// Service accounts (docs/build/keys.md): made for a project or for oneself, working by keys, never signed in to, and ended with their owner.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { notedFetch } from '../helpers/records.ts';
import { whileHeld } from '../helpers/while-held.ts';
import { addMember, addTask, makeGroup, makeProject, one } from '../sql/board.ts';

const app = forSuite(() => startApp());
let ada: TestUser;
let bea: TestUser;
let web: string;
let shop: string;
let task: string;

beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  bea = await app.createUser({ name: 'Bea' });
  web = (await makeProject(app, ada, 'Web site')).project;
  shop = (await makeProject(app, ada, 'Shop')).project;
  await addMember(app, web, bea, 'editor');
  task = await addTask(app, ada, { project_id: web, title: 'Draft' });
});

interface Account {
  readonly id: string;
}
interface Key {
  readonly id: string;
  readonly token: string;
}

const make = (given: Record<string, unknown>, { client }: TestUser = ada): Promise<Account> =>
  one(client.rpc('create_service_account', { name: 'Release bot', ...given })) as Promise<Account>;

const keyOf = ({ id }: Account, given: Record<string, unknown> = {}, { client }: TestUser = ada): Promise<Key> =>
  one(
    client.rpc('create_service_account_key', { service_account_id: id, name: 'CI', scope: 'write', ...given }),
  ) as Promise<Key>;

const clientOf = (token: string): SupabaseClient =>
  createClient(app.url, token, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: notedFetch },
    realtime: { transport: WebSocket as never },
  });

const statusAt = async (path: string, token: string): Promise<number> =>
  (await app.request(path, { token: null, headers: { authorization: `Bearer ${token}` } })).status;
const untilRefused = (token: string): Promise<void> =>
  expect.poll(() => statusAt('/rest/v1/tasks', token)).toBe(401) as Promise<void>;

const refusedWith = async (answer: PromiseLike<{ error: { code: string } | null }>): Promise<string | undefined> =>
  (await answer).error?.code;
const join = (project: string, { id }: Account, role: string, { client }: TestUser = ada) =>
  client.from('project_members').insert({ project_id: project, user_id: id, role });
const roleIn = async (project: string, { id }: Account): Promise<string | undefined> =>
  (
    await app.sql<{ role: string }>('select role from public.project_members where project_id = $1 and user_id = $2', [
      project,
      id,
    ])
  )[0]?.role;
const isThere = async ({ id }: Account): Promise<boolean> =>
  (await app.sql('select from auth.users where id = $1', [id])).length > 0;

describe('of a project', () => {
  test('works by a key, and is named in history, comments and assignments', async () => {
    const bot = await make({ project_id: web });
    const { id, token } = await keyOf(bot, { name: 'Nightly', project_ids: [web] });
    const client = clientOf(token);
    expect(await one(client.from('projects').select('name'))).toEqual([{ name: 'Web site' }]);
    await one(client.from('tasks').update({ title: 'Built' }).eq('id', task).select());
    const [comment] = await one(client.from('task_comments').insert({ task_id: task, body: 'Green' }).select());
    const program = { kind: 'key', sub: id, name: 'Nightly' };
    expect(comment).toMatchObject({ author_id: bot.id, program });
    const lines = await one(
      ada.client.from('task_activity').select('actor_id, program').eq('task_id', task).order('id'),
    );
    expect(lines.at(-1)).toEqual({ actor_id: bot.id, program });
    const [profile] = await one(bea.client.from('profiles').select().eq('id', bot.id));
    expect(profile).toMatchObject({
      display_name: 'Release bot',
      is_service_account: true,
      avatar_url: '/icons/service-account.svg',
    });
    await one(ada.client.from('task_assignees').insert({ task_id: task, user_id: bot.id }).select());
    await one(
      ada.client
        .from('task_comments')
        .insert({ task_id: task, body: `@[Bot](${bot.id}) again` })
        .select(),
    );
    const news = await one(
      clientOf((await keyOf(bot)).token)
        .from('notifications')
        .select('kind')
        .eq('task_id', task),
    );
    expect(news).toEqual([{ kind: 'mentioned' }]);
    expect(
      await app.sql('select way from private.notification_deliveries where user_id = $1', [bot.id]),
      'nothing is mailed',
    ).toEqual([]);
  });

  test('is managed by its owners alone', async () => {
    const bot = await make({ project_id: web });
    for (const who of [bea, await app.createUser()]) {
      expect(await one(who.client.from('service_accounts').select())).toEqual([]);
      const rpc = (name: string, args: Record<string, unknown> = {}) =>
        refusedWith(who.client.rpc(name, { service_account_id: bot.id, ...args }));
      expect(await rpc('create_service_account_key', { name: 'CI', scope: 'read' })).toBe('PT404');
      expect(await rpc('create_service_account_client', { name: 'CI', scope: 'read' })).toBe('PT404');
      expect(await rpc('service_account_clients')).toBe('PT404');
      expect(await rpc('delete_service_account')).toBe('PT404');
    }
    expect(await refusedWith(bea.client.rpc('create_service_account', { name: 'Mine', project_id: web }))).toBe(
      '42501',
    );
    expect(await refusedWith(bea.client.rpc('create_service_account', { name: 'Mine', project_id: shop }))).toBe(
      'PT404',
    );
    expect(
      await refusedWith(bea.client.from('profiles').update({ display_name: 'Mine' }).eq('id', bot.id).select()),
    ).toBe('42501');
    await one(ada.client.from('profiles').update({ display_name: 'Deploy bot' }).eq('id', bot.id).select());
    const { token } = await keyOf(bot);
    // It manages none itself, and no other key of a person does.
    for (const program of [token, (await one(ada.client.rpc('create_api_key', { name: 'CI', scope: 'write' }))).token])
      expect(await refusedWith(clientOf(program).rpc('create_service_account', { name: 'Next' }))).toBe('42501');
  });

  test('is in no other project, in no group, no guest, no owner, and makes no project', async () => {
    const bot = await make({ project_id: web });
    expect(await refusedWith(join(shop, bot, 'viewer'))).toBe('42501');
    expect(
      await refusedWith(ada.client.rpc('create_service_account', { name: 'x', project_id: web, role: 'owner' })),
    ).toBe('42501');
    const up = ada.client.from('project_members').update({ role: 'owner' }).eq('user_id', bot.id).select();
    expect(await refusedWith(up)).toBe('42501');
    const group = await makeGroup(app, ada);
    expect(await refusedWith(ada.client.from('group_members').insert({ group_id: group, user_id: bot.id }))).toBe(
      '42501',
    );
    const other = await addTask(app, ada, { project_id: shop, title: 'Sell' });
    const grant = ada.client.from('task_grants').insert({ project_id: shop, task_id: other, user_id: bot.id });
    expect(await refusedWith(grant)).not.toBeUndefined();
    const { token } = await keyOf(bot);
    expect(await refusedWith(clientOf(token).rpc('create_project_with_defaults', { name: 'Own' }))).toBe('42501');
    expect(await refusedWith(clientOf(token).rpc('duplicate_project', { project_id: web, name: 'Two' }))).toBe('42501');
  });

  test('is not counted among people', async () => {
    const owner = await app.createUser();
    const { project } = await makeProject(app, owner, 'Small');
    await app.sql(
      `insert into billing.plans (price_id, name, limits, is_enforced) values ('free', 'Free', '{"members_per_project": 2}', true)
       on conflict (price_id) do update set limits = excluded.limits, is_enforced = true`,
    );
    try {
      await make({ project_id: project }, owner);
      await make({ project_id: project }, owner);
      await addMember(app, project, bea, 'viewer');
      await make({ project_id: project }, owner);
      await expect(addMember(app, project, ada, 'viewer')).rejects.toThrow(/allows 2 members/);
    } finally {
      await app.sql(`update billing.plans set is_enforced = false where price_id = 'free'`);
    }
  });

  test('is deleted by an owner: its keys end, and its work stays', async () => {
    const bot = await make({ project_id: web });
    const { token } = await keyOf(bot);
    const [comment] = await one(clientOf(token).from('task_comments').insert({ task_id: task, body: 'Mine' }).select());
    await one(ada.client.rpc('delete_service_account', { service_account_id: bot.id }));
    await untilRefused(token);
    expect(await isThere(bot)).toBe(false);
    const kept = await one(ada.client.from('task_comments').select('author_id, body').eq('id', comment.id));
    expect(kept).toEqual([{ author_id: null, body: 'Mine' }]);
    const lines = await app.sql<{ name: string }>(
      `select subject ->> 'name' as name from public.access_log where subject ->> 'id' = $1 order by id`,
      [bot.id],
    );
    expect(lines).toEqual([{ name: 'Release bot' }, { name: 'Release bot' }]);
  });

  test('goes and comes back with its project, and ends with it', async () => {
    const { project } = await makeProject(app, ada, 'Short');
    const bot = await make({ project_id: project, role: 'viewer' });
    const { token } = await keyOf(bot, { scope: 'read' });
    const names = async (): Promise<unknown> => one(clientOf(token).from('projects').select('name'));
    expect(await names()).toEqual([{ name: 'Short' }]);
    await one(ada.client.from('projects').delete().eq('id', project).select());
    expect(await names()).toEqual([]);
    await one(ada.client.rpc('restore_project', { project_id: project }));
    expect(await names()).toEqual([{ name: 'Short' }]);
    expect(await roleIn(project, bot)).toBe('viewer');
    await one(ada.client.from('projects').delete().eq('id', project).select());
    await one(ada.client.rpc('end_deleted_project', { project_id: project }));
    await app.sql('select private.end_deleted_projects()');
    expect(await isThere(bot)).toBe(false);
    await untilRefused(token);
  });

  test('keeps no project alone', async () => {
    const owner = await app.createUser();
    const { project } = await makeProject(app, owner, 'Alone');
    const bot = await make({ project_id: project }, owner);
    await app.sql(`select private.end_account(u, '{"by": "operator"}') from auth.users u where u.id = $1`, [owner.id]);
    expect(await app.sql('select from public.projects where id = $1', [project])).toEqual([]);
    expect(await isThere(bot)).toBe(false);
  });
});

describe('of a person', () => {
  test('is added to projects by their owners, and does no more there than the person', async () => {
    const bot = await make({}, bea);
    expect(await one(bea.client.from('profiles').select('display_name').eq('id', bot.id))).toEqual([
      { display_name: 'Release bot' },
    ]);
    expect(await refusedWith(join(shop, bot, 'viewer'))).toBe('42501');
    expect(await refusedWith(join(web, bot, 'editor'))).toBeUndefined();
    const { token } = await keyOf(bot, {}, bea);
    expect((await one(clientOf(token).from('tasks').select('id'))).length).toBe(1);
    await one(
      ada.client
        .from('project_members')
        .update({ role: 'viewer' })
        .eq('project_id', web)
        .eq('user_id', bea.id)
        .select(),
    );
    expect(await roleIn(web, bot)).toBe('viewer');
    const up = ada.client.from('project_members').update({ role: 'editor' }).eq('user_id', bot.id).select();
    expect(await refusedWith(up)).toBe('42501');
    await one(ada.client.from('project_members').delete().eq('project_id', web).eq('user_id', bea.id).select());
    expect(await roleIn(web, bot)).toBeUndefined();
    expect(await one(clientOf(token).from('tasks').select('id'))).toEqual([]);
    await addMember(app, web, bea, 'editor');
  });

  test('stays where a group brings its owner in again', async () => {
    const cem = await app.createUser({ name: 'Cem' });
    const { project } = await makeProject(app, ada, 'Grouped');
    const group = await makeGroup(app, ada);
    await app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, cem.id]);
    await app.sql(`insert into public.project_members (project_id, group_id, role) values ($1, $2, 'viewer')`, [
      project,
      group,
    ]);
    await app.sql(`update public.project_members set own_role = 'editor' where project_id = $1 and user_id = $2`, [
      project,
      cem.id,
    ]);
    const bot = await make({}, cem);
    await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      project,
      bot.id,
    ]);
    await app.sql('update public.project_members set own_role = null where project_id = $1 and user_id = $2', [
      project,
      cem.id,
    ]);
    expect(await roleIn(project, bot)).toBe('viewer');
    await one(ada.client.from('projects').delete().eq('id', project).select());
    await one(ada.client.rpc('restore_project', { project_id: project }));
    expect(await roleIn(project, bot)).toBe('viewer');
    await app.sql('delete from public.group_members where group_id = $1 and user_id = $2', [group, cem.id]);
    expect(await roleIn(project, bot)).toBeUndefined();
  });

  test.each([
    ['a new password', `update auth.users set encrypted_password = 'x' where id = $1`, true],
    ['a ban', `update auth.users set banned_until = now() + interval '1 day' where id = $1`, true],
    ['a soft deletion', 'update auth.users set deleted_at = now() where id = $1', false],
    ['the account', 'delete from auth.users where id = $1', false],
  ])('its keys end with %s of its owner', async (_, change, stays) => {
    const owner = await app.createUser();
    const { project } = await makeProject(app, owner);
    const bot = await make({}, owner);
    expect(await refusedWith(join(project, bot, 'editor', owner))).toBeUndefined();
    const { token } = await keyOf(bot, {}, owner);
    expect(await statusAt('/rest/v1/tasks', token)).toBe(200);
    await app.sql(change, [owner.id]);
    await untilRefused(token);
    expect(await isThere(bot)).toBe(stays);
  });

  test('its end is told before the account ends', async () => {
    const owner = await app.createUser();
    await make({ name: 'Mine' }, owner);
    expect(await one(owner.client.rpc('my_account_end'))).toMatchObject({ service_accounts: ['Mine'] });
    expect(await one(owner.client.rpc('export_my_data'))).toMatchObject({ service_accounts: [{ name: 'Mine' }] });
  });

  test('there are fifty at most', async () => {
    const owner = await app.createUser();
    for (let n = 0; n < 50; n++) await app.asUser(owner.id, `select public.create_service_account('Bot')`);
    expect(await refusedWith(owner.client.rpc('create_service_account', { name: 'One more' }))).toBe('PT400');
  });
});

describe('keys and clients', () => {
  test('of projects that others work in are told of before the account of who made them ends', async () => {
    const [leaver, other] = [await app.createUser(), await app.createUser()];
    const { project } = await makeProject(app, leaver, 'Stays');
    await addMember(app, project, other, 'owner');
    const alone = (await makeProject(app, leaver, 'Goes')).project;
    for (const of of [project, alone]) {
      const bot = await make({ project_id: of }, leaver);
      await keyOf(bot, { name: 'Nightly' }, leaver);
      const client = { service_account_id: bot.id, name: 'Deploys', scope: 'read' };
      await one(leaver.client.rpc('create_service_account_client', client));
      if (of === project) await keyOf(bot, { name: 'Theirs' }, other);
    }
    expect(await one(leaver.client.rpc('my_account_end'))).toMatchObject({
      programs: [
        { name: 'Deploys', project_name: 'Stays' },
        { name: 'Nightly', project_name: 'Stays' },
      ],
    });
  });

  test.each([
    ['a new password', `update auth.users set encrypted_password = 'x' where id = $1`],
    ['a ban', `update auth.users set banned_until = now() + interval '1 day' where id = $1`],
    ['deletion', 'delete from auth.users where id = $1'],
  ])('of a project’s service account end with %s of who made them, and no others', async (_, change) => {
    const [leaver, other] = [await app.createUser(), await app.createUser()];
    const { project } = await makeProject(app, leaver);
    await addMember(app, project, other, 'owner');
    const bot = await make({ project_id: project }, leaver);
    const [mine, theirs] = [await keyOf(bot, {}, leaver), await keyOf(bot, {}, other)];
    const addClient = ({ client }: TestUser, name: string) =>
      one(client.rpc('create_service_account_client', { service_account_id: bot.id, name, scope: 'read' })) as Promise<{
        client_id: string;
      }>;
    await addClient(leaver, 'Made');
    await addClient(other, 'Kept');
    // Its new secret is known to who replaced it.
    const replace = async ({ client }: TestUser, { client_id }: { client_id: string }) =>
      one(client.rpc('rotate_service_account_client', { client_id }));
    await replace(leaver, await addClient(other, 'Replaced'));
    await replace(other, await addClient(leaver, 'Taken over'));
    await app.sql(change, [leaver.id]);
    await untilRefused(mine.token);
    expect(await statusAt('/rest/v1/tasks', theirs.token)).toBe(200);
    const left = await one(other.client.rpc('service_account_clients', { service_account_id: bot.id }));
    expect(left.map(({ name }: { name: string }) => name)).toEqual(['Taken over', 'Kept']);
  });

  test.each([
    ['a key of a person', `select public.create_api_key('CI', 'read') from public.service_accounts where id = $1`],
    ['a key', `select public.create_service_account_key($1, 'CI', 'read')`],
    ['a client', `select public.create_service_account_client($1, 'CI', 'read')`],
    [
      'another secret',
      `select public.rotate_service_account_client((c ->> 'client_id')::uuid)
       from jsonb_array_elements(public.service_account_clients($1)) c`,
    ],
  ])('are not made by a session that a new password ends meanwhile: %s', async (_, text) => {
    const person = await app.createUser();
    const { project } = await makeProject(app, person);
    const bot = await make({ project_id: project }, person);
    await one(
      person.client.rpc('create_service_account_client', { service_account_id: bot.id, name: 'CI', scope: 'read' }),
    );
    const [session] = await app.sql<{ id: string }>('insert into auth.sessions (user_id) values ($1) returning id', [
      person.id,
    ]);
    const claims = { sub: person.id, role: 'authenticated', session_id: session?.id };
    const answer = await whileHeld({
      ...{ app, row: 'select from auth.users where id = $1', id: person.id },
      ask: () =>
        app.asUser(claims, text, [bot.id]).then(
          () => 'made',
          ({ message }: Error) => message,
        ),
      meanwhile: async (held) => {
        await held.query(`update auth.users set encrypted_password = 'x' where id = $1`, [person.id]);
        await held.query('delete from auth.sessions where user_id = $1', [person.id]);
      },
    });
    expect(answer).toBe('your session has ended');
    const open = await app.sql(
      'select from public.api_keys where user_id in ($1, $2) and revoked_at is null union all select from auth.oauth_clients where service_account_id = $2',
      [person.id, bot.id],
    );
    expect(open).toEqual([]);
  });
});

test('no sign-in works for one, not even one set up with the service key', async () => {
  const bot = await make({ project_id: web });
  const { auth } = app.client({ key: app.serviceKey });
  for (const change of [{ email: 'bot@example.test' }, { password: 'secret12' }, { phone: '+491701234567' }]) {
    const { error } = await auth.admin.updateUserById(bot.id, change);
    expect(error?.code).toBe('validation_failed');
  }
  for (const statement of [
    'insert into auth.sessions (user_id) values ($1)',
    `insert into auth.identities (user_id, provider, provider_id) values ($1, 'github', '1')`,
    `insert into auth.mfa_factors (user_id, factor_type) values ($1, 'totp')`,
    'update auth.users set is_operator = true where id = $1',
  ])
    await expect(app.sql(statement, [bot.id])).rejects.toThrow(/service.account/);
  const { token } = await keyOf(bot);
  expect((await app.call('PUT', '/auth/v1/user', { password: 'secret12' }, token)).status).toBe(403);
});

test('reach_of and explain_access know service accounts and keys', async () => {
  const bot = await make({ project_id: web });
  const key = await keyOf(bot, { scope: 'comment' });
  const own = (await one(ada.client.rpc('create_api_key', { name: 'CI', scope: 'read', project_ids: [shop] }))) as Key;
  const reach = (subject: string, { client }: TestUser = ada) => client.rpc('reach_of', { subject });
  const of = { rule: 'service_account', project_id: web };
  expect(await one(reach(bot.id))).toMatchObject([
    { project_id: web, role: 'editor', sees: true, comments: true, changes: true, manages: false },
  ]);
  expect(await one(reach(key.id))).toMatchObject([
    {
      ...{ project_id: web, sees: true, comments: true, changes: false, manages: false },
      reasons: expect.arrayContaining([
        expect.objectContaining(of),
        expect.objectContaining({ rule: 'key', scope: 'comment', words: 'CI', by: bot.id }),
      ]),
    },
  ]);
  expect(await one(reach(own.id))).toMatchObject([
    { project_id: shop, role: 'owner', sees: true, comments: false, changes: false, manages: false },
  ]);
  // Of others' keys an owner learns what they reach of theirs; a stranger nothing.
  const beas = (await one(bea.client.rpc('create_api_key', { name: 'CI', scope: 'write' }))) as Key;
  expect((await one(reach(beas.id))).map(({ project_id }: { project_id: string }) => project_id)).toEqual([web]);
  expect(await refusedWith(reach(own.id, bea))).toBe('PT404');
  expect(await refusedWith(reach(key.id, bea))).toBe('PT404');
  await one(ada.client.rpc('revoke_api_key', { key_id: own.id }));
  expect(await one(reach(own.id))).toEqual([]);
  const [explained] = await one(ada.client.rpc('explain_access', { object: task, person: bot.id }));
  expect(explained.reasons).toEqual(expect.arrayContaining([expect.objectContaining(of)]));
});

test('operators see and end all of them, and they are no accounts of people there', async () => {
  const root = await app.createUser({ name: 'Root' });
  await app.sql('update auth.users set is_operator = true where id = $1', [root.id]);
  const [session] = await app.sql<{ id: string }>('insert into auth.sessions (user_id) values ($1) returning id', [
    root.id,
  ]);
  const token = await app.services.sessions.sign(
    { sub: root.id, role: 'authenticated', aud: 'authenticated', session_id: session?.id },
    600,
  );
  const bot = await make({ project_id: web, name: 'Forgotten bot' });
  const key = await keyOf(bot);
  const ask = async (path: string, method = 'GET') => {
    const answer = await app.request(`/api/admin${path}`, { method, token });
    return { status: answer.status, body: await answer.json() };
  };
  expect((await ask('/service-accounts?words=forgotten')).body).toMatchObject({
    total: 1,
    accounts: [{ id: bot.id, project_name: 'Web site', keys: 1, clients: 0, projects: 1 }],
  });
  expect((await ask('/keys?words=forgotten')).body).toMatchObject({
    total: 1,
    keys: [{ id: key.id, account: 'Forgotten bot', is_service_account: true, email: null }],
  });
  expect((await ask('/accounts?words=forgotten')).body.total).toBe(0);
  expect((await ask(`/service-accounts/${bot.id}`, 'DELETE')).status).toBe(200);
  await untilRefused(key.token);
  expect((await ask(`/service-accounts/${bot.id}`, 'DELETE')).status).toBe(404);
  expect((await ask('/log?words=Forgotten')).body).toMatchObject([{ action: 'service_account_deleted' }]);
});
