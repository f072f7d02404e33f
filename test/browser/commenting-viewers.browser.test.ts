// Viewers who may comment: an owner lets them, they write, answer and react, and what they were writing stays when they may no longer. Each test has
// a project and people of its own.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { dropFiles, note } from './files.ts';
import { cardOf, news, type SampleProject, settleHarbour, type Visitor, whenLive, written } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let taskId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  bob = await site.visit();
  await sample.join((await bob.settle('Bob Kahn')).email, 'viewer');
  const [task] = await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1');
  taskId = task?.id ?? '';
  const { error } = await sample.client
    .from('task_comments')
    .insert({ task_id: taskId, body: 'Which red, @Bob Kahn?' });
  expect(error).toBeNull();
  return [ada, bob];
});

const letViewersComment = async (isOn: boolean): Promise<void> => {
  const set = sample.client.from('projects').update({ viewers_may_comment: isOn }).eq('id', sample.projectId);
  expect((await set).error).toBeNull();
};
const comments = (page: Page) => page.getByRole('region', { name: t('task.activity') });
const comment = (page: Page, body: string) => comments(page).locator('[id^="comment-"]', { hasText: body });
const field = (page: Page) => comments(page).getByRole('textbox', { name: t('task.comment'), exact: true });
const bodies = "select body from task_comments where project_id = $1 and body not like 'Which%' order by created_at";

/** The task with the question, live. */
async function openTask(page: Page): Promise<void> {
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  await comments(page).getByText('Which red').waitFor();
  await whenLive(page);
}

async function openMenu(page: Page, body: string): Promise<string[]> {
  await comment(page, body)
    .getByRole('button', { name: t('common.more'), exact: true })
    .click();
  await page.getByRole('menuitem').first().waitFor();
  return page.getByRole('menuitem').allInnerTexts();
}

test('an owner lets viewers comment: a viewer’s open page gets the field, and the owner sees what they write', async () => {
  await openTask(bob.page);
  expect(await field(bob.page).count()).toBe(0);
  expect(await openMenu(bob.page, 'Which red')).toEqual([t('writing.comments.copyLink')]);
  await bob.page.keyboard.press('Escape');

  await ada.page.goto(`/app/projects/${sample.projectId}/settings`);
  await ada.page.getByLabel(t('settings.commentRule')).check();
  await field(bob.page).waitFor();
  await openTask(ada.page);
  await comments(bob.page).locator('[data-writing="rich"]').waitFor();
  expect(await bob.page.getByRole('button', { name: t('writing.attach') }).count()).toBe(0);
  expect(await ada.page.getByRole('button', { name: t('writing.attach') }).count()).toBe(1);
  await field(bob.page).click();
  await bob.page.keyboard.type('/');
  await bob.page.getByRole('option', { name: t('writing.line') }).waitFor();
  expect(await bob.page.getByRole('option', { name: t('writing.file') }).count()).toBe(0);
  await dropFiles(field(bob.page), [note('sneaked.txt')]);
  await news(bob.page).getByText(t('task.keys.readOnly')).waitFor();
  expect(await bob.page.locator('[data-upload]').count()).toBe(0);
  await field(bob.page).fill('As before');
  expect(await offences(bob.page)).toEqual([]);
  await bob.page.keyboard.press('Control+Enter');
  await comment(ada.page, 'As before').waitFor();

  expect(await openMenu(bob.page, 'Which red')).toEqual([t('writing.comments.quote'), t('writing.comments.copyLink')]);
  await bob.page.keyboard.press('Escape');
  await comment(bob.page, 'Which red')
    .getByRole('button', { name: t('writing.comments.react'), exact: true })
    .click();
  await bob.page.getByRole('menuitem', { name: t('writing.comments.emoji.up'), exact: true }).click();
  const up = t('common.pair', { name: t('writing.comments.emoji.up'), value: 'Bob Kahn' });
  await comment(ada.page, 'Which red').getByRole('button', { name: up }).waitFor();
  await comment(bob.page, 'Which red')
    .getByRole('button', { name: t('writing.comments.replyTo', { name: 'Ada Lovelace' }) })
    .click();
  await comments(bob.page)
    .getByRole('textbox', { name: t('writing.comments.reply') })
    .fill('Signal red');
  await bob.page.keyboard.press('Control+Enter');
  await comment(ada.page, 'Signal red').waitFor();

  await openMenu(bob.page, 'As before');
  await bob.page.getByRole('menuitem', { name: t('task.editComment') }).click();
  await comments(bob.page)
    .getByRole('textbox', { name: t('task.editComment') })
    .fill('As it was');
  await bob.page.keyboard.press('Control+Enter');
  await comment(ada.page, 'As it was').waitFor();
  await openMenu(bob.page, 'As it was');
  await bob.page.getByRole('menuitem', { name: t('task.deleteComment') }).click();
  await comment(bob.page, 'As it was').waitFor({ state: 'detached' });
  // It can be undone for a while, and is sent at once when the page is left.
  await bob.page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  await comment(ada.page, 'As it was').waitFor({ state: 'detached' });
  await sample.expectRows(bodies, [{ body: 'Signal red' }]);
});

