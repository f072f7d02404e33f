// Versions of a description: looked at from its head and from the activity, compared word by word, restored and undone.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { news, type SampleProject, settleHarbour, startSite, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

const bob = 'bob.kahn@example.test';
const newest = 'Use red paint\nMind the wind';
const older = 'Use blue paint\nMind the wind';

let sample: SampleProject;
let ada: Visitor;

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada } = sample);
    await sample.join(bob, 'editor');
    const { rows } = sample;
    await rows(`update tasks set description = e'${newest.replace('\n', '\\n')}' where project_id = $1 and number = 1`);
    await rows('delete from task_activity where project_id = $1');
    // Ada wrote it and added a line a minute later; Bob changed a word the next day.
    await rows(
      `insert into task_activity (project_id, task_id, actor_id, kind, created_at, change)
       select t.project_id, t.id, p.id, 'updated', now() + l.at::interval,
         jsonb_build_object('description', jsonb_build_object('from', l.before, 'to', l.after))
       from tasks t, auth.users p, (values
         ('%', '-49 hours', '', 'Use blue paint'),
         ('%', '-48 hours -59 minutes', 'Use blue paint', e'Use blue paint\\nMind the wind'),
         ('bob%', '-24 hours', e'Use blue paint\\nMind the wind', e'Use red paint\\nMind the wind')
       ) as l (who, at, before, after)
       where t.project_id = $1 and t.number = 1
         and p.id = case l.who when '%' then t.created_by else (select id from auth.users where email = '${bob}') end`,
    );
    return [ada];
  },
  async () => {
    const site = await startSite();
    await site.app.createUser({ email: bob, name: 'Bob Kahn' });
    return site;
  },
);

const dialog = () => ada.page.getByRole('dialog', { name: t('writing.versions.title') });
const part = (name: string) => ada.page.getByRole('region', { name, exact: true });
const openTask = () => ada.page.goto(`/app/projects/${sample.projectId}/board/1`);
const openFromHead = () =>
  part(t('property.description'))
    .getByRole('button', { name: saying('writing.versions.edited') })
    .click();
const expectStored = (description: string) =>
  sample.expectRows('select description from tasks where project_id = $1 and number = 1', [{ description }]);

test('versions show their words, and an older one is restored and undone', async () => {
  const { page } = ada;
  await openTask();
  await openFromHead();
  const versions = dialog()
    .getByRole('list', { name: t('writing.versions.list') })
    .getByRole('button');
  await expect.poll(() => versions.count()).toBe(2);
  expect(await dialog().locator('del').allTextContents()).toEqual([`${t('writing.versions.removed')} blue`]);
  expect(await dialog().locator('ins').allTextContents()).toEqual([`${t('writing.versions.added')} red`]);
  expect(await offences(page)).toEqual([]);
  await versions.last().click();
  await expect.poll(() => dialog().locator('ins').innerText()).toContain('Mind the wind');
  await dialog()
    .getByRole('button', { name: t('writing.versions.whole') })
    .click();
  await dialog().getByText('Use blue paint').waitFor();
  await dialog()
    .getByRole('button', { name: t('writing.versions.restore') })
    .click();
  await expectStored(older);
  await part(t('property.description')).getByText('Use blue paint').waitFor();
  await news(page)
    .getByText(t('task.did.described', { key: 'HAR-1' }))
    .waitFor();
  await dialog().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await expectStored(newest);
});

test('the activity has one line for edits within minutes, and leads to its version', async () => {
  await openTask();
  const opener = part(t('task.activity')).getByRole('button', { name: t('writing.versions.open') });
  await expect.poll(() => opener.count()).toBe(2);
  await opener.first().click();
  const current = dialog().locator('[aria-current]');
  await current.getByText('Ada').waitFor();
  await ada.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => opener.first().evaluate((one) => one === document.activeElement)).toBe(true);
  await opener.last().click();
  await current.getByText('Bob Kahn').waitFor();
  await dialog()
    .getByRole('button', { name: t('writing.versions.restoreBefore') })
    .click();
  await expectStored(older);
});

test('viewers read the versions and restore none', async () => {
  await sample.rows("update project_members set role = 'owner' where project_id = $1");
  await sample.rows(
    `update project_members m set role = 'viewer' from projects p
     where p.id = $1 and m.project_id = p.id and m.user_id <> (select id from auth.users where email = '${bob}')`,
  );
  await openTask();
  await openFromHead();
  await dialog().locator('ins').getByText('red').waitFor();
  expect(
    await dialog()
      .getByRole('button', { name: t('writing.versions.restoreBefore') })
      .count(),
  ).toBe(0);
});
