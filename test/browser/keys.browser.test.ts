// Keyboard shortcuts: one for every change of a task, for the focused, pointed or open card; keys typed while an overlay opens are kept for it. Each
// test has a project and a browser of its own.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cardOf, expectTitles, focusedCard, makeTimersLate, news, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  page = sample.ada.page;
  await sample.rows("insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d')");
  await sample.openBoard(page);
  return [sample.ada];
});

const inFocus = () => focusedCard(page);
const panel = () => page.getByRole('complementary', { name: saying('task.panel') });
const options = () => page.getByRole('option');

test('text typed before the search field appears is kept and does not act on the page', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\.js$/, async (route) => {
    const response = await route.fetch();
    if (/look:.palette/.test(await response.text())) await gate;
    await route.fulfill({ response });
  });
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await panel()
    .getByRole('button', { name: saying('property.priority') })
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('depx');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('loy');
  release();
  const field = page.getByRole('combobox', { name: t('common.nav.search') });
  await field.waitFor();
  await page.keyboard.type(' now');
  await expect.poll(() => field.inputValue()).toBe('deploy now');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await panel().waitFor();
  await sample.expectRows(
    'select count(*)::int as archived from tasks where project_id = $1 and archived_at is not null',
    [{ archived: 0 }],
  );
  // Keys mean the page again.
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
});

test('the arrows start on the board without Tab, and each property of the focused card has its key', async () => {
  await page.keyboard.press('ArrowDown');
  await expect.poll(inFocus).toBe('Paint the crane');
  await page.keyboard.press('p');
  await options()
    .filter({ hasText: t('common.priorities.p1') })
    .waitFor();
  await page.keyboard.type('crit');
  await page.keyboard.press('Enter');
  await expect.poll(inFocus).toBe('Paint the crane');
  await page.keyboard.press('l');
  await options().filter({ hasText: 'Urgent' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(inFocus).toBe('Paint the crane');
  await page.keyboard.press('m');
  await page.keyboard.press('d');
  await page.keyboard.type('tom');
  await page.keyboard.press('Enter');
  await expect.poll(inFocus).toBe('Paint the crane');
  await page.keyboard.press('s');
  await options().filter({ hasText: 'In progress' }).waitFor();
  await page.keyboard.type('in pro');
  await page.keyboard.press('Enter');
  await expectTitles(page, 'In progress', ['Paint the crane']);
  await sample.expectRows(
    `select t.priority, t.due_date = current_date + 1 as tomorrow, count(a.*)::int as people, count(l.*)::int as labels
     from tasks t left join task_assignees a on a.task_id = t.id left join task_label_links l on l.task_id = t.id
     where t.project_id = $1 and t.title = 'Paint the crane' group by t.id`,
    [{ priority: 'p0', tomorrow: true, people: 1, labels: 1 }],
  );
});

/** Presses keys as quickly as they can be; words of one's own are typed and not counted. */
async function strike(most: number, ...keys: readonly string[]): Promise<void> {
  for (const key of keys)
    if (key.startsWith('“')) await page.keyboard.type(key.slice(1, -1));
    else await page.keyboard.press(key);
  expect(keys.filter((key) => !key.startsWith('“')).length, keys.join(' ')).toBeLessThanOrEqual(most);
}

test('the commonest changes of a task take one to five keystrokes', async () => {
  const { id: bobId } = await sample.site.app.createUser({ name: 'Bob' });
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'editor')`);
  await sample.openBoard(page);
  await strike(1, 'ArrowDown');
  await expect.poll(inFocus).toBe('Paint the crane');
  await strike(4, 'a', 'b', 'Enter', 'Escape');
  await strike(1, 'm');
  await strike(3, 'p', 'c', 'Enter');
  await strike(4, 'l', 'u', 'Enter', 'Escape');
  await strike(5, 'd', 't', 'o', 'm', 'Enter');
  await strike(4, 's', 'i', 'n', 'Enter');
  await expectTitles(page, 'In progress', ['Paint the crane']);
  await sample.expectRows(
    `select t.priority, t.due_date = current_date + 1 as tomorrow, count(distinct a.user_id)::int as people, count(distinct l.label_id)::int as labels
     from tasks t left join task_assignees a on a.task_id = t.id left join task_label_links l on l.task_id = t.id
     where t.project_id = $1 and t.title = 'Paint the crane' group by t.id`,
    [{ priority: 'p0', tomorrow: true, people: 2, labels: 1 }],
  );
  await strike(1, 'v');
  await expectTitles(page, 'Done', ['Paint the crane']);
  await strike(1, 'Control+z');
  await expectTitles(page, 'In progress', ['Paint the crane']);
  await strike(1, 'Control+Shift+Z');
  await expectTitles(page, 'Done', ['Paint the crane']);
  await strike(2, 'r', '“Fit for the sea”', 'Control+Enter');
  await sample.expectRows('select body from task_comments where project_id = $1', [{ body: 'Fit for the sea' }]);
});

test('a new task with assignee, priority and due date takes ten keystrokes, and so does the next one', async () => {
  const { id: bobId } = await sample.site.app.createUser({ name: 'Bob' });
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'editor')`);
  await sample.openBoard(page);
  await strike(10, 'c', '“Order rope”', ...' @b!^tom', 'Enter');
  await strike(10, '“Coil it”', ...' @a!^tom', 'Enter');
  await sample.expectRows(
    `select t.title, t.priority::text, t.due_date = current_date + 1 as tomorrow, p.display_name as who
     from tasks t join task_assignees a on a.task_id = t.id join profiles p on p.id = a.user_id where t.project_id = $1 order by number`,
    [
      { title: 'Order rope', priority: 'p1', tomorrow: true, who: 'Bob' },
      { title: 'Coil it', priority: 'p1', tomorrow: true, who: 'Ada Lovelace' },
    ],
  );
});