test('when viewers may no longer comment, the fields go and what was being written stays, for later too', async () => {
  await letViewersComment(true);
  await openTask(bob.page);
  await field(bob.page).fill('Green');
  await bob.page.keyboard.press('Control+Enter');
  await sample.expectRows(bodies, [{ body: 'Green' }]);
  await openMenu(bob.page, 'Green');
  await bob.page.getByRole('menuitem', { name: t('task.editComment') }).click();
  const editing = comments(bob.page).getByRole('textbox', { name: t('task.editComment') });
  await editing.fill('Blue, rather');
  await comment(bob.page, 'Which red')
    .getByRole('button', { name: t('writing.comments.replyTo', { name: 'Ada Lovelace' }) })
    .click();
  const replying = comments(bob.page).getByRole('textbox', { name: t('writing.comments.reply') });
  await replying.fill('Signal');
  await field(bob.page).fill('One more tho');

  await letViewersComment(false);
  await field(bob.page).waitFor({ state: 'detached' });
  const left = bob.page.getByLabel(t('task.unsavedTextLabel'));
  const texts = () => left.evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value).sort());
  await expect.poll(texts).toEqual(['Blue, rather', 'One more tho', 'Signal']);
  expect(await bob.page.locator('textarea:not([readonly]), [contenteditable=true]').count()).toBe(0);
  expect(await openMenu(bob.page, 'Which red')).toEqual([t('writing.comments.copyLink')]);
  await bob.page.keyboard.press('Escape');
  await sample.expectRows(bodies, [{ body: 'Green' }]);

  await letViewersComment(true);
  await field(bob.page).waitFor();
  expect(await written(field(bob.page))).toBe('One more tho');
  expect([await written(replying), await written(editing)]).toEqual(['Signal', 'Blue, rather']);
  expect(await left.count()).toBe(0);
});

test('the key that comments is a viewer’s, too, where they may comment: on the board and in the inbox', async () => {
  const { page } = bob;
  await sample.openBoard(page);
  await whenLive(page);
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('r');
  await news(page).getByText(t('task.keys.readOnly')).waitFor();
  await letViewersComment(true);
  await expect
    .poll(async () => {
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: t('common.nav.shortcuts') });
      await keys.locator('dt').first().waitFor();
      const labels = await keys.locator('dt').allInnerTexts();
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      return labels.filter((label) => [t('task.comment'), t('task.archive')].includes(label));
    })
    .toEqual([t('task.comment')]);
  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('r');
  await page.keyboard.type('Seven');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows(bodies, [{ body: 'Seven' }]);
  await page.goto('/app/inbox');
  await page.locator('[data-entry]').first().waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('Signal red');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows(bodies, [{ body: 'Seven' }, { body: 'Signal red' }]);
});
