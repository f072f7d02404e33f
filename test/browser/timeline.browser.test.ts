// The timeline of a project: tasks as bars over days, moved and drawn out by mouse, finger and keys, taken from the unscheduled tasks, linked, moved
// along; what others do arrives by itself.

import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { chooseDisplay, openHarbour, type SampleProject, startSite, whenLive } from './pages.ts';
import { inside, saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

const site = forSuite(startSite);
beforeAll(async () => {
  sample = await openHarbour(site, [
    'Survey the pier',
    'Drive the piles',
    'Lay the deck',
    'Ring the bell',
    'Oil the winch',
  ]);
  ({ page } = sample.ada);
  await begin();
});
afterEach(async () => {
  expect(sample.ada.troubles).toEqual([]);
  // What has not been answered when its page goes the next page sends again, over what is written here meanwhile.
  await page.waitForFunction(() => !Object.keys(localStorage).some((name) => name.includes(':unsent-')));
  await begin();
});

const quote = (date: string | null) => (date === null ? 'null' : `'${date}'`);
const plan = (number: number, start: string | null, due: string | null) =>
  sample.rows(
    `update tasks set start_date = ${quote(start)}, due_date = ${quote(due)} where project_id = $1 and number = ${number} returning id`,
  );
/** Two spans, a task with one day, a start without an end; the fifth has no day. Nothing waits, and nothing is half done. */
async function begin(): Promise<void> {
  await plan(1, '2030-05-06', '2030-05-10');
  await plan(2, '2030-05-13', '2030-05-17');
  await plan(3, null, '2030-05-22');
  await plan(4, '2030-05-24', null);
  await plan(5, null, null);
  for (const table of ['task_dependencies', 'task_checklist_items'])
    await sample.rows(`delete from ${table} where project_id = $1 returning id`);
}
const dates = (number: number, start: string | null, due: string | null) =>
  sample.expectRows(`select start_date::text, due_date::text from tasks where project_id = $1 and number = ${number}`, [
    { start_date: start, due_date: due },
  ]);
async function openTimeline(search = '?day=2030-05-13', at = page): Promise<void> {
  await at.goto(`/app/projects/${sample.projectId}/timeline${search}`);
  await at.locator('[data-timeline] [data-task-id]').first().waitFor();
}
const bar = (title: string, at = page) => at.locator('[data-timeline] a[data-task-id]', { hasText: title });
/** The name of a bar: its task and its days. */
const barOf = (number: number, title: string, from: string, to?: string) =>
  saying('planning.task', {
    key: `HAR-${number}`,
    title,
    days: to === undefined ? from : t('planning.days', { from, to }),
  });
const focusedName = () => page.evaluate(() => document.activeElement?.querySelector('.only-spoken')?.textContent);

/** How wide a day is here: a bar of five is that wide. */
async function boxOf(what: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await what.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return box;
}
async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 7, from.y + 2);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.locator('[data-held-days]').waitFor();
  await page.mouse.up();
}

/** The colours of some places beside each other, as the screen shows them. */
async function coloursAt(places: readonly number[], y: number): Promise<string[]> {
  const [x, last] = [Math.floor(Math.min(...places)), Math.ceil(Math.max(...places))];
  const png = await page.screenshot({ clip: { x, y, width: last - x + 1, height: 1 } });
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return places.map((place) => {
    const at = Math.round(place - x) * info.channels;
    return data.subarray(at, at + 3).toString('hex');
  });
}

