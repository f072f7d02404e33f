// Guests: an owner shares one task by an invitation; its guest sees a board with this task alone, comments, moves it once they may, and loses it live.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { expectGoodLooks } from './looks.ts';
import { cardOf, columnOf, drag, type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { boardOf, openShare, openTask, panel } from './shared-task.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let gwen: Visitor;
let gwensMail: string;
let bob: Visitor;

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Paint the boat', 'Salaries']);
  ({ ada } = sample);
  [gwen, bob] = [await site.visit(), await site.visit()];
  gwensMail = (await gwen.settle('Gwen Guest')).email;
  await sample.join((await bob.settle('Bob Kahn')).email, 'editor');
  return [ada, gwen, bob];
});

/** The link of an invitation that Ada makes in the dialog of the task. */
async function invite(level: 'see' | 'comment' | 'edit'): Promise<string> {
  const dialog = await openShare(ada.page);
  await dialog.getByLabel(saying('people.invite.emails')).first().fill(gwensMail);
  await dialog.getByLabel(t('people.guests.level'), { exact: true }).selectOption(level);
  expect(await offences(ada.page)).toEqual([]);
  await dialog.getByRole('button', { name: t('people.guests.send', { n: 1 }), exact: true }).click();
  const results = dialog.getByRole('region', { name: t('people.invite.results') });
  const link = await results.getByRole('textbox').inputValue();
  await dialog
    .getByRole('region', { name: t('common.canSee') })
    .getByText(gwensMail)
    .waitFor();
  await ada.page.keyboard.press('Escape');
  return link;
}

async function accept(link: string): Promise<void> {
  const { page } = gwen;
  await page.goto(link);
  await page
    .getByText(
      t('signIn.invitation.whoTask', { who: 'Ada Lovelace', project: 'Harbour', task: 'HAR-1 Paint the boat' }),
    )
    .waitFor();
  await page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
  await panel(page).locator('[data-properties]').waitFor();
  await whenLive(page);
}

test('an owner shares a task by address: its guest sees it alone, comments, edits once they may, and loses it live', async () => {
  await openTask(ada.page, sample);
  await accept(await invite('comment'));
  const { page } = gwen;
  await page.getByText(t('projects.guest', { n: 1 })).waitFor();
  expect(await page.locator('[data-board] [data-task-id]').count()).toBe(1);
  expect(await page.getByRole('link', { name: t('projects.views.settings'), exact: true }).count()).toBe(0);
  expect(
    await panel(page)
      .getByRole('button', { name: t('common.more'), exact: true })
      .count(),
  ).toBe(0);
  expect(
    await panel(page)
      .getByRole('button', { name: t('task.assignMe') })
      .count(),
  ).toBe(0);
  expect(await offences(page)).toEqual([]);

  await panel(page)
    .getByRole('textbox', { name: t('task.comment') })
    .fill('Which colour?');
  await panel(page)
    .getByRole('button', { name: t('task.doComment'), exact: true })
    .click();
  await panel(ada.page).getByText('Which colour?').waitFor();

  const dialog = await openShare(ada.page);
  await dialog.getByLabel(t('people.guests.levelOf', { name: 'Gwen Guest' })).selectOption('edit');
  await ada.page.keyboard.press('Escape');
  const more = panel(page)
    .locator('header')
    .first()
    .getByRole('button', { name: t('common.more'), exact: true });
  await more.click();
  const offered = await page.getByRole('menuitem').allInnerTexts();
  for (const refused of [
    'task.keys.assignee',
    'task.keys.parent',
    'common.delete',
    'task.restrict',
    'task.share',
  ] as const)
    expect(offered.join()).not.toContain(t(refused));
  await page.keyboard.press('Escape');
  await panel(page)
    .getByRole('button', { name: t('task.close') })
    .first()
    .click();
  await drag(page, 'Paint the boat', 'In progress');
  await columnOf(ada.page, 'In progress').getByText('Paint the boat').waitFor();
  await sample.expectRows(
    `select c.name from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.number = 1`,
    [{ name: 'In progress' }],
  );

  await page.goto(`${boardOf(sample)}/2`);
  await page.getByText(t('common.failed.goneTitle')).waitFor();
  await page.goto(boardOf(sample));
  await cardOf(page, 'Paint the boat').waitFor();
  await whenLive(page);
  await ada.page.goto(`/app/projects/${sample.projectId}/people`);
  const guests = ada.page.getByRole('region', { name: t('people.guests.title') });
  await guests.getByRole('button', { name: t('common.tasks', { n: 1 }) }).click();
  await guests.getByRole('link', { name: 'HAR-1 Paint the boat' }).waitFor();
  expect(await offences(ada.page)).toEqual([]);
  await guests.getByRole('button', { name: t('people.guests.removeOf', { name: 'Gwen Guest' }) }).click();
  await ada.page
    .getByRole('dialog')
    .getByRole('button', { name: t('people.guests.remove'), exact: true })
    .click();
  await cardOf(page, 'Paint the boat').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: t('projects.accessLost.gone', { name: 'Harbour' }) }).waitFor();
});

