// Work on the board: many cards at once, the menu of a card, editing columns in place, counts that follow the filter.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, columnOf, drag, expectTitles, openDisplay, openHarbour, type SampleProject } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site);
  page = sample.ada.page;
  return [sample.ada];
});

const bulk = () => page.getByRole('toolbar', { name: t('list.bulk.label') });
const options = () => page.getByRole('option');
const priorities = (expected: readonly string[]) =>
  sample.expectRows(
    'select priority::text from tasks where project_id = $1 order by number',
    expected.map((priority) => ({ priority })),
  );
const columnMenu = (name: string) => page.getByRole('button', { name: t('board.columnMenu', { column: name }) });
async function change(column: string, what: string): Promise<void> {
  await columnMenu(column).click();
  await page.getByRole('menuitem', { name: what }).click();
}
const columnNames = () => page.locator('[data-column] h2').allInnerTexts();

test('cards are selected by Ctrl, Shift and x, and changed together with one undo', async () => {
  await cardOf(page, 'Paint the crane').click({ modifiers: ['Control'] });
  await cardOf(page, 'Sweep the quay').click({ modifiers: ['Shift'] });
  await bulk()
    .getByText(t('common.selected', { n: 3 }))
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('x');
  await bulk()
    .getByText(t('common.selected', { n: 2 }))
    .waitFor();
  await page.keyboard.press('p');
  await options()
    .filter({ hasText: t('common.priorities.p0') })
    .click();
  await priorities(['p0', 'p2', 'p0']);
  await bulk()
    .getByRole('button', { name: t('list.bulk.move') })
    .click();
  await options().filter({ hasText: 'Done' }).click();
  await expectTitles(page, 'Done', ['Paint the crane', 'Sweep the quay']);
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  await page.keyboard.press('Escape');
  await bulk().waitFor({ state: 'detached' });
});

