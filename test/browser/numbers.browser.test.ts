// Live counts and lists across projects: my tasks, unread entries and the dashboard.

import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { openSampleProject, type Visitor, whenLive } from './pages.ts';
import { saying, t } from './words.ts';

let bob: Visitor;
let bobId: string;

const sample = forSuite(openSampleProject, (sample) => sample.site.close());
beforeAll(async () => {
  bob = await sample.site.visit();
  await sample.join((await bob.settle('Bob Babbage')).email, 'editor');
  const [row] = await sample.rows<{ id: string }>("select id from profiles where display_name = 'Bob Babbage'");
  bobId = row?.id ?? '';
});

async function taskCalled(title: string): Promise<string> {
  const { data } = await sample.client.from('tasks').select('id').eq('title', title).single();
  return (data as { id: string }).id;
}

test('a task that someone assigns is among my tasks at once, one more is unread, and both go again', async () => {
  const { page } = bob;
  await page.goto('/app/my-tasks');
  // That he was added to the project.
  await page.getByRole('link', { name: `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n: 1 })}` }).waitFor();
  await whenLive(page);
  const mine = page.getByRole('main').getByText('Paint the crane');
  await expect.poll(() => mine.count()).toBe(0);
  const task_id = await taskCalled('Paint the crane');
  const assigned = { project_id: sample.projectId, task_id, user_id: bobId };
  expect((await sample.client.from('task_assignees').insert(assigned)).error).toBeNull();
  await mine.waitFor();
  await page.getByRole('link', { name: `${t('common.nav.inbox')} ${t('common.nav.inboxUnread', { n: 2 })}` }).waitFor();
  await sample.client.from('task_assignees').delete().match(assigned);
  await mine.waitFor({ state: 'detached' });
});

test('the figures of the dashboard follow what is added and done', async () => {
  const { page } = bob;
  await page.goto('/app/dashboard');
  const open = page
    .getByRole('region', { name: t('dashboard.figures.label') })
    .locator('dl > div')
    .filter({ hasText: saying('dashboard.figures.open') });
  await expect.poll(() => open.textContent()).toMatch(/3/);
  await whenLive(page);
  const { data: column } = await sample.client
    .from('workflow_columns')
    .select('id')
    .match({ project_id: sample.projectId, name: 'To do' })
    .single();
  await sample.client
    .from('tasks')
    .insert({ project_id: sample.projectId, column_id: (column as { id: string }).id, title: 'Oil the gate' });
  await expect.poll(() => open.textContent()).toMatch(/4/);
  await sample.client.from('tasks').delete().eq('title', 'Oil the gate');
  await expect.poll(() => open.textContent()).toMatch(/3/);
});

test('the pages report no errors', () => {
  expect([...sample.ada.troubles, ...bob.troubles]).toEqual([]);
});
