// Saved views: created, changed, deleted, shared live, across projects, as default, and sorted.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import {
  chooseDisplay,
  columnOf,
  expectTitles,
  news,
  openDisplay,
  pickCondition,
  pressUntil,
  type SampleProject,
  settleHarbour,
  startSite,
  type Visitor,
  whenLive,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { either, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada, projectId } = sample);
    await sample.rows(`update tasks set priority = 'p0' where project_id = $1 and title <> 'Sweep the quay'`);
    return [ada];
  },
  // For a page whose clock is put on to the end of the day.
  () => startSite({ AUTH_TOKEN_LIFETIME: '200000' }),
);

const side = () => ada.page.getByRole('navigation', { name: t('common.nav.main') });
const tabs = (page = ada.page) => page.getByRole('navigation', { name: t('projects.viewsLabel') });
const ofProject = () =>
  tabs()
    .getByRole('list', { name: t('views.ofProject') })
    .getByRole('link')
    .allInnerTexts();

async function save(name: string, choose: () => Promise<unknown> = async () => undefined): Promise<void> {
  const { page } = ada;
  await page.getByRole('button', { name: either(saying('views.saveView'), saying('views.saveNew')) }).click();
  await page.getByRole('textbox', { name: t('views.name') }).fill(name);
  await choose();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('views.saveView') })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function ofTab(view: string, item: string): Promise<void> {
  await tabs()
    .getByRole('button', { name: t('views.menu', { name: view }) })
    .click();
  await ada.page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function dragTo(page: Page, what: Locator, where: Locator): Promise<void> {
  const [from, to] = [await what.boundingBox(), await where.boundingBox()];
  if (from === null || to === null) throw new Error('it is not on the page');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + from.height / 2 + 4);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await page.locator('[data-ghost]').first().waitFor();
  await page.mouse.up();
}

test('a view is saved, opened by its link, changed, dropped and saved again', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/board?filter=priority.any_of.p0`);
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  await save('Critical ones');
  await expect.poll(() => page.url()).toMatch(/\/board\?view=[0-9a-f-]{36}$/);
  await expect.poll(ofProject).toEqual(['Critical ones']);
  await sample.expectRows('select name, layout, "grouping", filter, is_shared from saved_views where project_id = $1', [
    {
      name: 'Critical ones',
      layout: 'board',
      grouping: 'column',
      filter: { all: [{ is: 'any_of', value: ['p0'], property: 'priority' }] },
      is_shared: false,
    },
  ]);
  // By its own link, on a page that knows nothing yet.
  const id = new URL(page.url()).searchParams.get('view');
  // By its name, from elsewhere in the project.
  await side().getByRole('link', { name: 'Harbour', exact: true }).click();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('critical');
  await page.getByRole('option', { name: t('views.open', { name: 'Critical ones' }) }).click();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  await page.goto(`/app/views/${id}`);
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  await expect.poll(() => page.url()).toMatch(/\/board\?view=/);
  // Otherwise than it was saved.
  await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('crane');
  await expectTitles(page, 'To do', ['Paint the crane']);
  await page.getByText(t('views.unsaved')).waitFor();
  await page.reload();
  await expectTitles(page, 'To do', ['Paint the crane']);
  await ofTab('Critical ones', t('views.drop'));
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  await page.getByText(t('views.unsaved')).waitFor({ state: 'detached' });
  // Nothing filtered is a change, too.
  await page.getByRole('button', { name: t('board.filters.clear') }).click();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  await page.getByText(t('views.unsaved')).waitFor();
  await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('ships');
  await expectTitles(page, 'To do', ['Count the ships']);
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await page.getByText(t('views.unsaved')).waitFor({ state: 'detached' });
  await expectTitles(page, 'To do', ['Count the ships']);
  await sample.expectRows(`select filter #>> '{all,0,value}' as words from saved_views where project_id = $1`, [
    { words: 'ships' },
  ]);
});

