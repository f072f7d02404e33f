// Date fields: typed in words, picked from the calendar by mouse and keys, in the panel and from a card.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { either, saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  page = sample.ada.page;
  return [sample.ada];
});

const panel = () => page.getByRole('complementary', { name: saying('task.panel') });
const picker = () =>
  page.getByRole('dialog', { name: either(saying('property.due_date'), saying('task.keys.due_date')) });
const dueOfFirst = (expected: string | null) =>
  sample.expectRows('select due_date::text from tasks where project_id = $1 and number = 1', [{ due_date: expected }]);
const focusName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

test('a day that was picked is read at once, also while its field has the focus', async () => {
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  await panel()
    .getByRole('button', { name: t('common.pair', { name: t('property.due_date'), value: t('common.none') }) })
    .click();
  await page.keyboard.type('15 may 2030');
  await picker()
    .getByRole('option', { name: /Wednesday,? 15 May 2030/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await dueOfFirst('2030-05-15');
  const named = t('common.pair', { name: t('property.due_date'), value: '15 May 2030' });
  const shown = panel().getByRole('button', { name: named, exact: true });
  await expect.poll(() => shown.evaluate((button) => button === document.activeElement)).toBe(true);
  const [color, visibility] = await shown.getByText('15 May 2030', { exact: true }).evaluate((element) => {
    const style = getComputedStyle(element);
    return [style.color, style.visibility];
  });
  expect(color).not.toBe('rgba(0, 0, 0, 0)');
  expect(visibility).toBe('visible');
});

test('the calendar goes by keys from day to day, week to week and month to month', async () => {
  await sample.rows("update tasks set due_date = '2030-05-15' where project_id = $1 and number = 1 returning id");
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  await panel()
    .getByRole('button', { name: t('common.pair', { name: t('property.due_date'), value: '15 May 2030' }) })
    .click();
  await picker().getByRole('grid', { name: 'May 2030' }).waitFor();
  expect(await picker().getByRole('columnheader').allInnerTexts()).toEqual([
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
  ]);
  expect(await picker().getByRole('gridcell', { selected: true }).innerText()).toBe('15');
  await picker()
    .getByRole('button', { name: t('days.nextMonth') })
    .focus();
  await page.keyboard.press('Tab');
  await expect.poll(focusName).toMatch(/15 May 2030$/);
  for (const [key, day] of [
    ['ArrowRight', /Thursday,? 16 May 2030$/],
    ['ArrowDown', /23 May 2030$/],
    ['Home', /Monday,? 20 May 2030$/],
    ['End', /Sunday,? 26 May 2030$/],
    ['PageDown', /26 June 2030$/],
    ['Shift+PageUp', /26 June 2029$/],
    ['ArrowLeft', /25 June 2029$/],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focusName).toMatch(day);
  }
  await page.keyboard.press('Enter');
  await dueOfFirst('2029-06-25');
  await picker().waitFor({ state: 'detached' });
  await page
    .getByRole('button', { name: t('common.pair', { name: t('property.due_date'), value: '25 Jun 2029' }) })
    .click();
  await picker()
    .getByRole('option', { name: t('days.none') })
    .click();
  await dueOfFirst(null);
});

test('the date being typed is shown in the calendar, and an unknown date is refused with a message', async () => {
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('d');
  await picker().waitFor();
  await page.keyboard.type('24 dec 2031');
  await picker().getByRole('grid', { name: 'December 2031' }).waitFor();
  await page.getByRole('combobox').fill('soonish');
  await page.keyboard.press('Enter');
  await picker()
    .getByRole('alert')
    .getByText(saying('days.unread', { text: 'soonish' }))
    .waitFor();
  expect(await offences(page)).toEqual([]);
});

test('in America months come first and weeks begin on Sunday', async () => {
  const state = await page.context().storageState();
  const visitor = await sample.site.visit({ locale: 'en-US', storageState: state });
  await sample.openBoard(visitor.page);
  await cardOf(visitor.page, 'Paint the crane').focus();
  await visitor.page.keyboard.press('d');
  await visitor.page.getByRole('columnheader').first().getByText('Sun').waitFor();
  await visitor.page.keyboard.type('5/15/2030');
  await visitor.page.keyboard.press('Enter');
  await dueOfFirst('2030-05-15');
  await visitor.close();
});
