// Views across projects in every layout: board by state and by priority, lanes by project, timeline with dependencies, list with chosen columns,
// dashboard that follows the filter, and the mark of recurring tasks; by mouse and keys.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import {
  cardOf,
  chooseDisplay,
  columnOf,
  expectTitles,
  news,
  openDisplay,
  openHarbour,
  type SampleProject,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;
let viewId: string;
/** Ada's other project, and one of Bob's in which she may only look. */
let lighthouse: string;
let dock: string;

eachStory(async (site) => {
  sample = await openHarbour(site);
  ({ page } = sample.ada);
  const { data: mine } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  lighthouse = (mine as { id: string }).id;
  await sample.client.from('tasks').insert([
    {
      project_id: lighthouse,
      title: 'Trim the lamp',
      priority: 'p0',
      start_date: '2030-05-06',
      due_date: '2030-05-10',
    },
    {
      project_id: lighthouse,
      title: 'Sweep the stairs',
      priority: 'p2',
      start_date: '2030-05-13',
      due_date: '2030-05-17',
    },
  ]);
  const bob = await site.app.createUser({ name: 'Bob' });
  const { data: his } = await bob.client.rpc('create_project_with_defaults', { name: 'Dry dock' });
  dock = (his as { id: string }).id;
  await bob.client.from('tasks').insert({ project_id: dock, title: 'Caulk the hull', due_date: '2030-05-15' });
  await sample.rows(
    `insert into project_members (project_id, user_id, role) select '${dock}', created_by, 'viewer' from projects where id = $1`,
  );
  const { data: view } = await sample.client
    .from('saved_views')
    .insert({ owner_id: (await sample.client.auth.getUser()).data.user?.id ?? '', name: 'All of it', layout: 'board' })
    .select('id')
    .single();
  viewId = (view as { id: string }).id;
  return [sample.ada];
});

const open = (search = '') => page.goto(`/app/views/${viewId}${search}`);
const kindOf = (title: string, kind: string) =>
  sample.expectRows(
    `select c.kind::text from tasks t join workflow_columns c on c.id = t.column_id where t.title = '${title}' and t.${ours()}`,
    [{ kind }],
  );
const cardsIn = (lane: Locator) => lane.locator('[data-title]').allInnerTexts();
/** These tests make everything of their own: what they look up is theirs by its project. */
const ours = (): string => `project_id in ($1, '${lighthouse}', '${dock}')`;

async function drag(title: string, column: string): Promise<void> {
  const [from, to] = [await cardOf(page, title).boundingBox(), await columnOf(page, column).boundingBox()];
  if (from === null || to === null) throw new Error(`nothing to drag: ${title}, ${column}`);
  await page.mouse.move(from.x + 40, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 30, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, to.y + Math.min(60, to.height / 2), { steps: 8 });
  await page.mouse.up();
}

