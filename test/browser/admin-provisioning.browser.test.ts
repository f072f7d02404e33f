// Identity providers on the admin pages: added with a token that is shown once and works at the SCIM API, given another, revoked, removed.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { expectGoodLooks } from './looks.ts';
import type { Site, Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let site: Site;
let olga: Visitor;

eachStory(async (opened) => {
  site = opened;
  olga = await site.visit();
  return [olga];
});

/** The page and its dialogs wide and narrow, light and dark. */
const asProvider = async (token: string): Promise<number> =>
  (await fetch(`${site.app.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })).status;

test('a provider is added, connects, gets another token, loses the first, and is removed', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await page.goto('/admin/provisioning');
  await page.getByText(t('admin.scim.none')).waitFor();
  await expectGoodLooks(olga.page, 'provisioning-empty');

  await page.getByRole('button', { name: t('admin.scim.create') }).click();
  const dialog = page.getByRole('dialog', { name: t('admin.scim.create') });
  await dialog.getByRole('button', { name: t('admin.scim.create') }).click();
  await dialog.getByText(t('admin.scim.nameMissing')).waitFor();
  await dialog.getByLabel(t('common.name')).fill('Entra ID');
  await page.keyboard.press('Enter');
  await dialog.getByText(t('admin.scim.made', { name: 'Entra ID' })).waitFor();
  const token = await dialog.getByLabel(t('admin.scim.token'), { exact: true }).inputValue();
  expect(await dialog.getByLabel(t('admin.scim.address')).inputValue()).toMatch(/\/scim\/v2$/);
  expect(await asProvider(token)).toBe(200);
  await expectGoodLooks(olga.page, 'provisioning-token');
  expect(await offences(page)).toEqual([]);
  await dialog
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await dialog.waitFor({ state: 'hidden' });

  const tokens = page.getByRole('list', { name: t('admin.scim.tokens', { name: 'Entra ID' }) }).getByRole('listitem');
  await page.getByRole('button', { name: t('admin.scim.newTokenFor', { name: 'Entra ID' }) }).click();
  const another = page.getByRole('dialog', { name: t('admin.scim.newTokenFor', { name: 'Entra ID' }) });
  await another.getByRole('button', { name: t('admin.scim.newToken') }).click();
  const second = await another.getByLabel(t('admin.scim.token'), { exact: true }).inputValue();
  await another
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await expect.poll(() => tokens.count()).toBe(2);
  // Told once: no more of it is on the page.
  expect(await page.content()).not.toContain(token);
  await expectGoodLooks(olga.page, 'provisioning');
  expect(await offences(page)).toEqual([]);

  const first = t('admin.scim.revokeOne', { prefix: `${token.slice(0, 12)}…` });
  await page.getByRole('button', { name: first }).click();
  const asks = page.getByRole('dialog', { name: first });
  await expectGoodLooks(olga.page, 'provisioning-revoke');
  await asks.getByRole('button', { name: t('admin.scim.revoke') }).click();
  await expect.poll(() => tokens.count()).toBe(1);
  expect([await asProvider(token), await asProvider(second)]).toEqual([401, 200]);

  const removal = t('admin.scim.removeOne', { name: 'Entra ID' });
  await page.getByRole('button', { name: removal }).click();
  await page
    .getByRole('dialog', { name: removal })
    .getByRole('button', { name: t('admin.scim.remove') })
    .click();
  await page.getByText(t('admin.scim.none')).waitFor();
  expect(await asProvider(second)).toBe(401);

  await page.getByRole('button', { name: t('admin.part.log'), exact: true }).click();
  for (const did of [
    'scim_provider_created',
    'scim_token_created',
    'scim_token_revoked',
    'scim_provider_removed',
  ] as const)
    await page.getByText(t(`admin.did.${did}`, { subject: 'Entra ID' })).waitFor();
});

test('a provider begins on trial: what it sends is previewed by people, groups, projects and roles, and applied', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await page.goto('/admin/provisioning');
  await page.getByRole('button', { name: t('admin.scim.create') }).click();
  const dialog = page.getByRole('dialog', { name: t('admin.scim.create') });
  await dialog.getByLabel(t('common.name')).fill('Okta');
  expect(await dialog.getByLabel(t('admin.trial.choose')).isChecked()).toBe(true);
  await expectGoodLooks(olga.page, 'trial-new');
  await page.keyboard.press('Enter');
  const token = await dialog.getByLabel(t('admin.scim.token'), { exact: true }).inputValue();
  await dialog
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${site.app.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return (text === '' ? {} : JSON.parse(text)) as { id: string };
  };
  const addUser = (name: string, active = true) =>
    send('POST', '/Users', { userName: `${name.toLowerCase()}@okta.test`, displayName: name, active });
  const [ada, ben] = [await addUser('Ada'), await addUser('Ben')];
  const design = await send('POST', '/Groups', {
    displayName: 'Design',
    members: [{ value: ada.id }, { value: ben.id }],
  });

  const said = page.getByRole('region', { name: t('admin.trial.changesFrom', { name: 'Okta' }) });
  const preview = page.getByRole('button', { name: t('admin.trial.previewFor', { name: 'Okta' }) });
  const apply = page.getByRole('button', { name: t('admin.trial.applyFor', { name: 'Okta' }) });
  await page.reload();
  await page.getByText(t('admin.trial.words', { name: 'Okta' })).waitFor();
  expect(await apply.count()).toBe(0);
  await preview.click();
  await said.getByText(t('admin.trial.created', { n: 2 })).waitFor();
  await said.getByText(t('admin.mapping.new', { name: 'Design' })).waitFor();
  await said.getByText(t('admin.mapping.joins', { n: 2, name: 'Design' })).waitFor();
  // More has come since: it is looked at again.
  const cem = await addUser('Cem', false);
  await apply.click();
  await page.getByText(t('admin.trial.changed', { name: 'Okta' })).waitFor();
  await preview.click();
  await said.getByText(t('admin.trial.createdDisabled', { n: 1 })).waitFor();
  await expectGoodLooks(olga.page, 'trial-first');
  expect(await site.app.sql("select from auth.users where email like '%@okta.test'")).toEqual([]);
  await apply.click();
  await page.getByText(t('admin.trial.applied', { name: 'Okta' })).waitFor();
  expect((await site.app.sql("select from auth.users where email like '%@okta.test'")).length).toBe(3);

  // Put on trial again, with a group that is in projects.
  const owner = await site.app.createUser({ name: 'Owner' });
  for (const [name, role] of [
    ['Atlas', 'editor'],
    ['Borea', 'viewer'],
  ]) {
    const { data } = await owner.client.rpc('create_project_with_defaults', { name: name ?? '' });
    await site.app.sql(
      'insert into public.project_members (project_id, group_id, role) values ($1, $2, $3::public.project_role)',
      [(data as { id: string }).id, design.id, role],
    );
  }
  await page.getByRole('button', { name: t('admin.trial.startFor', { name: 'Okta' }) }).click();
  const start = page.getByRole('dialog', { name: t('admin.trial.startFor', { name: 'Okta' }) });
  await expectGoodLooks(olga.page, 'trial-start');
  await start.getByRole('button', { name: t('admin.trial.start') }).click();
  await preview.click();
  await said.getByText(t('admin.trial.nothing')).waitFor();
  await send('PATCH', `/Users/${ada.id}`, { Operations: [{ op: 'replace', path: 'active', value: false }] });
  await send('PATCH', `/Users/${cem.id}`, { Operations: [{ op: 'replace', path: 'active', value: true }] });
  await send('PATCH', `/Groups/${design.id}`, {
    Operations: [{ op: 'add', path: 'members', value: [{ value: cem.id }] }],
  });
  await preview.click();
  const editor = t('common.roles.editor');
  await said.getByText(t('admin.trial.disabled', { n: 1 })).waitFor();
  await said.getByText(t('admin.trial.enabled', { n: 1 })).waitFor();
  await said.getByText(t('admin.access.gets', { n: 1, role: editor, project: 'Atlas' })).waitFor();
  await said.getByText(t('admin.access.loses', { n: 1, role: editor, project: 'Atlas' })).waitFor();
  await said.getByText(t('admin.access.loses', { n: 1, role: t('common.roles.viewer'), project: 'Borea' })).waitFor();
  expect(await offences(page)).toEqual([]);
  await expectGoodLooks(olga.page, 'trial-roles');

  // Forgotten, and begun anew.
  const over = t('admin.trial.overFor', { name: 'Okta' });
  await page.getByRole('button', { name: over }).click();
  await page
    .getByRole('dialog', { name: over })
    .getByRole('button', { name: t('admin.trial.over') })
    .click();
  await said.waitFor({ state: 'detached' });
  await preview.click();
  await said.getByText(t('admin.trial.nothing')).waitFor();
  await page.getByRole('button', { name: t('admin.part.log'), exact: true }).click();
  await page.getByText(t('admin.did.scim_trial_applied', { subject: 'Okta' })).waitFor();
});

test('custom providers of sign-in are listed, and offered on the sign-in page by their name', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  const { createProvider } = site.app.client({ key: site.app.serviceKey }).auth.admin.customProviders;
  const made = await createProvider({
    provider_type: 'oauth2',
    identifier: 'custom:acme',
    name: 'Acme Single Sign-On',
    client_id: 'kanbase',
    client_secret: 'secret',
    authorization_url: 'https://sso.acme.example/authorize',
    token_url: 'https://sso.acme.example/token',
    userinfo_url: 'https://sso.acme.example/me',
  });
  expect(made.error).toBeNull();
  await page.goto('/admin/provisioning');
  const section = page.getByRole('region', { name: t('admin.scim.signIn') });
  await section.getByText('Acme Single Sign-On').waitFor();
  await section.getByText('custom:acme · sso.acme.example').waitFor();
  await expectGoodLooks(olga.page, 'sign-in-providers');

  // What pages are told of the server is a few seconds old at most.
  const told = async () => (await (await fetch(`${site.app.url}/api/settings`)).json()).providers;
  await expect.poll(told, { timeout: 15_000 }).toContain('custom:acme');
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: t('signIn.with', { provider: 'Acme Single Sign-On' }) }).waitFor();
  await expectGoodLooks(olga.page, 'sign-in-custom');
});
