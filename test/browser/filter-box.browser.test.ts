// The filter box: words filter, and find conditions; chips stand beside them in one line.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectTitles, type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  ({ page } = ada);
  return [ada];
});

const field = () => page.getByRole('searchbox', { name: t('board.filters.text') });
const filter = () => new URL(page.url()).searchParams.get('filter');
const offer = (name: string) => page.getByRole('option', { name, exact: true });

test('words filter as they are typed; one that begins the name of a condition offers it, and is no word then', async () => {
  await sample.openBoard(page);
  await field().click();
  await page.keyboard.type('crane');
  await expectTitles(page, 'To do', ['Paint the crane']);
  expect(await page.getByRole('listbox').count()).toBe(0);
  await field().fill('');
  await expect.poll(filter).toBe(null);
  await page.keyboard.type('Block');
  await offer(t('property.blocked')).waitFor();
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('dialog', { name: t('views.add') }).waitFor();
  await page.getByRole('option', { name: t('views.flags.no') }).click();
  await page.keyboard.press('Escape');
  await expect.poll(filter).toBe('blocked.is.no');
  expect(await field().inputValue()).toBe('');
});

test('f offers conditions by name, and takes other words as words; Backspace goes to the last chip', async () => {
  await sample.openBoard(page, '?filter=priority.any_of.p2');
  await page.keyboard.press('f');
  await offer(t('property.assignee')).waitFor();
  await page.keyboard.type('ships');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  expect(await field().inputValue()).toBe('ships');
  await expectTitles(page, 'To do', ['Count the ships']);
  await field().fill('');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  for (const key of ['Backspace', 'Backspace']) await page.keyboard.press(key);
  await expect.poll(filter).toBe(null);
  // Escape leads out of the list to the button, where keys are the page's again.
  await page.keyboard.press('f');
  await offer(t('property.assignee')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.keyboard.press('f');
  await offer(t('property.assignee')).waitFor();
});
