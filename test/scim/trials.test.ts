// Trials of SCIM: requests as Entra ID and Okta send them are answered and kept, change nothing, are previewed with what they would change, and applied
// as previewed.

import { beforeAll, expect, test } from 'vitest';
import { makeOperator, type Operator } from '../admin/operator.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject } from '../sql/board.ts';
import { applyTrial, groupSchema, makeProvider, previewTrial, signIn, userSchema } from './provider.ts';

const app = forSuite(startApp);
const owner = person(app, 'Olga Owner');
let operator: Operator;
let operatorId: string;
let count = 0;
beforeAll(async () => {
  operator = await makeOperator(app);
  operatorId = await idOf(operator.email);
});

const idOf = async (email: string): Promise<string> =>
  (await app.sql<{ id: string }>('select id from auth.users where email = $1', [email]))[0]?.id ?? '';

const trialOf = (id: string, step = '', body: object = {}) =>
  operator.ask('POST', `/providers/${id}/trial${step}`, body);
const preview = (id: string) => previewTrial(operator, id);
const apply = (id: string) => applyTrial(operator, id);

const onTrial = (name = `Trial ${++count}`) => makeProvider(app, operator, name, true);
const live = () => makeProvider(app, operator, `Live ${++count}`);

/** All that provisioning could change. */
const state = async () => {
  const [row] = await app.sql<{ state: string }>(`
    select jsonb_build_array(
      (select jsonb_agg(jsonb_build_array(id, email, banned_until, updated_at, email_confirmed_at) order by id) from auth.users),
      (select jsonb_agg(to_jsonb(g) order by id) from public.groups g),
      (select jsonb_agg(to_jsonb(m) order by group_id, user_id) from public.group_members m),
      (select jsonb_agg(jsonb_build_array(project_id, user_id, group_id, role) order by project_id, user_id, group_id) from public.project_members),
      (select count(*) from public.access_log), (select count(*) from auth.audit_log_entries), (select count(*) from public.profiles),
      (select jsonb_agg(to_jsonb(p) order by user_id) from private.scim_people p),
      (select jsonb_agg(to_jsonb(p) order by group_id) from private.scim_groups p)
    )::text as state`);
  return row?.state;
};
const names = ({ people }: { people: { name: string }[] }) => people.map(({ name }) => name);
const emailsOf = ({ people }: { people: { email: string }[] }) => people.map(({ email }) => email).sort();

/** A group of a provider that is in a project. */
async function inProject(group: string, role = 'editor') {
  const { project } = await makeProject(app, owner, `Harbour ${++count}`);
  await app.sql(
    'insert into public.project_members (project_id, group_id, role) values ($1, $2, $3::public.project_role)',
    [project, group, role],
  );
  const roles = async () =>
    app.sql<{ name: string; role: string }>(
      `select p.display_name as name, m.role from public.project_members m join public.profiles p on p.id = m.user_id
       where m.project_id = $1 and m.user_id <> $2 order by 1`,
      [project, owner.id],
    );
  return { project, roles };
}

