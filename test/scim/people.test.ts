// People by SCIM: made or adopted, changed, deactivated and let in again, removed; and who is left alone.

import { expect, test, vi } from 'vitest';
import { makeOperator } from '../admin/operator.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openRaw } from '../realtime/subscribe.ts';
import { makeProject } from '../sql/board.ts';
import { makeProvider, provider, signIn } from './provider.ts';

const app = forSuite(startApp);
const entra = provider(app, 'Entra');
const okta = provider(app, 'Okta');

const account = async (id: string) =>
  (
    await app.sql<{ email: string; confirmed: boolean; banned: boolean; password: string | null; name: string }>(
      `select u.email, u.email_confirmed_at is not null as confirmed, coalesce(u.banned_until > now(), false) as banned,
        u.encrypted_password as password, p.display_name as name
       from auth.users u join public.profiles p on p.id = u.id where u.id = $1`,
      [id],
    )
  )[0];

test('a new person gets an account with a confirmed address and no password, and signs in', async () => {
  const made = await entra.addUser('grace@example.test', {
    displayName: 'Grace Hopper',
    externalId: 'entra-1',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    title: 'Rear admiral',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Navy' },
  });
  expect(made).toMatchObject({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'grace@example.test',
    externalId: 'entra-1',
    displayName: 'Grace Hopper',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    active: true,
    groups: [],
    meta: { resourceType: 'User', location: `${app.url}/scim/v2/Users/${made.id}` },
  });
  // No more of a person is kept than is used.
  expect(made).not.toHaveProperty('title');
  expect(await account(made.id)).toEqual({
    ...{ email: 'grace@example.test', confirmed: true, banned: false, password: null, name: 'Grace Hopper' },
  });
  expect(await signIn(app, 'grace@example.test')).toMatchObject({ error: null, id: made.id });
});

test('an account of that confirmed address is adopted as it is', async () => {
  const ada = await app.createUser({ name: 'Ada', email: 'ada@example.test' });
  const made = await entra.addUser('Ada@Example.test', { displayName: 'Countess Lovelace' });
  expect(made.id).toBe(ada.id);
  // A name that was chosen here stays.
  expect(await account(ada.id)).toMatchObject({ name: 'Ada', email: 'ada@example.test' });
});

test('an account whose address nobody proved loses what a stranger set up', async () => {
  const { data } = await app.client().auth.signUp({ email: 'squat@example.test', password: 'of the stranger' });
  const session = data.session?.access_token ?? '';
  const made = await entra.addUser('squat@example.test');
  expect(made.id).toBe(data.user?.id);
  expect(await account(made.id)).toMatchObject({ password: null, confirmed: true });
  await vi.waitFor(async () =>
    expect((await app.request('/auth/v1/user', { token: session })).status).toBeGreaterThanOrEqual(401),
  );
});

test('userName and address are taken once', async () => {
  await entra.addUser('twin@example.test');
  const refusal = { status: 409, body: { scimType: 'uniqueness', status: '409' } };
  expect(await entra.send('POST', '/Users', { userName: 'TWIN@example.test' })).toMatchObject(refusal);
  const emails = [{ value: 'twin@example.test' }];
  expect(await entra.send('POST', '/Users', { userName: 'twin2', emails })).toMatchObject(refusal);
  // By another provider neither.
  expect(await okta.send('POST', '/Users', { userName: 'twin@example.test' })).toMatchObject(refusal);
});

test('a changed address is the one of the account', async () => {
  const { id } = await entra.addUser('maiden@example.test', { displayName: 'Jean Jennings' });
  const next = await entra.send('PUT', `/Users/${id}`, {
    userName: 'married@example.test',
    displayName: 'Jean Bartik',
    emails: [{ value: 'married@example.test', primary: true }],
  });
  expect(next).toMatchObject({ status: 200, body: { active: true, displayName: 'Jean Bartik' } });
  expect(await account(id)).toMatchObject({ email: 'married@example.test', confirmed: true, name: 'Jean Bartik' });
  await app.createUser({ email: 'other@example.test' });
  const taken = { op: 'replace', path: 'emails[primary eq true].value', value: 'other@example.test' };
  expect(await entra.patch(`/Users/${id}`, taken)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
});

test('a person who is deactivated is out at once, and in again when active', async () => {
  const { id } = await entra.addUser('leaver@example.test');
  const { token } = await signIn(app, 'leaver@example.test');
  const socket = await openRaw(app);
  socket.send('1', '1', 'realtime:room', 'phx_join', { config: {}, access_token: token });
  expect(await socket.reply('1')).toMatchObject({ status: 'ok' });
  const closing = socket.frames.first(
    ([, , topic, event]) => topic === 'realtime:room' && event === 'phx_close',
    'a close',
  );

  const answer = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
  expect(answer).toMatchObject({ status: 200, body: { active: false } });
  await closing;
  socket.close();
  await vi.waitFor(async () => {
    for (const path of ['/auth/v1/user', '/rest/v1/projects?select=id'])
      expect((await app.request(path, { token })).status).toBe(401);
  });
  expect((await signIn(app, 'leaver@example.test')).error).not.toBeNull();

  expect(await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })).toMatchObject({
    body: { active: true },
  });
  expect((await signIn(app, 'leaver@example.test')).error).toBeNull();
});

