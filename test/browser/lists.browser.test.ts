// List of a project and my tasks, against the real server. Each test has a project and a browser of its own.

import { describe, expect, test } from 'vitest';
import { chooseDisplay, news, refocus, type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada, projectId } = sample);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id)
     select t.project_id, t.id, t.created_by from tasks t where t.project_id = $1 and t.title <> 'Sweep the quay'`,
  );
  await sample.rows(
    "update tasks set due_date = current_date - 3, description = 'Mind the barnacles' where project_id = $1 and title = 'Count the ships'",
  );
  return [ada];
});

const rows = (visitor: Visitor) => visitor.page.locator('[data-row-link]');

/** How many tasks the server has in columns of a kind, once what was done has arrived there. */
const expectIn = (kind: string, n: number): Promise<void> =>
  sample.expectRows(
    `select count(*)::int as n from tasks t join workflow_columns c on c.id = t.column_id where c.kind = '${kind}' and t.project_id = $1`,
    [{ n }],
  );

describe('the list', () => {
  test('many tasks are changed at once and come back with one undo', async () => {
    const { page } = ada;
    await page.goto(`/app/projects/${projectId}/list`);
    await rows(ada).nth(2).waitFor();
    await page.getByLabel(t('list.selectGroup', { name: 'To do' })).check();
    await expect.poll(() => page.getByText(t('common.selected', { n: 3 })).count()).toBe(1);
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('list.bulk.move') })
      .click();
    await page.getByRole('option', { name: 'In progress' }).click();
    await page.getByRole('button', { name: /In progress 3/ }).waitFor();
    await expectIn('in_progress', 3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: /To do 3/ }).waitFor();
    await expectIn('todo', 3);
    await sample.expectRows(
      'select title from tasks where project_id = $1 order by order_rank',
      ['Paint the crane', 'Count the ships', 'Sweep the quay'].map((title) => ({ title })),
    );
  });

  test('many of which one may not be changed: none is, and the message names the one', async () => {
    const { page } = ada;
    await sample.rows(
      `insert into task_dependencies (project_id, predecessor_id, successor_id)
       select $1, a.id, b.id from tasks a, tasks b where a.project_id = $1 and b.project_id = $1 and a.number = 1 and b.number = 3`,
    );
    await page.goto(`/app/projects/${projectId}/list`);
    for (const number of [2, 3]) await page.getByLabel(t('list.select', { key: `HAR-${number}` })).check();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('list.bulk.move') })
      .click();
    await page.getByRole('option', { name: 'Done' }).click();
    await news(page)
      .getByText(t('common.refused.title', { what: 'Moved 2 tasks to Done' }))
      .waitFor();
    await news(page).getByText('HAR-3: It waits for HAR-1').waitFor();
    await page.getByRole('button', { name: /To do 3/ }).waitFor();
    await expectIn('todo', 3);
  });

  test('keys move through the rows, select and rename; the address keeps the grouping', async () => {
    const { page } = ada;
    await page.goto(`/app/projects/${projectId}/list`);
    await rows(ada).nth(2).waitFor();
    await rows(ada).first().focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Count the ships');
    await page.keyboard.press('x');
    await page.getByText(t('common.selected', { n: 1 })).waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText(t('common.selected', { n: 2 })).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: saying('list.editTitle') }).fill('Sweep the whole quay');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sweep the whole quay' }).waitFor();
    await sample.expectRows("select number from tasks where project_id = $1 and title = 'Sweep the whole quay'", [
      { number: 3 },
    ]);
    // A tick is not typing; and the focus goes with a row that its new title puts elsewhere.
    await page.getByLabel(t('list.select', { key: 'HAR-1' })).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
    await page.goto(`/app/projects/${projectId}/list?sort=title`);
    await page.getByRole('link', { name: 'Paint the crane' }).focus();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: saying('list.editTitle') }).fill('A crane to paint');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('A crane to paint');
    await page.keyboard.press('Control+z');
    await page.getByRole('link', { name: 'Paint the crane' }).waitFor();
    await chooseDisplay(page, t('list.group'), t('property.assignee'));
    await page.getByRole('button', { name: /Ada Lovelace 2/ }).waitFor();
    expect(page.url()).toContain('group=assignee');
  });
});

test('my tasks stand by the day they are due, and one press finishes one', async () => {
  const { page } = ada;
  await page.goto('/app/my-tasks');
  await page
    .getByRole('region', { name: t('myTasks.groups.overdue') })
    .getByText('Count the ships')
    .waitFor();
  await page
    .getByRole('region', { name: t('myTasks.groups.none') })
    .getByText('Paint the crane')
    .waitFor();
  await page.getByRole('button', { name: saying('myTasks.complete', { key: /.*-1/ }) }).click();
  await expect.poll(() => page.getByText('Paint the crane', { exact: true }).count()).toBe(0);
  await page.getByText(t('people.open', { n: 1 })).waitFor();
});

test('a task due today is overdue tomorrow, also on a page that stays open', async () => {
  await sample.rows(
    'insert into task_assignees (project_id, task_id, user_id) select project_id, id, created_by from tasks where project_id = $1 and number = 3',
  );
  await sample.rows('update tasks set due_date = current_date where project_id = $1 and number = 3');
  const page = await ada.page.context().newPage();
  await page.goto('/app/my-tasks');
  await page
    .getByRole('region', { name: saying('myTasks.groups.today') })
    .getByText('quay')
    .waitFor();
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await refocus(page);
  await page
    .getByRole('region', { name: saying('myTasks.groups.overdue') })
    .getByText('quay')
    .waitFor();
  await page.close();
});

test('"Display" is let go by Escape, on a desk and on a phone, also after a choice', async () => {
  const { page } = ada;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/app/projects/${projectId}/list`);
    const button = page.getByRole('button', { name: t('board.display') });
    const looks = () => button.evaluate((one) => getComputedStyle(one).backgroundColor);
    await button.waitFor();
    const before = await looks();
    for (const choice of [undefined, t('property.priority')]) {
      await button.click();
      const menu = page.getByRole('dialog', { name: t('board.display') });
      await menu.waitFor();
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      if (choice !== undefined) await menu.getByRole('checkbox', { name: choice }).setChecked(false);
      await page.mouse.move(0, 0);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      await expect.poll(looks).toBe(before);
      expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    }
  }
});