test('cards that are selected are dragged together, and go back together', async () => {
  await cardOf(page, 'Paint the crane').click({ modifiers: ['Control'] });
  await cardOf(page, 'Sweep the quay').click({ modifiers: ['Control'] });
  await drag(page, 'Sweep the quay', 'In progress');
  await expectTitles(page, 'In progress', ['Paint the crane', 'Sweep the quay']);
  await expectTitles(page, 'To do', ['Count the ships']);
  await sample.expectRows(
    `select t.title from tasks t join workflow_columns c on c.id = t.column_id
     where t.project_id = $1 and c.kind = 'in_progress' order by t.order_rank`,
    [{ title: 'Paint the crane' }, { title: 'Sweep the quay' }],
  );
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  // By keys too; a card that is not selected goes alone.
  await cardOf(page, 'Paint the crane').focus();
  for (const key of ['Shift+Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await expectTitles(page, 'In progress', ['Paint the crane', 'Sweep the quay']);
  await drag(page, 'Count the ships', 'Done');
  await expectTitles(page, 'Done', ['Count the ships']);
  await expectTitles(page, 'In progress', ['Paint the crane', 'Sweep the quay']);
});

test('a face on a card or beside a comment shows whose it is', async () => {
  const bob = await sample.site.app.createUser({ email: 'bob.kahn@example.test', name: 'Bob Kahn' });
  await sample.join('bob.kahn@example.test', 'editor');
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${bob.id}' from tasks where project_id = $1 and number = 1`,
  );
  await sample.rows(
    `insert into task_comments (project_id, task_id, author_id, body) select project_id, id, '${bob.id}', 'Which red?' from tasks where project_id = $1 and number = 1`,
  );
  await sample.openBoard(page);
  const person = page.locator('[data-person-card]');
  await page.locator(`[data-task-id] [data-face="${bob.id}"]`).hover();
  await person.getByText(t('people.open', { n: 1 })).waitFor();
  await person.getByText(t('common.roles.editor')).waitFor();
  expect(await offences(page)).toEqual([]);
  // One may move onto it; elsewhere, and when the card is taken, it goes.
  await person.hover();
  await person.getByText('Bob Kahn').first().waitFor();
  await page.mouse.move(5, 5);
  await person.waitFor({ state: 'detached' });
  await cardOf(page, 'Paint the crane').click();
  const comments = page.getByRole('region', { name: t('task.activity'), exact: true });
  await comments.getByRole('link', { name: 'Bob Kahn' }).hover();
  await person.getByText(t('common.roles.editor')).waitFor();
  await comments.getByRole('link', { name: 'Bob Kahn' }).click();
  await page.getByRole('heading', { name: 'Bob Kahn', level: 1 }).waitFor();
});

test('the other button opens the menu of a card; under the pointer stand the changes made most', async () => {
  await cardOf(page, 'Count the ships').click({ button: 'right' });
  await options().getByText(t('task.archive')).waitFor();
  await page.keyboard.press('Escape');
  await cardOf(page, 'Count the ships').hover();
  const tools = page.locator('li', { has: cardOf(page, 'Count the ships') });
  await tools.getByRole('button', { name: t('task.keys.priority') }).click();
  await options()
    .filter({ hasText: t('common.priorities.p1') })
    .click();
  await priorities(['p2', 'p1', 'p2']);
  // With others selected it is still this card alone.
  await cardOf(page, 'Paint the crane').click({ modifiers: ['Control'] });
  await bulk()
    .getByText(t('common.selected', { n: 1 }))
    .waitFor();
  await cardOf(page, 'Count the ships').hover();
  await tools.getByRole('button', { name: t('task.keys.priority') }).click();
  await options()
    .filter({ hasText: t('common.priorities.p0') })
    .click();
  await priorities(['p2', 'p0', 'p2']);
});

test('a column is renamed, coloured, moved, collapsed, sorted and added where it stands', async () => {
  await change('To do', t('common.rename'));
  await page.getByRole('textbox', { name: t('property.column') }).fill('Next');
  await page.keyboard.press('Enter');
  await expect.poll(columnNames).toEqual(['Backlog', 'Next', 'In progress', 'Done']);
  await change('Next', t('common.colour'));
  await page.getByRole('radio', { name: t('common.colours.violet') }).click({ force: true });
  await sample.expectRows("select color from workflow_columns where project_id = $1 and name = 'Next'", [
    { color: '#8159c9' },
  ]);
  await change('Next', t('board.columnDo.left'));
  await expect.poll(columnNames).toEqual(['Next', 'Backlog', 'In progress', 'Done']);
  await change('Next', t('board.columnDo.sort', { by: 'title' }));
  const sorted = ['Count the ships', 'Paint the crane', 'Sweep the quay'];
  await expectTitles(page, 'Next', sorted);
  await sample.expectRows(
    'select title from tasks where project_id = $1 order by order_rank collate "C"',
    sorted.map((title) => ({ title })),
  );
  await page.getByRole('button', { name: t('settings.addColumn') }).click();
  await page.keyboard.type('Review');
  await page.keyboard.press('Enter');
  await expect.poll(columnNames).toEqual(['Next', 'Backlog', 'In progress', 'Done', 'Review']);
  await change('Backlog', t('board.columnDo.collapse'));
  await page.getByRole('button', { name: t('board.expand', { column: 'Backlog' }) }).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.reload();
  await page.getByRole('button', { name: t('board.expand', { column: 'Backlog' }) }).click();
  await expect.poll(columnNames).toContain('Backlog');
});

test('counts follow the filter', async () => {
  await sample.openBoard(page, '?q=crane');
  await columnOf(page, 'To do')
    .locator('header')
    .getByText(t('board.shownOf', { n: 1, all: '3' }), { exact: true })
    .waitFor();
  await expectTitles(page, 'To do', ['Paint the crane']);
});

test('in my tasks the arrows go from task to task and each property has its key', async () => {
  await sample.rows(
    'insert into task_assignees (project_id, task_id, user_id) select project_id, id, created_by from tasks where project_id = $1 and number < 3 returning task_id',
  );
  await page.goto('/app/my-tasks');
  await page.getByRole('link', { name: /Paint the crane/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Count the ships');
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByRole('combobox').fill('15 may 2030');
  await page.keyboard.press('Enter');
  await sample.expectRows('select due_date::text from tasks where project_id = $1 and number = 2', [
    { due_date: '2030-05-15' },
  ]);
  await page.keyboard.press('l');
  await page.getByRole('dialog').getByRole('combobox').fill('Rope');
  await options()
    .filter({ hasText: t('task.makeLabel', { name: 'Rope' }) })
    .click();
  await sample.expectRows(
    'select l.name from task_label_links k join task_labels l on l.id = k.label_id where k.project_id = $1',
    [{ name: 'Rope' }],
  );
});

test('compact, ten cards fit into a column of a window 900 pixels high, and rows are 32 pixels', async () => {
  const titles = Array.from(
    { length: 12 },
    (_, n) => `('Mend net ${n}', case when ${n} % 3 = 0 then current_date end)`,
  );
  await sample.rows(
    `insert into tasks (project_id, column_id, title, due_date)
     select $1, c.id, v.title, v.due from (values ${titles.join()}) v (title, due) join workflow_columns c on c.project_id = $1 and c.name = 'Backlog' returning id`,
  );
  await sample.openBoard(page);
  const display = await openDisplay(page);
  await display.getByRole('button', { name: t('board.compact') }).click();
  await page.keyboard.press('Escape');
  const whole = () =>
    columnOf(page, 'Backlog')
      .locator('ul')
      .evaluate((list) => {
        const { bottom } = list.getBoundingClientRect();
        return [...list.querySelectorAll('[data-task-id]')].filter(
          (card) => card.getBoundingClientRect().bottom <= bottom,
        ).length;
      });
  await expect.poll(whole).toBeGreaterThanOrEqual(10);
  await page.goto(`/app/projects/${sample.projectId}/list`);
  const row = page.getByRole('row').filter({ hasText: 'Paint the crane' });
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().height)).toBe(32);
  // What the groups say and what no row has is not said again.
  expect(await row.getByText('To do').isVisible()).toBe(false);
  expect(await page.getByRole('columnheader', { name: t('property.labels') }).isVisible()).toBe(false);
  await page.keyboard.press('Shift+C');
  await expect.poll(() => row.evaluate((element) => element.getBoundingClientRect().height)).toBe(40);
});

test('the board makes room for the task that is open; how much is remembered', async () => {
  const panel = page.getByRole('complementary', { name: saying('task.panel') });
  await cardOf(page, 'Paint the crane').click();
  await panel.waitFor();
  const box = async (of: typeof panel) => (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const card = await box(cardOf(page, 'Paint the crane'));
  const open = await box(panel);
  expect(card.x + card.width).toBeLessThanOrEqual(open.x);
  const edge = page.getByRole('separator', { name: saying('task.width') });
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => Math.round((await box(panel)).width - open.width)).toBe(32);
  await page.mouse.move(open.x - 32, 400);
  await page.mouse.down();
  await page.mouse.move(open.x + 60, 400, { steps: 4 });
  await page.mouse.up();
  const width = open.width - 60;
  await expect.poll(async () => Math.abs((await box(panel)).width - width)).toBeLessThan(4);
  expect(await offences(page)).toEqual([]);
  await page.reload();
  await panel.waitFor();
  await expect.poll(async () => Math.abs((await box(panel)).width - width)).toBeLessThan(4);
});
