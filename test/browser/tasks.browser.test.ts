// Tasks in the app: filters in the address, refused drops, the list, and the task panel. Each test has a project and a browser of its own.

import { describe, expect, test } from 'vitest';
import {
  cardOf,
  chooseDisplay,
  columnOf,
  drag,
  expectAfterRefocus,
  expectTitles,
  news,
  pickCondition,
  preferMarkdown,
  pressUntil,
  type SampleProject,
  settleHarbour,
  startSite,
  type Visitor,
  written,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

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
    await page.getByRole('button', { name: t('board.addTo', { column: 'Backlog' }) }).click();
    await page
      .getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) })
      .fill('Order rope\n\n  Mend the net  ');
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
      await pickCondition(page, property);
      for (const option of options) {
        await page.getByRole('dialog').getByRole('combobox').last().fill(option);
        await page.keyboard.press('Enter');
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await pick(t('property.priority'), t('common.priorities.p0'));
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await pick(t('property.assignee'), t('common.me'));
    await pick(t('property.label'), 'Urgent');
    await page.keyboard.press('f');
    await pickCondition(page, 'overdue');
    await expectTitles(page, 'To do', ['Paint the crane']);
    await page.getByRole('status').getByText('1 of 3').waitFor();
    await expect
      .poll(chips)
      .toEqual([
        t('views.says.is', { what: t('property.priority'), value: t('common.priorities.p0') }),
        t('views.says.is', { what: t('property.assignee'), value: t('common.me') }),
        t('views.says.is', { what: t('property.label'), value: 'Urgent' }),
        t('views.says.before', { what: t('views.properties.due_date'), value: 'today' }),
        t('views.operators.empty', { what: t('views.properties.completed_at') }),
      ]);
    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
    for (const part of ['priority.any_of.p0', 'assignee.any_of.me', 'due_date.before.today'])
      expect(page.url()).toContain(part);
    await page.reload();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
    await page.getByRole('button', { name: t('task.close') }).click();
    await expectTitles(page, 'To do', ['Paint the crane']);
    await page.getByRole('button', { name: t('board.filters.clear') }).click();
    await page.keyboard.press('Shift+F');
    await page.keyboard.type('har-2');
    await expectTitles(page, 'To do', ['Count the ships']);
    expect(page.url()).toContain('filter=text.contains.har-2');
    await page.getByRole('heading', { name: 'Harbour' }).click();
    await pick(t('property.label'), 'Urgent');
    await columnOf(page, 'To do').getByText(t('board.emptyFiltered')).waitFor();
    await page.getByRole('button', { name: t('board.filters.clear') }).click();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });

  test('chips are gone through, changed and taken away by keys, and one may be an alternative to another', async () => {
    const { page } = ada;
    await rows(`update tasks set priority = 'p0' where project_id = $1 and title = 'Count the ships'`);
    await rows(`update tasks set due_date = current_date + 3 where project_id = $1 and title = 'Paint the crane'`);
    const urgent = 'priority.any_of.p0';
    await page.goto(`/app/projects/${projectId}/board?filter=due_date.in_next.2*${urgent}`);
    await columnOf(page, 'To do').getByText(t('board.emptyFiltered')).waitFor();
    await page
      .getByRole('button', {
        name: t('views.says.in_next', { what: t('views.properties.due_date'), n: 2 }),
        exact: true,
      })
      .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: t('views.days') }).fill('7');
    await page.keyboard.press('Enter');
    await expect
      .poll(chips)
      .toEqual([
        t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 }),
        t('views.says.is', { what: t('property.priority'), value: t('common.priorities.p0') }),
      ]);
    // From the chip over its cross to the word between them: either will do.
    await expect.poll(focused).toBe(t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 }));
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    expect(page.url()).toContain('filter=any*due_date.in_next.7*');
    for (const key of ['ArrowRight', 'Backspace']) await page.keyboard.press(key);
    await expect.poll(chips).toEqual([t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 })]);
    await expectTitles(page, 'To do', ['Paint the crane']);
    // An alternative by the chip's own editor, then one more condition for both of them.
    await page
      .getByRole('button', {
        name: t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 }),
        exact: true,
      })
      .click();
    await page.getByRole('button', { name: t('views.other') }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('prio');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('combobox').last().fill('crit');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await page.keyboard.press('f');
    await pickCondition(page, 'Title');
    await page.getByRole('textbox', { name: t('property.title') }).fill('ships');
    await page.keyboard.press('Enter');
    await expectTitles(page, 'To do', ['Count the ships']);
    await page.getByRole('group', { name: t('views.anyOf') }).waitFor();
    // What was chosen and is emptied is no filter.
    await page
      .getByRole('button', {
        name: t('views.says.is', { what: t('property.priority'), value: t('common.priorities.p0') }),
        exact: true,
      })
      .click();
    await page.getByRole('option', { name: t('common.priorities.p0') }).click();
    await page.keyboard.press('Escape');
    await expect
      .poll(chips)
      .toEqual([
        t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 }),
        t('views.says.contains', { what: t('property.title'), value: '“ships”' }),
      ]);
    await page.goto(page.url().replace(/filter=.*/, 'filter=mood.is.good'));
    await page.getByText(t('board.filters.unread', { why: 'filter.all[0].property' })).waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });

  test('links of before open what they meant', async () => {
    const { page } = ada;
    await rows(`update tasks set due_date = current_date + 5 where project_id = $1 and title = 'Paint the crane'`);
    await openBoard(page, '?q=crane&assignee=&due=week');
    await expectTitles(page, 'To do', ['Paint the crane']);
    await expect
      .poll(chips)
      .toEqual([
        t('views.operators.empty', { what: t('property.assignee') }),
        t('views.says.in_next', { what: t('views.properties.due_date'), n: 7 }),
      ]);
    expect(await page.getByRole('searchbox', { name: t('board.filters.text') }).inputValue()).toBe('crane');
  });

  test('a drop of what is gone, or of one who may no longer, goes back and says why', async () => {
    const { page } = ada;
    // Without a socket this page hears of none of it before it drops.
    await page.routeWebSocket(/\/realtime\//, (socket) => socket.close());
    await openBoard(page);
    await rows(`delete from tasks where project_id = $1 and title = 'Sweep the quay'`);
    await drag(page, 'Sweep the quay', 'Done');
    await news(page).getByText(t('common.refused.gone')).waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    await rows(
      `update project_members set role = 'viewer' where project_id = $1 and user_id = (select created_by from projects where id = $1)`,
    );
    await drag(page, 'Paint the crane', 'Done');
    await news(page).getByText(t('common.refused.forbidden')).waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
    // What the role does not allow any more is gone from the screen.
    await expect
      .poll(() => page.getByRole('button', { name: t('board.addTo', { column: 'Backlog' }) }).count())
      .toBe(0);
    await rows(`update project_members set role = 'owner' where project_id = $1`);
    await expectAfterRefocus(
      page,
      () => page.getByRole('button', { name: t('board.addTo', { column: 'Backlog' }) }).count(),
      1,
    );
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
    await chooseDisplay(page, t('list.group'), t('list.groups.none'));
    await page
      .getByRole('columnheader', { name: t('property.title') })
      .getByRole('button')
      .click();
    await expect.poll(titles).toEqual(['Count the ships', 'Order rope', 'Paint the crane', 'Sweep the quay']);
    await page
      .getByRole('columnheader', { name: t('property.title') })
      .getByRole('button')
      .click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane', 'Order rope', 'Count the ships']);
    expect(page.url()).toMatch(/group=none&sort=-title/);

    const choose = async (button: RegExp, option: string): Promise<void> => {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('option', { name: option }).click();
      await page.keyboard.press('Escape');
    };
    await choose(saying('list.set.priority', { key: 'HAR-3' }), t('common.priorities.p1'));
    await choose(saying('list.set.column', { key: 'HAR-3' }), 'In progress');
    await choose(saying('list.set.assignees', { key: 'HAR-3' }), 'Bob Kahn');
    await choose(saying('list.set.labels', { key: 'HAR-3' }), 'Urgent');
    await page.getByRole('button', { name: saying('list.set.due', { key: 'HAR-3' }) }).click();
    await page.getByRole('option', { name: saying('days.tomorrow') }).click();
    await expectRows(
      `select t.priority::text, c.name as column, p.display_name as who, l.name as label, t.due_date - current_date as days
       from tasks t join workflow_columns c on c.id = t.column_id join task_assignees a on a.task_id = t.id
       join profiles p on p.id = a.user_id join task_label_links k on k.task_id = t.id join task_labels l on l.id = k.label_id
       where t.project_id = $1 and t.number = 3`,
      [{ priority: 'p1', column: 'In progress', who: 'Bob Kahn', label: 'Urgent', days: 1 }],
    );

    const bulk = page.getByRole('toolbar', { name: t('list.bulk.label') });
    await page.getByLabel(t('list.select', { key: 'HAR-2' })).check();
    await page.getByLabel(t('list.select', { key: 'HAR-4' })).check();
    await bulk.getByText(t('common.selected', { n: 2 })).waitFor();
    await bulk.getByRole('button', { name: t('common.more'), exact: true }).click();
    await page
      .getByRole('option', { name: t('task.keys.me') })
      .locator('kbd', { hasText: 'M' })
      .waitFor();
    await page.keyboard.press('Escape');
    await bulk.getByRole('button', { name: t('property.priority') }).click();
    await page.getByRole('option', { name: t('common.priorities.p0') }).click();
    await bulk.getByRole('button', { name: t('property.label') }).click();
    await page.getByRole('combobox').fill('Ropes');
    await page.getByRole('option', { name: t('task.makeLabel', { name: 'Ropes' }) }).click();
    await page.keyboard.press('Escape');
    await bulk.getByRole('button', { name: t('list.bulk.assign') }).click();
    await page.getByRole('option', { name: 'Bob Kahn' }).click();
    await page.keyboard.press('Escape');
    await bulk.getByRole('button', { name: t('views.properties.due_date') }).click();
    await page.getByRole('option', { name: saying('days.inAWeek') }).click();
    await expectRows(
      `select t.number, t.priority::text, t.due_date - current_date as days, l.name as label,
         exists (select from task_assignees a join profiles p on p.id = a.user_id where a.task_id = t.id and p.display_name = 'Bob Kahn') as bob
       from tasks t join task_label_links k on k.task_id = t.id join task_labels l on l.id = k.label_id
       where t.project_id = $1 and t.number in (2, 4) order by t.number`,
      [2, 4].map((number) => ({ number, priority: 'p0', days: 7, label: 'Ropes', bob: true })),
    );
    await bulk.getByRole('button', { name: t('task.archive') }).click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane']);
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await titles()).length).toBe(4);
    await page.getByLabel(t('list.select', { key: 'HAR-2' })).check();
    await page.getByLabel(t('list.select', { key: 'HAR-4' })).check();
    await bulk.getByRole('button', { name: t('common.duplicate') }).click();
    await news(page)
      .getByText(t('task.did.duplicatedMany', { n: 2 }))
      .waitFor();
    await expectRows(
      'select title, count(*)::int as n from tasks where project_id = $1 group by 1 having count(*) > 1 order by 1',
      (
        await rows<{ title: string }>(
          'select title from tasks where project_id = $1 and number in (2, 4) order by title',
        )
      ).map(({ title }) => ({ title, n: 2 })),
    );
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await titles()).length).toBe(4);
    await expectRows('select count(*)::int as n from tasks where project_id = $1', [{ n: 4 }]);
    await bulk.getByRole('button', { name: t('common.delete') }).click();
    await expect.poll(titles).toEqual(['Sweep the quay', 'Paint the crane']);
    await news(page)
      .getByText(t('task.did.deletedMany', { n: 2 }))
      .waitFor();
    await news(page)
      .getByRole('listitem')
      .filter({ hasText: t('task.did.deletedMany', { n: 2 }) })
      .getByRole('button', { name: t('common.undo') })
      .click();
    await expect.poll(async () => (await titles()).length).toBe(4);
    await expectRows('select count(*)::int as n from tasks where project_id = $1 and archived_at is null', [{ n: 4 }]);
  });
});

