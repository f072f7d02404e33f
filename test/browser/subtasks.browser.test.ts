// Subtasks: typed, indented, moved and ticked by keys and by menu; checklist items that become tasks and back.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, openDisplay, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
eachStory(async (site) => {
  sample = await settleHarbour(site);
  return [sample.ada];
});

const outline = (page: Page) => page.getByRole('region', { name: t('plan.subtasks.title') });
const titles = (page: Page) => outline(page).getByRole('textbox', { name: saying('plan.subtasks.name') });
const field = (page: Page, title: string) => outline(page).locator(`input[data-title-field][value="${title}"]`);
const shown = (page: Page) =>
  titles(page).evaluateAll((fields) =>
    fields.map((one) => `${one.getAttribute('aria-label')?.slice(-1)} ${(one as HTMLInputElement).value}`),
  );

async function openTask(page: Page, number = 1): Promise<void> {
  await page.goto(`/app/projects/${sample.projectId}/board/${number}`);
  await page.getByRole('button', { name: t('task.addPart.subtasks') }).click();
  await outline(page).waitFor();
}

async function type(page: Page, ...lines: string[]): Promise<void> {
  const add = outline(page).getByRole('textbox', { name: t('plan.subtasks.add') });
  for (const line of lines) {
    await add.fill(line);
    await add.press('Enter');
  }
  await expect.poll(() => titles(page).count()).toBe(lines.length);
}

test('an outline is typed, indented, moved and ticked by keys, and its parent says how far it is', async () => {
  const { page } = sample.ada;
  await openTask(page);
  await type(page, 'Scrape', 'Prime', 'Coat');
  await field(page, 'Coat').focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => shown(page)).toEqual(['1 Scrape', '1 Prime', '2 Coat']);
  // The focus stays with the line.
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => shown(page)).toEqual(['1 Scrape', '1 Prime', '1 Coat']);
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => shown(page)).toEqual(['1 Scrape', '1 Coat', '1 Prime']);
  await page.keyboard.press('Tab');
  await sample.expectRows(
    `select t.title, p.title as parent from tasks t join tasks p on p.id = t.parent_id where t.project_id = $1
     order by p.number, t.subtask_position`,
    [
      { title: 'Scrape', parent: 'Paint the crane' },
      { title: 'Prime', parent: 'Paint the crane' },
      { title: 'Coat', parent: 'Scrape' },
    ],
  );
  // Where there is nothing to indent under, Tab goes on as everywhere.
  await field(page, 'Scrape').focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => field(page, 'Scrape').evaluate((one) => one === document.activeElement)).toBe(false);
  await expect.poll(() => shown(page)).toEqual(['1 Scrape', '2 Coat', '1 Prime']);

  await outline(page)
    .getByRole('checkbox', { name: t('plan.subtasks.done', { key: 'HAR-4' }) })
    .check();
  await outline(page)
    .getByText(t('task.done', { done: '1', all: '2' }), { exact: true })
    .waitFor();
  await cardOf(page, 'Paint the crane')
    .getByText(t('board.subtasks', { done: '1', all: '2' }))
    .waitFor();
  // Each names the task it is part of, not the one above that.
  await cardOf(page, 'Prime')
    .getByText(t('board.partOf', { title: 'Paint the crane' }))
    .waitFor();
  await cardOf(page, 'Coat')
    .getByText(t('board.partOf', { title: 'Scrape' }))
    .waitFor();
  await sample.expectRows(
    `select c.kind from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.number = 4`,
    [{ kind: 'done' }],
  );
  expect(await offences(page)).toEqual([]);
});

test('a child leads to its parent, and deleting that says what goes with it and brings all of it back', async () => {
  const { page } = sample.ada;
  await openTask(page);
  await type(page, 'Scrape');
  await outline(page)
    .getByRole('link', { name: t('plan.subtasks.open', { key: 'HAR-4', title: 'Scrape' }) })
    .click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-4' }) }).waitFor();
  await page.getByRole('link', { name: t('plan.subtasks.partOf', { key: 'HAR-1', title: 'Paint the crane' }) }).click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  await page
    .getByRole('complementary')
    .getByRole('button', { name: t('common.more'), exact: true })
    .click();
  await page.getByRole('menuitem', { name: t('task.archiveWith', { n: 1 }) }).waitFor();
  await page.getByRole('menuitem', { name: t('task.removeWith', { n: 1 }) }).click();
  await expect.poll(() => cardOf(page, 'Scrape').count()).toBe(0);
  await page.getByRole('button', { name: t('common.undo') }).click();
  await cardOf(page, 'Scrape').waitFor();
  await sample.expectRows('select count(*)::int as n from tasks where project_id = $1', [{ n: 4 }]);
});