test('requests of Entra ID are answered as ever, change nothing, and hold once they are applied', async () => {
  const entra = await onTrial('Entra ID');
  const before = await state();
  // The test of the connection: a filter that finds nobody.
  expect(await entra.send('GET', `/Users?filter=userName eq "${crypto.randomUUID()}"`)).toMatchObject({
    status: 200,
    body: { totalResults: 0, Resources: [] },
  });
  const ada = await entra.send('POST', '/Users', {
    schemas: [userSchema, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
    externalId: 'adal',
    userName: 'ada@entra.test',
    active: true,
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: 'ada@entra.test' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  });
  expect(ada).toMatchObject({ status: 201, body: { userName: 'ada@entra.test', active: true, groups: [] } });
  expect(ada.headers.get('etag')).toBe(ada.body.meta.version);
  const path = `/Users/${ada.body.id}`;
  expect((await entra.send('GET', `/Users?filter=userName eq "ADA@entra.test"`)).body.Resources).toEqual([ada.body]);
  const { body: group } = await entra.send('POST', '/Groups', {
    schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: 'g-1',
    displayName: 'Design',
    meta: { resourceType: 'Group' },
  });
  expect(
    await entra.patch(`/Groups/${group.id}`, {
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: ada.body.id }],
    }),
  ).toMatchObject({ status: 204 });
  expect(await entra.patch(path, { op: 'Replace', path: 'displayName', value: 'Countess Lovelace' })).toMatchObject({
    status: 200,
    body: { displayName: 'Countess Lovelace', groups: [{ value: group.id, display: 'Design' }] },
  });
  expect(await entra.patch(path, { op: 'Replace', path: 'active', value: 'False' })).toMatchObject({
    body: { active: false },
  });
  await entra.patch(path, { op: 'Replace', path: 'active', value: 'True' });
  expect(await state()).toBe(before);
  const link = await app.client({ key: app.serviceKey }).auth.admin.listUsers({ perPage: 1000 });
  expect(JSON.stringify(link.data)).not.toContain('ada@entra.test');

  expect(await preview(entra.id)).toMatchObject({
    refused: [],
    created: { total: 1, people: [{ id: ada.body.id, name: 'Countess Lovelace', email: 'ada@entra.test' }] },
    disabled: { total: 0 },
    groups: [{ id: group.id, name: 'Design', is_new: true, is_gone: false, joins: { total: 1 }, leaves: { total: 0 } }],
    projects: [],
  });
  // To look changes nothing.
  expect(await state()).toBe(before);
  const last = await entra.send('GET', path);
  const lastGroup = await entra.send('GET', `/Groups/${group.id}`);
  expect(await apply(entra.id)).toMatchObject({ status: 200, body: { refused: [] } });
  // Ids and entity tags hold on.
  expect((await entra.send('GET', path)).body).toEqual(last.body);
  expect((await entra.send('GET', `/Groups/${group.id}`)).body).toEqual(lastGroup.body);
  expect(await signIn(app, 'ada@entra.test')).toMatchObject({ error: null, id: ada.body.id });
  // From here on what it sends holds at once.
  await entra.patch(path, { op: 'Replace', path: 'active', value: 'False' });
  expect(
    await app.sql('select banned_until is not null as banned from auth.users where id = $1', [ada.body.id]),
  ).toEqual([{ banned: true }]);
  expect(await trialOf(entra.id, '/preview')).toMatchObject({ status: 409 });
});

test('requests of Okta on trial: a user is matched, pushed in groups, deactivated by PUT', async () => {
  const okta = await onTrial('Okta');
  const known = await app.createUser({ name: 'Known', email: 'known@okta.test' });
  const before = await state();
  expect(
    (await okta.send('GET', '/Users?filter=userName%20eq%20%22known%40okta.test%22&startIndex=1&count=100')).body
      .totalResults,
  ).toBe(0);
  const made = await okta.send('POST', '/Users', {
    schemas: [userSchema],
    userName: 'known@okta.test',
    name: { givenName: 'Known', familyName: 'Person' },
    emails: [{ primary: true, value: 'known@okta.test', type: 'work' }],
    displayName: 'Known Person',
    locale: 'en-US',
    externalId: '00u1',
    groups: [],
    password: 'not kept',
    active: true,
  });
  // The account of that address, which it would keep.
  expect(made).toMatchObject({ status: 201, body: { id: known.id } });
  const { body: gone } = await okta.send('POST', '/Users', {
    schemas: [userSchema],
    userName: 'gone@okta.test',
    active: true,
  });
  const { body: group } = await okta.send('POST', '/Groups', {
    schemas: [groupSchema],
    displayName: 'Crew',
    members: [
      { value: known.id, display: 'known@okta.test' },
      { value: gone.id, display: 'gone@okta.test' },
    ],
  });
  expect(
    await okta.send('PUT', `/Users/${gone.id}`, {
      schemas: [userSchema],
      id: gone.id,
      userName: 'gone@okta.test',
      active: false,
    }),
  ).toMatchObject({
    status: 200,
    body: { active: false },
  });
  expect(
    await okta.patch(`/Groups/${group.id}`, { op: 'replace', value: { id: group.id, displayName: 'Deck crew' } }),
  ).toMatchObject({ status: 204 });
  expect(await state()).toBe(before);
  const said = await preview(okta.id);
  expect(said).toMatchObject({
    created: { total: 0 },
    created_disabled: { total: 1 },
    adopted: { total: 1, people: [{ id: known.id, name: 'Known', email: 'known@okta.test' }] },
    groups: [{ name: 'Deck crew', joins: { total: 1, people: [{ name: 'Known' }] } }],
  });
  expect(await okta.send('DELETE', `/Users/${gone.id}`)).toMatchObject({ status: 204 });
  expect(await okta.found('/Users')).toEqual(['known@okta.test']);
  // What was looked at is no more what would be applied.
  expect(await trialOf(okta.id, '/apply', { version: said.version })).toMatchObject({
    status: 409,
    body: { code: 'KB804' },
  });
  expect(await state()).toBe(before);
  expect(await apply(okta.id)).toMatchObject({ status: 200, body: { refused: [] } });
  expect(await okta.found('/Users')).toEqual(['known@okta.test']);
  expect(await app.sql("select from auth.users where email = 'gone@okta.test'")).toEqual([]);
});