test('a board by states: a card goes to the column of its own project, by mouse and by keys, and what one may only look at stays', async () => {
  await open();
  await page.getByRole('heading', { name: 'All of it' }).waitFor();
  await page.getByText(t('common.tasks', { n: 6 })).waitFor();
  await columnOf(page, 'Backlog').getByText('Caulk the hull').waitFor();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  expect(await offences(page)).toEqual([]);
  await drag('Trim the lamp', 'In progress');
  await kindOf('Trim the lamp', 'in_progress');
  await cardOf(page, 'Paint the crane').focus();
  for (const key of ['Shift+Space', 'ArrowRight', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await kindOf('Paint the crane', 'done');
  await page.keyboard.press('Control+z');
  await kindOf('Paint the crane', 'todo');
  // Only to be looked at: neither hand takes it.
  await cardOf(page, 'Caulk the hull').focus();
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await kindOf('Caulk the hull', 'backlog');
  // A project without such a column says so, and the card is back.
  await sample.rows(`delete from workflow_columns where project_id = '${lighthouse}' and kind = 'done'`);
  await columnOf(page, 'In progress').getByText('Trim the lamp').waitFor();
  // The page hears of it in its own time; until then the server refuses the move.
  const refused = news(page).getByText(t('board.drag.noColumn', { project: 'Lighthouse', kind: 'Done' }));
  await expect
    .poll(async () => {
      await drag('Trim the lamp', 'Done');
      return refused.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  await kindOf('Trim the lamp', 'in_progress');
  await cardOf(page, 'Trim the lamp').click();
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
});

test('a board by priority in lanes by project, chosen, saved and live; a lane keeps its project', async () => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await open();
  const menu = await openDisplay(page);
  expect(await menu.getByLabel(t('common.columns'), { exact: true }).locator('option').allInnerTexts()).toEqual([
    t('property.project'),
    t('property.kind'),
    t('property.assignee'),
    t('property.priority'),
  ]);
  await menu.getByLabel(t('common.columns'), { exact: true }).selectOption({ label: t('property.priority') });
  await menu.getByLabel(t('views.display.lanes'), { exact: true }).selectOption({ label: t('property.project') });
  await page.keyboard.press('Escape');
  const lane = (name: string) => page.locator('section[data-lane]', { hasText: name });
  await expect.poll(() => cardsIn(lane('Lighthouse'))).toEqual(['Trim the lamp', 'Sweep the stairs']);
  await expect.poll(() => cardsIn(lane('Dry dock'))).toEqual(['Caulk the hull']);
  // Within its lane a card takes on what the column is of; another lane is another project.
  await drag('Sweep the stairs', 'Critical of Lighthouse');
  await sample.expectRows(`select priority from tasks where title = 'Sweep the stairs' and ${ours()}`, [
    { priority: 'p0' },
  ]);
  await drag('Sweep the stairs', 'High of Harbour');
  await news(page).getByText(saying('board.drag.otherProject')).waitFor();
  await sample.expectRows(`select priority from tasks where title = 'Sweep the stairs' and ${ours()}`, [
    { priority: 'p0' },
  ]);
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await sample.expectRows(`select layout, "grouping", lanes from saved_views where id = '${viewId}'`, [
    { layout: 'board', grouping: 'priority', lanes: 'project' },
  ]);
  // What others do arrives.
  await sample.client.from('tasks').insert({ project_id: lighthouse, title: 'Polish the lens' });
  await lane('Lighthouse').getByText('Polish the lens').waitFor();
});

test('a timeline: bars in the colours of their projects, moved and linked within one, in red where one begins too early', async () => {
  await open('?layout=timeline&day=2030-05-13');
  const bar = (title: string) => page.locator('[data-timeline] a[data-task-id]', { hasText: title });
  await bar('Trim the lamp').waitFor();
  await expect.poll(() => page.locator('[data-timeline] a[data-task-id]').count()).toBe(3);
  expect(await page.getByRole('button', { name: t('timeline.critical') }).count()).toBe(0);
  expect(await offences(page)).toEqual([]);
  const dates = (title: string, start: string | null, due: string) =>
    sample.expectRows(`select start_date::text, due_date::text from tasks where title = '${title}' and ${ours()}`, [
      { start_date: start, due_date: due },
    ]);
  await bar('Trim the lamp').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await dates('Trim the lamp', '2030-05-07', '2030-05-11');
  await bar('Caulk the hull').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await dates('Caulk the hull', null, '2030-05-15');
  // What waits for what comes with the tasks; of another project none can.
  const [one, other] = await sample.rows<{ id: string }>(
    `select id from tasks where project_id = '${lighthouse}' order by number`,
  );
  await sample.client.from('task_dependencies').insert({
    project_id: lighthouse,
    predecessor_id: one?.id ?? '',
    successor_id: other?.id ?? '',
  });
  await bar('Sweep the stairs')
    .getByText(t('timeline.waits', { keys: 'LIGH-1' }))
    .waitFor({ state: 'attached' });
  await bar('Trim the lamp').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('button', { name: t('timeline.earlyCount', { n: 1 }) }).waitFor();
  await page.getByRole('button', { name: t('timeline.moveThem') }).click();
  await page.getByRole('button', { name: t('timeline.earlyCount', { n: 1 }) }).waitFor({ state: 'detached' });
  await chooseDisplay(page, t('list.group'), t('property.project'));
  await page.getByRole('button', { name: /^Lighthouse\s*2$/ }).waitFor();
  // The others lie in the unscheduled tasks.
  await page.getByRole('button', { name: t('planning.unscheduledButton', { count: '3' }) }).click();
  await page.locator('[data-unscheduled] [data-task-id]', { hasText: 'Paint the crane' }).waitFor();
  await bar('Sweep the stairs').click();
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
});

test('a list with columns of one’s own: chosen, kept with the view, edited in the cells', async () => {
  await open('?layout=list');
  const grid = page.getByRole('grid', { name: t('common.taskList') });
  await grid.getByRole('link', { name: 'Trim the lamp' }).waitFor();
  await openDisplay(page);
  for (const name of [t('property.project'), t('property.start_date'), t('property.estimate')])
    await page.getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
  const cell = (task: string, column: string) =>
    page.locator('[data-row]', { hasText: task }).locator(`[data-col="${column}"]`);
  await expect.poll(() => cell('Trim the lamp', 'project').innerText()).toBe('Lighthouse');
  await cell('Trim the lamp', 'estimate').click();
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await sample.expectRows(`select estimate::float from tasks where title = 'Trim the lamp' and ${ours()}`, [
    { estimate: 3 },
  ]);
  // One may not write there.
  await cell('Caulk the hull', 'estimate').click();
  await page.keyboard.press('Enter');
  expect(
    await page.getByRole('textbox', { name: saying('table.cell', { column: t('property.estimate') }) }).count(),
  ).toBe(0);
  expect(await offences(page)).toEqual([]);
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await page.getByText(t('views.unsaved')).waitFor({ state: 'detached' });
  await sample.expectRows(`select layout, shown -> 'columns' as columns from saved_views where id = '${viewId}'`, [
    {
      layout: 'list',
      columns: ['number', 'priority', 'title', 'column', 'due_date', 'project', 'start_date', 'estimate'],
    },
  ]);
  await open();
  await expect.poll(() => cell('Sweep the stairs', 'project').innerText()).toBe('Lighthouse');
});

test('a dashboard: all projects as the server counts them, and what a filter leaves', async () => {
  await open('?layout=dashboard');
  const opened = () =>
    page
      .getByRole('region', { name: t('dashboard.figures.label') })
      .locator('dl > div')
      .filter({ hasText: saying('dashboard.figures.open') })
      .innerText();
  await expect.poll(opened).toMatch(/6/);
  await open('?layout=dashboard&filter=priority.any_of.p0');
  await expect.poll(opened).toMatch(/1/);
  await sample.client
    .from('tasks')
    .update({ priority: 'p0' })
    .eq('title', 'Sweep the stairs')
    .eq('project_id', lighthouse);
  await expect.poll(opened).toMatch(/2/);
  // How work flowed is told of these two as well, which are in the first column of their project.
  const flow = page.getByRole('region', { name: t('dashboard.flow') });
  await flow.getByRole('button', { name: t('dashboard.asTable') }).click();
  const backlog = () => flow.getByRole('row').last().getByRole('cell').last().innerText();
  await expect.poll(backlog).toBe('2');
  expect(await offences(page)).toEqual([]);
});

test('a recurring task has its sign in the calendar, the list and the board', async () => {
  const [task] = await sample.rows<{ id: string }>(`select id from tasks where title = 'Trim the lamp' and ${ours()}`);
  await sample.client.from('task_recurrences').insert({
    project_id: lighthouse,
    task_id: task?.id ?? '',
    rule: 'FREQ=WEEKLY',
    mode: 'calendar',
    time_zone: 'Europe/Berlin',
    starts_on: '2030-05-10',
  });
  for (const layout of ['calendar', 'list', 'board']) {
    await open(`?layout=${layout}&day=2030-05-13`);
    const task = page.locator(layout === 'list' ? '[data-row]' : '[data-task-id]', { hasText: 'Trim the lamp' });
    await task.first().getByTitle(t('task.comesAgain')).waitFor();
    expect(await page.getByTitle(t('task.comesAgain')).count()).toBe(1);
  }
});