test('push subscriptions end with the deactivation', async () => {
  const { id } = await entra.addUser('phone@example.test');
  const { client } = await signIn(app, 'phone@example.test');
  const { error } = await client.rpc('save_push_subscription', {
    ...{ endpoint: 'https://push.example/1', p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
  });
  expect(error).toBeNull();
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  expect(await app.sql('select id from public.push_subscriptions where user_id = $1', [id])).toEqual([]);
});

test('a ban by an operator is never lifted by the provider', async () => {
  const operator = await makeOperator(app);
  const { id } = await entra.addUser('banned@example.test');
  await operator.ask('POST', `/accounts/${id}/disable`, {});
  expect(await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).toMatchObject({
    status: 200,
    body: { active: false },
  });
  expect(await account(id)).toMatchObject({ banned: true });
});

test('a ban for some hours does not let a deactivated person in when it is over, and stays when they are activated', async () => {
  const admin = app.client({ key: app.serviceKey }).auth.admin;
  const until = async (id: string) =>
    (
      await app.sql<{ years: number }>(
        'select extract(year from banned_until)::int as years from auth.users where id = $1',
        [id],
      )
    )[0]?.years;
  const { id } = await entra.addUser('hours@example.test');
  await admin.updateUserById(id, { ban_duration: '24h' });
  const hours = await until(id);
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  expect(await until(id)).toBe(9999);
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
  expect(await until(id)).toBe(hours);
});

test('the name that others see is made of its parts where there is no other, and follows them', async () => {
  const { id } = await entra.addUser('parts@example.test', { name: { givenName: 'Mary', familyName: 'Jackson' } });
  expect(await account(id)).toMatchObject({ name: 'Mary Jackson' });
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'name.familyName', value: 'Winston' });
  expect(await account(id)).toMatchObject({ name: 'Mary Winston' });
  const { client } = await signIn(app, 'parts@example.test');
  await client.from('profiles').update({ display_name: 'MJ' }).eq('id', id);
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'name.familyName', value: 'Jackson' });
  expect(await account(id)).toMatchObject({ name: 'MJ' });
  const mine = (await client.rpc('export_my_data')).data as { provisioning: object };
  expect(mine.provisioning).toMatchObject({ provider: 'Entra', family_name: 'Jackson' });
});

test('a removed person is disabled, and comes back as the same account', async () => {
  const { id } = await entra.addUser('boomerang@example.test');
  expect(await entra.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: null });
  expect(await entra.send('GET', `/Users/${id}`)).toMatchObject({ status: 404 });
  expect(await entra.found('/Users?filter=userName eq "boomerang@example.test"')).toEqual([]);
  expect(await account(id)).toMatchObject({ banned: true });
  expect(await entra.addUser('boomerang@example.test')).toMatchObject({ id, active: true });
  expect(await account(id)).toMatchObject({ banned: false });
});

test('operators are neither deactivated, nor removed, nor given another address', async () => {
  const operator = await makeOperator(app, 'Root');
  const { id } = await entra.addUser(operator.email);
  const path = `/Users/${id}`;
  const answers = [
    await entra.patch(path, { op: 'replace', path: 'active', value: false }),
    await entra.send('DELETE', path),
    await entra.patch(path, { op: 'replace', path: 'emails[type eq "work"].value', value: 'mallory@example.test' }),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 403, body: { scimType: 'mutability' } });
    expect(answer.body.detail).toContain('operator');
  }
  expect(await account(id)).toMatchObject({ email: operator.email, banned: false });
});

test('the last owner of a project stays its owner while deactivated', async () => {
  const { id } = await entra.addUser('owner@example.test');
  const { client } = await signIn(app, 'owner@example.test');
  const { project } = await makeProject(app, { id, client } as never, 'Theirs');
  await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  expect(await app.sql('select role from public.project_members where project_id = $1', [project])).toEqual([
    { role: 'owner' },
  ]);
});

test('people of another provider, and of none, are not there', async () => {
  const { id } = await entra.addUser('mine@example.test');
  const stranger = await app.createUser({ name: 'Nobody’s' });
  for (const one of [id, stranger.id]) {
    const path = `/Users/${one}`;
    const answers = [
      await okta.send('GET', path),
      await okta.send('PUT', path, { userName: 'taken@example.test' }),
      await okta.patch(path, { op: 'replace', path: 'active', value: false }),
      await okta.send('DELETE', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await okta.found(`/Users?filter=id eq "${one}"`)).toEqual([]);
    expect(await account(one)).toMatchObject({ banned: false });
  }
  expect(await okta.found('/Users')).toEqual([]);
});

test('without its provider an account is like any other', async () => {
  const operator = await makeOperator(app);
  const short = await makeProvider(app, operator, 'Short-lived');
  const { id } = await short.addUser('orphan@example.test');
  const group = await short.addGroup('Orphans', [id]);
  expect(await operator.ask('POST', `/providers/${short.id}/remove`)).toMatchObject({ status: 200 });
  expect(await short.send('GET', '/Users')).toMatchObject({ status: 401 });
  expect(await account(id)).toMatchObject({ banned: false });
  expect(await app.sql('select source from public.groups where id = $1', [group.id])).toEqual([{ source: 'hand' }]);
  expect(await entra.addUser('orphan@example.test')).toMatchObject({ id });
});
