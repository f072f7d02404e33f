// Mapping of an OpenID Connect provider's groups at the admin door: previewed by what the provider said last, applied to everybody at once, and locked
// where the environment sets it.

import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { startIssuer } from '../identity/issuer.ts';
import { makeProject } from '../sql/board.ts';
import { makeOperator, type Operator } from './operator.ts';

const issuer = forSuite(() => startIssuer());
const asIssuer = () => ({
  AUTH_MANUAL_LINKING: 'true',
  AUTH_OIDC_NAME: 'acme',
  AUTH_OIDC_ISSUER: issuer.url,
  AUTH_OIDC_CLIENT_ID: 'kanbase',
});
const app = forSuite(() => startApp({ settings: asIssuer() }));
const locked = forSuite(() =>
  startApp({ settings: { ...asIssuer(), AUTH_OIDC_GROUPS_CLAIM: 'groups', AUTH_OIDC_GROUPS: 'crew=Crew' } }),
);
let operator: Operator;
beforeAll(async () => {
  operator = await makeOperator(app);
});

async function signIn(on: TestApp, name: string, groups: readonly unknown[]) {
  const token = await issuer.idToken({
    sub: `acme-${name}`,
    email: `${name}@example.test`,
    email_verified: true,
    name,
    groups,
  });
  const client = on.client();
  const { data, error } = await client.auth.signInWithIdToken({ provider: 'acme' as 'google', token });
  if (error) throw error;
  return { client, id: data.user.id };
}
const groupsOf = async (id: string) =>
  (
    await app.sql<{ name: string }>(
      'select g.name from public.groups g join public.group_members m on m.group_id = g.id where m.user_id = $1 order by 1',
      [id],
    )
  ).map(({ name }) => name);
const preview = (groups: readonly object[], who = operator) => who.ask('POST', '/group-mapping/preview', { groups });
const apply = (groups: readonly object[], who = operator) => who.ask('PUT', '/group-mapping', { groups });
const set = (name: string, value: string | null) => operator.ask('PUT', `/settings/${name}`, { value });