test('a provider that works is put on trial, and its changes are told by project and role', async () => {
  const entra = await live();
  const add = (name: string) => entra.addUser(`${name.toLowerCase()}${count}@change.test`, { displayName: name });
  const [ada, ben, cem] = [await add('Ada'), await add('Ben'), await add('Cem')];
  const design = await entra.addGroup(`Design ${count}`, [ada.id, ben.id]);
  const old = await entra.addGroup(`Old ${count}`, [cem.id]);
  const atlas = await inProject(design.id);
  const borea = await inProject(old.id, 'viewer');
  await app.sql("insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')", [
    atlas.project,
    cem.id,
  ]);
  const before = await state();
  expect((await trialOf(entra.id)).status).toBe(200);
  expect(await preview(entra.id)).toMatchObject({
    refused: [],
    created: { total: 0 },
    adopted: { total: 0 },
    groups: [],
    projects: [],
    renames: [],
  });
  // The same ids and tags as before.
  expect((await entra.send('GET', `/Users/${ada.id}`)).body.groups).toMatchObject([{ value: design.id }]);
  expect(
    await entra.send(
      'PATCH',
      `/Users/${ada.id}`,
      { Operations: [{ op: 'replace', path: 'active', value: false }] },
      { 'if-match': (await entra.send('GET', `/Users/${ada.id}`)).body.meta.version },
    ),
  ).toMatchObject({ status: 200, body: { active: false } });
  await entra.patch(`/Groups/${design.id}`, { op: 'add', path: 'members', value: [{ value: cem.id }] });
  const dora = await add('Dora');
  await entra.patch(`/Groups/${design.id}`, { op: 'add', path: 'members', value: [{ value: dora.id }] });
  await entra.send('DELETE', `/Groups/${old.id}`);
  await entra.send('DELETE', `/Users/${ben.id}`);
  expect(await state()).toBe(before);
  const said = await preview(entra.id);
  expect([names(said.created), names(said.disabled)]).toEqual([['Dora'], ['Ada', 'Ben']]);
  expect(said.groups).toMatchObject([
    { id: design.id, is_new: false, is_gone: false, joins: { total: 2 }, leaves: { total: 2 } },
    { id: old.id, is_gone: true, leaves: { total: 1 } },
  ]);
  const roles = said.projects.map(
    ({ id, changes }: { id: string; changes: { from: string; to: string; people: { name: string }[] }[] }) => [
      id,
      ...changes.map((change) => [change.from, change.to, ...names(change)]),
    ],
  );
  expect(roles).toEqual([
    [atlas.project, [null, 'editor', 'Dora'], ['viewer', 'editor', 'Cem'], ['editor', null, 'Ada', 'Ben']],
    [borea.project, ['viewer', null, 'Cem']],
  ]);
  expect(await state()).toBe(before);
  expect((await apply(entra.id)).body).toEqual({ refused: [] });
  expect(await atlas.roles()).toEqual([
    { name: 'Cem', role: 'editor' },
    { name: 'Dora', role: 'editor' },
  ]);
  expect(await borea.roles()).toEqual([]);
  // Who pressed the button did it.
  expect(
    await app.sql(
      `select distinct l.actor_id, l.provider from public.access_log l where l.project_id = $1 and l.subject ->> 'id' in ($2, $3) and l.change ? 'through'`,
      [atlas.project, dora.id, ben.id],
    ),
  ).toEqual([{ actor_id: operatorId, provider: null }]);
  const log = (await operator.ask('GET', '/log')).body as unknown as { action: string; subject: string }[];
  for (const action of ['scim_trial_started', 'scim_trial_applied'])
    expect(log).toContainEqual(expect.objectContaining({ action, subject: entra.name }));
});

