// Focus after an action: one step back at a time, the target of undo and of the palette, typed text. Each test has a project and a browser
// of its own.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addTasks,
  cardOf,
  columnOf,
  drag,
  expectTitles,
  focusedCard,
  makeTimersLate,
  news,
  openHarbour,
  type SampleProject,
  type Visitor,
  written,
} from './pages.ts';
import { eachStory } from './stories.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site);
  ({ ada } = sample);
  ({ page } = ada);
  return [ada];
});

const inFocus = () => focusedCard(page);

test('undo in a message takes back what the message is about, whatever was done since', async () => {
  await addTasks(page, 'Backlog', ['Order rope']);
  await cardOf(page, 'Order rope').click();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: /^Archive/ }).click();
  await expectTitles(page, 'Backlog', []);
  // A press right after the drop is a press.
  await makeTimersLate(page, 1000);
  await drag(page, 'Sweep the quay', 'In progress');
  await news(page).getByRole('button', { name: 'Undo' }).click();
  await expectTitles(page, 'Backlog', ['Order rope']);
  await expectTitles(page, 'In progress', ['Sweep the quay']);
});

test('the focus stays with what one was at', async () => {
  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('complementary', { name: 'Task HAR-2' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(inFocus).toBe('Count the ships');
  for (const key of ['Control+k', '?']) {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(inFocus).toBe('Count the ships');
  }
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Add a task to To do' }).press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[data-add-task]'))).toBe(true);
  // What goes hands it to what stood beside it.
  await cardOf(page, 'Paint the crane').click();
  const add = page.getByRole('textbox', { name: 'Add an item' });
  for (const item of ['Buy paint', 'Prime']) {
    await add.fill(item);
    await add.press('Enter');
  }
  await page.getByRole('button', { name: 'Remove “Buy paint”' }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Remove “Prime”');
  await page.keyboard.press('e');
  await expect.poll(inFocus).toBe('Count the ships');
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
});

test('an action picked in the palette happens at the former focus; shortcuts do nothing behind a dialog', async () => {
  await cardOf(page, 'Paint the crane').focus();
  const pick = async (action: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(action);
    await page.getByRole('option', { name: action }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  };
  const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await pick('Add task');
  await expect.poll(focusedName).toBe('Add a task to To do');
  await page.keyboard.press('Escape');
  await pick('Filter by text');
  await expect.poll(focusedName).toBe('Filter by text');
  // A field inside takes the focus; it comes back all the same.
  await pick('New project');
  await page.getByRole('dialog', { name: 'New project' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focusedName).toBe('Filter by text');

  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  for (const key of ['j', 'n', 'Control+Backspace']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
  expect(await page.getByText('Deleted HAR-1').count()).toBe(0);
});

test('Escape goes one step back at a time, and words that were not sent are still there', async () => {
  await cardOf(page, 'Paint the crane').click();
  const panel = page.getByRole('complementary', { name: 'Task HAR-1' });
  await panel.getByRole('button', { name: /^Priority/ }).click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  await panel.getByRole('textbox', { name: 'Title' }).fill('Paint it black');
  await page.keyboard.press('Escape');
  expect(await panel.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Paint the crane');
  await panel.getByRole('textbox', { name: 'Write a comment' }).fill('Perhaps');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('ASIDE');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => written(panel.getByRole('textbox', { name: 'Write a comment' }))).toBe('Perhaps');
  // Going away is leaving the field, too.
  await page.getByRole('button', { name: 'Close task' }).click();
  await cardOf(page, 'Sweep the quay').click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Sweep the whole quay');
  await page.goBack();
  await sample.expectRows('select title from tasks where project_id = $1 and number = 3', [
    { title: 'Sweep the whole quay' },
  ]);
});

test('a description saved by someone else meanwhile is shown before it is replaced', async () => {
  await sample.rows("update tasks set description = 'Red' where project_id = $1 and number = 1");
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const panel = page.getByRole('complementary', { name: 'Task HAR-1' });
  await panel.getByRole('region', { name: 'Description' }).getByRole('button', { name: 'Edit' }).click();
  await panel.getByRole('textbox', { name: 'Description' }).fill('Green');
  await sample.rows("update tasks set description = 'Blue' where project_id = $1 and number = 1");
  await panel.getByText('changed this while you were writing').waitFor();
  await panel.locator('[data-theirs]').getByText('Blue', { exact: true }).waitFor();
  expect(await panel.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByText('Blue', { exact: true }).waitFor();
});

test('a link is copied also where the browser keeps its clipboard to itself', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await news(page).getByText('Link copied').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/board\/1$/);
});

test('next and previous follow the order that is shown beside', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none&sort=title&order=backwards`);
  await page.getByRole('link', { name: 'Sweep the quay' }).click();
  const title = page.getByRole('textbox', { name: 'Title' });
  for (const [key, next] of [
    ['j', 'Paint the crane'],
    ['j', 'Count the ships'],
    ['k', 'Paint the crane'],
  ] as const) {
    await page.getByRole('complementary', { name: /^Task / }).focus();
    await page.keyboard.press(key);
    await expect.poll(() => title.inputValue()).toBe(next);
  }
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Paint the crane');
});

test('a card in the hand of the keys goes back when the mouse is used', async () => {
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('ArrowRight');
  await page.locator('[data-landing]').waitFor();
  await page.getByRole('heading', { name: 'Harbour' }).click();
  await expect.poll(() => page.locator('[data-landing]').count()).toBe(0);
  await columnOf(page, 'To do').getByText('Paint the crane').waitFor();
});

test('a new task that the filters hide gets a message', async () => {
  await sample.openBoard(page, '?q=crane');
  await page.getByRole('button', { name: 'Add a task to Backlog' }).click();
  await page.getByRole('textbox', { name: 'Add a task to Backlog' }).fill('Out of sight');
  await page.keyboard.press('Enter');
  await news(page).getByText('Added. The filters hide it.').waitFor();
});

test('the list of keys names what a card hears', async () => {
  await page.locator('h1').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Pick it up; the arrows move it, Space drops it').waitFor();
});

test('the focused task keeps the focus however far the page is scrolled', async () => {
  await sample.rows(
    `insert into tasks (project_id, column_id, title)
     select $1, id, 'Crate ' || n from workflow_columns, generate_series(1, 200) n
     where project_id = $1 and name = 'In progress' order by n`,
  );
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
  for (const [view, line, far] of [
    ['board', '[data-task-id]', 'Crate 50'],
    ['list', '[data-row-link]', 'Crate 100'],
  ] as const) {
    await page.goto(`/app/projects/${sample.projectId}/${view}`);
    const crate = page.locator(line, { hasText: /Crate 3$/ });
    await crate.focus();
    const held = await focused();
    await crate.hover();
    await page.mouse.wheel(0, 4000);
    await page.locator(line, { hasText: far }).waitFor();
    expect(await focused()).toBe(held);
  }
});