test('a title that is opened and left as it was keeps what someone else wrote since', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/list`);
  await whenLive(page);
  await page.getByRole('link', { name: 'Paint the crane' }).focus();
  await page.keyboard.press('e');
  const title = page.getByRole('textbox', { name: saying('list.editTitle') });
  await title.waitFor();
  await sample.rows(
    "update tasks set title = 'Paint the mast', priority = 'p0' where project_id = $1 and number = 1 returning 1",
  );
  await page
    .getByRole('button', { name: t('list.set.priority', { key: 'HAR-1', now: t('common.priorities.p0') }) })
    .waitFor();
  expect(await title.inputValue()).toBe('Paint the crane');
  await title.press('Enter');
  await page.getByRole('link', { name: 'Paint the mast' }).waitFor();
});

test('Escape in the bar of many tasks leads back to the row ticked last; heads stand side by side on a phone', async () => {
  const { page } = ada;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/app/projects/${projectId}/list`);
  for (const number of [1, 2]) await page.getByLabel(t('list.select', { key: `HAR-${number}` })).check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('property.priority') })
    .focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Count the ships');
  const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button');
  await head(t('table.columns.number')).focus();
  const [key, title] = [
    await head(t('table.columns.number')).boundingBox(),
    await head(t('property.title')).boundingBox(),
  ];
  expect((key?.x ?? 0) + (key?.width ?? 0)).toBeLessThanOrEqual(title?.x ?? 0);
});

test('a press with Shift selects from the row ticked last, also when another has come above it since', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/list`);
  await whenLive(page);
  await page.getByLabel(t('list.select', { key: 'HAR-2' })).check();
  await sample.rows(
    `insert into tasks (project_id, column_id, title, created_by, order_rank)
     select project_id, column_id, 'Oil the winch', created_by, '"' from tasks where project_id = $1 and number = 1 returning 1`,
  );
  await expect.poll(() => rows(ada).first().innerText()).toBe('Oil the winch');
  await page.getByLabel(t('list.select', { key: 'HAR-3' })).click({ modifiers: ['Shift'] });
  await page.getByText(t('common.selected', { n: 2 })).waitFor();
  expect(await page.getByLabel(t('list.select', { key: 'HAR-1' })).isChecked()).toBe(false);
});