test('a key means the card under the pointer, and the dot offers all that can be done with it', async () => {
  await cardOf(page, 'Count the ships').hover();
  await page.keyboard.press('m');
  await sample.expectRows(
    'select t.title from task_assignees a join tasks t on t.id = a.task_id where t.project_id = $1',
    [{ title: 'Count the ships' }],
  );
  await cardOf(page, 'Sweep the quay').hover();
  await page.keyboard.press('.');
  await options().getByText(t('task.archive')).waitFor();
  await page.keyboard.type('archive');
  await page.keyboard.press('Enter');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
});

test('watching, archiving and deleting have their keys on a card, too, and mean it beside an open task', async () => {
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('w');
  await news(page)
    .getByText(t('common.inbox.didWatch', { what: 'Count the ships' }))
    .waitFor();
  await page.keyboard.press('Control+Shift+c');
  await news(page).getByText(t('common.copied')).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/board\/2$/);
  await cardOf(page, 'Paint the crane').click();
  await panel().waitFor();
  await cardOf(page, 'Sweep the quay').focus();
  await page.keyboard.press('e');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('Control+Backspace');
  await expectTitles(page, 'To do', ['Paint the crane']);
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  // The one that is open closes when it goes, whichever way it is ended.
  await panel().focus();
  await page.keyboard.press('.');
  await page.keyboard.type('archive');
  await page.keyboard.press('Enter');
  await panel().waitFor({ state: 'detached' });
  await expectTitles(page, 'To do', []);
});