test('bars lie over their days at every zoom, in groups that fold, and nothing axe would object to', async () => {
  await sample.rows(
    `insert into task_checklist_items (project_id, task_id, title, is_done, position) select $1, t.id, n::text, n = 1, n
     from tasks t, generate_series(1, 2) n where t.project_id = $1 and t.number = 2 returning id`,
  );
  await sample.rows(
    `insert into tasks (project_id, column_id, title, parent_id) select $1, c.id, 'Sharpen them', t.id
     from tasks t join workflow_columns c on c.project_id = t.project_id and c.kind = 'done' where t.project_id = $1 and t.number = 2 returning id`,
  );
  await openTimeline();
  const grid = page.getByRole('treegrid', { name: t('timeline.label') });
  expect(await grid.getByRole('rowheader').allInnerTexts()).toEqual([
    expect.stringMatching(/HAR-1\s+Survey the pier/),
    expect.stringMatching(/HAR-2\s+Drive the piles/),
    expect.stringMatching(/HAR-3\s+Lay the deck/),
    expect.stringMatching(/HAR-4\s+Ring the bell/),
  ]);
  await grid.getByRole('link', { name: barOf(2, 'Drive the piles', '13 May 2030', '17 May 2030') }).waitFor();
  const [first, second] = [await boxOf(bar('Survey the pier')), await boxOf(bar('Drive the piles'))];
  // A week from begin to begin, five days long each.
  expect((second.x - first.x) / (second.width + 2)).toBeCloseTo(7 / 5, 1);
  // Friday and Monday are alike, and so are the days between, which are shaded.
  const day = (first.width + 2) / 5;
  const below = (await boxOf(grid)).y + (await boxOf(grid)).height - 20;
  const [friday, saturday, sunday, monday] = await coloursAt(
    [4.5, 5.5, 6.5, 7.5].map((days) => first.x - 1 + days * day),
    below,
  );
  expect([friday === monday, saturday === sunday, friday === saturday]).toEqual([true, true, false]);
  // A step of two and a subtask of one are done: two of three, in words and on the bar.
  await grid
    .getByRole('link', { name: new RegExp(`^HAR-2 .* ${inside('timeline.progress', { done: 2, all: 3 })}$`) })
    .waitFor();
  const filled = await bar('Drive the piles').evaluate((one) => {
    const done = one.firstElementChild?.firstElementChild?.getBoundingClientRect().width ?? 0;
    return done / one.getBoundingClientRect().width;
  });
  expect(filled).toBeCloseTo(2 / 3, 1);
  await sample.rows('delete from task_checklist_items where project_id = $1 returning id');
  await sample.rows('delete from tasks where project_id = $1 and parent_id is not null returning id');
  expect(await offences(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await offences(page, 'colours')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });

  await page.getByRole('button', { name: t('timeline.zooms.quarter') }).click();
  await page.getByText('Q2 2030').waitFor();
  await page.keyboard.press('=');
  await page.getByRole('button', { name: t('timeline.zooms.month'), pressed: true }).waitFor();
  await chooseDisplay(page, t('list.group'), t('property.column'));
  const group = page.getByRole('button', { name: 'To do 4' });
  await group.click();
  await expect.poll(() => bar('Survey the pier').count()).toBe(0);
  await page.reload();
  await group.waitFor();
  await bar('Survey the pier').waitFor();
  // A line marks today, below its day.
  await page.keyboard.press('t');
  const today = page.locator('[data-scale] [data-today]');
  await today.waitFor();
  const [above, line] = [await boxOf(today), await boxOf(page.locator('[data-today-line]'))];
  expect(line.x).toBeGreaterThanOrEqual(above.x);
  expect(line.x + line.width).toBeLessThanOrEqual(above.x + above.width + 1);
});

test('a bar is dragged to other days, drawn out at both ends, undone, and let be by Escape', async () => {
  await openTimeline();
  const box = await boxOf(bar('Drive the piles'));
  const day = (box.width + 2) / 5;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await drag(middle, { x: middle.x + 3 * day, y: middle.y });
  await dates(2, '2030-05-16', '2030-05-20');
  await page.keyboard.press('Control+z');
  await dates(2, '2030-05-13', '2030-05-17');
  await drag({ x: box.x + box.width - 2, y: middle.y }, { x: box.x + box.width + 2 * day - 2, y: middle.y });
  await dates(2, '2030-05-13', '2030-05-19');
  await drag({ x: box.x + 2, y: middle.y }, { x: box.x + 2 - day, y: middle.y });
  await dates(2, '2030-05-12', '2030-05-19');

  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + 4 * day, middle.y, { steps: 3 });
  await page.locator('[data-held-days]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-held-days]').waitFor({ state: 'detached' });
  await page.mouse.up();
  await dates(2, '2030-05-12', '2030-05-19');
  expect(new URL(page.url()).pathname).toMatch(/\/timeline$/);
  await bar('Drive the piles').click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) }).waitFor();
  expect(page.url()).toContain('/timeline/2?day=2030-05-13');
});

