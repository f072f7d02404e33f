// A task that comes again: its rule picked, typed, paused and undone in the panel; the next task appears while one looks.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startRecurrences } from '../../server/background/recurrence/start-recurrences.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './offences.ts';
import { openSampleProject } from './pages.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());
forSuite(() => startRecurrences(sample.site.app.services));

const repeats = (page: Page) => page.getByRole('button', { name: /^Repeats:/ });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Repeats' });

test('a rule is picked, typed and taken back, and the next task comes when this one is done', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await repeats(page).click();
  await dialog(page).getByRole('option', { name: 'Every weekday' }).click();
  await page.getByRole('button', { name: /^Repeats: Every weekday/ }).waitFor();
  await expect.poll(() => repeats(page).textContent()).toMatch(/next /);

  await repeats(page).click();
  await dialog(page).getByRole('combobox', { name: 'Repeats' }).fill('every 8 weeks on mon');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Repeats: Every 8 weeks/ }).waitFor();
  await repeats(page).click();
  await dialog(page).getByRole('combobox', { name: 'Create' }).selectOption({ label: '2 days before' });
  await sample.expectRows('select lead_days from task_recurrences', [{ lead_days: 2 }]);
  expect(await offences(page)).toEqual([]);
  await dialog(page).getByRole('combobox', { name: 'Repeats' }).fill('3 days after it is done');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Repeats: 3 days after it is done/ }).waitFor();
  await sample.expectRows('select rule, mode::text from task_recurrences', [
    { rule: 'FREQ=DAILY;INTERVAL=3', mode: 'after_completion' },
  ]);

  await repeats(page).click();
  await dialog(page).getByRole('combobox', { name: 'Repeats' }).fill('gibberish');
  await dialog(page).getByText("Couldn't understand “gibberish”.").waitFor();
  await dialog(page).getByRole('button', { name: 'Stop repeating' }).click();
  await page.getByRole('button', { name: /^Repeats: Doesn't repeat/ }).waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await page.getByRole('button', { name: /^Repeats: 3 days after it is done/ }).waitFor();

  // Done: the next one stands in the first column, with the sign and the rule.
  await page.getByRole('button', { name: /^Column:/ }).click();
  await page.getByRole('option', { name: 'Done' }).click();
  await page.getByText(/repeated as HAR-4/).waitFor();
  await page.goto(`/app/projects/${sample.projectId}/board/4`);
  await page.getByRole('button', { name: /^Repeats: 3 days after it is done/ }).waitFor();
  await page.locator('[data-task-id]', { hasText: 'HAR-4' }).getByTitle('Recurring').waitFor();
  for (const layout of ['list', 'calendar'])
    await page.goto(`/app/projects/${sample.projectId}/${layout}`).then(() => page.getByTitle('Recurring').waitFor());
  expect(sample.ada.troubles).toEqual([]);
});

test('a calendar for other programs is made, shown once, and ended on the account page', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const feeds = page.getByRole('region', { name: 'Calendars in other programs' });
  await feeds.getByRole('combobox', { name: 'Calendar of' }).selectOption('Harbour');
  await feeds.getByRole('button', { name: 'Create link' }).click();
  const address = await feeds.getByRole('textbox', { name: 'Address to subscribe to' }).inputValue();
  const text = await sample.site.app.request(new URL(address).pathname).then((answer) => answer.text());
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(await offences(page)).toEqual([]);
  await feeds.getByRole('button', { name: 'Delete the calendar Harbour' }).click();
  await sample.expectRows('select count(*)::int as left from calendar_feeds', [{ left: 0 }]);
  expect((await sample.site.app.request(new URL(address).pathname)).status).toBe(404);

  // And from where one looks at the project.
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('subscribe');
  await page.getByRole('option', { name: 'Subscribe in a calendar…' }).click();
  const asked = page.getByRole('dialog', { name: 'Harbour in other calendars' });
  await asked.getByRole('button', { name: 'Create link' }).click();
  await asked.getByRole('textbox', { name: 'Address to subscribe to' }).waitFor();
  expect(await offences(page)).toEqual([]);
  await sample.expectRows('select kind, name from calendar_feeds', [{ kind: 'project', name: 'Harbour' }]);
});