test('a mapping is previewed with the people who would join and leave, and applied exactly so', async () => {
  await set('AUTH_OIDC_GROUPS_CLAIM', null);
  expect((await preview([])).body).toMatchObject({
    code: 'KB804',
    message: expect.stringContaining('AUTH_OIDC_GROUPS_CLAIM'),
  });
  // Nothing is stored while no claim is named.
  await signIn(app, 'zoe', ['design']);
  expect(await app.sql('select from auth.said_groups')).toEqual([]);
  expect((await set('AUTH_OIDC_GROUPS_CLAIM', 'groups')).status).toBe(200);
  expect((await apply([{ value: 'ops', name: 'Operations' }])).status).toBe(200);

  const ada = await signIn(app, 'ada', ['design', 'ops']);
  const ben = await signIn(app, 'ben', ['design', 'cn=cooks,ou=kitchen']);
  const cem = await signIn(app, 'cem', ['ops']);
  expect(await Promise.all([ada, ben, cem].map(({ id }) => groupsOf(id)))).toEqual([
    ['Operations'],
    [],
    ['Operations'],
  ]);
  expect((await operator.ask('GET', '/group-mapping')).body).toEqual({
    provider: 'acme',
    claim: 'groups',
    is_locked: false,
    groups: [{ value: 'ops', name: 'Operations' }],
    people: 3,
    values: [
      { value: 'design', people: 2 },
      { value: 'ops', people: 2 },
      { value: 'cn=cooks,ou=kitchen', people: 1 },
    ],
  });

  const wanted = [
    { value: 'design', name: 'Design' },
    { value: 'cn=cooks,ou=kitchen', name: 'Cooks' },
  ];
  const person = (name: string, { id }: { id: string }) => ({ id, name, email: `${name}@example.test` });
  const operations = (await app.sql<{ id: string }>(`select id from public.groups where name = 'Operations'`))[0]?.id;
  // Operations edit Atlas, which Cem is a viewer of, and see a task of Borea; Cooks are not there yet.
  const owner = await app.createUser({ name: 'Olga Owner' });
  const [atlas, borea] = [await makeProject(app, owner, 'Atlas'), await makeProject(app, owner, 'Borea')];
  await app.sql(
    "insert into public.project_members (project_id, user_id, group_id, role) values ($1, $2, null, 'viewer'), ($1, null, $3, 'editor')",
    [atlas.project, cem.id, operations],
  );
  await app.sql(
    `insert into public.tasks (project_id, column_id, title) select $1, id, 'Moor' from public.workflow_columns where project_id = $1 and kind = 'todo'`,
    [borea.project],
  );
  await app.sql(
    `insert into public.task_grants (project_id, task_id, group_id, level, is_named) select project_id, id, $2, 'see', true from public.tasks where project_id = $1`,
    [borea.project, operations],
  );
  const rolesOf = () =>
    app.sql(
      'select user_id, role from public.project_members where project_id = $1 and user_id <> $2 order by user_id',
      [atlas.project, owner.id],
    );
  const roles = await rolesOf();
  expect((await preview(wanted)).body).toEqual({
    people: 3,
    renames: [],
    projects: [
      {
        id: atlas.project,
        name: 'Atlas',
        changes: [
          { from: 'editor', to: 'viewer', total: 1, people: [person('cem', cem)] },
          { from: 'editor', to: null, total: 1, people: [person('ada', ada)] },
        ],
      },
      {
        id: borea.project,
        name: 'Borea',
        changes: [{ from: 'guest', to: null, total: 2, people: [person('ada', ada), person('cem', cem)] }],
      },
    ],
    groups: [
      { id: null, name: 'Cooks', joining: 1, leaving: 0, joins: [person('ben', ben)], leaves: [] },
      { id: null, name: 'Design', joining: 2, leaving: 0, joins: [person('ada', ada), person('ben', ben)], leaves: [] },
      {
        id: operations,
        name: 'Operations',
        joining: 0,
        leaving: 2,
        joins: [],
        leaves: [person('ada', ada), person('cem', cem)],
      },
    ],
  });
  // To look changes nothing.
  expect(await groupsOf(cem.id)).toEqual(['Operations']);
  expect(await rolesOf()).toEqual(roles);
  expect((await apply(wanted)).status).toBe(200);
  expect(await rolesOf()).toEqual([{ user_id: cem.id, role: 'viewer' }]);
  expect(await Promise.all([ada, ben, cem].map(({ id }) => groupsOf(id)))).toEqual([
    ['Design'],
    ['Cooks', 'Design'],
    [],
  ]);
  expect((await preview(wanted)).body).toEqual({ people: 3, renames: [], groups: [], projects: [] });
  // The next sign-in says the same.
  await signIn(app, 'ben', ['design', 'cn=cooks,ou=kitchen']);
  expect(await groupsOf(ben.id)).toEqual(['Cooks', 'Design']);

  const renamed = wanted.map((pair) => (pair.value === 'design' ? { ...pair, name: 'Design team' } : pair));
  expect((await preview(renamed)).body).toMatchObject({ renames: [{ from: 'Design', to: 'Design team' }], groups: [] });
  expect((await apply(renamed)).status).toBe(200);
  expect(await groupsOf(ada.id)).toEqual(['Design team']);
  const log = (await operator.ask('GET', '/log')).body as unknown as { action: string; subject: string }[];
  expect(log).toContainEqual(expect.objectContaining({ action: 'setting_changed', subject: 'AUTH_OIDC_GROUPS' }));
});

test('groups that were said go with the identity, are bounded, and are read by nobody', async () => {
  await set('AUTH_OIDC_GROUPS_CLAIM', 'groups');
  const { id, client } = await signIn(app, 'dora', [
    'design',
    'x'.repeat(401),
    ...Array.from({ length: 1500 }, (_, n) => `g${n}`),
  ]);
  const said = () =>
    app.sql<{ n: number }>(
      'select cardinality(s.groups) as n from auth.said_groups s join auth.identities i on i.id = s.identity_id where i.user_id = $1',
      [id],
    );
  expect(await said()).toEqual([{ n: 1000 }]);
  const rights = await app.sql(
    `select r.rolname from pg_roles r where not r.rolsuper and r.oid <> (select relowner from pg_class where oid = 'auth.said_groups'::regclass)
       and r.rolname !~ '^pg_' and has_table_privilege(r.oid, 'auth.said_groups', 'select, insert, update, delete, truncate')
       and not pg_has_role(r.oid, (select relowner from pg_class where oid = 'auth.said_groups'::regclass), 'usage')`,
  );
  expect(rights).toEqual([]);
  expect(JSON.stringify((await client.auth.getUser()).data)).not.toContain('g1000');
  await app.sql(
    `insert into auth.identities (user_id, provider, provider_id, identity_data) values ($1::uuid, 'email', $1::text, '{}')`,
    [id],
  );
  const { data } = await client.auth.getUserIdentities();
  const identity = data?.identities.find(({ provider }) => provider === 'acme');
  if (!identity) throw new Error('no identity');
  expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
  expect([await said(), await groupsOf(id)]).toEqual([[], []]);
});

