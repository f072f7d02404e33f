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

test('many conditions stay in one row, which a wheel or the focus scrolls, and a new one is in sight', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const many =
    'priority.any_of.p0.p1.p2*created_at.in_last.400*blocked.is.no*has_files.is.no*kind.none_of.done*number.at_least.1';
  await sample.openBoard(page, `?filter=${many}`);
  const chips = page.getByRole('toolbar', { name: t('views.chips') });
  const chip = (at: number) => chips.locator('[data-chip]').nth(at);
  const inSight = (at: number) =>
    chip(at).evaluate((one) => {
      const room = one.closest('[role="toolbar"]')?.getBoundingClientRect();
      const { left, right } = one.getBoundingClientRect();
      return room !== undefined && left >= room.left - 1 && right <= room.right + 1;
    });
  await chip(5).waitFor();
  expect((await page.locator('main search').boundingBox())?.height).toBe(48);
  expect(await inSight(0)).toBe(true);
  expect(await inSight(5)).toBe(false);
  await expect.poll(() => chips.getAttribute('data-after')).toBe('');
  await chip(0).hover();
  await page.mouse.wheel(0, 3000);
  await expect.poll(() => inSight(5)).toBe(true);
  await expect.poll(() => chips.getAttribute('data-after')).toBe(null);
  expect(await chips.getAttribute('data-before')).toBe('');
  await chip(0).focus();
  await expect.poll(() => inSight(0)).toBe(true);
  await page.keyboard.press('f');
  await offer(t('views.properties.recurring')).click();
  await page.getByRole('option', { name: t('views.flags.no') }).click();
  await page.keyboard.press('Escape');
  await chip(6).waitFor();
  await expect.poll(() => inSight(6)).toBe(true);
  expect((await page.locator('main search').boundingBox())?.height).toBe(48);
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
  // Keys are faster than frames of a busy machine: no frame comes before they were all pressed.
  await page.evaluate(() => {
    window.requestAnimationFrame = (draw) => window.setTimeout(() => draw(performance.now()), 1000);
  });
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