test('views are renamed, put into order by keys, deleted and brought back; a project opens with the one that was chosen', async () => {
  const { page } = ada;
  const add = (name: string, position: number) =>
    sample.rows(
      `insert into saved_views (project_id, owner_id, name, position, "grouping", filter)
       select id, created_by, '${name}', ${position}, 'column', '{"all":[{"property":"text","is":"contains","value":"ships"}]}' from projects where id = $1`,
    );
  await add('First', 1);
  await add('Second', 2);
  await sample.openBoard(page);
  await expect.poll(ofProject).toEqual(['First', 'Second']);
  await tabs()
    .getByRole('button', { name: t('common.moveNamed', { name: 'Second' }) })
    .focus();
  await pressUntil(page, 'Space', page.getByText(saying('common.sorting.picked')));
  await pressUntil(page, 'ArrowLeft', page.getByText(saying('common.sorting.over', { name: 'Second', place: 1 })));
  await page.keyboard.press('Space');
  await expect.poll(ofProject).toEqual(['Second', 'First']);
  await ofTab('First', t('common.rename'));
  await page.getByRole('textbox', { name: t('views.name') }).fill('Ships');
  await page.keyboard.press('Enter');
  await expect.poll(ofProject).toEqual(['Second', 'Ships']);
  await ofTab('Ships', t('views.first'));
  await side()
    .getByRole('link', { name: t('common.nav.myTasks') })
    .click();
  await side().getByRole('link', { name: 'Harbour', exact: true }).click();
  await expectTitles(page, 'To do', ['Count the ships']);
  await ofTab('Ships', t('common.delete'));
  await expect.poll(ofProject).toEqual(['Second']);
  await page.getByText(t('views.missing')).waitFor();
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await expect.poll(ofProject).toEqual(['Second', 'Ships']);
  await expectTitles(page, 'To do', ['Count the ships']);
});