describe('the panel of a task', () => {
  const panel = () => ada.page.getByRole('complementary', { name: saying('task.panel') });
  const part = (name: string) => panel().getByRole('region', { name });
  async function openTask(): Promise<void> {
    await ada.page.goto(`/app/projects/${projectId}/board/1`);
    await panel().waitFor();
  }

  test('takes title, description, dates, estimate and labels, and says what is wrong', async () => {
    const { page } = ada;
    await openTask();
    await preferMarkdown(page);
    await panel()
      .getByRole('button', { name: t('task.descriptionPlaceholder') })
      .click();
    await panel()
      .getByRole('textbox', { name: t('property.description') })
      .fill(
        'Use **red**. <img src=x onerror=alert(1)> [link](javascript:alert(1)) ![a plan](http://plain.test/p.png)\n\n# Steps\n\n- [x] Prime',
      );
    await panel()
      .getByRole('button', { name: t('task.preview') })
      .click();
    await part(t('property.description')).locator('strong', { hasText: 'red' }).waitFor();
    expect(await part(t('property.description')).locator('img, a[href^=javascript]').count()).toBe(0);
    await part(t('property.description')).getByText('a plan').waitFor();
    await part(t('property.description')).getByRole('heading', { name: 'Steps', level: 4 }).waitFor();
    expect(await part(t('property.description')).getByRole('checkbox', { name: 'Prime' }).isChecked()).toBe(true);
    await panel()
      .getByRole('button', { name: t('common.save') })
      .click();
    await panel().getByLabel(t('property.estimate')).fill('minus one');
    await panel().getByLabel(t('property.estimate')).press('Enter');
    await panel()
      .getByText(t('table.faults.estimate', { text: 'minus one' }))
      .waitFor();
    await panel().getByLabel(t('property.estimate')).fill('2,5');
    await panel().getByLabel(t('property.estimate')).press('Enter');
    const setDay = async (name: string, words: string): Promise<void> => {
      await panel()
        .getByRole('button', { name: new RegExp(`^${name}: `) })
        .click();
      await page.getByRole('dialog').getByRole('combobox').fill(words);
      await page.keyboard.press('Enter');
    };
    await setDay(t('property.due_date'), '24 dec 2030');
    await setDay(t('property.start_date'), '2030-12-31');
    await page
      .getByRole('dialog', { name: t('property.start_date') })
      .getByText(t('task.datesWrong'))
      .waitFor();
    await page.getByRole('dialog').getByRole('combobox').fill('10 december 2030');
    await page.keyboard.press('Enter');
    await expectRows(
      `select estimate::float8, start_date::text, due_date::text, description like 'Use **red**%' as described from tasks where project_id = $1 and number = 1`,
      [{ estimate: 2.5, start_date: '2030-12-10', due_date: '2030-12-24', described: true }],
    );
    await panel()
      .getByRole('button', { name: t('common.pair', { name: t('property.start_date'), value: '10 Dec 2030' }) })
      .click();
    await page.getByRole('option', { name: t('days.none') }).click();
    await expectRows('select start_date from tasks where project_id = $1 and number = 1', [{ start_date: null }]);
    await part(t('property.description'))
      .getByRole('button', { name: t('common.edit'), exact: true })
      .click();
    await panel()
      .getByRole('textbox', { name: t('property.description') })
      .fill('x'.repeat(100_002));
    await panel()
      .getByText(t('task.tooLong', { over: 2 }))
      .waitFor();
    expect(
      await panel()
        .getByRole('button', { name: t('common.save') })
        .isDisabled(),
    ).toBe(true);
    await panel()
      .getByRole('button', { name: t('common.cancel') })
      .click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(t('common.edit'));
  });

  test('parts without content are a row of chips, and stay open once they were', async () => {
    await openTask();
    const chips = panel().getByRole('group', { name: t('task.addPart.title') });
    const words = (...parts: readonly ('subtasks' | 'dependencies' | 'files')[]) =>
      parts.map((part) => t(`task.addPart.${part}`));
    await expect
      .poll(() => chips.getByRole('button').allInnerTexts())
      .toEqual(words('subtasks', 'dependencies', 'files'));
    expect(await part(t('plan.subtasks.title')).count()).toBe(0);
    await chips.getByRole('button', { name: t('task.addPart.subtasks') }).click();
    await panel()
      .getByRole('button', { name: t('writing.item'), exact: true })
      .click();
    const add = panel().getByRole('textbox', { name: t('task.addItem') });
    await add.fill('Buy paint');
    await add.press('Enter');
    const remove = panel().getByRole('button', { name: t('task.removeItem', { title: 'Buy paint' }) });
    await remove.click();
    await remove.waitFor({ state: 'detached' });
    await add.waitFor();
    expect(await chips.getByRole('button').allInnerTexts()).toEqual(words('dependencies', 'files'));
  });

  test('properties stand below the title of a narrow panel, and at the side of the text in a wide one', async () => {
    const { page } = ada;
    await openTask();
    const text = panel().getByRole('button', { name: t('task.descriptionPlaceholder') });
    const value = panel().getByRole('button', { name: saying('common.pair', { name: t('property.column') }) });
    const places = async () => {
      const [a, b] = [await value.boundingBox(), await text.boundingBox()];
      return a && b && { above: a.y + a.height <= b.y, beside: a.x >= b.x + b.width };
    };
    await expect.poll(places).toEqual({ above: true, beside: false });
    await panel()
      .getByRole('separator', { name: t('task.width') })
      .focus();
    for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => (await places())?.beside).toBe(true);
    // The name belongs to the value: a press on it opens that.
    await panel()
      .locator('dt', { hasText: t('property.estimate') })
      .click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(t('property.estimate'));
    await panel()
      .getByRole('separator', { name: t('task.width') })
      .dblclick();
  });

  test('a checklist is written, ticked and sorted by keys', async () => {
    const { page } = ada;
    await openTask();
    await panel()
      .getByRole('button', { name: t('task.addPart.subtasks') })
      .click();
    await panel()
      .getByRole('button', { name: t('writing.item'), exact: true })
      .click();
    const add = panel().getByRole('textbox', { name: t('task.addItem') });
    await page.evaluate(() => navigator.clipboard.writeText('paint\n\n  Scrape rust\n'));
    await add.fill('Buy ');
    await page.keyboard.press('Control+v');
    await add.fill('Prime');
    await add.press('Enter');
    await part(t('plan.subtasks.title'))
      .getByText(t('task.done', { done: '0', all: '3' }))
      .waitFor();
    await part(t('property.checklist')).getByRole('checkbox', { name: 'Buy paint' }).check();
    await part(t('plan.subtasks.title')).getByText('1 of 3').waitFor();
    await part(t('property.checklist'))
      .getByRole('button', { name: t('task.moveItem', { title: 'Prime' }) })
      .focus();
    await page.keyboard.press('Space');
    await page
      .getByRole('status')
      .getByText(t('common.sorting.picked', { name: 'Prime', place: '3', of: '3' }))
      .waitFor();
    await pressUntil(
      page,
      'ArrowUp',
      page.getByRole('status').getByText(t('common.sorting.over', { name: 'Prime', place: '2', of: '3' })),
    );
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
    const field = panel().getByRole('textbox', { name: t('task.comment') });
    await field.fill('Ask @bo');
    await page.getByRole('option', { name: 'Bob Kahn' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => written(field)).toBe('Ask @Bob Kahn');
    await field.pressSequentially('which red, not `@Bob Kahn`');
    await page.keyboard.press('Control+Enter');
    await part(t('task.activity')).locator('strong', { hasText: '@Bob Kahn' }).waitFor();
    expect(await part(t('task.activity')).locator('code').innerText()).toBe('@Bob Kahn');
    await expectRows("select kind from notifications where project_id = $1 and kind = 'mentioned'", [
      { kind: 'mentioned' },
    ]);
    const more = part(t('task.activity')).getByRole('button', { name: t('common.more'), exact: true });
    await more.click();
    await page.getByRole('menuitem', { name: t('task.editComment') }).click();
    await part(t('task.activity'))
      .getByRole('textbox', { name: t('task.editComment') })
      .fill('Which red?');
    await page.keyboard.press('Control+Enter');
    await part(t('task.activity')).getByText(t('task.edited')).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: t('task.deleteComment') }).click();
    await expect.poll(() => part(t('task.activity')).getByText('Which red?').count()).toBe(0);
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .last()
      .click();
    await part(t('task.activity')).getByText('Which red?').waitFor();
  });

  test('comments and history are one stream with a filter, the link is copied, and j and k open the neighbours', async () => {
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
    const stream = part(t('task.activity'));
    await stream.getByRole('button', { name: t('task.stream.more', { n: 6 }) }).click();
    for (const sentence of [
      t('task.history.itemAdded', { title: 'Prime' }),
      t('task.history.estimated', { estimate: '2.5' }),
      t('task.history.described'),
    ])
      await stream.getByText(sentence).first().waitFor();
    // The comment speaks for itself, after what was done before it.
    expect(await stream.getByText(t('task.history.commented')).count()).toBe(0);
    expect(await stream.getByRole('listitem').last().innerText()).toContain('Which red?');
    const show = (what: 'all' | 'comments' | 'history') =>
      stream.getByRole('button', { name: t(`task.stream.${what}`), exact: true });
    await show('comments').click();
    await expect.poll(() => stream.getByText(t('task.history.created')).count()).toBe(0);
    await stream.getByText('Which red?').waitFor();
    await show('history').click();
    await expect.poll(() => stream.getByText('Which red?').count()).toBe(0);
    await stream.getByText(t('task.history.commented')).waitFor();
    await page.reload();
    await stream.getByText(t('task.history.commented')).waitFor();
    expect(await show('history').getAttribute('aria-pressed')).toBe('true');
    await show('all').click();
    await stream.getByText('Which red?').waitFor();
    await panel()
      .getByRole('button', { name: t('common.copyLink') })
      .click();
    await news(page).getByText(t('common.copied')).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${sample.site.app.services.siteUrl}/app/projects/${projectId}/board/1`,
    );
    await panel().focus();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  });

  test('archived it leaves the board and can be brought back from the news', async () => {
    const { page } = ada;
    await openTask();
    await panel()
      .getByRole('button', { name: t('common.more'), exact: true })
      .first()
      .click();
    // All that its keys do, with the keys.
    const assigning = page.getByRole('menuitem', { name: t('task.keys.assignee') });
    await assigning.locator('kbd', { hasText: 'A' }).waitFor();
    await page.getByRole('menuitem', { name: t('common.duplicate') }).waitFor();
    await page.getByRole('menuitem', { name: saying('task.archive') }).click();
    await expectTitles(page, 'To do', ['Count the ships', 'Sweep the quay']);
    await page.goto(`/app/projects/${projectId}/board/1`);
    await panel().getByText(t('task.archivedNotice')).waitFor();
    await panel()
      .getByRole('button', { name: t('common.more'), exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: saying('common.restore') }).click();
    await page.getByRole('button', { name: t('task.close') }).click();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });
});