test('in the panel a key means the task that is open, and the focus comes back to where it was', async () => {
  await cardOf(page, 'Count the ships').click();
  const title = panel().getByRole('button', { name: saying('property.priority') });
  await title.focus();
  await page.keyboard.press('a');
  await options().filter({ hasText: 'Ada Lovelace' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await panel()
    .getByRole('button', { name: t('common.pair', { name: t('task.properties.assignee'), value: 'Ada Lovelace' }) })
    .waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toContain(t('property.priority'));
});

test('a key right after an overlay means what one came from, on a page where timers are late', async () => {
  await makeTimersLate(page, 300);
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('a');
  await options().filter({ hasText: 'Ada Lovelace' }).waitFor();
  for (const key of ['p', 'l']) {
    await page.keyboard.press('Escape');
    await page.keyboard.press(key);
    await options()
      .filter({ hasText: { p: t('common.priorities.p0'), l: 'Urgent' }[key] ?? '' })
      .waitFor();
    await page.keyboard.type('r');
    await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('r');
  }
  await page.keyboard.press('Escape');
  // Out of the palette as well, and what is typed right after a pick goes where that leads.
  await page.keyboard.press('Control+k');
  const search = page.getByRole('combobox', { name: t('common.nav.search') });
  await search.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await options()
    .filter({ hasText: t('common.priorities.p0') })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await search.fill('add task');
  await options()
    .first()
    .filter({ hasText: t('board.add') })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('deploy');
  await expect
    .poll(() => page.getByRole('textbox', { name: t('board.addTo', { column: 'To do' }) }).inputValue())
    .toBe('deploy');
});

test('a key without a task says what to do', async () => {
  await page.mouse.move(1, 1);
  await page.keyboard.press('a');
  await news(page).getByText(t('task.keys.noTask')).waitFor();
});

test('Space looks into a task; the arrows take the panel along; Space closes it', async () => {
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('Space');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  await expect.poll(inFocus).toBe('Paint the crane');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
  await expect.poll(inFocus).toBe('Count the ships');
  await page.keyboard.press('Space');
  await panel().waitFor({ state: 'detached' });
  await expect.poll(inFocus).toBe('Count the ships');
});

test('in the list a key means all rows that are selected', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.getByRole('link', { name: 'Paint the crane' }).waitFor();
  await page.getByRole('checkbox', { name: t('list.select', { key: 'HAR-1' }) }).check();
  await page.getByRole('checkbox', { name: t('list.select', { key: 'HAR-3' }) }).check();
  await page.keyboard.press('p');
  await options().first().waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows("select title from tasks where project_id = $1 and priority = 'p0' order by number", [
    { title: 'Paint the crane' },
    { title: 'Sweep the quay' },
  ]);
});

test('arrows start in the list and among my tasks; there a key means the row under the pointer, too', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list`);
  const row = page.locator('[data-row]').filter({ hasText: 'Count the ships' });
  await row.waitFor();
  await page.mouse.move(1, 1);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Paint the crane');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await row.hover();
  await page.keyboard.press('m');
  await page.keyboard.press('x');
  await page
    .getByRole('toolbar')
    .getByText(t('common.selected', { n: 1 }))
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('toolbar').waitFor({ state: 'detached' });
  await row.hover();
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: t('list.editTitle', { key: 'HAR-2' }) }).fill('Count the boats');
  await page.keyboard.press('Enter');
  await page.goto('/app/my-tasks');
  const mine = page.locator('main [data-task-id]');
  await mine.filter({ hasText: 'Count the boats' }).waitFor();
  await page.mouse.move(1, 1);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => mine.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement))).toBe(0);
  await page.keyboard.press('p');
  await options()
    .filter({ hasText: t('common.priorities.p1') })
    .waitFor();
  await page.keyboard.type('crit');
  await page.keyboard.press('Enter');
  await sample.expectRows('select priority from tasks where project_id = $1 and number = 2', [{ priority: 'p0' }]);
});

test('a view across projects has the arrows and the keys', async () => {
  const [view] = await sample.rows<{ id: string }>(
    "insert into saved_views (owner_id, name, layout) select created_by, 'All of it', 'list' from projects where id = $1 returning id",
  );
  await page.goto(`/app/views/${view?.id}`);
  const lines = page.locator('main [data-task-id]');
  await lines.first().waitFor();
  await page.mouse.move(1, 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => lines.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement))).toBe(1);
  await page.keyboard.press('d');
  await page.keyboard.type('tom');
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as dated from tasks where project_id = $1 and due_date is not null', [
    { dated: 1 },
  ]);
});

test('a task that is open beside the inbox has its keys', async () => {
  const bob = await sample.site.app.createUser({ name: 'Bob' });
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bob.id}', 'editor')`);
  await sample.site.app.asUser(
    bob.id,
    `insert into task_comments (task_id, body) select id, 'Which red?' from tasks where project_id = '${sample.projectId}' and number = 1`,
  );
  await page.goto('/app/inbox');
  await page.locator('[data-way]').first().click();
  await panel()
    .getByRole('button', { name: saying('property.priority') })
    .waitFor();
  await page.mouse.move(1, 1);
  await page.keyboard.press('p');
  await options()
    .filter({ hasText: t('common.priorities.p1') })
    .waitFor();
  await page.keyboard.type('crit');
  await page.keyboard.press('Enter');
  await sample.expectRows('select priority from tasks where project_id = $1 and number = 1', [{ priority: 'p0' }]);
  await page.keyboard.press('e');
  await page.locator('[data-entry]').waitFor({ state: 'detached' });
});

