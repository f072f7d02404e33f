// Groups by SCIM: their people come into projects and leave them in the same transaction, with lines in the access log that name the provider.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject, one } from '../sql/board.ts';
import { provider } from './provider.ts';

const app = forSuite(startApp);
const entra = provider(app, 'Entra');
const okta = provider(app, 'Okta');
const owner = person(app, 'Olga Owner');
let count = 0;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 6);

const newPerson = async (): Promise<string> => (await entra.addUser(`worker${++count}@example.test`)).id;

/** A group that is an editor of a project. */
async function crew(...members: string[]) {
  const group = await entra.addGroup(`Crew ${++count}`, members);
  const { project } = await makeProject(app, owner, 'Harbour');
  // By SQL, since an owner adds only groups that they see.
  await app.sql("insert into public.project_members (project_id, group_id, role) values ($1, $2, 'editor')", [
    project,
    group.id,
  ]);
  const inProject = async (): Promise<string[]> =>
    (
      await app.sql<{ user_id: string }>(
        'select user_id from public.project_members where project_id = $1 and user_id <> $2 order by user_id',
        [project, owner.id],
      )
    ).map(({ user_id }) => user_id);
  return { id: group.id as string, path: `/Groups/${group.id}`, project, inProject };
}

test('members of a group join its projects and leave them', async () => {
  const [ada, grace] = [await newPerson(), await newPerson()];
  const { path, inProject } = await crew(ada);
  expect(await inProject()).toEqual([ada]);
  expect(await entra.patch(path, { op: 'Add', path: 'members', value: [{ value: grace }] })).toMatchObject({
    status: 204,
  });
  expect(await inProject()).toEqual([ada, grace].sort());
  expect((await entra.send('GET', path)).body.members).toEqual(
    [ada, grace].sort().map((value) => ({
      ...{ value, $ref: `${app.url}/scim/v2/Users/${value}`, type: 'User' },
      display: expect.stringContaining('worker'),
    })),
  );
  expect((await entra.send('GET', `/Users/${grace}`)).body.groups).toMatchObject([{ type: 'direct' }]);
  await entra.patch(path, { op: 'remove', path: `members[value eq "${ada}"]` });
  expect(await inProject()).toEqual([grace]);
  await entra.send('PUT', path, { displayName: `Crew ${++count}`, members: [{ value: ada }] });
  expect(await inProject()).toEqual([ada]);
  await entra.patch(path, { op: 'remove', path: 'members' });
  expect(await inProject()).toEqual([]);
});

test('a deactivated person loses what the groups gave, and has it again when active', async () => {
  const ada = await newPerson();
  const { path, inProject } = await crew(ada);
  await entra.patch(`/Users/${ada}`, { op: 'replace', path: 'active', value: false });
  expect(await inProject()).toEqual([]);
  // The provider still has them in it.
  expect((await entra.send('GET', path)).body.members).toHaveLength(1);
  await entra.patch(`/Users/${ada}`, { op: 'replace', path: 'active', value: true });
  expect(await inProject()).toEqual([ada]);
  await entra.send('DELETE', `/Users/${ada}`);
  expect(await inProject()).toEqual([]);
  expect((await entra.send('GET', path)).body.members).toEqual([]);
});

test('a group that is removed takes along what it brought', async () => {
  const { path, inProject } = await crew(await newPerson());
  expect(await inProject()).toHaveLength(1);
  expect(await entra.send('DELETE', path)).toMatchObject({ status: 204 });
  expect(await inProject()).toEqual([]);
  expect(await entra.send('GET', path)).toMatchObject({ status: 404 });
});

test('lines of the access log name the provider', async () => {
  const ada = await newPerson();
  const { id, path, project } = await crew();
  await entra.patch(path, { op: 'add', path: 'members', value: [{ value: ada }] });
  const lines = await app.sql(
    `select actor_id, provider, object ->> 'kind' as object, change -> 'role' ->> 'to' as role from public.access_log
     where subject ->> 'id' = $1 order by id`,
    [ada],
  );
  expect(lines).toEqual([
    { actor_id: null, provider: 'Entra', object: 'group', role: null },
    { actor_id: null, provider: 'Entra', object: 'project', role: 'editor' },
  ]);
  // The owner reads it with its name, and finds it by that.
  const page = await one(owner.client.rpc('access_log_page', { project_id: project, words: 'entra' }));
  expect(page).toMatchObject([{ actor_id: null, actor: 'Entra', subject: { id: ada } }]);
  // What a person does here is theirs.
  await app.sql('delete from public.project_members where project_id = $1 and group_id = $2', [project, id]);
  expect(
    await app.sql("select provider from public.access_log where subject ->> 'id' = $1 and provider is not null", [id]),
  ).toEqual([]);
});

