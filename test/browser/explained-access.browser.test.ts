// Access explained: people who can see a task, a file or a project, and the projects that a person reaches, each with the rule that gives it.

import type { SupabaseClient } from '@supabase/supabase-js';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { note } from './files.ts';
import { faults } from './layout.ts';
import {
  addCrew,
  cardOf,
  fillSignIn,
  focusedCard,
  type SampleProject,
  settleHarbour,
  type Visitor,
  whenLive,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { tooSmall } from './touch-targets.ts';
import { saying, t, wordsIn } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let edda: Visitor;
let eddaMail: string;
let eddas: SupabaseClient;
let bobId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  const { client, projectId } = sample;
  edda = await site.visit();
  ({ email: eddaMail, client: eddas } = await edda.settle('Edda Editor'));
  const sent = await client.rpc('invite_member', { project_id: projectId, email: eddaMail, role: 'editor' });
  await eddas.rpc('accept_invitation', { token: (sent.data as { token: string }).token });
  await client.rpc('invite_member', { project_id: projectId, email: 'dan@example.test', role: 'viewer' });
  await client.rpc('create_join_link', { project_id: projectId, role: 'viewer', days: null });
  ({ id: bobId } = await site.app.createUser({ name: 'Bob Babbage' }));
  await site.app.sql('delete from groups');
  await addCrew(sample, bobId);
  return [ada, edda];
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: t('common.canSee') });
const person = (dialog: Locator, name: string) =>
  dialog.getByRole('listitem').filter({ has: dialog.page().getByRole('link', { name, exact: true }) });
const throughCrew = t('reach.rule.group', { group: 'Crew', role: t('common.roles.viewer') });
const right = (one: 'sees' | 'comments' | 'changes' | 'manages') =>
  t(one === 'changes' ? 'common.edit' : one === 'comments' ? 'task.doComment' : `reach.rights.${one}`);
const rightsIn = (line: Locator) =>
  line
    .getByRole('list', { name: t('reach.may') })
    .getByRole('listitem')
    .allInnerTexts();

async function explainTask(page: Page, title: string): Promise<Locator> {
  await cardOf(page, title).focus();
  await page.keyboard.press('.');
  await page.getByRole('option', { name: t('common.canSee') }).click();
  const dialog = dialogOf(page);
  await person(dialog, 'Ada Lovelace').waitFor();
  return dialog;
}

test('an owner reads in the menu of a task who sees it and by which rule', async () => {
  const { page } = ada;
  await sample.openBoard(page);
  const dialog = await explainTask(page, 'Paint the crane');
  const owner = person(dialog, 'Ada Lovelace');
  expect(await rightsIn(owner)).toEqual([right('sees'), right('comments'), right('changes'), right('manages')]);
  await owner.getByText(saying('reach.rule.founder', { role: t('common.roles.owner') })).waitFor();
  await owner.getByText(throughCrew).waitFor();
  const invited = person(dialog, 'Edda Editor');
  expect(await rightsIn(invited)).toEqual([right('sees'), right('comments'), right('changes')]);
  await invited
    .getByText(saying('reach.rule.invitation', { known: 'yes', by: 'Ada Lovelace', role: 'none' }))
    .waitFor();
  const grouped = person(dialog, 'Bob Babbage');
  expect(await rightsIn(grouped)).toEqual([right('sees')]);
  const open = dialog.getByRole('region', { name: t('reach.open') });
  await open.getByText('dan@example.test').waitFor();
  await open.getByText(t('people.link.title'), { exact: true }).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focusedCard(page)).toBe('Paint the crane');

  await explainTask(page, 'Paint the crane');
  await grouped.getByRole('link', { name: throughCrew }).click();
  await page.getByRole('heading', { name: 'Crew', level: 1 }).waitFor();
  await page.getByRole('button', { name: t('settings.removeMember', { name: 'Bob Babbage' }) }).click();
  await sample.expectRows(`select user_id from project_members where project_id = $1 and user_id = '${bobId}'`, []);
  await page.goBack();
  await explainTask(page, 'Count the ships');
  await grouped.waitFor({ state: 'detached' });
  expect(await invited.count()).toBe(1);
});

test('access is explained to owners and operators alone, live, and says which accounts are disabled', async () => {
  const { page } = edda;
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('.');
  await page.getByRole('option', { name: t('common.inbox.watch') }).waitFor();
  expect(await page.getByRole('option', { name: t('common.canSee') }).count()).toBe(0);
  await page.goto(`/app/people/${bobId}`);
  await page.getByRole('heading', { name: t('people.person.tasks') }).waitFor();
  expect(await page.getByRole('region', { name: t('reach.access') }).count()).toBe(0);

  await ada.page.goto(`/app/projects/${sample.projectId}/people`);
  await ada.page.getByRole('button', { name: t('common.canSee') }).click();
  const dialog = dialogOf(ada.page);
  await person(dialog, 'Edda Editor').waitFor();
  await sample.rows(`update auth.users set banned_until = now() + interval '1 day' where id = '${bobId}'`);
  await sample.rows(
    `update project_members set role = 'owner' where project_id = $1 and user_id = (select id from auth.users where email = '${eddaMail}')`,
  );
  await expect.poll(() => rightsIn(person(dialog, 'Edda Editor'))).toContain(right('manages'));
  await person(dialog, 'Bob Babbage').getByText(t('reach.disabled')).waitFor();
});