const places: Readonly<Record<string, () => Promise<void>>> = {
  async 'the board'() {
    await sample.openBoard(page);
    await cardOf(page, 'Paint the crane').focus();
  },
  async 'the list'() {
    await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
    await page.getByRole('link', { name: 'Paint the crane' }).focus();
  },
  async 'the table'() {
    const shown = encodeURIComponent(JSON.stringify({ columns: ['title', 'estimate'] }));
    await page.goto(`/app/projects/${sample.projectId}/list?group=none&shown=${shown}`);
    await page.getByRole('link', { name: 'Paint the crane' }).focus();
  },
  async 'the open task'() {
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await panel()
      .getByRole('button', { name: saying('property.priority') })
      .waitFor();
  },
};

test.each(Object.entries(places))(
  '%s has keys for start, estimate, repeat, links, parent, copy and done',
  async (_, open) => {
    await open();
    const choose = async (key: string, text: string, option: string | RegExp = ''): Promise<void> => {
      await page.keyboard.press(key);
      await options().filter({ hasText: option }).first().waitFor();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.getByRole('combobox').waitFor({ state: 'detached' });
    };
    await choose('Shift+S', 'tom');
    await choose('Shift+E', '2.5');
    await choose('Shift+R', 'every week');
    await choose('Shift+B', 'ships', 'Count the ships');
    await choose('Shift+X', 'quay', 'Sweep the quay');
    await choose('Shift+U', 'quay', 'Sweep the quay');
    await sample.expectRows(
      `select t.estimate::float, t.start_date = current_date + 1 as tomorrow, p.title as parent, r.rule is not null as repeats,
       (select title from tasks where id = b.predecessor_id) as after, (select title from tasks where id = a.successor_id) as before
     from tasks t left join tasks p on p.id = t.parent_id left join task_recurrences r on r.task_id = t.id
     left join task_dependencies b on b.successor_id = t.id left join task_dependencies a on a.predecessor_id = t.id
     where t.project_id = $1 and t.number = 1`,
      [
        {
          ...{ estimate: 2.5, tomorrow: true, parent: 'Sweep the quay', repeats: true },
          ...{ after: 'Count the ships', before: 'Sweep the quay' },
        },
      ],
    );
    await page.keyboard.press('Shift+Y');
    await sample.expectRows('select count(*)::int as tasks from tasks where project_id = $1', [{ tasks: 4 }]);
    await page.keyboard.press('v');
    await news(page)
      .getByText(saying('board.done.moved', { column: 'Done' }))
      .first()
      .waitFor();
  },
);