test('guests by a group are told as guests of its tasks’ projects', async () => {
  const entra = await live();
  const ada = await entra.addUser(`guest${count}@change.test`, { displayName: 'Ada' });
  const group = await entra.addGroup(`Guests ${count}`);
  const { project, task } = await makeProject(app, owner, `Bay ${++count}`).then(async (made) => ({
    project: made.project,
    task: (
      await app.sql<{ id: string }>(
        'insert into public.tasks (project_id, column_id, title) select $1, id, $2 from public.workflow_columns where project_id = $1 order by position limit 1 returning id',
        [made.project, 'Moor the ship'],
      )
    )[0]?.id,
  }));
  await app.sql(
    "insert into public.task_grants (project_id, task_id, group_id, level, is_named) values ($1, $2, $3, 'see', true)",
    [project, task, group.id],
  );
  await trialOf(entra.id);
  await entra.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: ada.id }] });
  expect((await preview(entra.id)).projects).toMatchObject([
    { id: project, changes: [{ from: null, to: 'guest', total: 1 }] },
  ]);
});

test('somebody who signs up during a trial is the person whom the provider knows', async () => {
  const entra = await onTrial();
  const made = await entra.addUser('early@trial.test', { displayName: 'Early Bird' });
  const group = await entra.addGroup(`Early ${count}`, [made.id]);
  const early = await app.createUser({ name: 'Early', email: 'early@trial.test' });
  expect(early.id).not.toBe(made.id);
  expect(await preview(entra.id)).toMatchObject({ created: { total: 0 }, adopted: { people: [{ id: early.id }] } });
  expect((await apply(entra.id)).body).toEqual({ refused: [] });
  // By the id that the provider was given.
  expect((await entra.send('GET', `/Users/${made.id}`)).body).toMatchObject({
    id: made.id,
    groups: [{ value: group.id }],
  });
  expect((await entra.send('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: made.id }]);
  expect(await app.sql('select user_id from public.group_members where group_id = $1', [group.id])).toEqual([
    { user_id: early.id },
  ]);
  await entra.patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${made.id}"]` });
  expect(await app.sql('select user_id from public.group_members where group_id = $1', [group.id])).toEqual([]);
  await entra.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [{ value: made.id }] });
  expect(await entra.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false })).toMatchObject({
    status: 200,
    body: { id: made.id, active: false },
  });
  expect(await entra.send('DELETE', `/Users/${made.id}`)).toMatchObject({ status: 204 });
  expect(await entra.send('GET', `/Users/${made.id}`)).toMatchObject({ status: 404 });
  // Created anew, it is the account under its own id.
  expect((await entra.addUser('early@trial.test')).id).toBe(early.id);
});

test('refusals are those that would be, and what is refused when applied is left out and named', async () => {
  const [entra, other] = [await onTrial(), await live()];
  const boss = await makeOperator(app, `Boss ${++count}`);
  const bossId = await idOf(boss.email);
  await other.addUser('taken@trial.test');
  const taken = { status: 409, body: { scimType: 'uniqueness' } };
  expect(await entra.send('POST', '/Users', { userName: 'taken@trial.test' })).toMatchObject(taken);
  await entra.addUser('mine@trial.test');
  expect(await entra.send('POST', '/Users', { userName: 'MINE@trial.test' })).toMatchObject(taken);
  expect(
    await entra.send('POST', '/Users', { userName: 'mine2', emails: [{ value: 'mine@trial.test' }] }),
  ).toMatchObject(taken);
  expect((await entra.addUser(boss.email)).id).toBe(bossId);
  expect(await entra.patch(`/Users/${bossId}`, { op: 'replace', path: 'active', value: false })).toMatchObject({
    status: 403,
  });
  await entra.addGroup('Taken group');
  expect(await entra.send('POST', '/Groups', { displayName: 'taken GROUP' })).toMatchObject(taken);
  expect(
    await entra.send('POST', '/Groups', { displayName: 'Strangers', members: [{ value: crypto.randomUUID() }] }),
  ).toMatchObject({ status: 400 });

  // Another provider comes first.
  const late = await entra.addUser('late@trial.test', { displayName: 'Late' });
  const group = await entra.addGroup('Latecomers', [late.id, bossId]);
  await other.addUser('late@trial.test');
  const refused = [
    {
      kind: 'person',
      name: 'Late',
      email: 'late@trial.test',
      code: 'KB853',
      reason: 'Another provider keeps the account of this address',
    },
  ];
  expect((await preview(entra.id)).refused).toEqual(refused);
  expect((await apply(entra.id)).body).toEqual({ refused });
  expect(await entra.send('GET', `/Users/${late.id}`)).toMatchObject({ status: 404 });
  expect((await entra.send('GET', `/Groups/${group.id}`)).body.members).toMatchObject([{ value: bossId }]);
});