test('titles are as wide as one draws them, by mouse and by keys, and the view keeps it', async () => {
  await openTimeline();
  const edge = page.getByRole('separator', { name: t('timeline.side') });
  const width = async () => (await boxOf(page.getByRole('rowheader').first())).width;
  const [before, box] = [await width(), await boxOf(edge)];
  await page.mouse.move(box.x + box.width / 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 64, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(before + 64);
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(width).toBe(before + 48);
  await page.reload();
  await bar('Survey the pier').waitFor();
  await expect.poll(width).toBe(before + 48);
});

test('arrows walk the bars; with Alt a task goes along, with Shift it becomes longer', async () => {
  await openTimeline();
  await bar('Survey the pier').focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(focusedName).toMatch(/^HAR-2 Drive the piles/);
  await page.keyboard.press('Alt+ArrowRight');
  await dates(2, '2030-05-14', '2030-05-18');
  await expect.poll(focusedName).toMatch(barOf(2, 'Drive the piles', '14 May 2030', '18 May 2030'));
  await page.keyboard.press('Alt+ArrowDown');
  await dates(2, '2030-05-21', '2030-05-25');
  await page.keyboard.press('Shift+ArrowRight');
  await dates(2, '2030-05-21', '2030-05-26');
  await page.keyboard.press('Alt+Shift+ArrowLeft');
  await dates(2, '2030-05-20', '2030-05-26');
  // No further than its last day.
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await dates(2, '2030-05-26', '2030-05-26');
  await expect.poll(focusedName).toMatch(barOf(2, 'Drive the piles', '26 May 2030'));
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await dates(2, '2030-05-19', '2030-05-26');
  await expect.poll(focusedName).toMatch(barOf(2, 'Drive the piles', '19 May 2030', '26 May 2030'));
  await page.keyboard.press('End');
  await expect.poll(focusedName).toMatch(/^HAR-4 Ring the bell/);
});

test('a task without a day is dragged in from the unscheduled tasks, and what others plan arrives by itself', async () => {
  await openTimeline();
  await whenLive(page);
  await page.getByRole('button', { name: t('planning.unscheduledButton', { count: '1' }) }).click();
  const unscheduled = page.getByRole('region', { name: t('planning.unscheduledTasks') });
  const from = await boxOf(unscheduled.getByRole('link', { name: /Oil the winch/ }));
  const to = await boxOf(bar('Lay the deck'));
  await page.mouse.move(from.x + 40, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + 60, { steps: 5 });
  await page.mouse.up();
  await dates(5, null, '2030-05-22');
  await unscheduled.getByText(t('planning.nothingUnscheduled')).waitFor();

  const bob = await site.visit();
  await sample.join((await bob.settle('Bob')).email, 'viewer');
  await openTimeline('?day=2030-05-13', bob.page);
  await whenLive(bob.page);
  await bar('Survey the pier', bob.page).focus();
  await bob.page.keyboard.press('Alt+ArrowRight');
  await bar('Survey the pier').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await bob.page.getByRole('link', { name: barOf(1, 'Survey the pier', '13 May 2030', '17 May 2030') }).waitFor();
  await dates(1, '2030-05-13', '2030-05-17');

  // Once he may, both plan at the same time: each sees what the other does, and what the other has in the hand.
  await sample.rows(
    "update project_members set role = 'editor' where project_id = $1 and role = 'viewer' returning role",
  );
  await bob.page.getByRole('button', { name: t('timeline.along') }).waitFor();
  await bar('Drive the piles', bob.page).focus();
  await bob.page.keyboard.press('Alt+ArrowRight');
  await bar('Survey the pier').focus();
  await page.keyboard.press('Shift+ArrowRight');
  for (const one of [page, bob.page]) {
    await one.getByRole('link', { name: barOf(1, 'Survey the pier', '13 May 2030', '18 May 2030') }).waitFor();
    await one.getByRole('link', { name: barOf(2, 'Drive the piles', '14 May 2030', '18 May 2030') }).waitFor();
  }
  const held = await boxOf(bar('Drive the piles'));
  await page.mouse.move(held.x + 30, held.y + 10);
  await page.mouse.down();
  await page.mouse.move(held.x + 60, held.y + 10, { steps: 3 });
  await page.locator('[data-held-days]').waitFor();
  await bob.page.locator('[data-timeline] a[data-others="Ada Lovelace"]', { hasText: 'Drive the piles' }).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await bob.page.locator('[data-timeline] a[data-others]').waitFor({ state: 'detached' });
  expect(bob.troubles).toEqual([]);
  await bob.close();
});

const links = (expected: readonly (readonly [number, number, number])[]) =>
  sample.expectRows(
    `select p.number as before, s.number as after, d.lag_days as lag from task_dependencies d
     join tasks p on p.id = d.predecessor_id join tasks s on s.id = d.successor_id where d.project_id = $1 order by 1, 2`,
    expected.map(([before, after, lag]) => ({ before, after, lag })),
  );
const link = (before: number, after: number) =>
  sample.rows(
    `insert into task_dependencies (project_id, predecessor_id, successor_id) select $1, p.id, s.id from tasks p, tasks s
     where p.project_id = $1 and s.project_id = $1 and p.number = ${before} and s.number = ${after} returning id`,
  );

test('a dependency is drawn from bar to bar; a lag that is not kept is red, and said in words', async () => {
  await openTimeline();
  await bar('Survey the pier').hover();
  const from = await boxOf(bar('Survey the pier').locator('[data-link-end="end"]'));
  const to = await boxOf(bar('Drive the piles'));
  await page.mouse.move(from.x + 7, from.y + 7);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 10, { steps: 4 });
  await page.locator('[data-drawing]').waitFor();
  await page.mouse.up();
  await links([[1, 2, 0]]);
  await page.locator('[data-arrow]').waitFor();
  expect(await page.locator('[data-arrow][data-early]').count()).toBe(0);

  await bar('Drive the piles').focus();
  await page.keyboard.press('b');
  const panel = page.getByRole('dialog', { name: t('timeline.linksOf', { key: 'HAR-2' }) });
  await panel.getByLabel(t('plan.lag.label', { key: 'HAR-1' })).fill('4');
  await page.keyboard.press('Enter');
  await links([[1, 2, 4]]);
  await panel.getByText(t('timeline.early', { days: 2, key: 'HAR-1' })).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect
    .poll(focusedName)
    .toMatch(new RegExp(`^HAR-2 .* ${inside('timeline.early', { days: 2, key: 'HAR-1' })}$`));
  await page.locator('[data-arrow][data-early]').waitFor();
  await page.getByRole('button', { name: t('timeline.earlyCount', { n: 1 }) }).click();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await page.locator('[data-arrow][data-early]').waitFor({ state: 'detached' });

  await page.keyboard.press('b');
  await panel.getByRole('button', { name: t('task.removeLink', { key: 'HAR-1' }) }).click();
  await links([]);
  await page.keyboard.press('Escape');
});

