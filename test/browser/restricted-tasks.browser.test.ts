// Restricted tasks: a card goes from the boards of all but the people who are named, and comes back with its lock for whoever is.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Salaries', 'Paint the boat']);
  ({ ada } = sample);
  bob = await site.visit();
  await sample.join((await bob.settle('Bob Kahn')).email, 'editor');
  return [ada, bob];
});

async function openBoard(page: Page, task = ''): Promise<void> {
  await page.goto(`/app/projects/${sample.projectId}/board${task}`);
  await cardOf(page, 'Paint the boat').waitFor();
  await whenLive(page);
}

const panel = (page: Page) => page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
const seenBy = (page: Page, names: string) =>
  panel(page).getByRole('button', { name: t('common.pair', { name: t('task.seenBy'), value: names }) });
const lockOf = (page: Page) => cardOf(page, 'Salaries').locator('[data-restricted]');

async function pick(page: Page, action: string): Promise<void> {
  await panel(page)
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('an owner restricts a task: it goes from a colleague’s board, and comes back with a lock once they are named', async () => {
  await openBoard(bob.page);
  await cardOf(bob.page, 'Salaries').waitFor();
  const { page } = ada;
  await openBoard(page, '/1');
  await panel(page).locator('[data-properties]').waitFor();
  await pick(page, t('task.restrict'));
  await seenBy(page, 'Ada Lovelace and owners').waitFor();
  await cardOf(bob.page, 'Salaries').waitFor({ state: 'detached' });
  await lockOf(page).waitFor();
  expect(await offences(page)).toEqual([]);

  await seenBy(page, 'Ada Lovelace and owners').click();
  await page.getByRole('option', { name: 'Bob Kahn' }).click();
  await page.keyboard.press('Escape');
  await seenBy(page, 'Ada Lovelace, Bob Kahn and owners').waitFor();
  await lockOf(bob.page).waitFor();
  // Whoever has it open is shown on no card: everyone in the project would hear it.
  expect(await cardOf(bob.page, 'Salaries').getByRole('img', { name: 'Ada Lovelace' }).count()).toBe(0);

  await page.keyboard.press('Control+z');
  await cardOf(bob.page, 'Salaries').waitFor({ state: 'detached' });
  await pick(page, t('task.unrestrict'));
  await cardOf(bob.page, 'Salaries').waitFor();
  expect(await lockOf(bob.page).count()).toBe(0);
});

test('an editor restricts a task and stays in it; owners see it, too', async () => {
  await openBoard(ada.page);
  const { page } = bob;
  await openBoard(page, '/1');
  await panel(page).locator('[data-properties]').waitFor();
  await pick(page, t('task.restrict'));
  await seenBy(page, 'Bob Kahn and owners').waitFor();
  await sample.expectRows(
    'select p.display_name as name from task_grants g join profiles p on p.id = g.user_id where g.project_id = $1',
    [{ name: 'Bob Kahn' }],
  );
  await lockOf(ada.page).waitFor();
});
