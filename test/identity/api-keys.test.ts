// Keys of people (docs/build/keys.md): made, sent at every door as the official client sends them, narrowed, noted, and ended at once.

import { createHash } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';
import { notedFetch } from '../helpers/records.ts';
import { hangUp, subscribe } from '../realtime/subscribe.ts';
import { addTask, makeProject, one } from '../sql/board.ts';

const app = forSuite(() => startApp());
let ada: TestUser;
let web: string;
let shop: string;
let task: string;

beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  web = (await makeProject(app, ada, 'Web site')).project;
  shop = (await makeProject(app, ada, 'Shop')).project;
  task = await addTask(app, ada, { project_id: web, title: 'Draft' });
  await addTask(app, ada, { project_id: shop, title: 'Sell' });
});

interface Key {
  readonly id: string;
  readonly token: string;
}
const make = (given: Record<string, unknown> = {}, { client }: TestUser = ada): Promise<Key> =>
  one(client.rpc('create_api_key', { name: 'CI', scope: 'write', ...given }));

/** As a program is told to: the key and nothing else. */
const clientOf = (token: string): SupabaseClient =>
  createClient(app.url, token, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: notedFetch },
    realtime: { transport: WebSocket as never },
  });

const statusAt = async (path: string, token: string): Promise<number> =>
  (await app.request(path, { token: null, headers: { authorization: `Bearer ${token}` } })).status;

test('the text is shown once, bears a checksum, and only its hash is stored', async () => {
  const { id, token, ...row } = await make({ name: ' Nightly ', scope: 'read', project_ids: [web], days: 7 });
  expect(token).toMatch(/^kb_[0-9a-f]{48}$/);
  expect(token.slice(43)).toBe(createHash('sha256').update(token.slice(0, 43)).digest('hex').slice(0, 8));
  expect(row).toMatchObject({
    name: 'Nightly',
    scope: 'read',
    project_ids: [web],
    prefix: token.slice(0, 9),
    user_id: ada.id,
  });
  const [listed] = await one(ada.client.from('api_keys').select().eq('id', id));
  expect(JSON.stringify(listed)).not.toContain(token);
  const [{ kept }] = (await app.sql(
    `select encode(token_hash, 'hex') as kept from private.api_key_secrets where key_id = $1`,
    [id],
  )) as [{ kept: string }];
  expect(kept).toBe(createHash('sha256').update(token).digest('hex'));
});

test('a client that is given the key alone, as build/keys shows, gets through every door', async () => {
  const { token } = await make({ project_ids: [web] });
  const client = clientOf(token);
  expect(await one(client.from('tasks').select('title'))).toEqual([{ title: 'Draft' }]);
  expect(await one(client.rpc('search_tasks', { query: 'Sell' }))).toEqual([]);
  expect(await one(client.rpc('current_project_role', { project_id: web }))).toBe('owner');
  const file = `${web}/${task}/notes.txt`;
  await one(client.storage.from('attachments').upload(file, new Blob(['On it'])));
  const stored = await one(client.storage.from('attachments').download(file));
  expect(await stored.text()).toBe('On it');
  expect(
    (await client.storage.from('attachments').upload(`${shop}/${task}/x.txt`, new Blob(['x']))).error,
  ).not.toBeNull();
  const channel = client.channel(`project:${web}`, { config: { private: true } });
  await subscribe(channel);
  await hangUp(client);
  const { data } = await client.auth.getUser(token);
  expect(data.user?.id).toBe(ada.id);
});

test('the program of build/keys reads tasks with the key alone', async () => {
  const { token } = await make({ project_ids: [web] });
  const block = filledIn(guideBlock('build/keys', 'js', 'createClient('), { 'https://board.example.com': app.url });
  const given = ['createClient', 'KEY', `${block}\nreturn tasks;`] as const;
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...parts: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<unknown>;
  const create = (url: string, key: string): SupabaseClient => {
    expect(url).toBe(app.url);
    return clientOf(key);
  };
  expect(await new AsyncFunction(...given)(create, token)).toEqual([{ title: 'Draft' }]);
});

test.each(['/rest/v1/tasks', '/storage/v1/object/list/attachments', '/auth/v1/user'])(
  'the key alone as Bearer is enough at %s',
  async (path) => {
    const { token } = await make();
    const method = path.includes('list') ? 'POST' : 'GET';
    const answer = await app.request(path, {
      token: null,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify({ prefix: '' }) } : {}),
    });
    expect(answer.status).toBe(200);
  },
);

