// Nothing lies on what one needs: on no control of a page enlarged twice, and no message on the bar of a selection, the bar at the foot of a
// phone, the timeline, or a field of settings.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { covered, faults } from './layout.ts';
import { type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
const controls = 'a[href], button, input, select, textarea';

eachStory(async (site) => {
  sample = await settleHarbour(site);
  for (let n = 0; n < 6; n++) await sample.join((await site.app.createUser({ name: `Member ${n}` })).email, 'editor');
  await sample.rows("update projects set name = 'Harbour of the northern islands' where id = $1");
  await sample.rows(
    'update tasks set start_date = current_date, due_date = current_date + number where project_id = $1 and number < 3',
  );
  return [sample.ada];
});

/** The same person in another window. */
async function openWindow(options: BrowserContextOptions, see: (page: Page) => Promise<void>): Promise<void> {
  const storageState = await sample.ada.page.context().storageState();
  const { page, troubles, close } = await sample.site.visit({ ...options, storageState });
  // Messages stay as long as the test looks at them.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    const stay = (effect: () => void, pause = 0, ...rest: []) =>
      setTimeout(effect, pause >= 1500 && pause <= 10_000 ? 600_000 : pause, ...rest);
    window.setTimeout = stay as typeof setTimeout;
  });
  await see(page);
  expect(troubles).toEqual([]);
  await close();
}

const table = `list?shown=${encodeURIComponent('{"columns":["number","title","priority","due_date"]}')}`;
/** What shows once all of a view is there. */
const views: Readonly<Record<string, string>> = {
  board: '[data-task-id]',
  list: '[data-row-link]',
  [table]: '[data-row] [data-col="due_date"]',
  'board/1': `[data-open-task] section[aria-label="${t('task.activity')}"] textarea, [data-open-task] [role="textbox"]`,
  timeline: '[data-timeline] [data-task-id]',
  calendar: '[data-calendar] [data-task-id]',
  dashboard: 'main dl > div',
};

test('enlarged twice, nothing lies on a control of a project, of its tasks or of the navigation', async () => {
  await openWindow({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, async (page) => {
    for (const [view, there] of Object.entries(views)) {
      await page.goto(`/app/projects/${sample.projectId}/${view}`);
      await page.locator(there).first().waitFor();
      await expect.poll(() => page.evaluate(covered, controls), { message: view }).toEqual([]);
      expect(await page.evaluate(faults), view).toEqual([]);
    }
    await page.getByRole('button', { name: t('common.nav.openMenu') }).click();
    await page.getByRole('dialog').getByRole('link').first().waitFor();
    await expect.poll(() => page.evaluate(covered, '[role="dialog"] :is(a, button)')).toEqual([]);
  });
});

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

test.each([
  ['a wide window', { viewport: { width: 1440, height: 900 } }],
  ['a narrow window', { viewport: { width: 390, height: 800 } }],
  ['a phone', phone],
] as const)('in %s a message covers no bar and no button of the timeline', async (_, options) => {
  await openWindow(options, async (page) => {
    for (const view of ['board', 'list', 'timeline']) {
      await page.goto(`/app/projects/${sample.projectId}/${view}`);
      const task = page.locator(views[view] ?? '').first();
      await task.focus();
      if (view !== 'timeline') {
        await page.keyboard.press('x');
        await page.locator('[data-bulk-bar]').waitFor();
      }
      await page.keyboard.press('Control+z');
      await page.locator('[data-sonner-toast][data-mounted="true"]').first().waitFor();
      const needed =
        view === 'timeline' ? 'main :is(a, button), nav :is(a, button)' : ':is([data-bulk-bar], nav) :is(a, button)';
      await expect.poll(() => page.evaluate(covered, needed), { message: view }).toEqual([]);
    }
  });
});

test.each([
  ['a wide window', { viewport: { width: 1440, height: 900 } }],
  ['a phone', phone],
] as const)('in %s a message covers no field of settings', async (_, options) => {
  await openWindow(options, async (page) => {
    for (const path of [`/app/projects/${sample.projectId}/settings`, '/app/account']) {
      await page.goto(path);
      await page.locator('main input:not([hidden])').first().waitFor();
      await page.keyboard.press('Control+z');
      await page.locator('[data-sonner-toast][data-mounted="true"]').first().waitFor();
      const seen = 'main :is(a, button, input, select, textarea)';
      await expect.poll(() => page.evaluate(covered, seen), { message: path }).toEqual([]);
      // Also at the end of the page.
      await page.locator(seen).last().scrollIntoViewIfNeeded();
      await expect.poll(() => page.evaluate(covered, seen), { message: `${path}, its end` }).toEqual([]);
    }
  });
});