test('a step of the checklist becomes a subtask, and a subtask a step; what would be lost is said', async () => {
  const { page } = sample.ada;
  await sample.rows(
    `insert into task_checklist_items (task_id, title, is_done) select id, 'Buy paint', true from tasks where project_id = $1 and number = 1`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const checklist = page.getByRole('region', { name: t('property.checklist') });
  await checklist
    .getByRole('textbox', { name: t('task.itemTitle') })
    .first()
    .focus();
  await page.keyboard.press('Control+Shift+Enter');
  await expect.poll(() => shown(page)).toEqual(['1 Buy paint']);
  await sample.expectRows(
    'select title, completed_at is not null as done from tasks where project_id = $1 and parent_id is not null',
    [{ title: 'Buy paint', done: true }],
  );
  await outline(page)
    .getByRole('button', { name: t('plan.subtasks.more', { title: 'Buy paint' }) })
    .click();
  await page.getByRole('menuitem', { name: t('plan.subtasks.toItem') }).click();
  await checklist.getByRole('checkbox', { name: 'Buy paint' }).waitFor();
  expect(await titles(page).count()).toBe(0);
});

test('one line adds subtasks and items, remembers which, and both are counted together', async () => {
  const { page } = sample.ada;
  await openTask(page);
  await type(page, 'Scrape');
  const choice = outline(page).getByRole('group', { name: t('plan.subtasks.kind') });
  const item = choice.getByRole('button', { name: t('writing.item') });
  const add = outline(page).getByRole('textbox', { name: t('task.addItem') });
  // What is typed already becomes what is chosen then, by mouse and by keys.
  await outline(page)
    .getByRole('textbox', { name: t('plan.subtasks.add') })
    .fill('Buy paint');
  await item.click();
  await add.press('Enter');
  await page.reload();
  await add.fill('Prime');
  expect(await item.getAttribute('aria-pressed')).toBe('true');
  await add.press('Control+Shift+Enter');
  await outline(page)
    .getByRole('textbox', { name: t('plan.subtasks.add') })
    .press('Enter');
  await expect.poll(() => shown(page)).toEqual(['1 Scrape', '1 Prime']);
  await sample.expectRows('select title from task_checklist_items where project_id = $1', [{ title: 'Buy paint' }]);
  await outline(page).getByRole('checkbox', { name: 'Buy paint' }).check();
  await outline(page)
    .getByText(t('task.done', { done: '1', all: '3' }), { exact: true })
    .waitFor();
  expect(await offences(page)).toEqual([]);
});

test('the list is an outline, too: Tab puts a task under the one above it and takes it out again', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  const display = await openDisplay(page);
  await display.getByRole('checkbox', { name: t('table.outline') }).check();
  await page.keyboard.press('Escape');
  const levels = () =>
    page
      .getByRole('treegrid')
      .locator('[data-row]')
      .evaluateAll((rows) =>
        rows.map((row) => `${row.getAttribute('aria-level')} ${row.querySelector('[data-row-link]')?.textContent}`),
      );
  const line = (title: string) => page.locator('[data-row-link]', { hasText: title });
  await expect.poll(levels).toEqual(['1 Paint the crane', '1 Count the ships', '1 Sweep the quay']);
  await line('Sweep the quay').focus();
  await page.keyboard.press('Tab');
  await expect.poll(levels).toEqual(['1 Paint the crane', '1 Count the ships', '2 Sweep the quay']);
  // Whoever goes to another line at once stays there.
  const stayed = await line('Count the ships').evaluate(async (one: HTMLElement) => {
    const outdent = new KeyboardEvent('keydown', { key: 'Tab', shiftKey: true, bubbles: true });
    document.activeElement?.dispatchEvent(outdent);
    one.focus();
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    return one === document.activeElement;
  });
  expect(stayed).toBe(true);
  await expect.poll(levels).toEqual(['1 Paint the crane', '1 Count the ships', '1 Sweep the quay']);
  await line('Sweep the quay').focus();
  await page.keyboard.press('Tab');
  await expect.poll(levels).toEqual(['1 Paint the crane', '1 Count the ships', '2 Sweep the quay']);
  await line('Count the ships').focus();
  await page.keyboard.press('Tab');
  await expect.poll(levels).toEqual(['1 Paint the crane', '2 Count the ships', '3 Sweep the quay']);
  await line('Sweep the quay').focus();
  await page.keyboard.press('Shift+Tab');
  await expect.poll(levels).toEqual(['1 Paint the crane', '2 Count the ships', '2 Sweep the quay']);
  await sample.expectRows(
    `select t.title, p.title as parent from tasks t join tasks p on p.id = t.parent_id where t.project_id = $1 order by t.subtask_position`,
    ['Count the ships', 'Sweep the quay'].map((title) => ({ title, parent: 'Paint the crane' })),
  );
  // The focus stayed with it; what has no place to go leaves Tab to the browser.
  await expect.poll(() => line('Sweep the quay').evaluate((one) => one === document.activeElement)).toBe(true);
  await line('Paint the crane').focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => line('Paint the crane').evaluate((one) => one === document.activeElement)).toBe(false);
  await page.keyboard.press('Control+z');
  await expect.poll(levels).toEqual(['1 Paint the crane', '2 Count the ships', '3 Sweep the quay']);
  expect(await offences(page)).toEqual([]);
});
