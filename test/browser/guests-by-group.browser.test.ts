// Guests by a group: an owner shares one task with a group; somebody in it sees this task alone, does with it what the group may, and loses it with
// the group or with what was shared.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { addCrew, cardOf, columnOf, drag, type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { boardOf, menuButton, openShare, openTask, panel } from './shared-task.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let gil: Visitor;
let gilId: string;
let crewId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Paint the boat', 'Salaries']);
  ({ ada } = sample);
  [bob, gil] = [await site.visit(), await site.visit()];
  await sample.join((await bob.settle('Bob Kahn')).email, 'editor');
  const { email } = await gil.settle('Gil Grouped');
  [{ id: gilId }] = (await site.app.sql('select id from auth.users where email = $1', [email])) as [{ id: string }];
  await site.app.sql('delete from groups');
  crewId = await addCrew(sample, gilId, false);
  return [ada, bob, gil];
});

const levelIn = (dialog: Locator, name = 'Crew') => dialog.getByLabel(t('people.guests.levelOf', { name }));

async function shareWithCrew(page: Page): Promise<void> {
  const dialog = await openShare(page);
  await dialog.getByLabel(t('people.invite.emailsOrNames')).pressSequentially('cre');
  await dialog.getByRole('option', { name: 'Crew' }).click();
  await dialog.getByLabel(t('people.guests.level'), { exact: true }).selectOption('comment');
  await dialog.getByRole('button', { name: t('people.guests.send', { n: 1 }), exact: true }).click();
  await levelIn(dialog).waitFor();
  await dialog.getByText(t('groups.people', { n: 2 })).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sample.expectRows('select group_id, level from task_grants where project_id = $1', [
    { group_id: crewId, level: 'comment' },
  ]);
}

const grant = (level: string) =>
  sample.site.app.sql(
    `insert into task_grants (project_id, task_id, group_id, level) select project_id, id, $2, $3::grant_level from tasks where project_id = $1 and number = 1`,
    [sample.projectId, crewId, level],
  );
const inCrew = (is: boolean) =>
  sample.site.app.sql(
    is
      ? 'insert into group_members (group_id, user_id) values ($1, $2)'
      : 'delete from group_members where group_id = $1 and user_id = $2',
    [crewId, gilId],
  );
const ofHarbour = (page: Page) => page.getByRole('link', { name: `Harbour ${t('common.guest')}`, exact: true });
const isLost = (page: Page) =>
  page.getByRole('heading', { name: t('projects.accessLost.gone', { name: 'Harbour' }) }).waitFor();

test('an owner shares a task with a group by name: its people see it alone, comment, and edit once the group may', async () => {
  await gil.page.goto('/app');
  await whenLive(gil.page);
  expect(await ofHarbour(gil.page).count()).toBe(0);
  await openTask(ada.page, sample);
  await openTask(bob.page, sample);
  await shareWithCrew(ada.page);

  await cardOf(bob.page, 'Paint the boat').locator('[data-shared]').getByText('Crew').waitFor();
  const { page } = gil;
  await ofHarbour(page).click();
  await page.getByText(t('projects.guest', { n: 1 })).waitFor();
  await cardOf(page, 'Paint the boat').waitFor();
  expect(await page.locator('[data-board] [data-task-id]').count()).toBe(1);
  await openTask(page, sample);
  expect(await offences(page)).toEqual([]);
  expect(await menuButton(page).count()).toBe(0);
  await panel(page)
    .getByRole('textbox', { name: t('task.comment') })
    .fill('Which colour?');
  await panel(page)
    .getByRole('button', { name: t('task.doComment'), exact: true })
    .click();
  await panel(bob.page).getByText('Which colour?').waitFor();

  const dialog = await openShare(ada.page);
  await levelIn(dialog).selectOption('edit');
  await ada.page.keyboard.press('Escape');
  await menuButton(page).waitFor();
  await panel(page)
    .getByRole('button', { name: t('task.close') })
    .first()
    .click();
  await drag(page, 'Paint the boat', 'In progress');
  await columnOf(bob.page, 'In progress').getByText('Paint the boat').waitFor();
});

