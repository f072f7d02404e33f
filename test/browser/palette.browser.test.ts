// The palette: exact keys win, everything that can be done with the task in hand is found by what it does, and what was looked at
// last is there without typing.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, expectTitles, focusedCard, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { inside, saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  page = sample.ada.page;
  await sample.rows("insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d')");
  await sample.client.rpc('create_project_with_defaults', { name: 'Relaunch', key: 'WEB' });
  await sample.rows(
    "update tasks set title = 'Harden the web server' where project_id = $1 and number = 3 returning id",
  );
  await sample.openBoard(page);
  return [sample.ada];
});

const first = () => page.getByRole('option').first();
async function search(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: t('common.nav.search') }).fill(text);
}
async function pick(text: string, option: string | RegExp): Promise<void> {
  await search(text);
  await first().filter({ hasText: option }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
const inFocus = () => focusedCard(page);

test('an exact key wins: of a project, and of a task', async () => {
  await pick('web', 'Relaunch');
  await page.waitForURL(/\/board$/);
  await page.getByRole('heading', { name: 'Relaunch' }).waitFor();
  await pick('har 2', 'Count the ships');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
  await pick('relaunch list', 'Relaunch: List');
  await page.waitForURL(/\/list$/);
});

test('actions for the focused card are found in the palette, and the card keeps the focus', async () => {
  await cardOf(page, 'Paint the crane').focus();
  await pick('assign ada', t('search.do.assign', { name: 'Ada Lovelace' }));
  await expect.poll(inFocus).toBe('Paint the crane');
  await pick('prio crit', t('search.do.priority', { name: t('common.priorities.p0') }));
  await pick('label urg', t('search.do.label', { name: 'Urgent' }));
  await pick('due 15 may 2030', saying('search.do.due', { day: /Wednesday,? 15 May 2030/ }));
  await pick('mv prog', t('search.do.move', { name: 'In progress' }));
  await expectTitles(page, 'In progress', ['Paint the crane']);
  await sample.expectRows(
    `select t.priority::text, t.due_date::text, count(a.*)::int as people, count(l.*)::int as labels
     from tasks t left join task_assignees a on a.task_id = t.id left join task_label_links l on l.task_id = t.id
     where t.project_id = $1 and t.number = 1 group by t.id`,
    [{ priority: 'p0', due_date: '2030-05-15', people: 1, labels: 1 }],
  );
  await pick('unassign', t('search.do.unassign', { name: 'Ada Lovelace' }));
  await sample.expectRows('select count(*)::int as n from task_assignees where project_id = $1', [{ n: 0 }]);
});

test('the palette offers what the menu of a task does, for a card as for an open task, and to a viewer what is theirs', async () => {
  /** Whether one watches is known a moment later. */
  const labels = async (): Promise<string[]> => {
    const all = await page.getByRole('option').locator(':scope > span:nth-child(2)').allInnerTexts();
    return all.map((label) => (label === t('common.inbox.stop') ? t('common.inbox.watch') : label));
  };
  async function offeredBy(key: '.' | 'Control+k'): Promise<string[]> {
    await page.keyboard.press(key);
    await page.getByRole('option', { name: t('common.copyLink') }).waitFor();
    const offered = await labels();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    return offered;
  }
  await cardOf(page, 'Paint the crane').focus();
  const onCard = await offeredBy('.');
  expect(onCard).toEqual(
    expect.arrayContaining([
      t('common.copyLink'),
      t('common.inbox.watch'),
      t('common.duplicate'),
      t('task.archive'),
      t('common.delete'),
    ]),
  );
  expect(await offeredBy('Control+k')).toEqual(expect.arrayContaining(onCard));
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  await panel.getByRole('button', { name: t('common.copyLink') }).waitFor();
  expect(await offeredBy('Control+k')).toEqual(expect.arrayContaining(await offeredBy('.')));

  const { ada } = sample;
  const eve = await sample.site.visit();
  await sample.join((await eve.settle('Eve Viewer')).email, 'viewer');
  page = eve.page;
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page
    .getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) })
    .getByRole('button', { name: t('common.copyLink') })
    .waitFor();
  const looking = await offeredBy('Control+k');
  expect(looking).toEqual(expect.arrayContaining([t('common.copyLink'), t('common.inbox.watch'), t('task.close')]));
  expect(looking).not.toContain(t('common.delete'));
  page = ada.page;
  await eve.close();
});

