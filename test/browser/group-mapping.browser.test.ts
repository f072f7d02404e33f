// Mapping of single sign-on groups on the admin pages: lines are written, previewed with names, and applied to everybody. The provider is a stand-in
// that speaks OpenID Connect.

import { afterAll, expect, test } from 'vitest';
import { type Issuer, startIssuer } from '../identity/issuer.ts';
import { offences } from './accessibility.ts';
import { expectGoodLooks } from './looks.ts';
import { type Site, startSite, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let site: Site;
let issuer: Issuer;
let olga: Visitor;

eachStory(
  async (opened) => {
    site = opened;
    olga = await site.visit();
    return [olga];
  },
  async () => {
    issuer = await startIssuer();
    return startSite({
      AUTH_OIDC_NAME: 'acme',
      AUTH_OIDC_ISSUER: issuer.url,
      AUTH_OIDC_CLIENT_ID: 'kanbase',
    });
  },
);
afterAll(() => issuer?.close());

async function signIn(name: string, groups: readonly string[]): Promise<void> {
  const token = await issuer.idToken({
    sub: name,
    email: `${name.toLowerCase()}@example.test`,
    email_verified: true,
    name,
    groups,
  });
  const { error } = await site.app.client().auth.signInWithIdToken({ provider: 'acme' as 'google', token });
  expect(error).toBeNull();
}
const peopleOf = async (group: string) =>
  (
    await site.app.sql<{ name: string }>(
      `select p.display_name as name from public.groups g join public.group_members m on m.group_id = g.id
       join public.profiles p on p.id = m.user_id where g.name = $1 order by 1`,
      [group],
    )
  ).map(({ name }) => name);

test('an administrator previews who would join and leave, applies it, and everybody is in their groups', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await page.goto('/admin/provisioning');
  const section = page.getByRole('region', { name: t('admin.mapping.title') });
  await section.getByText(t('admin.mapping.noClaim')).waitFor();

  // Under State, the claim.
  await page.goto('/admin');
  const claim = page.getByLabel(t('admin.change.names.AUTH_OIDC_GROUPS_CLAIM'));
  await claim.fill('groups');
  const saved = page.waitForResponse((response) => response.url().endsWith('/settings/AUTH_OIDC_GROUPS_CLAIM'));
  await claim.press('Enter');
  expect((await saved).status()).toBe(200);
  await page.goto('/admin/provisioning');
  await section.getByText(t('admin.mapping.all')).waitFor();
  await section.getByRole('button', { name: t('admin.mapping.preview') }).click();
  await section.getByText(t('admin.mapping.basis', { n: 0 })).waitFor();

  for (const [name, groups] of [
    ['Ada', ['design']],
    ['Ben', ['design', 'cn=ops,ou=harbour']],
    ['Cem', ['cn=ops,ou=harbour']],
  ] as const)
    await signIn(name, groups);
  expect(await peopleOf('design')).toEqual(['Ada', 'Ben']);

  // The group is an editor of Atlas, where Ben is a viewer.
  const owner = await site.app.createUser({ name: 'Owner' });
  const { data } = await owner.client.rpc('create_project_with_defaults', { name: 'Atlas' });
  await site.app.sql(
    `insert into public.project_members (project_id, user_id, group_id, role)
     select $1::uuid, null, id, 'editor'::public.project_role from public.groups where name = 'design'
     union all select $1, id, null, 'viewer' from public.profiles where display_name = 'Ben'`,
    [(data as { id: string }).id],
  );

  await page.reload();
  await section.getByRole('button', { name: t('admin.mapping.addValue', { value: 'cn=ops,ou=harbour' }) }).click();
  await section.getByLabel(t('admin.mapping.group'), { exact: true }).fill('');
  await section.getByRole('button', { name: t('admin.mapping.preview') }).click();
  await section.getByText(t('admin.mapping.missing')).waitFor();
  await section.getByLabel(t('admin.mapping.group'), { exact: true }).fill('Operations');
  await section.getByText(t('admin.mapping.people', { n: 2 })).waitFor();
  await section.getByRole('button', { name: t('admin.mapping.preview') }).click();
  await section.getByText(t('admin.mapping.rename', { from: 'cn=ops,ou=harbour', to: 'Operations' })).waitFor();
  await section.getByText(t('admin.mapping.leaves', { n: 2, name: 'design' })).waitFor();
  await section.getByText('Ada (ada@example.test), Ben (ben@example.test)').waitFor();
  const [editor, viewer] = [t('common.roles.editor'), t('common.roles.viewer')];
  await section.getByText(t('admin.access.changes', { n: 1, from: editor, to: viewer, project: 'Atlas' })).waitFor();
  await section.getByText(t('admin.access.loses', { n: 1, role: editor, project: 'Atlas' })).waitFor();
  await section.getByText(t('admin.mapping.basis', { n: 3 })).waitFor();
  expect(await offences(page)).toEqual([]);
  await expectGoodLooks(olga.page, 'mapping-preview');
  expect(await peopleOf('design')).toEqual(['Ada', 'Ben']);

  // Another line is another question.
  await section.getByRole('button', { name: t('admin.mapping.add'), exact: true }).click();
  await section.getByText(t('admin.mapping.leaves', { n: 2, name: 'design' })).waitFor({ state: 'detached' });
  expect(await section.getByRole('button', { name: t('admin.mapping.apply') }).count()).toBe(0);
  await section.getByRole('button', { name: t('admin.mapping.remove', { value: '2' }), exact: true }).click();
  await section.getByRole('button', { name: t('admin.mapping.preview') }).click();
  await section.getByRole('button', { name: t('admin.mapping.apply') }).click();
  await section.getByText(t('admin.mapping.applied')).waitFor();
  expect(await peopleOf('Operations')).toEqual(['Ben', 'Cem']);
  expect(await peopleOf('design')).toEqual([]);
  await expectGoodLooks(olga.page, 'mapping-applied');

  // The next one who signs in, too.
  await signIn('Dora', ['cn=ops,ou=harbour']);
  expect(await peopleOf('Operations')).toEqual(['Ben', 'Cem', 'Dora']);
});
