// Working on tasks: filters that live in the address, drops that are refused, the list, everything in a task's panel.
// Each test has a project and a browser of its own.

import { describe, expect, test } from 'vitest';
import {
  cardOf,
  columnOf,
  drag,
  expectAfterRefocus,
  expectTitles,
  news,
  preferMarkdown,
  pressUntil,
  type SampleProject,
  settleHarbour,
  startSite,
  type Visitor,
  written,
} from './pages.ts';
import { eachStory } from './stories.ts';

const bob = 'bob.kahn@example.test';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;
let rows: SampleProject['rows'];
let expectRows: SampleProject['expectRows'];
let openBoard: SampleProject['openBoard'];

const chips = () => ada.page.locator('[data-chip]').allInnerTexts();
const focused = () => ada.page.evaluate(() => document.activeElement?.textContent);

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada, projectId, rows, expectRows, openBoard } = sample);
    await sample.join(bob, 'owner');
    await rows("insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d')");
    return [ada];
  },
  async () => {
    const site = await startSite();
    await site.app.createUser({ email: bob, name: 'Bob Kahn' });
    return site;
  },
);

describe('the board', () => {
  test('a pasted list becomes a task a line', async () => {
    const { page } = ada;
    await openBoard(page);
    await page.getByRole('button', { name: 'Add a task to Backlog' }).click();
    await page.getByRole('textbox', { name: 'Add a task to Backlog' }).fill('Order rope\n\n  Mend the net  ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expectTitles(page, 'Backlog', ['Order rope', 'Mend the net']);
    await expectRows('select title, number from tasks where project_id = $1 and number > 3 order by number', [
      { title: 'Order rope', number: 4 },
      { title: 'Mend the net', number: 5 },
    ]);
  });

  test('filters add up, stand in the address, and are still there after a reload and beside an open task', async () => {
    const { page } = ada;
    await rows(
      `update tasks set priority = 'p0', due_date = current_date - 2 where project_id = $1 and title = 'Paint the crane'`,
    );
    await rows(`update tasks set priority = 'p0' where project_id = $1 and title = 'Count the ships'`);
    await rows(
      `insert into task_assignees (project_id, task_id, user_id) select t.project_id, t.id, t.created_by from tasks t where t.project_id = $1 and t.priority = 'p0'`,
    );
    await rows(
      `insert into task_label_links (project_id, task_id, label_id) select t.project_id, t.id, l.id from tasks t join task_labels l on l.project_id = t.project_id where t.project_id = $1 and t.title = 'Paint the crane'`,
    );
    await openBoard(page);
    // By keys alone: f, the property, what for.
    const pick = async (property: string, ...options: string[]): Promise<void> => {
      await page.keyboard.press('f');
      await page.getByRole('dialog').getByRole('combobox').fill(property);
      await page.keyboard.press('Enter');
      for (const option of options) {
        await page.getByRole('dialog').getByRole('combobox').last().fill(option);
        await page.keyboard.press('Enter');
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await pick('Priority', 'Critical');
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await pick('Assignee', 'Me');
    await pick('Label', 'Urgent');
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByRole('combobox').fill('overdue');
    await page.keyboard.press('Enter');
    await expectTitles(page, 'To do', ['Paint the crane']);
    await page.getByRole('status').getByText('1 of 3').waitFor();
    await expect
      .poll(chips)
      .toEqual([
        'Priority is Critical',
        'Assignee is Me',
        'Label is Urgent',
        'Due is before today',
        'Done on is empty',
      ]);
    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
    for (const part of ['priority.any_of.p0', 'assignee.any_of.me', 'due_date.before.today'])
      expect(page.url()).toContain(part);
    await page.reload();
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
    await page.getByRole('button', { name: 'Close task' }).click();
    await expectTitles(page, 'To do', ['Paint the crane']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.keyboard.press('Shift+F');
    await page.keyboard.type('har-2');
    await expectTitles(page, 'To do', ['Count the ships']);
    expect(page.url()).toContain('filter=text.contains.har-2');
    await page.getByRole('heading', { name: 'Harbour' }).click();
    await pick('Label', 'Urgent');
    await columnOf(page, 'To do').getByText('Nothing matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });

  test('chips are gone through, changed and taken away by keys, and one may be an alternative to another', async () => {
    const { page } = ada;
    await rows(`update tasks set priority = 'p0' where project_id = $1 and title = 'Count the ships'`);
    await rows(`update tasks set due_date = current_date + 3 where project_id = $1 and title = 'Paint the crane'`);
    const urgent = 'priority.any_of.p0';
    await page.goto(`/app/projects/${projectId}/board?filter=due_date.in_next.2*${urgent}`);
    await columnOf(page, 'To do').getByText('Nothing matches the filters').waitFor();
    await page.getByRole('button', { name: 'Due is in the next 2 days', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Days' }).fill('7');
    await page.keyboard.press('Enter');
    await expect.poll(chips).toEqual(['Due is in the next 7 days', 'Priority is Critical']);
    // From the chip over its cross to the word between them: either will do.
    await expect.poll(focused).toBe('Due is in the next 7 days');
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    expect(page.url()).toContain('filter=any*due_date.in_next.7*');
    for (const key of ['ArrowRight', 'Backspace']) await page.keyboard.press(key);
    await expect.poll(chips).toEqual(['Due is in the next 7 days']);
    await expectTitles(page, 'To do', ['Paint the crane']);
    // An alternative by the chip's own editor, then one more condition for both of them.
    await page.getByRole('button', { name: 'Due is in the next 7 days', exact: true }).click();
    await page.getByRole('button', { name: 'Or something else' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('prio');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('combobox').last().fill('crit');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByRole('combobox').fill('Title');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).fill('ships');
    await page.keyboard.press('Enter');
    await expectTitles(page, 'To do', ['Count the ships']);
    await page.getByRole('group', { name: 'Any of these' }).waitFor();
    // What was chosen and is emptied is no filter.
    await page.getByRole('button', { name: 'Priority is Critical', exact: true }).click();
    await page.getByRole('option', { name: 'Critical' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(chips).toEqual(['Due is in the next 7 days', 'Title contains “ships”']);
    await page.goto(page.url().replace(/filter=.*/, 'filter=mood.is.good'));
    await page
      .getByText("The filter in this address can't be read, so nothing is filtered. filter.all[0].property")
      .waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });

  test('links of before open what they meant', async () => {
    const { page } = ada;
    await rows(`update tasks set due_date = current_date + 5 where project_id = $1 and title = 'Paint the crane'`);
    await openBoard(page, '?q=crane&assignee=&due=week');
    await expectTitles(page, 'To do', ['Paint the crane']);
    await expect.poll(chips).toEqual(['Assignee is empty', 'Due is in the next 7 days']);
    expect(await page.getByRole('searchbox', { name: 'Filter by text' }).inputValue()).toBe('crane');
  });

  test('a drop of what is gone, or of one who may no longer, goes back and says why', async () => {
    const { page } = ada;
    // Without a socket this page hears of none of it before it drops.
    await page.routeWebSocket(/\/realtime\//, (socket) => socket.close());
    await openBoard(page);
    await rows(`delete from tasks where project_id = $1 and title = 'Sweep the quay'`);
    await drag(page, 'Sweep the quay', 'Done');
    await news(page).getByText('It no longer exists. Someone may have deleted it while you were working.').waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await rows(
      `update project_members set role = 'viewer' where project_id = $1 and user_id = (select created_by from projects where id = $1)`,
    );
    await drag(page, 'Paint the crane', 'Done');
    await news(page).getByText("Your role in this project doesn't allow that.").waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    // What the role does not allow any more is gone from the screen.
    await expect.poll(() => page.getByRole('button', { name: 'Add a task to Backlog' }).count()).toBe(0);
    await rows(`update project_members set role = 'owner' where project_id = $1`);
    await expectAfterRefocus(page, () => page.getByRole('button', { name: 'Add a task to Backlog' }).count(), 1);
  });
});

describe('the list', () => {
  test('heads sort, cells change in place, and many are changed, archived and deleted at once', async () => {
    const { page } = ada;
    await rows(
      `insert into tasks (project_id, column_id, title, created_by)
       select p.id, c.id, 'Order rope', p.created_by
       from projects p join workflow_columns c on c.project_id = p.id and c.name = 'Backlog' where p.id = $1`,
    );
    // A column is shown where some row has something in it.
    await rows("update tasks set due_date = current_date + 30 where project_id = $1 and title = 'Paint the crane'");
    await rows(
      `insert into task_assignees (project_id, task_id, user_id)
       select project_id, id, created_by from tasks where project_id = $1 and title = 'Paint the crane'`,
    );
    await rows(
      `insert into task_label_links (project_id, task_id, label_id)
       select t.project_id, t.id, l.id from tasks t join task_labels l on l.project_id = t.project_id and l.name = 'Urgent'
       where t.project_id = $1 and t.title = 'Paint the crane'`,
    );
    await page.goto(`/app/projects/${projectId}/list`);
    const titles = () => page.locator('[data-row-link]').allInnerTexts();
    await expect.poll(async () => (await titles()).length).toBe(4);
    await page.getByRole('button', { name: /^Group/ }).click();
    await page.getByRole('menuitemradio', { name: 'No grouping' }).click();
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect.poll(titles).toEqual(['Count the ships', 'Order rope', 'Paint the crane', 'Sweep the quay']);
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane', 'Order rope', 'Count the ships']);
    expect(page.url()).toMatch(/group=none&sort=-title/);

    const choose = async (button: RegExp, option: string): Promise<void> => {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('option', { name: option }).click();
      await page.keyboard.press('Escape');
    };
    await choose(/^Priority of HAR-3/, 'High');
    await choose(/^Column of HAR-3/, 'In progress');
    await choose(/^Assignees of HAR-3/, 'Bob Kahn');
    await choose(/^Labels of HAR-3/, 'Urgent');
    await page.getByRole('button', { name: /^Due date of HAR-3/ }).click();
    await page.getByRole('option', { name: /^Tomorrow/ }).click();
    await expectRows(
      `select t.priority::text, c.name as column, p.display_name as who, l.name as label, t.due_date - current_date as days
       from tasks t join workflow_columns c on c.id = t.column_id join task_assignees a on a.task_id = t.id
       join profiles p on p.id = a.user_id join task_label_links k on k.task_id = t.id join task_labels l on l.id = k.label_id
       where t.project_id = $1 and t.number = 3`,
      [{ priority: 'p1', column: 'In progress', who: 'Bob Kahn', label: 'Urgent', days: 1 }],
    );

    const bulk = page.getByRole('toolbar', { name: 'Change selected tasks' });
    await page.getByLabel('Select HAR-2').check();
    await page.getByLabel('Select HAR-4').check();
    await bulk.getByText('2 selected').waitFor();
    await bulk.getByRole('button', { name: 'Priority' }).click();
    await page.getByRole('option', { name: 'Critical' }).click();
    await bulk.getByRole('button', { name: 'Label' }).click();
    await page.getByRole('combobox').fill('Ropes');
    await page.getByRole('option', { name: 'Create label “Ropes”' }).click();
    await page.keyboard.press('Escape');
    await bulk.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('option', { name: 'Bob Kahn' }).click();
    await page.keyboard.press('Escape');
    await bulk.getByRole('button', { name: 'Due' }).click();
    await page.getByRole('option', { name: /^In a week/ }).click();
    await expectRows(
      `select t.number, t.priority::text, t.due_date - current_date as days, l.name as label,
         exists (select from task_assignees a join profiles p on p.id = a.user_id where a.task_id = t.id and p.display_name = 'Bob Kahn') as bob
       from tasks t join task_label_links k on k.task_id = t.id join task_labels l on l.id = k.label_id
       where t.project_id = $1 and t.number in (2, 4) order by t.number`,
      [2, 4].map((number) => ({ number, priority: 'p0', days: 7, label: 'Ropes', bob: true })),
    );
    await bulk.getByRole('button', { name: 'Archive' }).click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane']);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await titles()).length).toBe(4);
    await page.getByLabel('Select HAR-2').check();
    await page.getByLabel('Select HAR-4').check();
    await bulk.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane']);
    await news(page).getByText('Deleted 2 tasks').waitFor();
    await news(page)
      .getByRole('listitem')
      .filter({ hasText: 'Deleted 2 tasks' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(async () => (await titles()).length).toBe(4);
    await expectRows('select count(*)::int as n from tasks where project_id = $1 and archived_at is null', [{ n: 4 }]);
  });
});

describe('the panel of a task', () => {
  const panel = () => ada.page.getByRole('complementary', { name: /^Task HAR/ });
  const part = (name: string) => panel().getByRole('region', { name });
  async function openTask(): Promise<void> {
    await ada.page.goto(`/app/projects/${projectId}/board/1`);
    await panel().waitFor();
  }

  test('takes title, description, dates, estimate and labels, and says what is wrong', async () => {
    const { page } = ada;
    await openTask();
    await preferMarkdown(page);
    await panel().getByRole('button', { name: 'Add a description. Markdown works.' }).click();
    await panel()
      .getByRole('textbox', { name: 'Description' })
      .fill(
        'Use **red**. <img src=x onerror=alert(1)> [link](javascript:alert(1)) ![a plan](http://plain.test/p.png)\n\n# Steps\n\n- [x] Prime',
      );
    await panel().getByRole('button', { name: 'Preview' }).click();
    await part('Description').locator('strong', { hasText: 'red' }).waitFor();
    expect(await part('Description').locator('img, a[href^=javascript]').count()).toBe(0);
    await part('Description').getByText('a plan').waitFor();
    await part('Description').getByRole('heading', { name: 'Steps', level: 4 }).waitFor();
    expect(await part('Description').getByRole('checkbox', { name: 'Prime' }).isChecked()).toBe(true);
    await panel().getByRole('button', { name: 'Save' }).click();
    await panel().getByLabel('Estimate').fill('minus one');
    await panel().getByLabel('Estimate').press('Enter');
    await panel().getByText('Enter a number from 0 to 999,999.').waitFor();
    await panel().getByLabel('Estimate').fill('2,5');
    await panel().getByLabel('Estimate').press('Enter');
    const setDay = async (name: string, words: string): Promise<void> => {
      await panel()
        .getByRole('button', { name: new RegExp(`^${name}: `) })
        .click();
      await page.getByRole('dialog').getByRole('combobox').fill(words);
      await page.keyboard.press('Enter');
    };
    await setDay('Due', '24 dec 2030');
    await setDay('Start', '2030-12-31');
    await page.getByRole('dialog', { name: 'Start' }).getByText('The due date lies before the start.').waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('10 december 2030');
    await page.keyboard.press('Enter');
    await expectRows(
      `select estimate::float8, start_date::text, due_date::text, description like 'Use **red**%' as described from tasks where project_id = $1 and number = 1`,
      [{ estimate: 2.5, start_date: '2030-12-10', due_date: '2030-12-24', described: true }],
    );
    await panel().getByRole('button', { name: 'Start: 10 Dec 2030' }).click();
    await page.getByRole('option', { name: 'No day' }).click();
    await expectRows('select start_date from tasks where project_id = $1 and number = 1', [{ start_date: null }]);
    await part('Description').getByRole('button', { name: 'Edit' }).click();
    await panel().getByRole('textbox', { name: 'Description' }).fill('x'.repeat(100_002));
    await panel().getByText('2 characters too many. Shorten it, then save.').waitFor();
    expect(await panel().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await panel().getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit');
  });

  test('a checklist is written, ticked and sorted by keys', async () => {
    const { page } = ada;
    await openTask();
    const add = panel().getByRole('textbox', { name: 'Add an item' });
    await page.evaluate(() => navigator.clipboard.writeText('paint\n\n  Scrape rust\n'));
    await add.fill('Buy ');
    await page.keyboard.press('Control+v');
    await add.fill('Prime');
    await add.press('Enter');
    await part('Checklist').getByText('0 of 3').waitFor();
    await part('Checklist').getByRole('checkbox', { name: 'Buy paint' }).check();
    await part('Checklist').getByText('1 of 3').waitFor();
    await part('Checklist').getByRole('button', { name: 'Reorder “Prime”' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('status').getByText('Picked up Prime, position 3 of 3.').waitFor();
    await pressUntil(page, 'ArrowUp', page.getByRole('status').getByText('Prime is over position 2 of 3.'));
    await page.keyboard.press('Space');
    await expectRows('select title, is_done from task_checklist_items where project_id = $1 order by position', [
      { title: 'Buy paint', is_done: true },
      { title: 'Prime', is_done: false },
      { title: 'Scrape rust', is_done: false },
    ]);
  });

  test('a comment names someone, who hears of it; it is edited, deleted, and comes back', async () => {
    const { page } = ada;
    await openTask();
    const field = panel().getByRole('textbox', { name: 'Write a comment' });
    await field.fill('Ask @bo');
    await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => written(field)).toBe('Ask @Bob Kahn');
    await field.pressSequentially('which red, not `@Bob Kahn`');
    await page.keyboard.press('Control+Enter');
    await part('Comments').locator('strong', { hasText: '@Bob Kahn' }).waitFor();
    expect(await part('Comments').locator('code').innerText()).toBe('@Bob Kahn');
    await expectRows("select kind from notifications where project_id = $1 and kind = 'mentioned'", [
      { kind: 'mentioned' },
    ]);
    const more = part('Comments').getByRole('button', { name: 'More' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Edit comment' }).click();
    await part('Comments').getByRole('textbox', { name: 'Edit comment' }).fill('Which red?');
    await page.keyboard.press('Control+Enter');
    await part('Comments').getByText('edited').waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Delete comment' }).click();
    await expect.poll(() => part('Comments').getByText('Which red?').count()).toBe(0);
    await news(page).getByRole('button', { name: 'Undo' }).last().click();
    await part('Comments').getByText('Which red?').waitFor();
  });

  test('activity is told in sentences, the link is copied, and j and k open the neighbours', async () => {
    const { page } = ada;
    const { client } = sample;
    const task = {
      project_id: projectId,
      task_id: (await rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1'))[0]?.id,
    };
    const items = ['Scrape', 'Sand', 'Wipe', 'Prime', 'Dry', 'Paint'];
    for (const answer of [
      await client.from('tasks').update({ description: 'Use red', estimate: 2.5 }).eq('id', task.task_id),
      await client.from('task_checklist_items').insert(items.map((title, position) => ({ ...task, title, position }))),
      await client.from('task_comments').insert({ ...task, body: 'Which red?' }),
    ])
      expect(answer.error).toBeNull();
    await openTask();
    await part('Activity')
      .getByRole('button', { name: /^Show all/ })
      .click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Activity');
    for (const sentence of [
      'commented',
      'added “Prime” to the checklist',
      'estimated it at 2.5',
      'changed the description',
    ])
      await part('Activity').getByText(sentence).first().waitFor();
    await panel().getByRole('button', { name: 'Copy link' }).click();
    await news(page).getByText('Link copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${sample.site.app.services.siteUrl}/app/projects/${projectId}/board/1`,
    );
    await panel().focus();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Task HAR-2' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
  });

  test('archived it leaves the board and can be brought back from the news', async () => {
    const { page } = ada;
    await openTask();
    await panel().getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: /^Archive/ }).click();
    await expectTitles(page, 'To do', ['Count the ships', 'Sweep the quay']);
    await page.goto(`/app/projects/${projectId}/board/1`);
    await panel().getByText('This task is archived').waitFor();
    await panel().getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: /^Restore/ }).click();
    await page.getByRole('button', { name: 'Close task' }).click();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });
});
