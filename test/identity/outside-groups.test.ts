// Groups that an OpenID Connect issuer names: kept at each sign-in, with what they bring into projects.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { makeProject, one } from '../sql/board.ts';
import { startIssuer } from './issuer.ts';

const issuer = forSuite(() => startIssuer());
const app = forSuite(() =>
  startApp({
    settings: {
      AUTH_MANUAL_LINKING: 'true',
      AUTH_OIDC_NAME: 'acme',
      AUTH_OIDC_ISSUER: issuer.url,
      AUTH_OIDC_CLIENT_ID: 'kanbase',
      AUTH_OIDC_GROUPS_CLAIM: 'realm_access.roles',
      AUTH_OIDC_GROUPS: 'dock/crew=Dock workers, cn=cooks=Cooks',
      AUTH_OIDC_MORE: JSON.stringify([
        { name: 'other', issuer: issuer.url, clientId: 'kanbase', groupsClaim: 'groups' },
      ]),
    },
  }),
);
const owner = person(app, 'Olga Owner');

async function signIn(number: number, claims: Record<string, unknown>, provider = 'acme') {
  const token = await issuer.idToken({
    sub: `${provider}-${number}`,
    email: `worker${number}@example.test`,
    email_verified: true,
    ...claims,
  });
  const client = app.client();
  const { data, error } = await client.auth.signInWithIdToken({ provider: provider as 'google', token });
  if (error) throw error;
  return { client, id: data.user.id };
}
const roles = (...names: string[]) => ({ realm_access: { roles: names } });
const groupsOf = async (id: string) =>
  (
    await app.sql<{ name: string }>(
      'select g.name from public.groups g join public.group_members m on m.group_id = g.id where m.user_id = $1 order by 1',
      [id],
    )
  ).map(({ name }) => name);

test('a person is in the mapped groups that the issuer names, and in no others of it', async () => {
  const { id } = await signIn(1, roles('dock/crew', 'offline_access'));
  expect(await groupsOf(id)).toEqual(['Dock workers']);
  await signIn(1, roles('cn=cooks', 'dock/crew'));
  expect(await groupsOf(id)).toEqual(['Cooks', 'Dock workers']);
  await signIn(1, roles('cn=cooks'));
  expect(await groupsOf(id)).toEqual(['Cooks']);
  await signIn(1, {});
  expect(await groupsOf(id)).toEqual([]);
});

test('groups that are too many to be said in the token stay as they are', async () => {
  const { id } = await signIn(2, { groups: ['Sailors'] }, 'other');
  await signIn(2, { _claim_names: { groups: 'src1' } }, 'other');
  expect(await groupsOf(id)).toEqual(['Sailors']);
});

test('access by a group ends with the sign-in that no longer names it', async () => {
  const { project } = await makeProject(app, owner, 'Harbour');
  const { client, id } = await signIn(3, roles('dock/crew'));
  await app.sql(
    "insert into public.project_members (project_id, group_id, role) select $1, id, 'editor' from public.groups where name = 'Dock workers'",
    [project],
  );
  const role = () => one(client.rpc('current_project_role', { project_id: project }));
  expect(await role()).toBe('editor');
  await signIn(3, roles());
  expect(await client.rpc('current_project_role', { project_id: project })).toMatchObject({ data: null });
  expect(await app.sql('select from public.project_members where user_id = $1', [id])).toEqual([]);
});

test('a name that is taken, odd values and many of them do no harm', async () => {
  await app.sql("insert into public.groups (name) values ('Pilots')");
  const many = Array.from({ length: 700 }, (_, at) => `many ${at}`);
  const values = ['pilots', 'pilots', '', '  ', 7, null, { a: 1 }, 'x'.repeat(401), 'y'.repeat(300), ...many];
  const { id } = await signIn(4, { groups: values }, 'other');
  const names = await groupsOf(id);
  expect(names.length).toBe(500);
  expect(names).toContain('pilots · other');
  expect(await groupsOf((await signIn(5, { groups: 'Rowers' }, 'other')).id)).toEqual(['Rowers']);
});

test('no names that others took beforehand keep a person out of a group', async () => {
  for (const name of ['Stokers', 'Stokers · other'])
    await app.sql('insert into public.groups (name) values ($1)', [name]);
  const { id } = await signIn(9, { groups: ['Stokers'] }, 'other');
  expect(await groupsOf(id)).toEqual([expect.stringMatching(/^Stokers · other ./)]);
  expect(await groupsOf((await signIn(10, { groups: ['Stokers'] }, 'other')).id)).toEqual(await groupsOf(id));
});

test('two who bring a new group at once are both in it', async () => {
  const both = await Promise.all([6, 7].map((number) => signIn(number, { groups: ['Divers', 'Anglers'] }, 'other')));
  for (const { id } of both) expect(await groupsOf(id)).toEqual(['Anglers', 'Divers']);
});

test('groups of an identity end as it is unlinked, those by hand and of another issuer stay', async () => {
  const { client, id } = await signIn(8, { groups: ['Sailors'] }, 'other');
  await signIn(8, roles('cn=cooks'));
  expect(await groupsOf(id)).toEqual(['Cooks', 'Sailors']);
  const { data } = await client.auth.getUserIdentities();
  const identity = data?.identities.find(({ provider }) => provider === 'other');
  if (!identity) throw new Error('no identity');
  expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
  expect(await groupsOf(id)).toEqual(['Cooks']);
});
