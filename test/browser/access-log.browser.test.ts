// The access log: owners read it at the people of their project, as it grows, operators the whole of it; filtered, by pages, as a file.

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let bobId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  bob = await site.visit();
  const { email } = await bob.settle('Bob Babbage');
  [{ id: bobId }] = (await site.app.sql('select id from auth.users where email = $1', [email])) as [{ id: string }];
  await site.app.sql('delete from groups');
  return [ada, bob];
});

const by = { who: 'other', actor: 'Ada Lovelace' } as const;
const name = 'Bob Babbage';
const log = (page: Page) => page.getByRole('list', { name: t('access.title') });
const sentences = (page: Page) => log(page).getByRole('listitem');
const says = (page: Page, sentence: string) => sentences(page).filter({ hasText: sentence }).waitFor();
const members = () => sample.client.from('project_members');

async function openLog(page: Page): Promise<void> {
  await page.goto(`/app/projects/${sample.projectId}/people`);
  await page.getByRole('button', { name: t('access.show') }).click();
  await log(page).waitFor();
}

async function saveLog(page: Page): Promise<readonly (readonly string[])[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('access.save') }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('kanbase-access.csv');
  return parse(readFileSync(await file.path()), { bom: true });
}

test('an owner sees each change of access as it is made, finds those of a person or kind, and saves them', async () => {
  const { page } = ada;
  await openLog(page);
  await says(page, t('access.did.roleGiven', { who: 'self', actor: '', name: 'Ada Lovelace', role: 'owner' }));
  await whenLive(page);
  await members().insert({ project_id: sample.projectId, user_id: bobId, role: 'viewer' });
  await says(page, t('access.did.roleGiven', { ...by, name, role: 'viewer' }));
  await members().update({ role: 'editor' }).eq('project_id', sample.projectId).eq('user_id', bobId);
  await says(page, t('access.did.roleChanged', { ...by, name, from: 'viewer', to: 'editor' }));
  await sample.client.from('projects').update({ viewers_may_comment: true }).eq('id', sample.projectId);
  await says(page, t('access.did.commentsAllowed', by));
  const invited = { project_id: sample.projectId, email: 'cleo@example.test', role: 'viewer' };
  await sample.client.from('project_invitations').insert(invited);
  await says(page, t('access.did.invited', { ...by, email: invited.email, role: 'viewer' }));
  expect(await sentences(page).first().innerText()).toContain('127.0.0.1');
  expect(await offences(page)).toEqual([]);

  const kind = page.getByLabel(t('common.kind'), { exact: true });
  await kind.selectOption({ label: t('access.kinds.settings') });
  await expect.poll(() => sentences(page).count()).toBe(1);
  await kind.selectOption({ label: t('access.kinds.people') });
  await page.getByRole('searchbox', { name: t('access.words') }).fill('babb');
  await expect.poll(() => sentences(page).count()).toBe(2);
  const file = await saveLog(page);
  expect(file.map(([, person, change, , address]) => [person, change, address])).toEqual([
    [t('access.columns.person'), t('access.columns.change'), t('access.columns.address')],
    ['Ada Lovelace', t('access.did.roleChanged', { ...by, name, from: 'viewer', to: 'editor' }), '127.0.0.1'],
    ['Ada Lovelace', t('access.did.roleGiven', { ...by, name, role: 'viewer' }), '127.0.0.1'],
  ]);
  await page.getByRole('searchbox', { name: t('access.words') }).fill('nobody like that');
  await page.getByText(t('common.nothingFound')).waitFor();

  await bob.page.goto(`/app/projects/${sample.projectId}/people`);
  await bob.page.getByRole('heading', { name: t('common.members', { n: 2 }) }).waitFor();
  expect(await bob.page.getByText(t('access.title')).count()).toBe(0);
});

test('a group is named by which somebody came', async () => {
  const { page } = ada;
  const [{ id: group_id }] = (await sample.rows("insert into groups (name) values ('Crew') returning id")) as [
    { id: string },
  ];
  await sample.rows(
    `insert into group_members (group_id, user_id, is_manager) select '${group_id}', created_by, true from projects where id = $1`,
  );
  await members().insert({ project_id: sample.projectId, group_id, role: 'editor' });
  await sample.client.from('group_members').insert({ group_id, user_id: bobId });
  await openLog(page);
  await says(page, t('access.did.groupGiven', { ...by, name: 'Crew', role: 'editor' }));
  await says(page, t('access.did.broughtIn', { ...by, name, group: 'Crew', role: 'editor' }));
});

test('a long log is read by pages and saved whole', async () => {
  const { page } = ada;
  await sample.rows(
    `insert into access_log (project_id, subject, object, change, created_at)
     select $1, '{"kind": "viewers"}', '{"kind": "project", "name": "Harbour"}', '{"viewers_may_comment": {"to": true}}', now() - n * interval '1 hour'
     from generate_series(1, 2100) n`,
  );
  await openLog(page);
  const first = t('access.did.roleGiven', { who: 'self', actor: '', name: 'Ada Lovelace', role: 'owner' });
  await expect.poll(() => sentences(page).count()).toBe(50);
  await says(page, first);
  await page.getByRole('button', { name: t('access.older') }).click();
  await sentences(page).filter({ hasText: first }).waitFor({ state: 'detached' });
  expect(await sentences(page).count()).toBe(50);
  expect(await offences(page)).toEqual([]);
  await page.getByRole('button', { name: t('access.newest') }).click();
  await says(page, first);
  expect((await saveLog(page)).length).toBe(2102);
});

test('an operator reads the log of all projects, and who became one', async () => {
  const { page } = bob;
  await sample.site.app.sql('select private.set_operator(email, true) from auth.users where id = $1', [bobId]);
  await page.goto('/admin/access');
  await says(page, t('access.did.operatorGiven', { who: 'nobody', actor: '', name }));
  const made = t('access.did.roleGiven', { who: 'self', actor: '', name: 'Ada Lovelace', role: 'owner' });
  expect(await sentences(page).filter({ hasText: made }).first().innerText()).toContain('Harbour');
  expect(await offences(page)).toEqual([]);
  await page.getByLabel(t('common.kind'), { exact: true }).selectOption({ label: t('access.kinds.operators') });
  await sentences(page).filter({ hasText: made }).first().waitFor({ state: 'detached' });
  await says(page, t('access.did.operatorGiven', { who: 'nobody', actor: '', name }));
});