test('leaving the group takes the task away while it is looked at, joining brings it back', async () => {
  await grant('see');
  const { page } = gil;
  await openTask(page, sample);
  await inCrew(false);
  await isLost(page);
  await ofHarbour(page).waitFor({ state: 'detached' });
  await inCrew(true);
  await cardOf(page, 'Paint the boat').waitFor();
  await ofHarbour(page).waitFor();

  await openTask(ada.page, sample);
  const dialog = await openShare(ada.page);
  await levelIn(dialog).selectOption('remove');
  await isLost(page);
  await ada.page.keyboard.press('Escape');
  await ada.page.keyboard.press('Control+z');
  await cardOf(page, 'Paint the boat').waitFor();
});

test('the page of a group that names only some of its people leaves a guest the project, which ends with the group', async () => {
  await grant('see');
  await sample.site.app.sql(
    `insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
     select 'aaron' || n || '@' || $1, now(), '{"name": "Aaron"}' from generate_series(1, 1000) n`,
    [`${crewId}.test`],
  );
  await sample.site.app.sql(
    `insert into group_members (group_id, user_id) select $1, id from auth.users where email like $2`,
    [crewId, `aaron%@${crewId}.test`],
  );
  const { page } = gil;
  await page.goto(`/app/groups/${crewId}`);
  await page
    .getByRole('list', { name: t('groups.inIt') })
    .getByText('Aaron', { exact: true })
    .first()
    .waitFor();
  await whenLive(page);
  await ofHarbour(page).click();
  await cardOf(page, 'Paint the boat').waitFor();
  await inCrew(false);
  await isLost(page);
});

test('somebody of the group is assigned by name, is told in the inbox, and keeps that task without the group', async () => {
  await grant('see');
  await gil.page.goto(boardOf(sample));
  await cardOf(gil.page, 'Paint the boat').waitFor();
  await whenLive(gil.page);
  await bob.page.goto(`${boardOf(sample)}/2`);
  const other = bob.page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) });
  await other.getByRole('button', { name: new RegExp(`^${t('task.properties.assignee')}`) }).click();
  await bob.page.getByRole('option', { name: `Gil Grouped ${t('common.guest')}` }).click();
  await cardOf(gil.page, 'Salaries').waitFor();
  await gil.page.getByText(t('projects.guest', { n: 2 })).waitFor();
  await gil.page.goto('/app/inbox');
  await gil.page.locator('[data-entry]', { hasText: 'Salaries' }).waitFor();

  await gil.page.goto(boardOf(sample));
  await cardOf(gil.page, 'Salaries').waitFor();
  await whenLive(gil.page);
  await inCrew(false);
  await cardOf(gil.page, 'Paint the boat').waitFor({ state: 'detached' });
  await cardOf(gil.page, 'Salaries').waitFor();
  await gil.page.getByText(t('projects.guest', { n: 1 })).waitFor();
});

