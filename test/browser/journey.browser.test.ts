// A journey through the app: sign-up, project, tasks, drag, invitation; a second person accepts in another browser and sees it; a refused drop; undo.
// Real server, database, pages and browsers. No test needs another one.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import {
  addTasks,
  cardOf,
  createProject,
  drag,
  expectAfterRefocus,
  expectTitles,
  news,
  openHarbour,
  type SampleProject,
  startSite,
  titlesIn,
  type Visitor,
} from './pages.ts';
import { holding, saying, t } from './words.ts';

const site = forSuite(startSite);

describe('a new user', () => {
  let guest: Visitor;
  beforeEach(async () => {
    guest = await site.visit();
  });
  afterEach(async () => {
    const { troubles } = guest;
    await guest.close();
    expect(troubles).toEqual([]);
  });

  test('the app asks who you are, and brings you where you wanted to go', async () => {
    const { page } = guest;
    await page.goto('/app/account');
    await page.waitForURL(/\/sign-in#next=/);
    await page.getByRole('heading', { name: t('common.signIn') }).waitFor();
  });

  test('providers that nobody configured are not offered', async () => {
    const { page } = guest;
    for (const path of ['/sign-in', '/sign-up']) {
      await page.goto(path);
      await page.getByLabel(t('common.password')).waitFor();
      expect(await page.getByRole('button', { name: saying('signIn.with') }).count()).toBe(0);
    }
  });

  test('faults of a form are shown beside the field, and the first gets the focus', async () => {
    const { page } = guest;
    await page.goto('/sign-up');
    await page.getByRole('button', { name: t('signIn.doUp') }).click();
    await page.getByText(t('signIn.errors.nameMissing')).waitFor();
    await page.getByText(t('signIn.errors.passwordShort', { n: 6 })).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await page.goto('/sign-in');
    await page.getByLabel(t('signIn.email')).fill('nobody@example.test');
    await page.getByLabel(t('common.password')).fill('wrong password');
    await page.getByRole('button', { name: t('common.signIn'), exact: true }).click();
    await page.getByText(t('signIn.errors.credentials')).waitFor();
  });

  test('signs up, makes a project, adds tasks and drags one; it stays there after a reload', async () => {
    const { page } = guest;
    await guest.signUp('Ada Lovelace');
    const projectId = await createProject(page, 'Website relaunch');
    await addTasks(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await expectTitles(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await page.getByText('WR-3').waitFor();
    await drag(page, 'Choose a typeface', 'In progress');
    await expectTitles(page, 'In progress', ['Choose a typeface']);
    await expect
      .poll(() =>
        site.app.sql(
          "select c.name from tasks t join workflow_columns c on c.id = t.column_id where t.title = 'Choose a typeface' and t.project_id = $1",
          [projectId],
        ),
      )
      .toEqual([{ name: 'In progress' }]);
    await page.reload();
    await expectTitles(page, 'In progress', ['Choose a typeface']);
    await expectTitles(page, 'To do', ['Write the copy', 'Launch']);
  });
});

describe('a user with a project', () => {
  let sample: SampleProject;
  let ada: Visitor;
  let projectId: string;
  beforeEach(async () => {
    sample = await openHarbour(site, ['Write the copy', 'Choose a typeface', 'Launch']);
    ({ ada, projectId } = sample);
  });
  afterEach(async () => {
    const { troubles } = ada;
    await ada.close();
    expect(troubles).toEqual([]);
  });

  test('invites someone, who accepts in a browser of their own and sees the board; each sees what the other adds', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: t('projects.invite') }).click();
    await page.getByLabel(t('people.invite.emails')).fill('bob@example.test');
    await page.getByRole('button', { name: t('people.invite.send', { n: 1 }), exact: true }).click();
    const link = await page
      .getByRole('textbox', { name: t('people.invitation.linkOf', { email: 'bob@example.test' }) })
      .inputValue();
    expect(link).toMatch(/\/invitation#.+/);
    await page.keyboard.press('Escape');

    const bob = await site.visit();
    await bob.page.goto(link);
    await bob.page.getByRole('link', { name: t('signIn.doUp') }).click();
    await bob.page.getByLabel(t('signIn.name')).fill('Bob');
    await bob.page.getByLabel(t('signIn.email')).fill('bob@example.test');
    await bob.page.getByLabel(t('common.password')).fill('correct horse battery');
    await bob.page.getByRole('button', { name: t('signIn.doUp') }).click();
    await bob.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await bob.page.waitForURL(new RegExp(`/app/projects/${projectId}/board`));
    await expectTitles(bob.page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await addTasks(bob.page, 'Backlog', ['Ask three customers']);
    await page.getByRole('link', { name: t('projects.views.board'), exact: true }).click();
    await expectAfterRefocus(page, () => titlesIn(page, 'Backlog').allInnerTexts(), ['Ask three customers']);
    expect(bob.troubles).toEqual([]);
    await bob.close();
  });

  test('changes from elsewhere leave the title being typed alone', async () => {
    const { page } = ada;
    await cardOf(page, 'Launch').click();
    const title = page.getByRole('textbox', { name: t('property.title') });
    await title.fill('Launch, at last');
    await sample.rows(
      "update tasks set priority = 'p0', title = 'Launch it' where project_id = $1 and title = 'Launch'",
    );
    await expectAfterRefocus(
      page,
      () =>
        page
          .getByRole('button', {
            name: t('common.pair', { name: t('property.priority'), value: t('common.priorities.p0') }),
          })
          .count(),
      1,
    );
    expect(await title.inputValue()).toBe('Launch, at last');
    await title.fill('Launch');
    await page
      .locator('[data-theirs]')
      .getByRole('button', { name: t('task.conflict.keep') })
      .click();
    await expectTitles(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await page.getByRole('button', { name: t('task.close') }).click();
  });

  test('a drop that is refused: the card goes back and says why', async () => {
    const { page } = ada;
    await cardOf(page, 'Launch').click();
    await page.getByRole('button', { name: t('task.addPart.dependencies') }).click();
    await page.getByRole('combobox', { name: t('task.addBlockedBy') }).fill('copy');
    await page.getByRole('option', { name: /Write the copy/ }).click();
    await page
      .getByRole('region', { name: t('task.dependencies') })
      .getByRole('link', { name: /Write the copy/ })
      .waitFor();
    // Waiting both ways would never end: the picker says so.
    await page.getByRole('button', { name: t('task.addBlocks') }).click();
    await page.getByRole('combobox', { name: t('task.addBlocks') }).fill('copy');
    await page.getByRole('option', { name: holding('task.wouldClose') }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t('task.close') }).click();
    await cardOf(page, 'Launch').getByText(t('property.blocked'), { exact: true }).waitFor();
    await drag(page, 'Launch', 'Done');
    await news(page).getByText('It waits for HAR-1, which isn’t done yet').waitFor();
    await page
      .getByRole('status')
      .getByText(t('board.drag.returned', { task: 'HAR-3 Launch', why: 'It waits for HAR-1' }))
      .waitFor();
    await expectTitles(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await expectTitles(page, 'Done', []);
  });

  test('undo takes the last move back, redo makes it again', async () => {
    const { page } = ada;
    await drag(page, 'Write the copy', 'Done');
    await expectTitles(page, 'Done', ['Write the copy']);
    await page.keyboard.press('Control+z');
    await expectTitles(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    await page.keyboard.press('Control+Shift+z');
    await expectTitles(page, 'Done', ['Write the copy']);
    await sample.expectRows(
      "select c.kind from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.title = 'Write the copy'",
      [{ kind: 'done' }],
    );
  });

  test('deleting a task can be undone until it is sent; then it is gone', async () => {
    const { page } = ada;
    await cardOf(page, 'Choose a typeface').click();
    await page
      .getByRole('button', { name: t('common.more'), exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: t('common.delete') }).click();
    await expectTitles(page, 'To do', ['Write the copy', 'Launch']);
    await page.getByRole('button', { name: t('common.undo') }).click();
    await expectTitles(page, 'To do', ['Write the copy', 'Choose a typeface', 'Launch']);
    expect(await sample.rows("select 1 from tasks where project_id = $1 and title = 'Choose a typeface'")).toHaveLength(
      1,
    );
  });

  test('signing out leaves nothing behind', async () => {
    const { page } = ada;
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: t('common.nav.signOut') }).click();
    await page.waitForURL(/\/sign-in/);
    expect((await page.context().cookies()).filter((cookie) => cookie.name.startsWith('sb-kanbase'))).toEqual([]);
    await page.goto(`/app/projects/${projectId}/board`);
    await page.waitForURL(/\/sign-in/);
  });
});
