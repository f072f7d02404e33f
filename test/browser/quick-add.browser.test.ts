// Quick add on the board: people, labels, priority and dates in the typed line; keystrokes are counted.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, columnOf, expectTitles, focusedCard, news, openHarbour, type SampleProject } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site);
  page = sample.ada.page;
  const bob = await site.visit();
  const { email } = await bob.settle('Bob Kahn');
  await bob.close();
  await sample.join(email, 'editor');
  await sample.rows("insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d')");
  await sample.openBoard(page);
  return [sample.ada];
});

const field = () => page.getByRole('textbox', { name: saying('board.addTo') });
const inFocus = () => focusedCard(page);
const rowInFocus = () => page.evaluate(() => document.activeElement?.getAttribute('title'));
const made = (title: string) => `
  select t.title, t.priority::text, extract(isodow from t.due_date)::int as weekday,
    (select p.display_name from task_assignees a join profiles p on p.id = a.user_id where a.task_id = t.id) as who,
    (select l.name from task_label_links k join task_labels l on l.id = k.label_id where k.task_id = t.id) as label
  from tasks t where t.project_id = $1 and t.title = '${title}'`;

test('a task with assignee, label, priority and due date takes at most ten keystrokes beside its words', async () => {
  const title = 'Order rope';
  let strokes = 0;
  const press = async (key: string): Promise<void> => {
    strokes++;
    await page.keyboard.press(key);
  };
  await press('c');
  await field().waitFor();
  await page.keyboard.type(title);
  for (const key of ' @b#u!^f') await press(key);
  await press('Enter');
  await sample.expectRows(made(title), [{ title, priority: 'p1', weekday: 5, who: 'Bob Kahn', label: 'Urgent' }]);
  console.log(`a whole task: ${strokes} keystrokes beside its words`);
  expect(strokes).toBeLessThanOrEqual(10);
});

test('a line that is added before its people and labels have come is read once they are here, and those after it follow', async () => {
  // What the device keeps of the project is older than Cara and the label.
  await page.goto('about:blank');
  await sample.join((await sample.site.app.createUser({ name: 'Cara Quill' })).email, 'editor');
  await sample.rows("insert into task_labels (project_id, name, color) values ($1, 'Harbour', '#0f766e')");
  let come = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/rest\/v1\/(project_members|profiles|task_labels|rpc\/changes_since)/, async (route) => {
    await gone;
    await route.continue();
  });
  await sample.openBoard(page);
  await page.keyboard.press('c');
  await field().waitFor();
  await page.keyboard.type('Order rope @cara #harb !p1 ^fri');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Coil it');
  await page.keyboard.press('Enter');
  expect(await field().inputValue()).toBe('');
  come();
  const title = 'Order rope';
  await sample.expectRows(made(title), [{ title, priority: 'p1', weekday: 5, who: 'Cara Quill', label: 'Harbour' }]);
  await expectTitles(page, 'Backlog', [title, 'Coil it']);
});

test('recognized parts of a new task are shown, can be removed, and are undone in one step', async () => {
  await columnOf(page, 'To do').locator('[data-add-task]').click();
  await field().pressSequentially('Order rope @bob #urgent !high due friday');
  const part = (name: string) =>
    page.getByRole('button', { name: saying('board.line.takeBack', { what: new RegExp(`${name}.*`) }) });
  await part('Bob Kahn').waitFor();
  await part(t('common.priorities.p1')).waitFor();
  expect(await offences(page)).toEqual([]);
  await part('Urgent').click();
  await expect.poll(() => part('Urgent').count()).toBe(0);
  // The focus is back in the field.
  await page.keyboard.press('Enter');
  const title = 'Order rope #urgent';
  await sample.expectRows(made(title), [{ title, priority: 'p1', weekday: 5, who: 'Bob Kahn', label: null }]);
  await page.keyboard.press('Escape');
  await expect.poll(inFocus).toBe(title);
  await page.keyboard.press('Control+z');
  await cardOf(page, title).waitFor({ state: 'detached' });
  await sample.expectRows(made(title), []);
});