test('a device without a connection keeps what the group shows', async () => {
  await grant('comment');
  const { page } = gil;
  await openTask(page, sample);
  await page.route(/\/(rest|realtime)\/v1\//, (route) => route.abort());
  await page.goto('/app');
  await ofHarbour(page).click();
  await cardOf(page, 'Paint the boat').click();
  await panel(page)
    .getByRole('textbox', { name: t('task.comment') })
    .waitFor();
});

test('people page, person’s page and the list of who sees a task name the group; leaving leads to the group', async () => {
  await grant('comment');
  const { page } = ada;
  await page.goto(`/app/projects/${sample.projectId}/people`);
  const guests = page.getByRole('region', { name: t('people.guests.title') });
  await guests.getByRole('link', { name: 'Crew' }).waitFor();
  const line = guests.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Gil Grouped' }) });
  await line.getByText(t('people.guests.throughGroups', { groups: 'Crew' })).waitFor();
  expect(await line.getByRole('button', { name: t('people.guests.removeOf', { name: 'Gil Grouped' }) }).count()).toBe(
    0,
  );
  expect(await offences(page)).toEqual([]);
  await line.getByRole('link', { name: 'Gil Grouped' }).click();
  const reach = page.getByRole('region', { name: t('reach.access') });
  await reach.getByText(t('reach.rule.sharedGroup', { n: 1, group: 'Crew', level: 'comment' })).waitFor();

  await openTask(page, sample);
  await menuButton(page).click();
  await page.getByRole('menuitem', { name: t('common.canSee') }).click();
  const dialog = page.getByRole('dialog', { name: t('common.canSee') });
  const seer = dialog.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Gil Grouped' }) });
  await seer
    .getByRole('link', { name: saying('reach.rule.guestGroup', { group: 'Crew', level: 'comment' }) })
    .waitFor();

  await gil.page.goto(boardOf(sample));
  await gil.page
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await gil.page.route('**/rpc/my_groups*', (route) => route.fulfill({ status: 500, json: {} }));
  await gil.page.getByRole('menuitem', { name: t('settings.leave') }).click();
  const leaving = gil.page.getByRole('dialog', { name: t('settings.leave') });
  await leaving.getByText(t('common.failed.title')).waitFor();
  await gil.page.unroute('**/rpc/my_groups*');
  await leaving.getByText(t('groups.leaveBrought', { groups: 'Crew' })).waitFor();
  expect(await offences(gil.page)).toEqual([]);
  await leaving.getByRole('link', { name: t('groups.toGroup') }).click();
  await gil.page.getByRole('heading', { name: 'Crew', level: 1 }).waitFor();
  await gil.page
    .getByRole('list', { name: t('common.nav.projects') })
    .getByRole('listitem')
    .filter({ hasText: 'Harbour' })
    .getByText(t('common.guest'))
    .waitFor();
});

test('the people page names somebody who comes into a group of guests while it is looked at', async () => {
  await grant('see');
  await inCrew(false);
  const { page } = ada;
  await page.goto(`/app/projects/${sample.projectId}/people`);
  const guests = page.getByRole('region', { name: t('people.guests.title') });
  await guests.getByRole('link', { name: 'Crew' }).waitFor();
  await whenLive(page);
  await inCrew(true);
  await guests.getByRole('link', { name: 'Gil Grouped' }).waitFor();
});

test('the dialog of a restricted task names owners, members and groups, and takes a member off', async () => {
  const { page } = ada;
  await openTask(page, sample);
  await menuButton(page).click();
  await page.getByRole('menuitem', { name: t('task.restrict') }).click();
  await cardOf(page, 'Paint the boat').locator('[data-restricted]').waitFor();
  const dialog = await openShare(page);
  await dialog.getByText(t('people.guests.fromProject', { of: 'owners', project: 'Harbour' })).waitFor();
  const field = dialog.getByLabel(t('people.invite.emailsOrNames'));
  await field.pressSequentially('bob');
  await dialog.getByRole('option', { name: 'Bob Kahn' }).click();
  await field.pressSequentially('cre');
  await dialog.getByRole('option', { name: 'Crew' }).click();
  await dialog.getByRole('button', { name: t('people.guests.send', { n: 2 }), exact: true }).click();
  await levelIn(dialog).waitFor();
  await levelIn(dialog, 'Bob Kahn').selectOption('remove');
  await levelIn(dialog, 'Bob Kahn').waitFor({ state: 'detached' });
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await sample.expectRows(
    'select group_id from task_grants where project_id = $1 and user_id is distinct from (select created_by from projects where id = $1)',
    [{ group_id: crewId }],
  );
  await panel(page).getByText(/Crew/).first().waitFor();
});
