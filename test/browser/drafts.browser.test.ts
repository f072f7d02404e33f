// Drafts of texts and numbers in a task: stored with the version they are based on, read by the reader's language, and not lost when they are
// refused; keys on layouts without Latin letters.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openHarbour, type SampleProject } from './pages.ts';
import { eachStory } from './stories.ts';
import { t, wordsIn } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site, ['Paint the crane', 'Count the ships']);
  ({ page } = sample.ada);
  return [sample.ada];
});

const open = (number: number, at = page) => at.goto(`/app/projects/${sample.projectId}/board/${number}`);
const panel = (at = page) => at.locator('[data-open-task]');
const description = (text: string) =>
  sample.rows(`update tasks set description = '${text}' where project_id = $1 and number = 1 returning id`);

test('a description begun before others rewrote it shows the difference, and is saved only when one says so', async () => {
  await description('Red\nTwo coats');
  await open(1);
  const part = panel().getByRole('region', { name: t('property.description') });
  await part.getByText('Two coats').waitFor();
  await part.getByRole('button', { name: t('common.edit'), exact: true }).click();
  const field = part.getByRole('textbox', { name: t('property.description') });
  await field.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' of mine');
  await panel()
    .getByRole('button', { name: t('task.close') })
    .click();
  await panel().waitFor({ state: 'detached' });
  await description('Red\nThree coats');
  await open(1);
  const theirs = part.locator('[data-theirs]');
  await theirs.getByText('Three coats').first().waitFor();
  expect(await part.getByRole('button', { name: t('common.save') }).isDisabled()).toBe(true);
  await theirs.getByText(t('task.conflict.compare')).click();
  await theirs.locator('del', { hasText: 'Two coats of mine' }).waitFor();
  await theirs.locator('ins', { hasText: 'Three coats' }).waitFor();
  // Theirs is taken, and mine had back all the same.
  await theirs.getByRole('button', { name: t('task.conflict.take') }).click();
  await part.locator('[data-theirs]').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('task.conflict.useMine') }).click();
  await field.getByText('Two coats of mine').waitFor();
  await part.getByRole('button', { name: t('common.save') }).click();
  await sample.expectRows('select description from tasks where project_id = $1 and number = 1', [
    { description: 'Red\nTwo coats of mine' },
  ]);
});

test('a title that the server refuses stays in its field, and can be copied', async () => {
  await sample.rows("alter table tasks add constraint no_storm check (title <> 'Storm')");
  await open(2);
  const title = panel().getByRole('textbox', { name: t('property.title') });
  await title.fill('Storm');
  await title.press('Enter');
  const news = page.getByRole('listitem').filter({ hasText: 'HAR-2' });
  await news.getByRole('button', { name: t('common.stranded.copy') }).waitFor();
  expect(await title.inputValue()).toBe('Storm');
  await sample.rows('alter table tasks drop constraint no_storm');
  await title.press('Enter');
  await sample.expectRows('select title from tasks where project_id = $1 and number = 2', [{ title: 'Storm' }]);
});

test('a title takes as many characters as the database, however wide', async () => {
  await open(2);
  const title = panel().getByRole('textbox', { name: t('property.title') });
  await title.fill('🚢'.repeat(501));
  expect([...(await title.inputValue())]).toHaveLength(500);
  await title.press('Enter');
  await sample.expectRows('select char_length(title) as n from tasks where project_id = $1 and number = 2', [
    { n: 500 },
  ]);
});

test('in German the panel reads and writes numbers as the table does', async () => {
  const { t: inGerman } = wordsIn('de', 'de-DE');
  const visitor = await sample.site.visit({ locale: 'de-DE', storageState: await page.context().storageState() });
  const { page: german } = visitor;
  await open(1, german);
  const estimate = panel(german).getByRole('textbox', { name: inGerman('property.estimate') });
  const stored = (value: string) =>
    sample.expectRows('select estimate::text from tasks where project_id = $1 and number = 1', [{ estimate: value }]);
  await estimate.fill('1,5');
  await estimate.press('Enter');
  await stored('1.5');
  expect(await estimate.inputValue()).toBe('1,5');
  await estimate.fill('250.000');
  await estimate.press('Enter');
  await stored('250000');
  await estimate.fill('1.000.000');
  await estimate.press('Enter');
  await panel(german)
    .getByText(inGerman('table.faults.estimate', { text: '1.000.000' }))
    .waitFor();
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

test('on a Cyrillic layout Ctrl A marks all cells of the table', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list`);
  const cell = page.locator('[data-row] [data-col]').first();
  await cell.waitFor();
  await cell.focus();
  await cell.dispatchEvent('keydown', { key: 'ф', code: 'KeyA', ctrlKey: true, bubbles: true, cancelable: true });
  await expect.poll(() => page.locator('[data-row] [data-marked]').count()).toBeGreaterThan(2);
});