test('views that have no room stand under one button, and the open one has room in any case', async () => {
  const { page } = ada;
  const names = ['Critical', 'Overdue', 'Of this week', 'Waiting for others', 'Lacking an owner', 'The last one'];
  for (const [at, name] of names.entries())
    await sample.rows(
      `insert into saved_views (project_id, owner_id, name, position, layout) select id, created_by, '${name}', ${at + 1}, 'list' from projects where id = $1`,
    );
  await sample.openBoard(page);
  const more = tabs().getByRole('button', { name: saying('views.more') });
  await more.click();
  await page.getByRole('menuitem', { name: 'The last one' }).click();
  await page.waitForURL(/\/list\?view=/);
  await tabs().locator('[aria-current="page"]', { hasText: 'The last one' }).waitFor();
  expect(await tabs().locator('[aria-current]').count()).toBe(1);
  await more.click();
  await page.getByRole('menuitem', { name: 'Lacking an owner' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'The last one' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  // With room for all there is no such button.
  await page.setViewportSize({ width: 3000, height: 800 });
  await more.waitFor({ state: 'detached' });
  await expect.poll(ofProject).toEqual(names);
});

test('a tab is drawn to another place by the mouse', async () => {
  const { page } = ada;
  for (const [at, name] of ['One', 'Two'].entries())
    await sample.rows(
      `insert into saved_views (project_id, owner_id, name, position) select id, created_by, '${name}', ${at + 1} from projects where id = $1`,
    );
  await page.setViewportSize({ width: 1800, height: 900 });
  await sample.openBoard(page);
  await expect.poll(ofProject).toEqual(['One', 'Two']);
  const grip = tabs().getByRole('button', { name: t('common.moveNamed', { name: 'One' }) });
  await tabs().getByRole('link', { name: 'One' }).hover();
  const [from, to] = [await grip.boundingBox(), await tabs().getByRole('link', { name: 'Two' }).boundingBox()];
  if (from === null || to === null) throw new Error('it is not on the page');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width, to.y + to.height / 2, { steps: 8 });
  await page.getByText(saying('common.sorting.over', { name: 'One', place: 2 })).waitFor({ state: 'attached' });
  await page.mouse.up();
  await expect.poll(ofProject).toEqual(['Two', 'One']);
});

test('a shared view is there for others as it changes; one that is not shared is not', async () => {
  const { page } = ada;
  const bob = await sample.site.visit();
  const { email } = await bob.settle('Bob Kahn');
  await sample.join(email, 'editor');
  await bob.page.goto(`/app/projects/${projectId}/board`);
  await columnOf(bob.page, 'To do').locator('[data-task-id]').first().waitFor();
  await whenLive(bob.page);
  await page.goto(`/app/projects/${projectId}/board?filter=priority.any_of.p0`);
  await save('Ours', () => page.getByRole('checkbox', { name: t('views.share') }).check());
  const his = tabs(bob.page);
  await his.getByRole('link', { name: /Ours/ }).click();
  await expectTitles(bob.page, 'To do', ['Paint the crane', 'Count the ships']);
  await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('crane');
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await expectTitles(bob.page, 'To do', ['Paint the crane']);
  // He may look otherwise, and keep that as his own.
  expect(await bob.page.getByRole('button', { name: t('common.save'), exact: true }).count()).toBe(0);
  await tabs()
    .getByRole('button', { name: t('views.menu', { name: 'Ours' }) })
    .click();
  await page.getByRole('menuitem', { name: t('views.unshare') }).click();
  await his.getByRole('link', { name: /Ours/ }).waitFor({ state: 'detached' });
  const id = new URL(page.url()).searchParams.get('view');
  await bob.page.goto(`/app/views/${id}`);
  await bob.page.getByRole('heading', { name: t('views.unseenTitle') }).waitFor();
  expect(bob.troubles).toEqual([]);
  await bob.close();
});

test('a view across projects asks the server, and follows what changes', async () => {
  const { page } = ada;
  const { data: other } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  await sample.client.from('tasks').insert([
    { project_id: other.id, title: 'Trim the lamp', priority: 'p0' },
    { project_id: other.id, title: 'Sweep the stairs', priority: 'p2' },
  ]);
  await page.goto(`/app/projects/${projectId}/list?filter=priority.any_of.p0`);
  await page.getByRole('link', { name: 'Paint the crane' }).waitFor();
  await save('Critical anywhere', () => page.getByRole('combobox', { name: t('views.where') }).selectOption('all'));
  await page.getByRole('heading', { name: 'Critical anywhere' }).waitFor();
  const titles = () => page.locator('main [data-task-id]').allInnerTexts();
  await expect.poll(async () => (await titles()).length).toBe(3);
  await page.getByRole('button', { name: /^Lighthouse\s*1$/ }).waitFor();
  await page.getByText(t('common.tasks', { n: 3 })).waitFor();
  expect(await side().getByRole('link', { name: 'Critical anywhere' }).getAttribute('aria-current')).toBe('page');
  // Someone makes it critical elsewhere.
  await sample.client.from('tasks').update({ priority: 'p0' }).eq('title', 'Sweep the stairs');
  await expect.poll(async () => (await titles()).join()).toContain('Sweep the stairs');
  await page.getByRole('button', { name: t('board.filters.add'), exact: true }).click();
  await pickCondition(page, 'Project');
  await page.getByRole('dialog').getByRole('combobox').last().fill('Light');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await titles()).length).toBe(2);
  await page.getByText(t('views.unsaved')).waitFor();
  const inOrder = async () => (await titles()).map((one) => /Sweep|Trim/.exec(one)?.[0]);
  await expect.poll(inOrder).toEqual(['Trim', 'Sweep']);
  await chooseDisplay(page, t('views.display.order'), t('property.title'));
  await expect.poll(inOrder).toEqual(['Sweep', 'Trim']);
  await page.getByRole('link', { name: /Trim the lamp/ }).click();
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
});