test('dependent tasks move along in one step: by the switch, or when asked for afterwards', async () => {
  await link(1, 2);
  await link(2, 3);
  await openTimeline();
  // What this device remembers is shown first, and knows of no dependencies.
  await page.locator('[data-arrow]').nth(1).waitFor();
  await bar('Survey the pier').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.getByText(t('timeline.waitFor', { n: 2, key: 'HAR-1' })).waitFor();
  await page.getByRole('button', { name: t('timeline.moveThem') }).click();
  await dates(1, '2030-05-07', '2030-05-11');
  await dates(2, '2030-05-14', '2030-05-18');
  await dates(3, null, '2030-05-23');
  await page.keyboard.press('Control+z');
  await dates(3, null, '2030-05-22');
  await dates(2, '2030-05-13', '2030-05-17');

  await page.getByRole('button', { name: t('timeline.along') }).click();
  await bar('Survey the pier').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await dates(1, '2030-05-14', '2030-05-18');
  await dates(2, '2030-05-20', '2030-05-24');
  await dates(3, null, '2030-05-29');
  await page.keyboard.press('Control+z');
  await dates(1, '2030-05-07', '2030-05-11');
  await dates(2, '2030-05-13', '2030-05-17');
  await dates(3, null, '2030-05-22');
});

test('the critical path is marked, and how much of a task is done', async () => {
  await link(1, 2);
  await link(2, 4);
  await plan(2, '2030-05-11', '2030-05-23');
  await sample.rows(
    `insert into task_checklist_items (project_id, task_id, title, is_done, position) select $1, t.id, n::text, n = 1, n
     from tasks t, generate_series(1, 4) n where t.project_id = $1 and t.number = 2 returning id`,
  );
  await openTimeline();
  await page.getByRole('button', { name: t('timeline.critical') }).click();
  await expect
    .poll(() => page.locator('a[data-critical]').evaluateAll((bars) => bars.map((one) => one.getAttribute('href'))))
    .toEqual([1, 2, 4].map((number) => expect.stringContaining(`/timeline/${number}?`)));
  await page
    .getByRole('link', {
      name: new RegExp(
        `^HAR-2 .* ${inside('timeline.progress', { done: 1, all: 4 })} ${inside('timeline.isCritical')}$`,
      ),
    })
    .waitFor();
});

