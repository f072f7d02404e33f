// Favorites in the sidebar: marked and removed in menus and by the palette, counted by the server and again when tasks change, put into order
// by keys and by the mouse, and in the drawer of a phone.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { expectTitles, pressUntil, type SampleProject, settleHarbour, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { tooSmall } from './touch-targets.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  await sample.rows(`update tasks set priority = 'p0' where project_id = $1 and title <> 'Sweep the quay'`);
  return [ada];
});

const critical = '{"all":[{"property":"priority","is":"any_of","value":["p0"]}]}';
const addView = (name: string, { project = '$1::uuid', layout = 'board', filter = '{}' } = {}) =>
  sample.rows(
    `insert into saved_views (project_id, owner_id, name, layout, filter)
     select ${project}, created_by, '${name}', '${layout}', '${filter}' from projects where id = $1`,
  );
const favor = (name: string, position: number) =>
  sample.rows(
    `insert into favorite_views (user_id, view_id, position)
     select owner_id, id, ${position} from saved_views where name = '${name}' and owner_id = (select created_by from projects where id = $1)`,
  );
const side = (page = ada.page) => page.getByRole('navigation', { name: t('common.nav.main') });
const favorites = (page = ada.page) => side(page).getByRole('list', { name: t('views.favorites') });
/** As they are read out. */
const listed = async (page = ada.page): Promise<string[]> =>
  (await favorites(page).getByRole('link').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
/** Shown and said. */
const line = (name: string, n: number): string => `${name}${n}${t('common.tasks', { n })}`;

/** How many counts the device of this page remembers. */
function savedCounts(): Promise<number> {
  return new Promise((resolve) => {
    const open = indexedDB.open('kanbase');
    open.onsuccess = () => {
      const asked = open.result.transaction('snapshots').objectStore('snapshots').getAllKeys();
      asked.onsuccess = () => {
        open.result.close();
        resolve(asked.result.filter((name) => String(name).includes(' answer count ')).length);
      };
    };
  });
}

async function pick(page: Page, view: string, item: string, where = favorites(page)): Promise<void> {
  await where.getByRole('button', { name: t('views.menu', { name: view }) }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('a view is marked in the menu of its tab; its count follows what others change; it is removed and brought back', async () => {
  const { page } = ada;
  await addView('Critical ones', { filter: critical });
  await sample.openBoard(page);
  const tabs = page.getByRole('navigation', { name: t('projects.viewsLabel') });
  await pick(page, 'Critical ones', t('views.favor'), tabs);
  await expect.poll(listed).toEqual([line('Critical ones', 2)]);
  await whenLive(page);
  // Someone else, in another program.
  await sample.client.from('tasks').update({ priority: 'p0' }).eq('title', 'Sweep the quay');
  await expect.poll(listed).toEqual([line('Critical ones', 3)]);
  // Only what is not archived, and of this project.
  const { data: other } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  await sample.client.from('tasks').insert({ project_id: other.id, title: 'Trim the lamp', priority: 'p0' });
  await sample.client.from('tasks').update({ archived_at: new Date().toISOString() }).eq('title', 'Sweep the quay');
  await expect.poll(listed).toEqual([line('Critical ones', 2)]);
  // What hangs on a task counts, too.
  await sample.rows(`insert into task_labels (project_id, name) values ($1, 'Urgent')`);
  const [label] = await sample.rows<{ id: string }>('select id from task_labels where project_id = $1');
  await addView('Urgent ones', { filter: `{"all":[{"property":"label","is":"any_of","value":["${label?.id}"]}]}` });
  await favor('Urgent ones', 2000);
  await expect.poll(listed).toEqual([line('Critical ones', 2), line('Urgent ones', 0)]);
  await whenLive(page);
  await sample.rows(
    `insert into task_label_links (project_id, task_id, label_id) select $1, id, '${label?.id}' from tasks where project_id = $1 and title = 'Paint the crane'`,
  );
  await expect.poll(listed).toEqual([line('Critical ones', 2), line('Urgent ones', 1)]);
  await pick(page, 'Urgent ones', t('views.unfavor'));
  await favorites().getByRole('link', { name: 'Critical ones' }).click();
  await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  expect(await favorites().getByRole('link').getAttribute('aria-current')).toBe('page');
  expect(await offences(page)).toEqual([]);
  await favorites()
    .getByRole('button', { name: t('views.menu', { name: 'Critical ones' }) })
    .click();
  await page
    .getByRole('menuitem')
    .first()
    .filter({ hasText: t('views.unfavor') })
    .waitFor();
  await page.getByRole('menuitem', { name: t('views.unfavor') }).click();
  await favorites().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await expect.poll(listed).toEqual([line('Critical ones', 2)]);
});

test('a view across projects is marked by the palette, stands once, and in another window of the same person', async () => {
  const { page } = ada;
  await addView('Critical anywhere', { project: 'null::uuid', layout: 'list', filter: critical });
  await sample.openBoard(page);
  const another = await page.context().newPage();
  await another.goto('/app/my-tasks');
  const lower = (of: Page) =>
    side(of)
      .getByRole('list', { name: t('views.across') })
      .getByRole('link', { name: 'Critical anywhere' });
  await lower(another).waitFor();
  await whenLive(another);
  await lower(page).click();
  await page.getByRole('heading', { name: 'Critical anywhere' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(t('views.favor'));
  await page.getByRole('option', { name: t('views.favor'), exact: true }).click();
  for (const of of [page, another]) {
    await expect.poll(() => listed(of)).toEqual([line('Critical anywhere', 2)]);
    await lower(of).waitFor({ state: 'detached' });
  }
  await pick(another, 'Critical anywhere', t('views.unfavor'));
  for (const of of [another, page]) {
    await lower(of).waitFor();
    expect(await favorites(of).count()).toBe(0);
  }
  await another.close();
});

test('the order is one’s own, by keys and by the mouse, and stands after a reload with the counts', async () => {
  const { page } = ada;
  for (const [at, name] of ['One', 'Two', 'Three'].entries()) {
    await addView(name, { filter: at === 0 ? critical : '{}' });
    await favor(name, at + 1);
  }
  await sample.openBoard(page);
  const [one, two, three] = [line('One', 2), line('Two', 3), line('Three', 3)];
  await expect.poll(listed).toEqual([one, two, three]);
  const grip = (name: string) => favorites().getByRole('button', { name: t('common.moveNamed', { name }) });
  await grip('Three').focus();
  await pressUntil(page, 'Space', page.getByText(saying('common.sorting.picked')));
  await pressUntil(page, 'ArrowUp', page.getByText(saying('common.sorting.over', { name: 'Three', place: 2 })));
  await page.keyboard.press('Space');
  await expect.poll(listed).toEqual([one, three, two]);
  await favorites().getByRole('link', { name: 'One' }).hover();
  const [from, to] = [
    await grip('One').boundingBox(),
    await favorites().getByRole('link', { name: 'Two' }).boundingBox(),
  ];
  if (from === null || to === null) throw new Error('it is not on the page');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.getByText(saying('common.sorting.over', { name: 'One', place: 3 })).waitFor({ state: 'attached' });
  await page.mouse.up();
  await expect.poll(listed).toEqual([three, two, one]);
  await sample.expectRows(
    `select v.name from favorite_views f join saved_views v on v.id = f.view_id where v.project_id = $1 order by f.position`,
    ['Three', 'Two', 'One'].map((name) => ({ name })),
  );
  await expect.poll(() => page.evaluate(savedCounts)).toBe(3);
  // Without an answer of the server, the counts are those of before.
  await page.route(/\/rest\/v1\/tasks\?.*select=id/, (route) =>
    route.request().method() === 'HEAD' ? undefined : route.fallback(),
  );
  await page.reload();
  await expect.poll(listed).toEqual([three, two, one]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('more than there is room for scroll, and fade at the end where there are more', async () => {
  const { page } = ada;
  const names = Array.from({ length: 14 }, (_, at) => `View ${at + 1}`);
  for (const [at, name] of names.entries()) {
    await addView(name);
    await favor(name, at + 1);
  }
  await sample.openBoard(page);
  const fades = () =>
    favorites().evaluate((list) => ({
      before: list.hasAttribute('data-before'),
      after: list.hasAttribute('data-after'),
      masked: getComputedStyle(list).maskImage !== 'none',
    }));
  await expect.poll(listed).toHaveLength(14);
  await expect.poll(fades).toEqual({ before: false, after: true, masked: true });
  await favorites().getByRole('link', { name: 'View 14' }).focus();
  await expect.poll(fades).toEqual({ before: true, after: false, masked: true });
  await page.setViewportSize({ width: 1280, height: 2400 });
  await expect.poll(fades).toEqual({ before: false, after: false, masked: false });
  expect(await offences(page)).toEqual([]);
});

test('a favourite whose view is no longer shared is gone, and is back when it is shared again', async () => {
  const { page } = ada;
  await addView('Ours');
  await sample.rows(`update saved_views set is_shared = true where project_id = $1`);
  const bob = await sample.site.visit();
  const { email } = await bob.settle('Bob Kahn');
  await sample.join(email, 'editor');
  await sample.openBoard(bob.page);
  await whenLive(bob.page);
  const tabs = bob.page.getByRole('navigation', { name: t('projects.viewsLabel') });
  await pick(bob.page, 'Ours', t('views.favor'), tabs);
  await expect.poll(() => listed(bob.page)).toEqual([line('Ours', 3)]);
  await sample.openBoard(page);
  expect(await favorites().count()).toBe(0);
  for (const shared of [false, true]) {
    await sample.client.from('saved_views').update({ is_shared: shared }).eq('name', 'Ours');
    await expect.poll(() => listed(bob.page)).toEqual(shared ? [line('Ours', 3)] : []);
  }
  expect(bob.troubles).toEqual([]);
  await bob.close();
});

test('on a phone they stand in the drawer, and two of one name say their projects', async () => {
  const { data: other } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  await addView('This week');
  await addView('This week', { project: `'${other.id}'::uuid` });
  await favor('This week', 1);
  const phone = await sample.site.visit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await ada.page.context().storageState(),
  });
  const { page } = phone;
  await sample.openBoard(page);
  await page.getByRole('button', { name: t('common.nav.openMenu') }).tap();
  await expect
    .poll(async () => (await listed(page)).sort())
    .toEqual([line('This weekHarbour', 3), line('This weekLighthouse', 0)]);
  expect(await offences(page)).toEqual([]);
  // The grips are as wide as everywhere.
  const small = await tooSmall(page, `[aria-label="${t('views.favorites')}"]`);
  expect(small.filter((one) => !one.startsWith(t('common.moveNamed', { name: 'This week' })))).toEqual([]);
  await favorites(page)
    .getByRole('link', { name: /Lighthouse/ })
    .tap();
  await page.waitForURL(new RegExp(`${other.id}/board\\?view=`));
  expect(phone.troubles).toEqual([]);
  await phone.close();
});

test('on a phone the first four stand in the drawer, and the rest behind a button', async () => {
  const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'];
  for (const [at, name] of names.entries()) {
    await addView(name);
    await favor(name, at + 1);
  }
  const phone = await sample.site.visit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await ada.page.context().storageState(),
  });
  const { page } = phone;
  await sample.openBoard(page);
  await page.getByRole('button', { name: t('common.nav.openMenu') }).tap();
  const more = side(page).getByRole('button', { name: t('views.more', { n: 3 }) });
  await expect.poll(async () => (await listed(page)).length).toBe(4);
  // The project that is open, with its views folded likewise, is in sight.
  const project = side(page).getByRole('link', { name: 'Harbour', exact: true });
  expect((await project.boundingBox())?.y).toBeLessThan(700);
  expect(await offences(page)).toEqual([]);
  await more.first().tap();
  await expect.poll(() => listed(page)).toEqual(names.map((name) => line(name, 3)));
  expect(await favorites(page).evaluate((list) => list === document.activeElement)).toBe(true);
  // One that is open is never among the rest.
  await favorites(page).getByRole('link', { name: 'Seven' }).tap();
  await page.waitForURL(/\?view=/);
  await page.getByRole('button', { name: t('common.nav.openMenu') }).tap();
  await expect.poll(async () => (await listed(page)).length).toBe(7);
  expect(phone.troubles).toEqual([]);
  await phone.close();
});