test('a view across projects is a calendar, too: what one may change is dragged, drawn in and added there', async () => {
  const { page } = ada;
  const { data: other } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  await sample.client.from('tasks').insert([
    { project_id: other.id, title: 'Trim the lamp', due_date: '2030-05-15' },
    { project_id: other.id, title: 'Sweep the stairs' },
  ]);
  await sample.client
    .from('tasks')
    .update({ start_date: '2030-05-10', due_date: '2030-05-14' })
    .eq('number', 1)
    .eq('project_id', projectId);
  const bob = await sample.site.app.createUser({ name: 'Bob' });
  const { data: his } = await bob.client.rpc('create_project_with_defaults', { name: 'Dry dock' });
  await bob.client.from('tasks').insert({ project_id: his.id, title: 'Caulk the hull', due_date: '2030-05-16' });
  await sample.rows(
    `insert into project_members (project_id, user_id, role) select '${his.id}', created_by, 'viewer' from projects where id = $1`,
  );
  const { data: view } = await sample.client
    .from('saved_views')
    .insert({
      owner_id: (await sample.client.auth.getUser()).data.user?.id ?? '',
      name: 'All that is planned',
      layout: 'list',
    })
    .select('id')
    .single();
  await page.goto(`/app/views/${view?.id}?day=2030-05-15`);
  await page.getByRole('heading', { name: 'All that is planned' }).waitFor();
  await page
    .getByRole('group', { name: t('views.layout') })
    .getByRole('button', { name: t('projects.views.calendar') })
    .click();
  const day = (date: string) => page.locator(`[data-day="${date}"]`);
  const bar = (title: string) => page.locator('[data-calendar] [data-task-id]', { hasText: title });
  const dueOf = (title: string, due: string | null) =>
    sample.expectRows(
      `select due_date::text from tasks where title = '${title}' and project_id in ('${other.id}', '${his.id}')`,
      [{ due_date: due }],
    );
  await bar('Caulk the hull').waitFor();
  await expect.poll(() => bar('Paint the crane').count()).toBe(2);
  await page.getByText(t('views.unsaved')).waitFor();
  expect(await offences(page)).toEqual([]);

  // Who may only look at it cannot move it; one's own goes to another day.
  await bar('Caulk the hull').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await dragTo(page, bar('Trim the lamp'), day('2030-05-22'));
  await dueOf('Trim the lamp', '2030-05-22');
  await dueOf('Caulk the hull', '2030-05-16');
  await page.keyboard.press('Control+z');
  await dueOf('Trim the lamp', '2030-05-15');
  await page.getByRole('button', { name: saying('planning.unscheduledButton') }).click();
  await dragTo(
    page,
    page.locator('[data-unscheduled] [data-task-id]', { hasText: 'Sweep the stairs' }),
    day('2030-05-17'),
  );
  await dueOf('Sweep the stairs', '2030-05-17');

  await day('2030-05-20').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: saying('calendar.newOn') }).fill('Wind the clockwork');
  await page.getByRole('combobox', { name: t('property.project') }).selectOption({ label: 'Lighthouse' });
  await page.getByRole('button', { name: t('common.add'), exact: true }).click();
  await page.keyboard.press('Escape');
  await bar('Wind the clockwork').waitFor();
  await sample.expectRows(`select project_id from tasks where title = 'Wind the clockwork'`, [
    { project_id: other.id },
  ]);

  // The server is asked for the days that are shown.
  await page.getByRole('button', { name: t('days.nextMonth') }).click();
  await page.getByRole('grid', { name: 'June 2030' }).waitFor();
  await sample.client.from('tasks').update({ due_date: '2030-06-12' }).eq('title', 'Trim the lamp');
  await day('2030-06-12')
    .getByRole('link', { name: /Trim the lamp/ })
    .waitFor();
  await page.getByRole('button', { name: t('common.save'), exact: true }).click();
  await sample.expectRows(`select layout from saved_views where name = 'All that is planned'`, [
    { layout: 'calendar' },
  ]);
  await page.getByText(t('views.unsaved')).waitFor({ state: 'detached' });
  await bar('Trim the lamp').click();
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
});

