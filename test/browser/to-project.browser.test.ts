// Moving tasks to another project: preview, by keys, menu or for several at once; the old address redirects, undo moves them back.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, columnOf, expectTitles, news, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let target: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  const { id } = await site.app.createUser({ name: 'Bob' });
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${id}', 'editor')`);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${id}' from tasks where project_id = $1 and number = 1`,
  );
  await sample.rows(
    "insert into task_comments (project_id, task_id, body) select project_id, id, 'Red' from tasks where project_id = $1 and number = 1",
  );
  await sample.rows("insert into task_labels (project_id, name) values ($1, 'Urgent')");
  await sample.rows(
    'insert into task_label_links (project_id, task_id, label_id) select t.project_id, t.id, l.id from tasks t, task_labels l where t.project_id = $1 and t.number = 1 and l.project_id = $1',
  );
  const guest = await site.app.createUser({ name: 'Gwen' });
  await sample.rows(
    `insert into task_grants (project_id, task_id, user_id, level) select project_id, id, '${guest.id}', 'edit' from tasks where project_id = $1 and number = 2`,
  );
  await sample.rows(
    `insert into share_links (project_id, scope, task_id, options, has_password, created_by)
     select project_id, 'task', id, '{"names": false, "comments": false}', false, created_by from tasks where project_id = $1 and number = 2`,
  );
  await sample.rows(
    `insert into private.share_link_secrets (link_id, token_hash) select id, sha256(id::text::bytea) from share_links where project_id = $1`,
  );
  const made = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse', key: 'LIG' });
  target = (made.data as { id: string }).id;
  return [sample.ada];
});

test('a task goes by keys, what it means is told before, its old address leads to it, and undo brings it back', async () => {
  const { ada, projectId } = sample;
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/board/1`);
  await page.getByText(t('common.colours.red'), { exact: true }).waitFor();
  await page.keyboard.press('Shift+P');
  const dialog = page.getByRole('dialog', { name: t('moveToProject.title', { n: 1, key: 'HAR-1' }) });
  await expect
    .poll(async () => (await dialog.getByRole('listitem').allInnerTexts()).slice(0, 6))
    .toEqual([
      t('moveToProject.column', { to: 'To do' }),
      t('moveToProject.readers', { n: 1 }),
      t('moveToProject.people', { names: 'Bob' }),
      t('moveToProject.watchers', { n: 1 }),
      t('moveToProject.labels', { n: 1, names: 'Urgent' }),
      t('moveToProject.all'),
    ]);
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expectTitles(page, 'To do', ['Count the ships', 'Sweep the quay']);
  await news(page)
    .getByText(t('task.did.movedToProject', { key: 'HAR-1', project: 'Lighthouse' }))
    .waitFor();
  await sample.expectRows(
    `select number, project_id from tasks where title = 'Paint the crane' and project_id = '${target}' and $1::uuid is not null`,
    [{ number: 1, project_id: target }],
  );

  await page.goto(`/app/projects/${projectId}/list/1`);
  await page.waitForURL(`**/app/projects/${target}/list/1`);
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'LIG-1' }) });
  await panel.getByText(t('common.colours.red'), { exact: true }).waitFor();
  await panel.getByText(t('task.history.movedIn', { key: 'HAR-1' })).waitFor();

  await sample.client.from('tasks').update({ description: 'After HAR-1' }).eq('project_id', projectId).eq('number', 2);
  await page.goto(`/app/projects/${projectId}/board/2`);
  await page.getByRole('link', { name: /^LIG-1/ }).waitFor();

  await cardOf(page, 'Count the ships').focus();
  await page.keyboard.press('Shift+P');
  await page.getByText(t('moveToProject.column', { to: 'To do' })).waitFor();
  await page.getByText(t('moveToProject.guests', { names: 'Gwen' })).waitFor();
  await page.getByText(t('moveToProject.links', { n: 1 })).waitFor();
  await page.keyboard.press('Enter');
  await columnOf(page, 'To do').getByText('Count the ships').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do', ['Count the ships', 'Sweep the quay']);
  await sample.expectRows('select number from tasks where project_id = $1 order by 1', [{ number: 2 }, { number: 3 }]);
  await sample.expectRows('select level from task_grants where project_id = $1', [{ level: 'edit' }]);
  await sample.expectRows('select scope from share_links where project_id = $1', [{ scope: 'task' }]);
});

test('several go at once from the bar of a selection; who looks at the other board sees them come', async () => {
  const { ada, projectId } = sample;
  const { page } = ada;
  const other = await page.context().newPage();
  await other.goto(`/app/projects/${target}/board`);
  await columnOf(other, 'To do').waitFor();
  await page.goto(`/app/projects/${projectId}/list`);
  for (const key of ['HAR-1', 'HAR-2']) await page.getByLabel(t('list.select', { key })).check();
  await page
    .getByRole('toolbar')
    .getByRole('button', { name: t('property.project') })
    .click();
  const dialog = page.getByRole('dialog', { name: t('moveToProject.title', { n: 2, key: '' }) });
  await dialog.getByRole('button', { name: t('moveToProject.go'), exact: true }).click();
  await expectTitles(other, 'To do', ['Paint the crane', 'Count the ships']);
  await page.getByText('Paint the crane').waitFor({ state: 'detached' });
  await other.close();
});
