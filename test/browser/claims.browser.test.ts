// Claims on cards and in the panel of a task: shown live to everybody, released by their person or an owner, and told in the history.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, type SampleProject, type Settled, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let bobs: Settled;

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Paint the boat', 'Sweep the deck']);
  ({ ada } = sample);
  bob = await site.visit();
  bobs = await bob.settle('Bob Kahn');
  await sample.join(bobs.email, 'editor');
  return [ada, bob];
});

async function openBoard(page: Page, task = ''): Promise<void> {
  await page.goto(`/app/projects/${sample.projectId}/board${task}`);
  await cardOf(page, 'Paint the boat').waitFor();
  await whenLive(page);
}

const panel = (page: Page) => page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
const claimIn = (page: Page) => panel(page).locator('[data-claim]');
const markOn = (page: Page) => cardOf(page, 'Paint the boat').locator('[data-claim]');
const release = (page: Page) => panel(page).getByRole('button', { name: t('writing.claims.release') });

const claimFirst = ({ client }: Pick<Settled, 'client'>) =>
  client.rpc('claim_next_task', { project: sample.projectId, seconds: 600 }).throwOnError();

test('a claim appears on card and panel, is released by its person, and stays in the history', async () => {
  await openBoard(ada.page);
  await openBoard(bob.page, '/1');
  await panel(bob.page).locator('[data-properties]').waitFor();
  await claimFirst(bobs);
  await markOn(ada.page).waitFor();
  expect(await markOn(ada.page).getAttribute('title')).toMatch(/^Claimed by Bob Kahn until \d/);
  await claimIn(bob.page).waitFor();
  expect(await offences(bob.page)).toEqual([]);
  await release(bob.page).click();
  await markOn(ada.page).waitFor({ state: 'detached' });
  await claimIn(bob.page).waitFor({ state: 'detached' });
  await panel(bob.page).getByText(t('writing.claims.released')).waitFor();
  await sample.expectRows('select outcome from task_claims where project_id = $1', [{ outcome: 'released' }]);
});

test('an owner releases the claim of an editor, who can’t release theirs', async () => {
  await openBoard(ada.page, '/1');
  await openBoard(bob.page, '/1');
  await claimFirst(bobs);
  await release(ada.page).click();
  await claimIn(bob.page).waitFor({ state: 'detached' });
  await panel(ada.page)
    .getByText(t('writing.claims.releasedOf', { name: 'Bob Kahn' }))
    .waitFor();
  await claimFirst(sample);
  await claimIn(bob.page).waitFor();
  expect(await release(bob.page).count()).toBe(0);
});

test('a claim goes from the board as its time runs out, and as its task is done', async () => {
  await openBoard(ada.page);
  await claimFirst(bobs);
  await markOn(ada.page).waitFor();
  await sample.rows(`update task_claims set expires_at = now() + interval '1 second' where project_id = $1`);
  await markOn(ada.page).waitFor({ state: 'detached' });
  await claimFirst(bobs);
  await markOn(ada.page).waitFor();
  const [done] = await sample.rows<{ id: string }>(
    `select id from workflow_columns where project_id = $1 and kind = 'done'`,
  );
  const [task] = await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1');
  await bobs.client.rpc('move_task', { task_id: task?.id, column_id: done?.id }).throwOnError();
  await markOn(ada.page).waitFor({ state: 'detached' });
});