test('a day that is relative moves on at midnight, in a view that stays open', async () => {
  const evening = new Date(`${new Date().toISOString().slice(0, 10)}T23:59:20Z`);
  const ahead = (days: number): string => new Date(evening.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  for (const [title, days] of [
    ['Paint the crane', 0],
    ['Count the ships', 3],
    ['Sweep the quay', 2],
  ] as const)
    await sample.rows(
      `update tasks set due_date = '${ahead(days)}' where project_id = $1 and title = '${title}' returning id`,
    );
  const guest = await sample.site.visit({ timezoneId: 'UTC', storageState: await ada.page.context().storageState() });
  await guest.page.clock.install({ time: evening });
  await guest.page.goto(`/app/projects/${projectId}/board?filter=due_date.in_next.2`);
  await expectTitles(guest.page, 'To do', ['Paint the crane', 'Sweep the quay']);
  await guest.page
    .getByRole('button', { name: t('views.says.in_next', { what: t('views.properties.due_date'), n: 2 }), exact: true })
    .waitFor();
  await guest.page.clock.fastForward('01:00');
  await expectTitles(guest.page, 'To do', ['Count the ships', 'Sweep the quay']);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test('fields of the project filter, sort and group; one that is gone says so and is taken away', async () => {
  const { page } = ada;
  const [field] = await sample.rows<{ id: string }>(
    `insert into custom_fields (project_id, name, kind, options) values ($1, 'Area', 'select', '[{"id":"dock","name":"Dock"},{"id":"sea","name":"Sea"}]') returning id`,
  );
  await sample.rows(
    `insert into task_field_values (project_id, task_id, field_id, value)
     select $1, t.id, f.id, case when t.title = 'Paint the crane' then '"dock"'::jsonb else '"sea"' end
     from tasks t join custom_fields f on f.project_id = t.project_id where t.project_id = $1 and t.title <> 'Sweep the quay'`,
  );
  await sample.openBoard(page);
  await page.keyboard.press('f');
  await pickCondition(page, 'area');
  const dialog = page.getByRole('dialog', { name: t('views.add') });
  await dialog.getByRole('option', { name: 'Dock' }).click();
  await page.keyboard.press('Escape');
  await expectTitles(page, 'To do', ['Paint the crane']);
  await page.getByRole('button', { name: t('views.says.is', { what: 'Area', value: 'Dock' }), exact: true }).waitFor();
  // The same in an address, for a page that knows nothing yet; the list groups and sorts by it.
  await page.goto(`/app/projects/${projectId}/list?group=select_field.${field?.id}&sort=-title`);
  const heads = page.locator('[data-group]');
  await expect.poll(() => heads.allInnerTexts()).toEqual(['Dock\n1', 'Sea\n1', 'None\n1']);
  const display = await openDisplay(page);
  const group = display.getByRole('combobox', { name: t('list.group') });
  expect(await group.evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.label)).toBe('Area');
  for (const [name, sort] of [
    [t('property.estimate'), 'estimate'],
    ['Done', '-completed_at'],
  ] as const) {
    await display.getByRole('combobox', { name: t('views.display.order') }).selectOption({ label: name });
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe(sort);
  }
  await page.goto(`/app/projects/${projectId}/board?filter=select_field.${field?.id}.any_of.dock`);
  await expectTitles(page, 'To do', ['Paint the crane']);
  await whenLive(page);
  await sample.rows('delete from custom_fields where project_id = $1');
  await page.getByRole('button', { name: saying('views.says.is', { what: t('views.fieldGone') }) }).waitFor();
  await page.getByRole('button', { name: saying('views.levels.remove', { name: t('views.fieldGone') }) }).click();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  // Who watches is asked for with the filter, and followed.
  await sample.rows(
    `update task_watchers w set is_watching = t.title <> 'Count the ships' from tasks t where t.id = w.task_id and w.project_id = $1 returning w.task_id`,
  );
  await page.goto(`/app/projects/${projectId}/board?filter=watcher.any_of.me`);
  await expectTitles(page, 'To do', ['Paint the crane', 'Sweep the quay']);
  await page
    .getByRole('button', {
      name: t('views.says.is', { what: t('views.properties.watcher'), value: t('common.me') }),
      exact: true,
    })
    .waitFor();
  await whenLive(page);
  await sample.rows('update task_watchers set is_watching = true where project_id = $1 returning task_id');
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
});