test('the timeline opens at the tasks around its day, however many came before', async () => {
  await sample.rows(
    `insert into tasks (project_id, column_id, title, due_date) select project_id, column_id, 'Old knot ' || n, '2027-01-01'::date + n
     from tasks, generate_series(1, 80) n where project_id = $1 and number = 1 returning id`,
  );
  await openTimeline();
  await page.locator('[role="treegrid"][aria-rowcount="85"]').waitFor();
  await expect
    .poll(async () => {
      const box = await bar('Drive the piles')
        .boundingBox({ timeout: 1000 })
        .catch(() => null);
      return box !== null && box.x > 560 && box.y > 200 && box.y < 880;
    })
    .toBe(true);
  await sample.rows("delete from tasks where project_id = $1 and title like 'Old knot %' returning id");
});

test('finished tasks are folded below a head, and what leaves the chart leaves its focus to the next', async () => {
  const put = (number: number, column = 'Done') =>
    sample.rows(
      `update tasks t set column_id = (select id from workflow_columns where project_id = $1 and name = '${column}')
       where t.project_id = $1 and number = ${number} returning id`,
    );
  await put(1);
  await openTimeline();
  const head = page.locator('[data-timeline] [data-group]', { hasText: t('timeline.finished') });
  expect(await head.getAttribute('aria-expanded')).toBe('false');
  expect(await bar('Survey the pier').count()).toBe(0);
  await head.focus();
  await page.keyboard.press('ArrowRight');
  await bar('Survey the pier').waitFor();
  await page.keyboard.press('ArrowDown');
  await expect.poll(focusedName).toContain('Survey the pier');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await bar('Survey the pier').waitFor({ state: 'detached' });
  await bar('Drive the piles').focus();
  await whenLive(page);
  await put(2);
  await expect.poll(focusedName).toContain('Lay the deck');
  await chooseDisplay(page, t('list.group'), t('property.column'));
  await page.locator('[data-group][aria-expanded="false"]', { hasText: 'Done' }).waitFor();
  expect(await page.locator('[data-group]', { hasText: t('timeline.finished') }).count()).toBe(0);
  await put(1, 'To do');
  await put(2, 'To do');
  await page.locator('[data-group]', { hasText: 'Done' }).waitFor({ state: 'detached' });
});