test('a person’s page counts the restricted tasks that they are named for', async () => {
  const { page } = ada;
  await sample.rows(
    `insert into task_grants (project_id, task_id, user_id)
     select project_id, id, '${bobId}' from tasks where project_id = $1 and title = 'Paint the crane'`,
  );
  await sample.rows(`update tasks set is_restricted = true where project_id = $1 and title = 'Paint the crane'`);
  await page.goto(`/app/people/${bobId}`);
  await page
    .getByRole('region', { name: t('reach.access') })
    .getByText(t('reach.rule.restricted', { rule: 'named', n: 1 }))
    .waitFor();
  expect(await offences(page)).toEqual([]);
});

test('many people are found by name', async () => {
  const { page } = ada;
  await sample.site.app.sql(
    `with made as (insert into auth.users (id, email, raw_user_meta_data)
       select gen_random_uuid(), 'sailor' || n || '.' || $1 || '@example.test', jsonb_build_object('name', 'Sailor ' || n)
       from generate_series(1, 60) n returning id)
     insert into project_members (project_id, user_id, role) select $1::uuid, id, 'viewer' from made`,
    [sample.projectId],
  );
  await sample.openBoard(page);
  const dialog = await explainTask(page, 'Paint the crane');
  await dialog.getByRole('button', { name: t('common.showAll', { n: 63 }) }).click();
  await person(dialog, 'Sailor 60').waitFor();
  const field = dialog.getByRole('searchbox', { name: t('reach.search') });
  await field.fill('sailor 42');
  await person(dialog, 'Ada Lovelace').waitFor({ state: 'detached' });
  await person(dialog, 'Sailor 42').waitFor();
  await field.fill('nobody');
  await dialog.getByText(t('common.nothingFound')).waitFor();
  expect(await offences(page)).toEqual([]);
});

test('the server is asked again where it could not be reached', async () => {
  const { page } = ada;
  await sample.openBoard(page);
  // It is asked again by itself as changes begin to come.
  await whenLive(page);
  await page.route('**/rpc/explain_access', (route) => route.abort());
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('.');
  await page.getByRole('option', { name: t('common.canSee') }).click();
  const dialog = dialogOf(page);
  await dialog.getByText(t('common.failed.title')).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.unroute('**/rpc/explain_access');
  await dialog.getByRole('button', { name: t('common.retry') }).click();
  await person(dialog, 'Edda Editor').waitFor();
});

test('in German and French, by finger on a phone', async () => {
  for (const language of ['de', 'fr']) {
    const { t: said } = wordsIn(language);
    const hand = await sample.site.visit({ locale: language, viewport: { width: 390, height: 844 }, hasTouch: true });
    await hand.page.context().addCookies(await ada.page.context().cookies());
    await hand.page.goto(`/app/projects/${sample.projectId}/people`);
    await hand.page.getByRole('button', { name: said('common.canSee') }).tap();
    const dialog = hand.page.getByRole('dialog', { name: said('common.canSee') });
    await person(dialog, 'Edda Editor').waitFor();
    expect(await hand.page.evaluate(faults)).toEqual([]);
    expect(await tooSmall(hand.page, '[role="dialog"]')).toEqual([]);
    expect(await offences(hand.page)).toEqual([]);
    await hand.close();
  }
});

test('the menu of a file explains who sees it', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: t('task.addPart.files'), exact: true }).click();
  await (await chooser).setFiles(note('plan.txt'));
  const more = page.getByRole('button', { name: t('files.more', { name: 'plan.txt' }) });
  await more.click();
  await page.getByRole('menuitem', { name: t('common.canSee') }).click();
  await person(dialogOf(page), 'Edda Editor').waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true);
});

test('the page of a person tells an owner what they reach, and what opens it without a session', async () => {
  const { page } = ada;
  const [{ id: eddaId }] = (await sample.rows(
    `select user_id as id from project_members where project_id = $1 and role = 'editor'`,
  )) as [{ id: string }];
  await eddas.rpc('create_project_with_defaults', { name: 'Private', key: 'PRI' });
  await eddas.rpc('create_calendar_feed', { kind: 'project', project_id: sample.projectId });
  await page.goto(`/app/people/${eddaId}`);
  const access = page.getByRole('region', { name: t('reach.access') });
  await access.getByRole('link', { name: 'Harbour' }).waitFor();
  await access.getByText(saying('reach.rule.invitation', { known: 'yes', by: 'Ada Lovelace', role: 'none' })).waitFor();
  await access.getByText(t('reach.opens.calendar_feed', { n: 1 })).waitFor();
  expect(await access.getByText('Private').count()).toBe(0);
  expect(await offences(page)).toEqual([]);
});

test('an operator on a visit is offered it, and reads of the visit', async () => {
  await sample.site.app.sql('select private.set_operator($1, true)', [eddaMail]);
  await sample.rows(
    `with entered as (insert into private.operator_entries (project_id, deed, operator_id, operator, reason, ends_at)
       select $1, 'entered', id, 'Edda', 'A lost file', now() + interval '1 day' from auth.users where email = '${eddaMail}')
     update public.project_members m set role = 'viewer' from auth.users u
       where m.project_id = $1 and m.user_id = u.id and u.email = '${eddaMail}'`,
  );
  const operator = await sample.site.visit();
  const { page } = operator;
  await page.goto('/sign-in');
  await fillSignIn(page, eddaMail);
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  await sample.openBoard(page);
  const dialog = await explainTask(page, 'Paint the crane');
  const visit = saying('reach.rule.visit', { words: 'A lost file', role: 'none' });
  await person(dialog, 'Edda Editor').getByText(visit).waitFor();
  await operator.close();
});