test('a mapping of the environment is previewed and not changed', async () => {
  const other = await makeOperator(locked);
  await signIn(locked, 'eve', ['crew', 'deck']);
  expect((await other.ask('GET', '/group-mapping')).body).toMatchObject({
    is_locked: true,
    groups: [{ value: 'crew', name: 'Crew' }],
  });
  expect((await preview([{ value: 'deck', name: 'Deck' }], other)).body).toMatchObject({
    groups: [
      { name: 'Crew', leaving: 1 },
      { name: 'Deck', joining: 1 },
    ],
  });
  expect(await apply([{ value: 'deck', name: 'Deck' }], other)).toMatchObject({ status: 409, body: { code: 'KB804' } });
});

test('lines that do not fit, and people who are no operators, are refused', async () => {
  await set('AUTH_OIDC_GROUPS_CLAIM', 'groups');
  for (const groups of [
    [{ value: ' ', name: 'A' }],
    [{ value: 'a', name: 'A=B' }],
    [
      { value: 'a', name: 'A' },
      { value: 'a', name: 'B' },
    ],
    [
      { value: 'a', name: 'A' },
      { value: 'b', name: 'a' },
    ],
    [{ value: 'a' }],
  ])
    for (const send of [preview, apply])
      expect(await send(groups)).toMatchObject({ status: 400, body: { code: 'KB805' } });
  const somebody = await makeOperator(app, 'Sam');
  await app.sql('select private.set_operator($1, false)', [somebody.email]);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/preview'],
    ['PUT', ''],
  ] as const) {
    const answer = await app.request(`/api/admin/group-mapping${path}`, {
      method,
      token: somebody.token,
      ...(method === 'GET' ? {} : { body: '{"groups": []}', headers: { 'content-type': 'application/json' } }),
    });
    expect(answer.status).toBe(403);
  }
});

test('the right to make groups changes without a restart', async () => {
  const { client } = await app.createUser({ name: 'Mia Maker' });
  const make = async (name: string) => (await client.rpc('create_group', { name })).error?.code;
  expect(await make('Before')).toBe('42501');
  expect((await set('GROUPS_MADE_BY', 'everyone')).status).toBe(200);
  await expect.poll(() => make('Meanwhile')).toBeUndefined();
  expect((await set('GROUPS_MADE_BY', null)).status).toBe(200);
  await expect.poll(() => make('After')).toBe('42501');
});

test.each([
  ['two groups', 2],
  ['three groups', 3],
])('names that %s of a mapping exchange are previewed and applied, and people stay in them', async (_, many) => {
  expect((await set('AUTH_OIDC_GROUPS_CLAIM', 'groups')).status).toBe(200);
  const values = Array.from({ length: many }, (_one, at) => `exchange-${many}-${at}`);
  const named = (by: number) => values.map((value, at) => ({ value, name: `Exchange ${many} ${(at + by) % many}` }));
  expect((await apply(named(0))).status).toBe(200);
  const { id } = await signIn(app, `exchange${many}`, values);
  const groups = async () =>
    app.sql<{ id: string; name: string }>(
      'select g.id, g.name from public.groups g join public.group_members m on m.group_id = g.id where m.user_id = $1 order by g.external_id',
      [id],
    );
  const before = await groups();
  expect(before.map(({ name }) => name)).toEqual(named(0).map(({ name }) => name));
  const renames = named(0).map(({ name }, at) => ({ from: name, to: named(1)[at]?.name }));
  expect((await preview(named(1))).body).toMatchObject({ renames });
  expect(await groups()).toEqual(before);
  expect((await apply(named(1))).status).toBe(200);
  expect(await groups()).toEqual(before.map(({ id: group }, at) => ({ id: group, name: named(1)[at]?.name })));
});

test('names of a mapping that a group of its own keeps are not taken', async () => {
  expect((await set('AUTH_OIDC_GROUPS_CLAIM', 'groups')).status).toBe(200);
  const values = ['kept-a', 'kept-b'];
  const [first, second] = values as [string, string];
  expect(
    (
      await apply([
        { value: first, name: 'Kept A' },
        { value: second, name: 'Kept B' },
      ])
    ).status,
  ).toBe(200);
  const { id } = await signIn(app, 'kept', values);
  await app.sql(`insert into public.groups (name) values ('Kept C')`);
  // The second would move on to a name that is taken, so that the first cannot follow either.
  const wanted = [
    { value: first, name: 'Kept B' },
    { value: second, name: 'Kept C' },
  ];
  expect((await preview(wanted)).body).toMatchObject({ renames: [] });
  expect((await apply(wanted)).status).toBe(200);
  expect(await groupsOf(id)).toEqual(['Kept A', 'Kept B']);
});
