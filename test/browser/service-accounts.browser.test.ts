// Service accounts: created in a project's settings or in the account, working by keys and clients, named where they worked, taken out, and deleted; and
// what administrators see of them.

import { createClient } from '@supabase/supabase-js';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forSuite } from '../helpers/for-suite.ts';
import { records } from '../helpers/records.ts';
import { offences } from './accessibility.ts';
import { pictureLooks } from './looks.ts';
import { cardOf, openSampleProject } from './pages.ts';
import { t } from './words.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());

const programOf = (token: string) =>
  createClient(sample.site.app.url, token, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as never },
  });

async function tokenOf(id: string, secret: string): Promise<{ access_token?: string; error?: string }> {
  const answer = await fetch(`${sample.site.app.url}/auth/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
  const said = (await answer.json()) as { access_token?: string; error?: string };
  records?.keepSecret(said.access_token ?? '');
  return said;
}

const textIn = (scope: Locator, label: string): Promise<string> =>
  scope.getByRole('textbox', { name: label, exact: true }).inputValue();

/** Presses what can't be undone, and says yes to the question. */
async function confirm(within: Locator, press: string, question: string, action: string): Promise<void> {
  await within.getByRole('button', { name: press }).click();
  const dialog = within.page().getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function createOne(page: Page, section: Locator, name: string): Promise<void> {
  await section.getByRole('button', { name: t('serviceAccounts.add') }).click();
  const dialog = page.getByRole('dialog', { name: t('serviceAccounts.new') });
  await dialog.getByLabel(t('common.name')).fill(name);
  await dialog.getByRole('button', { name: t('serviceAccounts.create') }).click();
  await section.getByText(name, { exact: true }).waitFor();
}

/** Creates clients, replaces the secret of one and deletes another; returns a token of the first. */
async function workWithClients(page: Page, dialog: Locator): Promise<string> {
  await dialog.getByRole('button', { name: t('serviceAccounts.newClient') }).click();
  const clientForm = dialog.getByRole('form', { name: t('serviceAccounts.newClient') });
  await clientForm.getByLabel(t('keys.name')).fill('Deploy');
  await clientForm.getByRole('button', { name: t('serviceAccounts.makeClient') }).click();
  await dialog.getByText(t('serviceAccounts.secretMade')).waitFor();
  const id = await textIn(dialog, t('serviceAccounts.clientId'));
  const first = await textIn(dialog, t('serviceAccounts.secret'));
  records?.keepSecret(first);
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'credentials');
  expect((await tokenOf(id, first)).access_token).toBeDefined();
  await dialog.getByRole('button', { name: t('serviceAccounts.newClient') }).click();
  await clientForm.getByLabel(t('keys.name')).fill('Extra');
  await clientForm.getByRole('button', { name: t('serviceAccounts.makeClient') }).click();
  await expect.poll(() => textIn(dialog, t('serviceAccounts.clientId'))).not.toBe(id);
  const other = await textIn(dialog, t('serviceAccounts.secret'));
  records?.keepSecret(other);
  const rotateOf = t('serviceAccounts.rotateOf', { name: 'Deploy' });
  await confirm(dialog, rotateOf, rotateOf, t('serviceAccounts.rotate'));
  await expect.poll(() => textIn(dialog, t('serviceAccounts.clientId'))).toBe(id);
  const second = await textIn(dialog, t('serviceAccounts.secret'));
  records?.keepSecret(second);
  expect([first, other]).not.toContain(second);
  expect((await tokenOf(id, first)).error).toBe('invalid_client');
  const extra = dialog.getByRole('button', { name: t('serviceAccounts.deleteOf', { name: 'Extra' }) });
  await extra.click();
  const deleting = page.getByRole('dialog', { name: t('serviceAccounts.deleteTitle', { name: 'Extra' }) });
  await deleting.getByText(t('serviceAccounts.clientDeleteWords')).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'delete-client');
  await deleting.getByRole('button', { name: t('common.delete') }).click();
  await extra.waitFor({ state: 'detached' });
  // Still there to be copied.
  expect(await textIn(dialog, t('serviceAccounts.secret'))).toBe(second);
  return (await tokenOf(id, second)).access_token ?? '';
}

test('Add waits for the lists, which would push it away while it is pressed', async () => {
  const { page } = sample.ada;
  const asked = /\/rest\/v1\/service_accounts\?/;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let times = 0;
  await page.route(asked, async (route) => {
    times += 1;
    await held;
    await route.continue();
  });
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  const adds = [t('agents.add'), t('serviceAccounts.add')].map((name) => page.getByRole('button', { name }));
  for (const add of adds) {
    await add.waitFor();
    expect(await add.isEnabled()).toBe(false);
  }
  release();
  for (const add of adds) await expect.poll(() => add.isEnabled()).toBe(true);
  expect(times).toBe(1);
  await page.unroute(asked);
});

test('an owner makes one for a project, with a key and a client, and everybody sees what it did', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  const section = page.getByRole('region', { name: t('serviceAccounts.title') });
  await section.getByText(t('serviceAccounts.ofProject')).waitFor();
  await createOne(page, section, 'Release bot');
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'settings', section);

  const name = 'Release bot';
  await section.getByRole('button', { name: t('serviceAccounts.credentialsOf', { name }) }).click();
  const dialog = page.getByRole('dialog', { name: t('serviceAccounts.credentialsOf', { name }) });
  await dialog.getByRole('button', { name: t('keys.new') }).click();
  const form = dialog.getByRole('form', { name: t('keys.new') });
  await form.getByLabel(t('keys.name')).fill('Nightly');
  await form.getByLabel(t('keys.scope')).selectOption(t('keys.scopes.write'));
  await pictureLooks(page, 'new-key');
  await form.getByRole('button', { name: t('keys.make') }).click();
  await dialog.getByText(t('keys.once')).waitFor();
  const token = await textIn(dialog, t('keys.token'));
  expect(token).toMatch(/^kb_[0-9a-f]{48}$/);
  const access = await workWithClients(page, dialog);
  await page.keyboard.press('Escape');

  const program = programOf(token);
  const [{ id: task }] = (await sample.rows<{ id: string }>(
    'select id from tasks where project_id = $1 order by number limit 1',
  )) as [{ id: string }];
  await program.from('task_comments').insert({ task_id: task, body: 'Shipped' }).throwOnError();
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  await page
    .getByText(t('task.through', { name, program: 'Nightly' }))
    .first()
    .waitFor();
  await pictureLooks(page, 'task');

  await page.goto(`/app/projects/${sample.projectId}/people`);
  const people = page.getByRole('list', { name: t('projects.views.people') });
  const line = people.getByRole('listitem').filter({ hasText: name });
  await line.getByText(t('people.service')).waitFor();
  expect(await line.getByRole('combobox').locator('option').allTextContents()).toEqual([
    t('common.roles.editor'),
    t('common.roles.viewer'),
  ]);
  await pictureLooks(page, 'people', line);
  await page.getByRole('button', { name: t('people.programs.show') }).click();
  const apps = page.getByRole('list', { name: t('people.programs.title') });
  await apps.getByText(t('keys.of', { key: 'Deploy', person: name })).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'apps', apps);
  const seesTasks = async (bearer: string): Promise<number> =>
    (
      await fetch(`${sample.site.app.url}/rest/v1/tasks?select=id`, {
        headers: { apikey: sample.site.app.anonKey, authorization: `Bearer ${bearer}` },
      })
    ).status;
  expect(await seesTasks(access)).toBe(200);
  const removeOf = t('keys.removeOf', { name: 'Deploy' });
  await confirm(apps, removeOf, removeOf, t('keys.remove'));
  await page.getByText(t('programs.noneHere')).waitFor();
  await expect.poll(() => seesTasks(access)).toBe(401);
  await line.getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText(t('people.service'), { exact: true }).waitFor();
  await page.getByText(t('reach.rule.service_account', { known: 'no', by: '' })).waitFor();
  await pictureLooks(page, 'person');

  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await section.getByRole('button', { name: t('serviceAccounts.renameOf', { name }) }).click();
  const rename = page.getByRole('dialog', { name: t('serviceAccounts.renameOf', { name }) });
  await rename.getByLabel(t('common.name')).fill('Deploy bot');
  await rename.getByRole('button', { name: t('common.save') }).click();
  await section.getByText('Deploy bot', { exact: true }).waitFor();
  const names = `select p.display_name from profiles p join service_accounts s on s.id = p.id where s.project_id = $1`;
  await sample.expectRows(names, [{ display_name: 'Deploy bot' }]);
  await page.keyboard.press('Control+z');
  await section.getByText(name, { exact: true }).waitFor();
  await sample.expectRows(names, [{ display_name: name }]);
  await section.getByRole('button', { name: t('serviceAccounts.deleteOf', { name }) }).click();
  const question = page.getByRole('dialog', { name: t('serviceAccounts.deleteTitle', { name }) });
  await pictureLooks(page, 'delete');
  await question.getByRole('button', { name: t('common.delete') }).click();
  await section.getByText(name, { exact: true }).waitFor({ state: 'detached' });
  await expect.poll(async () => (await program.from('tasks').select('id')).status).toBe(401);
  expect(sample.ada.troubles).toEqual([]);
});

test('a person makes one in the account, adds it to a project and takes it out; an administrator ends it', async () => {
  const { page } = sample.ada;
  const name = 'Helper';
  await page.goto('/app/account');
  const section = page.getByRole('region', { name: t('serviceAccounts.title') });
  await createOne(page, section, name);
  await section.getByText(t('serviceAccounts.inNone')).waitFor();
  await section.getByRole('button', { name: t('serviceAccounts.projectsOf', { name }) }).click();
  const dialog = page.getByRole('dialog', { name: t('serviceAccounts.projectsOf', { name }) });
  await dialog.getByLabel(t('people.invite.role')).selectOption('viewer');
  await dialog.getByRole('button', { name: t('common.add'), exact: true }).click();
  const project = dialog.getByRole('list', { name: t('common.nav.projects') }).getByText('Harbour', { exact: true });
  await project.waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'projects');
  const roles = `select m.role from project_members m join service_accounts s on s.id = m.user_id and s.owner_id is not null`;
  await sample.expectRows(roles, [{ role: 'viewer' }]);
  await dialog
    .getByRole('combobox', { name: t('serviceAccounts.roleIn', { project: 'Harbour' }) })
    .selectOption('editor');
  await sample.expectRows(roles, [{ role: 'editor' }]);
  await page.keyboard.press('Escape');
  await section.getByText(`Harbour (${t('common.roles.editor')})`).waitFor();
  await pictureLooks(page, 'account', section);

  await sample.site.app.sql('select private.set_operator($1, true)', [sample.adaMail]);
  await page.goto('/admin/programs');
  const list = page.getByRole('list', { name: t('admin.part.programs') });
  const kind = page.getByRole('combobox', { name: t('admin.programs.which') });
  await kind.selectOption(t('serviceAccounts.title'));
  await list.getByText(name, { exact: true }).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'admin-accounts');
  await list.getByRole('button', { name: t('serviceAccounts.deleteOf', { name }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.delete') })
    .click();
  await list.getByText(name, { exact: true }).waitFor({ state: 'detached' });
  await sample.expectRows('select count(*)::int as left from service_accounts where owner_id is not null', [
    { left: 0 },
  ]);

  await page.getByRole('button', { name: t('admin.programs.newClient') }).click();
  const made = page.getByRole('dialog', { name: t('admin.programs.newClient') });
  await made.getByLabel(t('common.name')).fill('Reports');
  await made.getByLabel(t('admin.programs.redirects')).fill('http://evil.example/*');
  await made.getByRole('button', { name: t('admin.programs.create') }).click();
  await made.getByText(t('admin.programs.unfit')).waitFor();
  await made.getByLabel(t('admin.programs.redirects')).fill('https://reports.example/back');
  await pictureLooks(page, 'admin-new-client');
  await made.getByRole('button', { name: t('admin.programs.create') }).click();
  const shown = made.getByRole('textbox', { name: t('serviceAccounts.secret') });
  await shown.waitFor();
  records?.keepSecret(await shown.inputValue());
  await pictureLooks(page, 'admin-secret');
  await made
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await kind.selectOption(t('serviceAccounts.clientList'));
  await list.getByText('Reports', { exact: true }).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'admin-clients');
  await list.getByRole('button', { name: t('admin.programs.secretOf', { name: 'Reports' }) }).click();
  const secret = page.getByRole('dialog', { name: t('admin.programs.secretOf', { name: 'Reports' }) });
  await secret.getByRole('button', { name: t('admin.programs.secret') }).click();
  await secret.getByRole('textbox', { name: t('serviceAccounts.secret') }).waitFor();
  records?.keepSecret(await textIn(secret, t('serviceAccounts.secret')));
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: t('serviceAccounts.deleteOf', { name: 'Reports' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.delete') })
    .click();
  await list.getByText('Reports', { exact: true }).waitFor({ state: 'detached' });
  expect(sample.ada.troubles).toEqual([]);
});