test('a colleague is shared with by name and takes one task back; an editor sees the mark, and assigns the guest', async () => {
  await sample.site.app.sql(
    `insert into task_grants (project_id, task_id, user_id, level)
     select t.project_id, t.id, u.id, 'see' from tasks t, auth.users u where t.project_id = $1 and t.number = 1 and u.email = $2`,
    [sample.projectId, gwensMail],
  );
  await gwen.page.goto('/app');
  await gwen.page.getByRole('link', { name: `Harbour ${t('common.guest')}`, exact: true }).waitFor();
  await gwen.page.goto(boardOf(sample));
  await cardOf(gwen.page, 'Paint the boat').waitFor();
  await whenLive(gwen.page);
  await openTask(bob.page, sample);
  await cardOf(bob.page, 'Paint the boat').locator('[data-shared]').waitFor();
  expect(await cardOf(bob.page, 'Salaries').locator('[data-shared]').count()).toBe(0);
  await bob.page.goto(`${boardOf(sample)}/2`);
  const other = bob.page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) });
  await other.getByRole('button', { name: new RegExp(`^${t('task.properties.assignee')}`) }).click();
  await bob.page.getByRole('option', { name: `Gwen Guest ${t('common.guest')}` }).click();
  // Who works on a task sees it.
  await cardOf(gwen.page, 'Salaries').waitFor();
  await gwen.page.getByText(t('projects.guest', { n: 2 })).waitFor();

  await gwen.page
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await gwen.page.getByRole('menuitem', { name: t('settings.leave') }).click();
  await gwen.page
    .getByRole('dialog')
    .getByRole('button', { name: t('settings.leave') })
    .click();
  await gwen.page.waitForURL('**/app');
  await sample.expectRows('select user_id from task_grants where project_id = $1', []);
});

test('on a phone a guest begins at the first column that has a task for them, and stays where they scroll', async () => {
  await sample.rows(
    `insert into task_grants (project_id, task_id, user_id, level)
     select t.project_id, t.id, u.id, 'see' from tasks t, auth.users u where t.project_id = $1 and t.number = 1 and u.email = '${gwensMail}'`,
  );
  await sample.rows(
    `update tasks set column_id = (select id from workflow_columns where project_id = $1 and name = 'In progress') where project_id = $1 and number = 1`,
  );
  const onPhone = async (of: Visitor, title: string) => {
    const phone = await sample.site.visit({
      storageState: await of.page.context().storageState(),
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.page.goto(boardOf(sample));
    await cardOf(phone.page, title).waitFor();
    const strip = phone.page.getByRole('navigation', { name: t('common.columns') });
    return { ...phone, strip, marked: () => strip.locator('[aria-current]').allTextContents() };
  };
  const guest = await onPhone(gwen, 'Paint the boat');
  await expect.poll(guest.marked).toEqual(['In progress']);
  const opened = await columnOf(guest.page, 'In progress').boundingBox();
  await guest.strip.getByRole('button', { name: 'Backlog' }).tap();
  await expect.poll(guest.marked).toEqual(['Backlog']);
  await whenLive(guest.page);
  await sample.rows(`update tasks set title = 'Paint the ship' where project_id = $1 and number = 1`);
  await cardOf(guest.page, 'Paint the ship').waitFor();
  expect(await guest.marked()).toEqual(['Backlog']);
  // A member begins at the first one.
  const member = await onPhone(bob, 'Paint the ship');
  await expect.poll(member.marked).toEqual(['Backlog']);
  expect(opened?.x).toBe((await columnOf(member.page, 'Backlog').boundingBox())?.x);
  for (const one of [guest, member]) {
    await one.close();
    expect(one.troubles).toEqual([]);
  }
});

test('the share dialog of a project lists guests with their tasks and open invitations, and ends both', async () => {
  const { page } = ada;
  await sample.rows(
    `insert into task_grants (project_id, task_id, user_id, level)
     select t.project_id, t.id, u.id, 'see' from tasks t, auth.users u where t.project_id = $1 and u.email = '${gwensMail}'`,
  );
  await sample.openBoard(page);
  await page.getByRole('button', { name: t('projects.invite') }).click();
  const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
  await dialog.getByLabel(saying('people.invite.emails')).first().fill('cyd@example.test');
  await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }) }).click();
  const invited = dialog.getByRole('region', { name: t('people.invitation.title') });
  await invited.getByText('cyd@example.test').waitFor();

  const guests = dialog.getByRole('region', { name: t('people.guests.title') });
  await guests.getByRole('button', { name: t('common.tasks', { n: 2 }) }).click();
  const access = (task: string) => guests.getByLabel(t('people.guests.levelOn', { name: 'Gwen Guest', task }));
  await access('HAR-1 Paint the boat').selectOption('comment');
  await sample.expectRows('select level::text from task_grants where project_id = $1 order by 1', [
    { level: 'comment' },
    { level: 'see' },
  ]);
  await access('HAR-2 Salaries').selectOption('remove');
  await guests.getByRole('button', { name: t('common.tasks', { n: 1 }) }).waitFor();
  expect(await access('HAR-2 Salaries').count()).toBe(0);
  expect(await offences(page)).toEqual([]);
  await expectGoodLooks(ada.page, 'share-project', dialog.getByRole('region', { name: t('people.invitation.title') }));

  await invited.getByRole('button', { name: t('people.invitation.renew', { email: 'cyd@example.test' }) }).click();
  await invited.getByRole('textbox', { name: t('people.invitation.linkOf', { email: 'cyd@example.test' }) }).waitFor();
  await invited.getByRole('button', { name: t('people.invitation.revoke', { email: 'cyd@example.test' }) }).click();
  await invited.waitFor({ state: 'detached' });
  await guests.getByRole('button', { name: t('people.guests.removeOf', { name: 'Gwen Guest' }) }).click();
  await page
    .getByRole('dialog', { name: t('people.guests.removeOf', { name: 'Gwen Guest' }) })
    .getByRole('button', { name: t('people.guests.remove'), exact: true })
    .click();
  await guests.waitFor({ state: 'detached' });
  // The dialog stays.
  await dialog.getByRole('heading', { name: t('common.canSee') }).waitFor();
  await sample.expectRows('select user_id from task_grants where project_id = $1', []);
});