test('people, labels and priorities are offered while one types, and a label that is not there is created', async () => {
  const offer = (name: string) => page.getByRole('option', { name });
  await page.keyboard.press('c');
  await field().waitFor();
  await page.keyboard.type('Order rope @k');
  await offer('Bob Kahn').waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('#hemp');
  await offer(t('task.makeLabel', { name: 'hemp' })).click();
  await page.keyboard.type('!c');
  await offer(t('common.priorities.p0')).waitFor();
  await page.keyboard.press('Tab');
  expect(await field().inputValue()).toBe(`Order rope @Bob Kahn #hemp !${t('common.priorities.p0')} `);
  await page.keyboard.type('^');
  await page.getByRole('option').first().waitFor();
  // The list is closed first, then the field.
  await page.keyboard.press('Escape');
  await page.keyboard.type('fri');
  expect(await page.getByRole('option').count()).toBe(0);
  await page.keyboard.press('Enter');
  const title = 'Order rope';
  await sample.expectRows(made(title), [{ title, priority: 'p0', weekday: 5, who: 'Bob Kahn', label: 'hemp' }]);
});

test('a subtask and a task on a day understand the same words', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page.getByRole('button', { name: t('task.addPart.subtasks') }).click();
  await page.getByRole('textbox', { name: t('plan.subtasks.add') }).fill('Scrape it @bob #urgent p1 ^fri');
  await page.keyboard.press('Enter');
  await sample.expectRows(made('Scrape it'), [
    { title: 'Scrape it', priority: 'p1', weekday: 5, who: 'Bob Kahn', label: 'Urgent' },
  ]);
  await page.goto(`/app/projects/${sample.projectId}/calendar?day=2030-06-20&show=month`);
  await page.locator('[data-day="2030-06-20"]').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Ring the bell @bob !!');
  await page.keyboard.press('Enter');
  await sample.expectRows(made('Ring the bell'), [
    { title: 'Ring the bell', priority: 'p0', weekday: 4, who: 'Bob Kahn', label: null },
  ]);
});

test.each([
  ['the list', 'list?group=none'],
  ['the table', `list?group=none&shown=${encodeURIComponent('{"columns":["title","due_date"]}')}`],
])(
  '%s has the line of the board: its words, offers and a pasted list, and the focus ends with the last row',
  async (_, view) => {
    await page.goto(`/app/projects/${sample.projectId}/${view}`);
    await page.locator('[data-row-link]').first().focus();
    await page.keyboard.press('c');
    await page.keyboard.press('Escape');
    await expect.poll(rowInFocus).toBe('Paint the crane');
    await page.keyboard.press('c');
    await field().waitFor();
    await page.keyboard.type('Order rope @k');
    await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('#urgent !high ^fri');
    expect(await offences(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await sample.expectRows(made('Order rope'), [
      { title: 'Order rope', priority: 'p1', weekday: 5, who: 'Bob Kahn', label: 'Urgent' },
    ]);
    // It stays for the next ones.
    await field().fill('Splice it !!\nCoil it');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(rowInFocus).toBe('Coil it');
    await sample.expectRows("select title, priority::text from tasks where project_id = $1 and title like '% it'", [
      { title: 'Splice it', priority: 'p0' },
      { title: 'Coil it', priority: 'p2' },
    ]);
  },
);

test('a task added to a list that is filtered is said to be hidden', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none&q=crane`);
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type('Order rope');
  await page.keyboard.press('Enter');
  await news(page)
    .getByText(t('board.addedHidden', { n: 1 }))
    .waitFor();
  await page.keyboard.press('Escape');
  await sample.expectRows(made('Order rope'), [
    { title: 'Order rope', priority: 'p2', weekday: null, who: null, label: null },
  ]);
});

test('a new card stands where the plus was, and has the focus when one is done', async () => {
  await columnOf(page, 'To do')
    .getByRole('button', { name: t('board.addTo', { column: 'To do' }) })
    .click();
  await page.keyboard.type('Order rope');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Mend the net');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(inFocus).toBe('Mend the net');
  const old = ['Paint the crane', 'Count the ships', 'Sweep the quay'];
  await expectTitles(page, 'To do', ['Mend the net', 'Order rope', ...old]);
  await columnOf(page, 'To do').locator('[data-add-task]').click();
  await page.keyboard.type('Buy paint');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(inFocus).toBe('Buy paint');
  await page.reload();
  await expectTitles(page, 'To do', ['Mend the net', 'Order rope', ...old, 'Buy paint']);
});

test('a pasted list reads each line', async () => {
  await columnOf(page, 'Backlog')
    .getByRole('button', { name: t('board.addTo', { column: 'Backlog' }) })
    .click();
  await field().fill('Order rope @bob\nMend the net !!\nAsk bob@example.test');
  await page.getByText(t('common.tasks', { n: 3 })).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expectTitles(page, 'Backlog', ['Order rope', 'Mend the net', 'Ask bob@example.test']);
  await sample.expectRows(made('Mend the net'), [
    { title: 'Mend the net', priority: 'p0', weekday: null, who: null, label: null },
  ]);
});