test('without a task nothing is offered that needs one; the theme is', async () => {
  await page.mouse.move(1, 1);
  await search('assign');
  await expect.poll(() => page.getByRole('option', { name: saying('search.do.assign') }).count()).toBe(0);
  await page.getByRole('combobox').fill('dark');
  await first()
    .filter({ hasText: t('search.themes.dark') })
    .waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
});

test('people are invited from the palette, and every place is gone to', async () => {
  await search('invite');
  await first()
    .filter({ hasText: t('projects.invite') })
    .waitFor();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog', { name: /Harbour/ })
    .getByRole('textbox')
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pick('inbox', t('common.nav.inbox'));
  await page.waitForURL(/\/app\/inbox$/);
  await pick('my tasks', t('common.nav.myTasks'));
  await page.waitForURL(/\/my-tasks$/);
});

test('the tasks viewed last are listed before anything is typed', async () => {
  for (const title of ['Paint the crane', 'Count the ships']) {
    await cardOf(page, title).click();
    await page
      .getByRole('complementary', { name: saying('task.panel') })
      .getByText(title)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: saying('task.panel') }).waitFor({ state: 'detached' });
  }
  await sample.openBoard(page);
  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: t('search.recent') }).getByRole('option');
  await recent.first().waitFor();
  expect(await recent.allInnerTexts()).toEqual([
    expect.stringContaining('Count the ships'),
    expect.stringContaining('Paint the crane'),
  ]);
  expect(await offences(page)).toEqual([]);
});

test('the palette finds titles here, words on the server, and runs commands', async () => {
  await sample.rows(
    "update tasks set description = 'Mind the barnacles' where project_id = $1 and title = 'Count the ships' returning id",
  );
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.fill('ships');
  await page.getByRole('option', { name: /Count the ships/ }).waitFor();
  await field.fill('barnacles');
  await page.getByRole('option', { name: new RegExp(`Count the ships.*${inside('search.inWords')}`) }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/board\/2$/);
  await page.goto('/app');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('my tasks');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/my-tasks$/);
});

test('a task is created of what is typed, with the words and offers of every quick line', async () => {
  const field = () => page.getByRole('combobox', { name: t('common.nav.search') });
  const create = (title: string) => page.getByRole('option', { name: t('search.create', { title }) });
  await search('Order rope');
  // What is looked for goes before it.
  await create('Order rope').waitFor();
  await field().fill('');
  await page.keyboard.type('Order rope #ur');
  await page.getByRole('option', { name: 'Urgent', exact: true }).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect.poll(() => field().inputValue()).toBe('Order rope #Urgent ');
  await page.keyboard.type('#wet');
  await page.getByRole('option', { name: t('task.makeLabel', { name: 'wet' }) }).click();
  await page.keyboard.type('!! ^fri');
  await page.getByRole('button', { name: saying('board.line.takeBack', { typed: '#wet' }) }).click();
  await first()
    .filter({ hasText: t('search.create', { title: 'Order rope #wet' }) })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await sample.expectRows(
    `select t.title, t.priority::text, extract(isodow from t.due_date)::int as weekday, l.name as label, c.name as column
     from tasks t join workflow_columns c on c.id = t.column_id left join task_label_links k on k.task_id = t.id
     left join task_labels l on l.id = k.label_id where t.project_id = $1 and t.title like 'Order rope%'`,
    [{ title: 'Order rope #wet', priority: 'p0', weekday: 5, label: 'Urgent', column: 'To do' }],
  );
  await page.keyboard.press('Control+z');
  await sample.expectRows("select 1 as one from tasks where project_id = $1 and title like 'Order rope%'", []);
});