test('a text that only looks like a key is refused', async () => {
  const { token } = await make();
  const wrong = `kb_${'0'.repeat(48)}`;
  const unknown = `kb_${'1'.repeat(40)}`;
  const whole = unknown + createHash('sha256').update(unknown).digest('hex').slice(0, 8);
  for (const one of [wrong, whole, token.slice(0, -1), `${token}0`])
    expect(await statusAt('/rest/v1/tasks', one)).toBe(401);
  // Beside the key of somebody a person's token is no key.
  const { status } = await app.request('/rest/v1/tasks', { token: ada.token, headers: { apikey: token } });
  expect(status).toBe(401);
});

test('a key changes neither account nor keys, and is no operator', async () => {
  await app.sql('update auth.users set is_operator = true where id = $1', [ada.id]);
  const { id, token } = await make();
  const ask = async (method: string, path: string, body: unknown = {}): Promise<number> =>
    (
      await app.request(path, {
        method,
        token,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      })
    ).status;
  expect(await ask('PUT', '/auth/v1/user', { password: 'another long password' })).toBe(403);
  expect(await ask('POST', '/auth/v1/logout?scope=global')).toBe(403);
  expect(await ask('POST', '/auth/v1/factors', { factor_type: 'totp' })).toBe(403);
  expect(await ask('GET', '/auth/v1/reauthenticate')).toBe(403);
  expect(await ask('GET', '/api/admin/keys')).toBe(403);
  expect(await ask('POST', '/rest/v1/rpc/create_api_key', { name: 'Wider', scope: 'write' })).toBe(403);
  expect(await ask('POST', '/rest/v1/rpc/revoke_api_key', { key_id: id })).toBe(403);
  expect(await ask('POST', '/rest/v1/rpc/delete_my_account', { email: ada.email })).toBe(403);
  expect(await ask('POST', '/api/billing/create-portal', { returnUrl: app.url })).toBe(401);
  await app.sql('update auth.users set is_operator = false where id = $1', [ada.id]);
});

test('a revoked key is refused at once, and its channels are closed', async () => {
  const { id, token } = await make();
  const client = clientOf(token);
  const closed = new Promise<void>((resolve) => {
    client
      .channel(`project:${web}`, { config: { private: true } })
      .on('system', {}, ({ status }: { status: string }) => status === 'error' && resolve())
      .subscribe((state) => state === 'SUBSCRIBED' && void ada.client.rpc('revoke_api_key', { key_id: id }).then());
  });
  expect(await statusAt('/rest/v1/tasks', token)).toBe(200);
  await closed;
  for (const path of ['/rest/v1/tasks', '/auth/v1/user', '/storage/v1/bucket'])
    expect([400, 401]).toContain(await statusAt(path, token));
  await hangUp(client);
});

/** The news travels through Postgres: the request after it has come is refused. */
async function untilRefused(token: string): Promise<void> {
  await expect.poll(() => statusAt('/rest/v1/tasks', token)).toBe(401);
}

test.each([
  ['a new password', `update auth.users set encrypted_password = '$2a$10$' || repeat('x', 53) where id = $1`],
  ['a ban', `update auth.users set banned_until = now() + interval '1 day' where id = $1`],
  ['the end of the account', 'delete from auth.users where id = $1'],
])('keys end with %s', async (_what, sql) => {
  const bea = await app.createUser({ name: 'Bea' });
  const { token } = await make({}, bea);
  expect(await statusAt('/rest/v1/tasks', token)).toBe(200);
  await app.sql(sql, [bea.id]);
  await untilRefused(token);
});

test('a sign-out everywhere leaves keys alone', async () => {
  const bea = await app.createUser({ name: 'Bea' });
  const { token } = await make({}, bea);
  await app.sql('select auth.raise_epoch_of($1)', [bea.id]);
  expect(await statusAt('/rest/v1/tasks', token)).toBe(200);
});

test('a key reaches no project that its person has left', async () => {
  const bea = await app.createUser({ name: 'Bea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    web,
    bea.id,
  ]);
  const { token } = await make({ project_ids: [web] }, bea);
  const titles = async (): Promise<unknown> => one(clientOf(token).from('tasks').select('title'));
  expect(await titles()).toEqual([{ title: 'Draft' }]);
  await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [web, bea.id]);
  expect(await titles()).toEqual([]);
});