test('a line tells at which edge its bar lies out of sight, and leads there', async () => {
  await plan(4, '2030-12-02', '2030-12-06');
  await openTimeline();
  const markOf = (title: string) => page.locator('[data-row]', { hasText: title }).locator('[data-mark]');
  await expect.poll(() => markOf('Ring the bell').isVisible()).toBe(true);
  expect(await markOf('Survey the pier').isVisible()).toBe(false);
  const frame = await boxOf(page.locator('[data-timeline]'));
  const after = await boxOf(markOf('Ring the bell'));
  expect(after.x + after.width).toBeGreaterThan(frame.x + frame.width - 40);
  await markOf('Ring the bell').click();
  await expect.poll(() => markOf('Survey the pier').isVisible()).toBe(true);
  expect(await markOf('Ring the bell').isVisible()).toBe(false);
  const days = await boxOf(page.locator('[data-row]', { hasText: 'Survey the pier' }).getByRole('gridcell').first());
  const before = await boxOf(markOf('Survey the pier'));
  expect(before.x - (days.x + days.width)).toBeLessThan(20);
  await markOf('Survey the pier').click();
  await bar('Survey the pier').waitFor();
  await expect.poll(() => markOf('Survey the pier').isVisible()).toBe(false);
});

test('on a phone a finger scrolls, and takes a bar along after it has rested on it', async () => {
  const visitor = await site.visit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  });
  const phone = visitor.page;
  await openTimeline('?day=2030-05-13&zoom=week', phone);
  expect(await offences(phone)).toEqual([]);
  const box = await boxOf(bar('Drive the piles', phone));
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const cdp = await phone.context().newCDPSession(phone);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await send('touchStart', from);
  await phone.locator('[data-timeline][data-holding]').waitFor();
  await send('touchMove', { x: from.x + 10, y: from.y });
  await send('touchMove', { x: from.x + (2 * (box.width + 2)) / 5, y: from.y });
  await phone.locator('[data-held-days]').waitFor();
  await send('touchEnd');
  await dates(2, '2030-05-15', '2030-05-19');

  // It rests and goes away again: the ends are there, and an arrow is drawn out of one.
  const piles = bar('Drive the piles', phone);
  expect(await piles.locator('[data-link-end="end"]').isVisible()).toBe(false);
  const moved = await boxOf(piles);
  const rested = { x: moved.x + moved.width / 2, y: moved.y + moved.height / 2 };
  await send('touchStart', rested);
  await phone.locator('[data-timeline][data-holding]').waitFor();
  await send('touchEnd');
  const end = await boxOf(piles.locator('[data-link-end="end"]'));
  const other = await boxOf(bar('Lay the deck', phone));
  await send('touchStart', { x: end.x + end.width / 2, y: end.y + end.height / 2 });
  await send('touchMove', { x: end.x + 30, y: end.y + 20 });
  await send('touchMove', { x: end.x + 40, y: other.y + other.height / 2 });
  await phone.locator('[data-drawing]').waitFor();
  await phone.locator('[data-aimed="yes"]').waitFor();
  await send('touchEnd');
  await links([[2, 3, 0]]);
  await phone.locator('[data-arrow]').waitFor();
  expect(await piles.locator('[data-link-end="end"]').isVisible()).toBe(false);
  expect(new URL(phone.url()).pathname).toMatch(/\/timeline$/);

  // An end, drawn out; and on something wider the edge of the titles.
  const lengthened = await boxOf(piles);
  const last = { x: lengthened.x + lengthened.width - 3, y: lengthened.y + lengthened.height / 2 };
  await send('touchStart', last);
  await phone.locator('[data-timeline][data-holding]').waitFor();
  await send('touchMove', { x: last.x + 10, y: last.y });
  await send('touchMove', { x: last.x + (lengthened.width + 2) / 5, y: last.y });
  await phone.locator('[data-held-days]').waitFor();
  await send('touchEnd');
  await dates(2, '2030-05-15', '2030-05-20');
  await phone.setViewportSize({ width: 1024, height: 768 });
  const edge = phone.getByRole('separator', { name: t('timeline.side') });
  const width = Number(await edge.getAttribute('aria-valuenow'));
  const grip = await boxOf(edge);
  await send('touchStart', { x: grip.x + grip.width / 2, y: grip.y + 20 });
  await send('touchMove', { x: grip.x + grip.width / 2 + 20, y: grip.y + 20 });
  await send('touchMove', { x: grip.x + grip.width / 2 + 48, y: grip.y + 20 });
  await send('touchEnd');
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe(String(width + 48));
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});
