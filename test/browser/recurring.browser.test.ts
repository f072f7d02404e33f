// Recurring tasks: a rule picked, typed, paused and undone in the panel; the next task appears live.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startRecurrences } from '../../server/background/recurrence/start-recurrences.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { openSampleProject } from './pages.ts';
import { holding, saying, t } from './words.ts';

const sample = forSuite(openSampleProject, (sample) => sample.site.close());
forSuite(() => startRecurrences(sample.site.app.services));

const repeats = (page: Page) => page.getByRole('button', { name: saying('task.repeats') });
const dialog = (page: Page) => page.getByRole('dialog', { name: t('task.repeats') });

test('a rule is picked, typed and taken back, and the next task comes when this one is done', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await repeats(page).click();
  await dialog(page)
    .getByRole('option', { name: t('recur.workdays') })
    .click();
  await page
    .getByRole('button', { name: saying('common.pair', { name: t('task.repeats'), value: t('recur.workdays') }) })
    .waitFor();
  await expect.poll(() => repeats(page).textContent()).toMatch(holding('recur.next'));

  await repeats(page).click();
  await dialog(page)
    .getByRole('combobox', { name: t('task.repeats') })
    .fill('every 8 weeks on mon');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', {
      name: saying('common.pair', { name: t('task.repeats'), value: t('recur.weekly', { n: 8, days: 'Monday' }) }),
    })
    .waitFor();
  await repeats(page).click();
  await dialog(page)
    .getByRole('combobox', { name: t('recur.lead') })
    .selectOption({ label: t('recur.leadDays', { n: 2 }) });
  await sample.expectRows('select lead_days from task_recurrences', [{ lead_days: 2 }]);
  expect(await offences(page)).toEqual([]);
  await dialog(page)
    .getByRole('combobox', { name: t('task.repeats') })
    .fill('3 days after it is done');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', {
      name: saying('common.pair', { name: t('task.repeats'), value: t('recur.after.day', { n: 3 }) }),
    })
    .waitFor();
  await sample.expectRows('select rule, mode::text from task_recurrences', [
    { rule: 'FREQ=DAILY;INTERVAL=3', mode: 'after_completion' },
  ]);

  await repeats(page).click();
  await dialog(page)
    .getByRole('combobox', { name: t('task.repeats') })
    .fill('gibberish');
  await dialog(page)
    .getByText(saying('recur.unread', { text: 'gibberish' }))
    .waitFor();
  await dialog(page)
    .getByRole('button', { name: t('recur.stop') })
    .click();
  await page
    .getByRole('button', { name: saying('common.pair', { name: t('task.repeats'), value: t('recur.never') }) })
    .waitFor();
  await page.keyboard.press('ControlOrMeta+z');
  await page
    .getByRole('button', {
      name: saying('common.pair', { name: t('task.repeats'), value: t('recur.after.day', { n: 3 }) }),
    })
    .waitFor();

  // Done: the next one stands in the first column, with the sign and the rule.
  await page.getByRole('button', { name: saying('property.column') }).click();
  await page.getByRole('option', { name: 'Done' }).click();
  await page.getByText(t('task.history.repeatedAs', { task: 'HAR-4' })).waitFor();
  await page.goto(`/app/projects/${sample.projectId}/board/4`);
  await page
    .getByRole('button', {
      name: saying('common.pair', { name: t('task.repeats'), value: t('recur.after.day', { n: 3 }) }),
    })
    .waitFor();
  await page.locator('[data-task-id]', { hasText: 'HAR-4' }).getByTitle(t('task.comesAgain')).waitFor();
  for (const layout of ['list', 'calendar'])
    await page
      .goto(`/app/projects/${sample.projectId}/${layout}`)
      .then(() => page.getByTitle(t('task.comesAgain')).waitFor());
  expect(sample.ada.troubles).toEqual([]);
});

test('a calendar for other programs is made, shown once, and ended on the account page', async () => {
  const { page } = sample.ada;
  await page.goto('/app/account');
  const feeds = page.getByRole('region', { name: t('feeds.title') });
  await feeds.getByRole('combobox', { name: t('feeds.of') }).selectOption('Harbour');
  await feeds.getByRole('button', { name: t('feeds.make') }).click();
  const address = await feeds.getByRole('textbox', { name: t('feeds.address') }).inputValue();
  const text = await sample.site.app.request(new URL(address).pathname).then((answer) => answer.text());
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(await offences(page)).toEqual([]);
  await feeds.getByRole('button', { name: t('feeds.endOf', { name: 'Harbour' }) }).click();
  await sample.expectRows('select count(*)::int as left from calendar_feeds', [{ left: 0 }]);
  expect((await sample.site.app.request(new URL(address).pathname)).status).toBe(404);

  // And from where one looks at the project.
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('subscribe');
  await page.getByRole('option', { name: t('projects.subscribe') }).click();
  const asked = page.getByRole('dialog', { name: t('feeds.titleOf', { name: 'Harbour' }) });
  await asked.getByRole('button', { name: t('feeds.make') }).click();
  await asked.getByRole('textbox', { name: t('feeds.address') }).waitFor();
  expect(await offences(page)).toEqual([]);
  await sample.expectRows('select kind, name from calendar_feeds', [{ kind: 'project', name: 'Harbour' }]);
});