test('addresses and names that change places during a trial are applied all the same', async () => {
  const entra = await live();
  const [one, two] = [await entra.addUser('swap1@trial.test'), await entra.addUser('swap2@trial.test')];
  const move = (id: string, email: string) =>
    entra.send('PUT', `/Users/${id}`, { userName: email, emails: [{ value: email, primary: true }] });
  await trialOf(entra.id);
  expect((await move(one.id, 'swap3@trial.test')).status).toBe(200);
  await entra.send('DELETE', `/Users/${two.id}`);
  const again = await entra.addUser('swap2@trial.test', { displayName: 'Two again' });
  expect(again.id).toBe(two.id);
  expect(emailsOf((await preview(entra.id)).disabled)).toEqual([]);
  expect(await preview(entra.id)).toMatchObject({
    readdressed: [{ from: 'swap1@trial.test', to: 'swap3@trial.test' }],
    refused: [],
  });
  expect((await apply(entra.id)).status).toBe(200);
  expect([...(await entra.found('/Users'))].sort()).toEqual(['swap2@trial.test', 'swap3@trial.test']);
});

test('a trial that is started over forgets what was sent, and one that is applied empty changes nothing', async () => {
  const entra = await live();
  const ada = await entra.addUser(`over${++count}@trial.test`);
  await trialOf(entra.id);
  await entra.addUser('forgotten@trial.test');
  await entra.send('DELETE', `/Users/${ada.id}`);
  expect(await entra.found('/Users')).toEqual(['forgotten@trial.test']);
  const before = await state();
  await trialOf(entra.id);
  expect(await entra.found('/Users')).toEqual([ada.userName]);
  expect((await apply(entra.id)).body).toEqual({ refused: [] });
  expect(await state()).toBe(before);
});

test('requests at once, and one while the trial is applied, all end as they say', async () => {
  const entra = await onTrial();
  const emails = Array.from({ length: 8 }, (_, at) => `race${at}@trial.test`);
  const answers = await Promise.all(
    [...emails, ...emails].map((userName) => entra.send('POST', '/Users', { userName })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(201), ...Array(8).fill(409)]);
  const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
  const { version } = await preview(entra.id);
  const [applied, ...changed] = await Promise.all([
    trialOf(entra.id, '/apply', { version }),
    ...ids.map((id) => entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })),
  ]);
  expect(changed.map(({ status }) => status)).toEqual(Array(8).fill(200));
  if (applied?.status === 409) expect((await apply(entra.id)).status).toBe(200);
  expect(
    (await app.sql('select from auth.users where email like $1 and banned_until is not null', ['race%@trial.test']))
      .length,
  ).toBe(8);
});

test('people who are no operators neither look at trials nor apply them', async () => {
  const { id } = await onTrial();
  const somebody = await makeOperator(app, 'Sam');
  await app.sql('select private.set_operator($1, false)', [somebody.email]);
  for (const [step, body] of [
    ['', {}],
    ['/preview', {}],
    ['/apply', { version: 'x' }],
  ] as const)
    expect(await somebody.ask('POST', `/providers/${id}/trial${step}`, body)).toMatchObject({ status: 403 });
});