test('keys for repeat, links and parent mean all that is selected; those that can’t are left out, and one undo takes all back', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  for (const key of ['HAR-1', 'HAR-2', 'HAR-3'])
    await page.getByRole('checkbox', { name: t('list.select', { key }) }).check();
  const choose = async (key: string, text: string, option: string): Promise<void> => {
    await page.keyboard.press(key);
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type(text);
    await options().filter({ hasText: option }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
  };
  const linked = `select p.number as before, s.number as after from task_dependencies d
    join tasks p on p.id = d.predecessor_id join tasks s on s.id = d.successor_id where d.project_id = $1 order by 1, 2`;
  const left = (n: number) => news(page).getByText(t('task.someLinked', { n, all: 3 }));
  await choose('Shift+R', 'every week', '');
  const repeating =
    'select count(*)::int as n, count(distinct rule)::int as rules from task_recurrences where project_id = $1';
  await sample.expectRows(repeating, [{ n: 3, rules: 1 }]);
  await page.keyboard.press('Control+z');
  await sample.expectRows(repeating, [{ n: 0, rules: 0 }]);
  await choose('Shift+B', 'quay', 'Sweep the quay');
  await left(2).waitFor();
  await sample.expectRows(linked, [
    { before: 3, after: 1 },
    { before: 3, after: 2 },
  ]);
  // The other way round all of it would be a circle: the line says so, and cannot be chosen.
  await page.keyboard.press('Shift+X');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('quay');
  await options().filter({ hasText: 'Sweep the quay' }).and(page.locator('[aria-disabled="true"]')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await sample.expectRows(linked, []);
  const parts = 'select number from tasks where project_id = $1 and parent_id is not null order by number';
  await choose('Shift+U', 'ships', 'Count the ships');
  await sample.expectRows(parts, [{ number: 1 }, { number: 3 }]);
  await page.keyboard.press('Control+z');
  await sample.expectRows(parts, []);
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('common.more') })
    .click();
  await options()
    .filter({ hasText: t('task.keys.blocked_by') })
    .waitFor();
});

test('one key completes all that is selected and reopens it; the tick of a card does the same', async () => {
  const done = 'select title from tasks where project_id = $1 and completed_at is not null order by number';
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  for (const key of ['HAR-1', 'HAR-3']) await page.getByRole('checkbox', { name: t('list.select', { key }) }).check();
  await page.keyboard.press('v');
  await sample.expectRows(done, [{ title: 'Paint the crane' }, { title: 'Sweep the quay' }]);
  await page.keyboard.press('v');
  await sample.expectRows(done, []);
  await page.keyboard.press('Shift+E');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await sample.expectRows('select number from tasks where project_id = $1 and estimate = 3 order by number', [
    { number: 1 },
    { number: 3 },
  ]);
  await sample.openBoard(page);
  await expectTitles(page, 'To do', ['Count the ships', 'Paint the crane', 'Sweep the quay']);
  const tools = page.locator('li', { has: cardOf(page, 'Count the ships') });
  await tools.hover();
  await tools.getByRole('button', { name: t('task.complete') }).click();
  await expectTitles(page, 'Done', ['Count the ships']);
  await tools.hover();
  await tools.getByRole('button', { name: t('task.reopen') }).click();
  await sample.expectRows(done, []);
});

test('r on a card opens its comment field, with what is typed meanwhile, also beside another open task', async () => {
  const written = () =>
    page
      .getByRole('textbox', { name: t('task.comment') })
      .evaluate((field) => ('value' in field ? String(field.value) : field.textContent));
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('r');
  await page.keyboard.type('exhume');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
  await expect.poll(written).toBe('exhume');
  expect(new URL(page.url()).hash).toBe('');
  await cardOf(page, 'Sweep the quay').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('r');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-3' }) }).waitFor();
  await page.keyboard.type('peel');
  await expect.poll(written).toBe('peel');
  // Sent, it leads back.
  await page.keyboard.press('Control+Enter');
  await expect.poll(inFocus).toBe('Sweep the quay');
  await sample.expectRows('select body from task_comments where project_id = $1', [{ body: 'peel' }]);
});

test('the list of keys and the menu of a task name every key, each once', async () => {
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: t('common.nav.shortcuts') });
  for (const name of [
    ...([t('task.complete'), t('task.comment'), t('common.duplicate'), t('common.copyLink')] as const),
    ...(['start_date', 'estimate', 'repeat', 'blocked_by', 'blocks', 'parent'] as const).map((key) =>
      t(`task.keys.${key}`),
    ),
  ])
    await help.getByRole('term').filter({ hasText: name }).waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('.');
  await options()
    .filter({ hasText: t('task.keys.estimate') })
    .locator('kbd')
    .first()
    .waitFor();
});