test('names that are taken: by the same provider refused, by a group kept by hand told apart', async () => {
  await owner.client.rpc('create_group', { name: 'Sales' });
  await app.sql("insert into public.groups (name) values ('Sales') on conflict do nothing");
  const group = await entra.addGroup('Sales');
  expect(group.displayName).toBe('Sales');
  expect(await app.sql('select name, source from public.groups where id = $1', [group.id])).toEqual([
    { name: 'Sales · Entra', source: 'scim' },
  ]);
  expect(await entra.send('POST', '/Groups', { displayName: 'sales' })).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness' },
  });
});

test('no names that others took beforehand keep a group away, or keep its name', async () => {
  for (const name of ['Night', 'Night · Entra', `Night · Entra ${md5('Night')}`])
    await app.sql('insert into public.groups (name) values ($1)', [name]);
  const group = await entra.addGroup('Night');
  expect(group.displayName).toBe('Night');
  const nameOf = async () => (await app.sql('select name from public.groups where id = $1', [group.id]))[0]?.name;
  expect(await nameOf()).toMatch(/^Night · Entra ./);
  await app.sql("insert into public.groups (name) values ('Day')");
  const renamed = await entra.patch(`/Groups/${group.id}`, { op: 'replace', path: 'displayName', value: 'Day' });
  expect(renamed.status).toBe(204);
  expect(await nameOf()).toBe('Day · Entra');
});

test('only people of the provider are members, and no groups', async () => {
  const stranger = await app.createUser({ name: 'Stranger' });
  const theirs = await okta.addUser('of-okta@example.test');
  const { path } = await crew();
  for (const value of [stranger.id, theirs.id, crypto.randomUUID(), 'x']) {
    const answer = await entra.patch(path, { op: 'add', path: 'members', value: [{ value }] });
    expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  }
  const inside = await entra.addGroup(`Inside ${++count}`);
  expect(
    await entra.patch(path, { op: 'add', path: 'members', value: [{ value: inside.id, type: 'Group' }] }),
  ).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  expect((await entra.send('GET', path)).body.members).toEqual([]);
});

test('groups of others are not there: another provider’s, and those kept by hand', async () => {
  const { id } = await crew();
  await app.sql("insert into public.groups (name) values ('By hand')");
  const [byHand] = await app.sql<{ id: string }>("select id from public.groups where name = 'By hand'");
  for (const one of [id, byHand?.id]) {
    const path = `/Groups/${one}`;
    const answers = [
      await okta.send('GET', path),
      await okta.send('PUT', path, { displayName: 'Mine' }),
      await okta.patch(path, { op: 'replace', path: 'displayName', value: 'Mine' }),
      await okta.send('DELETE', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  }
  expect(await okta.found('/Groups')).toEqual([]);
});

test('requests at once about the same people and groups all end as they say', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, newPerson));
  const [one, two] = [await crew(...people), await crew(...people)];
  const answers = await Promise.all(
    people.flatMap((id, at) => [
      entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: at % 2 === 0 }),
      entra.patch(one.path, { op: 'remove', path: `members[value eq "${id}"]` }),
      entra.patch(two.path, { op: 'add', path: 'members', value: [{ value: id }] }),
    ]),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
  expect(await one.inProject()).toEqual([]);
  expect(await two.inProject()).toEqual(people.filter((_, at) => at % 2 === 0).sort());
});

test('a group of a thousand comes and goes', async () => {
  await app.sql(
    `with made as (
       insert into auth.users (email, email_confirmed_at) select 'many' || n || '@example.test', now() from generate_series(1, 1000) n returning id, email
     ) insert into private.scim_people (user_id, provider_id, user_name, address) select id, $1, email, email from made`,
    [entra.id],
  );
  const people = await app.sql<{ id: string }>("select id from auth.users where email like 'many%'");
  const { path, inProject } = await crew(...people.map(({ id }) => id));
  expect(await inProject()).toHaveLength(1000);
  const gone = people.slice(0, 300).map(({ id }) => ({ op: 'remove', path: `members[value eq "${id}"]` }));
  expect(await entra.patch(path, ...gone)).toMatchObject({ status: 204 });
  expect(await inProject()).toHaveLength(700);
  const [listed] = (
    await entra.send('GET', `/Groups?filter=members.value eq "${people[999]?.id}"&excludedAttributes=members`)
  ).body.Resources;
  expect(listed).toMatchObject({ id: path.slice('/Groups/'.length) });
  expect(listed).not.toHaveProperty('members');
});
