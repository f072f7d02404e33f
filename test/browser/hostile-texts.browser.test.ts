// Texts and rows that a part of the screen can't draw: the rest of the screen stays, the text is readable, and can be mended from the page.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hostileTexts } from '../helpers/hostile-texts.ts';
import { news, type SampleProject, settleHarbour, startSite, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada } = sample);
    ({ page } = ada);
    return [ada];
  },
  () => startSite(),
  // Rows are mended while React draws them: it says so once, and draws them again.
  (trouble) => trouble.includes('React error #520'),
);

const part = (name: string) => page.getByRole('region', { name, exact: true });
const panel = () => page.locator('[data-open-task]');

async function describeTask(text: string): Promise<void> {
  await sample.site.app.sql('update tasks set description = $2 where project_id = $1 and number = 1', [
    sample.projectId,
    text,
  ]);
}

async function commentOnTask(text: string): Promise<void> {
  await sample.site.app.sql(
    `insert into task_comments (project_id, task_id, author_id, body)
     select project_id, id, created_by, $2 from tasks where project_id = $1 and number = 1`,
    [sample.projectId, text],
  );
}

const openTask = () => page.goto(`/app/projects/${sample.projectId}/board/1`);

test('a description of two thousand quotes is shown, and mended from the page', async () => {
  await describeTask(hostileTexts.quotes ?? '');
  await openTask();
  await part(t('property.description')).locator('blockquote').first().waitFor();
  await part(t('property.description'))
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await part(t('property.description')).locator('[data-writing="rich"]').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Mended');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows('select description from tasks where project_id = $1 and number = 1', [
    { description: 'Mended' },
  ]);
  expect(ada.troubles).toEqual([]);
});

test('a task with hostile texts in its comments is read and answered', async () => {
  const names = [
    'quotes and lists',
    'lists',
    'stars around a word',
    'brackets',
    'a wide table with short rows',
    'combining characters',
  ];
  for (const name of names) await commentOnTask((hostileTexts[name] ?? '').slice(0, 50_000));
  await openTask();
  await expect
    .poll(() => part(t('task.activity')).locator('[class*=markdown]').count())
    .toBeGreaterThanOrEqual(names.length);
  const comment = part(t('task.activity')).getByRole('textbox', { name: t('task.comment') });
  await comment.click();
  await page.keyboard.type('Read');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows("select body from task_comments where project_id = $1 and body = 'Read'", [{ body: 'Read' }]);
  expect(await panel().getByRole('alert').count()).toBe(0);
  expect(ada.troubles).toEqual([]);
});

test('a text that breaks the editor is written as plain Markdown', async () => {
  await describeTask('**Bold**');
  await page.route(/\/rich-field-[^/]*\.js/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Broken() { throw new Error("broken editor") }',
    }),
  );
  await openTask();
  await part(t('property.description'))
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  const field = part(t('property.description')).locator('textarea');
  expect(await field.inputValue()).toBe('**Bold**');
  await field.fill('**Bolder**');
  await field.press('Control+Enter');
  await sample.expectRows('select description from tasks where project_id = $1 and number = 1', [
    { description: '**Bolder**' },
  ]);
});

test('a comment that can not be drawn leaves the others, and is tried again', async () => {
  await commentOnTask('First');
  await commentOnTask('Second');
  // The first comes by no other way than the one where it is broken.
  await page.routeWebSocket(/\/realtime\//, () => undefined);
  let broken = true;
  await page.route(/\/rest\/v1\//, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = broken ? text.replaceAll('"First"', '{"no":"text"}') : text;
    await route.fulfill({ response, body });
  });
  await openTask();
  await part(t('task.activity')).getByText('Second').waitFor();
  const failed = part(t('task.activity')).getByRole('alert');
  expect(await failed.innerText()).toContain(t('common.failed.part'));
  broken = false;
  expect(await part(t('task.activity')).getByText('First').count()).toBe(0);
  await page.reload();
  await part(t('task.activity')).getByText('First').waitFor();
  await news(page).waitFor({ state: 'attached' });
  await page.unrouteAll({ behavior: 'wait' });
});

test('a card that can not be drawn leaves the board as it is', async () => {
  await page.route(/\/rest\/v1\//, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('"Count the ships"', '{"no":"title"}');
    await route.fulfill({ response, body });
  });
  await sample.openBoard(page);
  await page.getByText('Paint the crane').waitFor();
  await page.getByText(t('common.failed.part')).waitFor();
});