test('owners see the keys that reach their project and take it out of their reach', async () => {
  const bea = await app.createUser({ name: 'Bea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    web,
    bea.id,
  ]);
  const own = (await makeProject(app, bea, 'Own')).project;
  const [all, named] = [await make({ name: 'All' }, bea), await make({ name: 'Named', project_ids: [web] }, bea)];
  const listed = (await one(ada.client.rpc('project_api_keys', { project_id: web }))) as {
    id: string;
    user_id: string;
  }[];
  expect(listed.filter(({ user_id }) => user_id === bea.id).map(({ id }) => id)).toEqual([named.id, all.id]);
  for (const { id } of [all, named])
    await app.asUser(ada.id, 'select public.remove_api_key_from_project($1, $2)', [id, web]);
  await untilRefused(named.token);
  await expect.poll(async () => one(clientOf(all.token).from('projects').select('id'))).toEqual([{ id: own }]);
  const lines = await app.sql<{ name: string; change: unknown }>(
    `select subject ->> 'name' as name, change from public.access_log
     where project_id = $1 and subject ->> 'user_id' = $2 and subject ->> 'kind' = 'key' order by id`,
    [web, bea.id],
  );
  const line = (name: string, from: string | null, to: string | null): object => ({
    name,
    change: { scope: { from, to } },
  });
  expect(lines).toEqual([
    line('All', null, 'write'),
    line('Named', null, 'write'),
    line('All', 'write', null),
    line('Named', 'write', null),
  ]);
});

test('its last use is noted with the address', async () => {
  const { id, token } = await make();
  expect(await statusAt('/rest/v1/tasks', token)).toBe(200);
  await expect
    .poll(async () => (await one(ada.client.from('api_keys').select('last_used_address').eq('id', id))).at(0))
    .toEqual({ last_used_address: '127.0.0.1' });
});

test('history and comments name the key, and no body forges one', async () => {
  const { id, token } = await make({ name: 'Release bot', project_ids: [web] });
  const client = clientOf(token);
  const program = { kind: 'key', sub: id, name: 'Release bot' };
  await one(client.from('tasks').update({ title: 'Released' }).eq('id', task).select());
  const [comment] = await one(client.from('task_comments').insert({ task_id: task, body: 'Done' }).select());
  expect(comment).toMatchObject({ author_id: ada.id, program });
  const lines = await one(
    client.from('task_activity').select('kind, actor_id, program').eq('task_id', task).order('id'),
  );
  expect(lines.at(0)).toEqual({ kind: 'created', actor_id: ada.id, program: null });
  expect(lines.slice(-2)).toEqual([
    { kind: 'updated', actor_id: ada.id, program },
    { kind: 'commented', actor_id: ada.id, program },
  ]);
  const bea = await app.createUser({ name: 'Bea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    web,
    bea.id,
  ]);
  await one(client.from('task_assignees').insert({ task_id: task, user_id: bea.id }).select());
  const told = await one(bea.client.from('notifications').select('actor_id, program').eq('kind', 'assigned'));
  expect(told).toEqual([{ actor_id: ada.id, program }]);
  const forged = { task_id: task, body: 'By nobody', program: { kind: 'key', name: 'Somebody' } };
  for (const by of [client, ada.client]) {
    const { error } = await by.from('task_comments').insert(forged);
    expect(error?.code).toBe('42501');
  }
});

test('operators see open keys and end them', async () => {
  const root = await app.createUser({ name: 'Root' });
  await app.sql('update auth.users set is_operator = true where id = $1', [root.id]);
  const [session] = await app.sql<{ id: string }>(`insert into auth.sessions (user_id) values ($1) returning id`, [
    root.id,
  ]);
  const token = await app.services.sessions.sign(
    { sub: root.id, role: 'authenticated', aud: 'authenticated', session_id: session?.id },
    600,
  );
  const key = await make({ name: 'Forgotten' });
  const page = (await (await app.request('/api/admin/keys', { token })).json()) as {
    keys: { id: string; email: string }[];
  };
  expect(page.keys.find(({ id }) => id === key.id)).toMatchObject({ name: 'Forgotten', email: ada.email });
  expect((await app.request(`/api/admin/keys/${key.id}`, { method: 'DELETE', token })).status).toBe(200);
  await untilRefused(key.token);
});
