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
import { either, saying, t } from './words.ts';

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
  await page
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: saying('task.archive') }).click();
  await expectTitles(page, 'Backlog', []);
  // A press right after the drop is a press.
  await makeTimersLate(page, 1000);
  await drag(page, 'Sweep the quay', 'In progress');
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await expectTitles(page, 'Backlog', ['Order rope']);
  await expectTitles(page, 'In progress', ['Sweep the quay']);
});

test('the focus stays with what one was at', async () => {
  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
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
  await page.getByRole('textbox', { name: t('board.addTo', { column: 'To do' }) }).press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[data-add-task]'))).toBe(true);
  // What goes hands it to what stood beside it.
  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('button', { name: t('task.addPart.subtasks') }).click();
  await page.getByRole('button', { name: t('writing.item'), exact: true }).click();
  const add = page.getByRole('textbox', { name: t('task.addItem') });
  for (const item of ['Buy paint', 'Prime']) {
    await add.fill(item);
    await add.press('Enter');
  }
  await page.getByRole('button', { name: t('task.removeItem', { title: 'Buy paint' }) }).press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('task.removeItem', { title: 'Prime' }));
  await page.keyboard.press('e');
  await expect.poll(inFocus).toBe('Count the ships');
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
});

test('an action picked in the palette happens at the former focus; shortcuts do nothing behind a dialog', async () => {
  await cardOf(page, 'Paint the crane').focus();
  const pick = async (action: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: t('common.nav.search') }).fill(action);
    await page.getByRole('option', { name: action }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: t('common.nav.search') }).waitFor({ state: 'detached' });
  };
  const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await pick(t('board.add'));
  await expect.poll(focusedName).toBe(t('board.addTo', { column: 'To do' }));
  await page.keyboard.press('Escape');
  await pick(t('board.filters.text'));
  await expect.poll(focusedName).toBe(t('board.filters.text'));
  // A field inside takes the focus; it comes back all the same.
  await pick(t('common.nav.newProject'));
  await page.getByRole('dialog', { name: t('common.nav.newProject') }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focusedName).toBe(t('board.filters.text'));

  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: t('common.nav.shortcuts') }).waitFor();
  for (const key of ['j', 'n', 'Control+Backspace']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  expect(await page.getByText(t('task.did.deleted', { key: 'HAR-1' })).count()).toBe(0);
});

test('Escape goes one step back at a time, and words that were not sent are still there', async () => {
  await cardOf(page, 'Paint the crane').click();
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  await panel.getByRole('button', { name: saying('property.priority') }).click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  await panel.getByRole('textbox', { name: t('property.title') }).fill('Paint it black');
  await page.keyboard.press('Escape');
  expect(await panel.getByRole('textbox', { name: t('property.title') }).inputValue()).toBe('Paint the crane');
  await panel.getByRole('textbox', { name: t('task.comment') }).fill('Perhaps');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('ASIDE');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.goBack();
  await expect.poll(() => written(panel.getByRole('textbox', { name: t('task.comment') }))).toBe('Perhaps');
  // Going away is leaving the field, too.
  await page.getByRole('button', { name: t('task.close') }).click();
  await cardOf(page, 'Sweep the quay').click();
  await page.getByRole('textbox', { name: t('property.title') }).fill('Sweep the whole quay');
  await page.goBack();
  await sample.expectRows('select title from tasks where project_id = $1 and number = 3', [
    { title: 'Sweep the whole quay' },
  ]);
});

test('a description saved by someone else meanwhile is shown before it is replaced', async () => {
  await sample.rows("update tasks set description = 'Red' where project_id = $1 and number = 1");
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  await panel
    .getByRole('region', { name: t('property.description') })
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await panel.getByRole('textbox', { name: t('property.description') }).fill('Green');
  await sample.rows("update tasks set description = 'Blue' where project_id = $1 and number = 1");
  await panel.getByText(either(saying('task.conflict.changed'), saying('task.conflict.own'))).waitFor();
  await panel.locator('[data-theirs]').getByText(t('common.colours.blue'), { exact: true }).waitFor();
  expect(await panel.getByRole('button', { name: t('common.save'), exact: true }).isDisabled()).toBe(true);
  await panel.getByRole('button', { name: t('common.cancel') }).click();
  await panel.getByText(t('common.colours.blue'), { exact: true }).waitFor();
});

test('a link is copied also where the browser keeps its clipboard to itself', async () => {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await page.getByRole('button', { name: t('common.copyLink') }).waitFor();
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
  await page.getByRole('button', { name: t('common.copyLink') }).click();
  await news(page).getByText(t('common.copied')).waitFor();
  await page.reload();
  await page.getByRole('button', { name: t('common.copyLink') }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/board\/1$/);
});

test('next and previous follow the order that is shown beside', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?group=none&sort=title&order=backwards`);
  await page.getByRole('link', { name: 'Sweep the quay' }).click();
  const title = page.getByRole('textbox', { name: t('property.title') });
  for (const [key, next] of [
    ['j', 'Paint the crane'],
    ['j', 'Count the ships'],
    ['k', 'Paint the crane'],
  ] as const) {
    await page.getByRole('complementary', { name: saying('task.panel') }).focus();
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
  await page.getByRole('button', { name: t('board.addTo', { column: 'Backlog' }) }).click();
  await page.getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) }).fill('Out of sight');
  await page.keyboard.press('Enter');
  await news(page)
    .getByText(t('board.addedHidden', { n: 1 }))
    .waitFor();
});

test('the list of keys names what a card hears', async () => {
  await page.locator('h1').click();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText(t('board.keys.pickUp')).waitFor();
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
