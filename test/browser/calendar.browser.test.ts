// The calendar of a project: tasks on their days, moved and drawn out by mouse, finger and keys, taken from the unscheduled tasks, made on a day;
// what others do arrives by itself.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { openHarbour, type SampleProject, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site, ['Paint the crane', 'Count the ships', 'Sweep the quay', 'Oil the winch']);
  ({ page } = sample.ada);
  // A span over the end of a week, one day, and a start without an end; the fourth has no day.
  await plan(1, '2030-05-10', '2030-05-14');
  await plan(2, null, '2030-05-15');
  await plan(3, '2030-05-15', null);
  return [sample.ada];
});

const quote = (date: string | null) => (date === null ? 'null' : `'${date}'`);
const plan = (number: number, start: string | null, due: string | null) =>
  sample.rows(
    `update tasks set start_date = ${quote(start)}, due_date = ${quote(due)} where project_id = $1 and number = ${number} returning id`,
  );
const dates = (number: number, start: string | null, due: string | null) =>
  sample.expectRows(`select start_date::text, due_date::text from tasks where project_id = $1 and number = ${number}`, [
    { start_date: start, due_date: due },
  ]);
async function openCalendar(search = '?day=2030-05-15', at = page): Promise<void> {
  await at.goto(`/app/projects/${sample.projectId}/calendar${search}`);
  await at.locator('[data-calendar] [data-task-id]').first().waitFor();
}
const day = (date: string) => page.locator(`[data-day="${date}"]`);
const bar = (title: string, at = page) => at.locator('[data-calendar] [data-task-id]', { hasText: title });
/** The name of a day, and of the task that the arrows move. */
const dayWith = (day: RegExp, n: number) => saying('calendar.day', { day, n });
const counting = (days: string | RegExp) => saying('planning.task', { key: 'HAR-2', title: 'Count the ships', days });
const focusedName = () => page.evaluate(() => document.activeElement?.querySelector('.only-spoken')?.textContent);

async function middleOf(what: Locator): Promise<{ x: number; y: number }> {
  const box = await what.boundingBox();
  if (box === null) throw new Error('it is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 4);
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.locator('[data-ghost]').first().waitFor();
  await page.mouse.up();
}

test('a month shows tasks over their days, each week anew, and nothing axe would object to', async () => {
  await openCalendar();
  const grid = page.getByRole('grid', { name: 'May 2030' });
  expect(await grid.getByRole('columnheader').allInnerTexts()).toEqual([
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
  ]);
  await page.getByRole('heading', { name: 'May 2030', level: 2 }).waitFor();
  expect(await page.locator(':is(h1, h2, h3, h4, h5, h6)[role]').count()).toBe(0);
  await expect.poll(() => bar('Paint the crane').count()).toBe(2);
  await grid.getByRole('gridcell', { name: dayWith(/Wednesday,? 15 May 2030/, 2) }).waitFor();
  await page.getByRole('link', { name: 'HAR-1 Paint the crane, 10 May 2030 to 14 May 2030, To do' }).first().waitFor();
  const [friday, saturday] = [await day('2030-05-10').boundingBox(), await day('2030-05-12').boundingBox()];
  const first = await bar('Paint the crane').first().boundingBox();
  expect(first?.x).toBeGreaterThanOrEqual(friday?.x ?? 0);
  expect((first?.x ?? 0) + (first?.width ?? 0)).toBeGreaterThan((saturday?.x ?? 0) + 20);
  expect(await offences(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await offences(page, 'colours')).toEqual([]);
  await page.getByRole('button', { name: t('days.nextMonth') }).click();
  await page.getByRole('grid', { name: 'June 2030' }).waitFor();
  await page.reload();
  await page.getByRole('grid', { name: 'June 2030' }).waitFor();
});

test('a task is dragged to another day, drawn out at its end, undone, and let be by Escape', async () => {
  await openCalendar();
  await drag(await middleOf(bar('Count the ships')), await middleOf(day('2030-05-22')));
  await dates(2, null, '2030-05-22');
  await page.keyboard.press('Control+z');
  await dates(2, null, '2030-05-15');

  const box = await bar('Count the ships').boundingBox();
  if (box === null) throw new Error('the bar is gone');
  await drag({ x: box.x + box.width - 2, y: box.y + 8 }, await middleOf(day('2030-05-17')));
  await dates(2, '2030-05-15', '2030-05-17');
  const begin = await bar('Count the ships').boundingBox();
  if (begin === null) throw new Error('the bar is gone');
  await drag({ x: begin.x + 1, y: begin.y + 8 }, await middleOf(day('2030-05-13')));
  await dates(2, '2030-05-13', '2030-05-17');

  const held = await middleOf(bar('Sweep the quay'));
  await page.mouse.move(held.x, held.y);
  await page.mouse.down();
  const aim = await middleOf(day('2030-05-24'));
  await page.mouse.move(aim.x, aim.y, { steps: 4 });
  await page.locator('[data-ghost]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-ghost]').waitFor({ state: 'detached' });
  await page.mouse.up();
  await dates(3, '2030-05-15', null);
  // None of it opened a task.
  expect(new URL(page.url()).pathname).toMatch(/\/calendar$/);
  await bar('Sweep the quay').click();
  await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-3' }) }).waitFor();
  expect(page.url()).toContain('/calendar/3?day=2030-05-15');

  // Within a week, too.
  await openCalendar('?day=2030-05-15&show=week');
  expect(await page.locator('[data-day]').count()).toBe(7);
  // It stands over the other one.
  await bar('Count the ships')
    .getByText(counting(t('planning.days', { from: '13 May 2030', to: '17 May 2030' })))
    .waitFor({ state: 'attached' });
  await drag(await middleOf(bar('Sweep the quay')), await middleOf(day('2030-05-17')));
  await dates(3, '2030-05-17', null);
  const lone = await bar('Sweep the quay').boundingBox();
  if (lone === null) throw new Error('the bar is gone');
  await drag({ x: lone.x + lone.width - 2, y: lone.y + 8 }, await middleOf(day('2030-05-19')));
  await dates(3, '2030-05-17', '2030-05-19');
});

test('arrows walk days and tasks; with Alt a task goes along, with Shift it becomes longer', async () => {
  await openCalendar();
  await day('2030-05-15').focus();
  for (const [key, name] of [
    ['ArrowRight', dayWith(/Thursday,? 16 May 2030/, 0)],
    ['ArrowLeft', dayWith(/Wednesday,? 15 May 2030/, 2)],
    ['ArrowDown', /^HAR-2 Count the ships/],
    ['ArrowDown', /^HAR-3 Sweep the quay/],
    ['ArrowDown', /22 May 2030/],
    ['ArrowUp', /^HAR-3 Sweep the quay/],
    ['ArrowUp', /^HAR-2 Count the ships/],
    ['Alt+ArrowRight', counting('16 May 2030')],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focusedName, { message: key }).toMatch(name);
  }
  await dates(2, null, '2030-05-16');
  await page.keyboard.press('Alt+ArrowDown');
  await dates(2, null, '2030-05-23');
  await expect.poll(focusedName).toMatch(counting('23 May 2030'));
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowLeft');
  await dates(2, '2030-05-23', '2030-05-24');
  await expect.poll(focusedName).toMatch(counting(t('planning.days', { from: '23 May 2030', to: '24 May 2030' })));
  await page.keyboard.press('Alt+Shift+ArrowUp');
  await dates(2, '2030-05-16', '2030-05-24');
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await dates(2, '2030-05-23', '2030-05-24');
  await expect.poll(focusedName).toMatch(counting(t('planning.days', { from: '23 May 2030', to: '24 May 2030' })));
  await page.keyboard.press('Alt+PageDown');
  await dates(2, '2030-06-23', '2030-06-24');
  await expect.poll(focusedName).toMatch(counting(/23 June? 2030 .* 24 June? 2030/));
  await page.keyboard.press('Alt+PageUp');
  await dates(2, '2030-05-23', '2030-05-24');
  await page.keyboard.press('PageDown');
  await expect.poll(focusedName).toMatch(/23 June 2030/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: saying('calendar.newOn', { day: /Sunday,? 23 June 2030/ }) }).waitFor();
  await page.keyboard.type('Ring the bell');
  await page.keyboard.press('Enter');
  await sample.expectRows("select due_date::text from tasks where project_id = $1 and title = 'Ring the bell'", [
    { due_date: '2030-06-23' },
  ]);
  await page.keyboard.press('Escape');
  await expect.poll(focusedName).toMatch(dayWith(/Sunday,? 23 June 2030/, 1));
  await page.keyboard.press('ArrowDown');
  await expect.poll(focusedName).toMatch(/^HAR-5 Ring the bell/);
});

test('a task without a day is dragged in from the unscheduled tasks and back; more than has room is one press away', async () => {
  await openCalendar();
  await page.getByRole('button', { name: t('planning.unscheduledButton', { count: '1' }) }).click();
  const unscheduled = page.getByRole('region', { name: t('planning.unscheduledTasks') });
  await drag(
    await middleOf(unscheduled.getByRole('link', { name: /Oil the winch/ })),
    await middleOf(day('2030-05-08')),
  );
  await dates(4, null, '2030-05-08');
  await unscheduled.getByText(t('planning.nothingUnscheduled')).waitFor();
  const there = await middleOf(bar('Oil the winch'));
  await page.mouse.move(there.x, there.y);
  await page.mouse.down();
  const back = await middleOf(unscheduled);
  await page.mouse.move(back.x, back.y, { steps: 5 });
  await page.mouse.up();
  await dates(4, null, null);
  // By its key.
  await unscheduled.getByRole('link', { name: /Oil the winch/ }).focus();
  await page.keyboard.press('d');
  await page.locator('[role="dialog"] input:focus').waitFor();
  await page.keyboard.type('9 may 2030');
  await page.keyboard.press('Enter');
  await dates(4, null, '2030-05-09');
  await unscheduled.getByText(t('planning.nothingUnscheduled')).waitFor();

  await sample.rows(
    `insert into tasks (project_id, column_id, title, due_date) select project_id, column_id, 'Knot ' || n, '2030-05-29'
     from tasks, generate_series(1, 12) n where project_id = $1 and number = 1 returning id`,
  );
  await page.reload();
  const more = day('2030-05-29').getByRole('button', {
    name: saying('calendar.moreOn', { day: /Wednesday,? 29 May 2030/ }),
  });
  await more.click();
  const list = page.getByRole('dialog', { name: /29 May 2030/ });
  await expect.poll(() => list.getByRole('link').count()).toBe(12);
  expect(await offences(page)).toEqual([]);
  await list.getByRole('link', { name: /Knot 12/ }).click();
  await page.getByRole('complementary', { name: saying('task.panel') }).waitFor();
});

test('others’ plans appear live, filters narrow the calendar, and a viewer cannot move a task', async () => {
  await openCalendar();
  await whenLive(page);
  await plan(2, null, '2030-05-27');
  await expect.poll(() => day('2030-05-27').locator('[data-task-id]').count()).toBe(1);
  await page.getByRole('searchbox').fill('crane');
  await expect.poll(() => bar('Count the ships').count()).toBe(0);

  const bob = await sample.site.visit();
  await sample.join((await bob.settle('Bob')).email, 'viewer');
  await openCalendar('?day=2030-05-15&show=week', bob.page);
  await bar('Sweep the quay', bob.page).focus();
  await bob.page.keyboard.press('Alt+ArrowRight');
  await bob.page.keyboard.press('Enter');
  await bob.page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-3' }) }).waitFor();
  await dates(3, '2030-05-15', null);
  await bob.close();
});

test('on a phone it is an agenda, and a month in which a finger that rests takes a task along', async () => {
  const visitor = await sample.site.visit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  });
  const phone = visitor.page;
  await openCalendar('?day=2030-05-15', phone);
  await phone.getByRole('heading', { name: /^Friday,? 10 May 2030/ }).waitFor();
  expect(await offences(phone)).toEqual([]);
  await phone.getByRole('button', { name: t('calendar.shows.month'), exact: true }).click();
  const cell = (date: string) => phone.locator(`[data-day="${date}"]`);
  await cell('2030-05-15').waitFor();
  const [from, to] = [await middleOf(bar('Count the ships', phone)), await middleOf(cell('2030-05-23'))];
  const cdp = await phone.context().newCDPSession(phone);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await send('touchStart', from);
  await phone.locator('[data-calendar][data-holding]').waitFor();
  await send('touchMove', { x: from.x, y: from.y + 10 });
  await send('touchMove', to);
  await phone.locator('[data-ghost]').waitFor();
  await send('touchEnd');
  await dates(2, null, '2030-05-23');
  // Its last edge, drawn out.
  const box = await bar('Count the ships', phone).boundingBox();
  if (box === null) throw new Error('the bar is gone');
  await send('touchStart', { x: box.x + box.width - 4, y: box.y + box.height / 2 });
  await phone.locator('[data-calendar][data-holding]').waitFor();
  await send('touchMove', { x: box.x + box.width + 12, y: box.y + box.height / 2 });
  await send('touchMove', await middleOf(cell('2030-05-25')));
  await phone.locator('[data-ghost]').waitFor();
  await send('touchEnd');
  await dates(2, '2030-05-23', '2030-05-25');
  // Out of the unscheduled tasks, onto a day.
  const unscheduled = phone.getByRole('button', { name: t('planning.unscheduledButton', { count: '1' }) });
  await unscheduled.tap();
  const waiting = await middleOf(phone.getByRole('region', { name: t('planning.unscheduledTasks') }).getByRole('link'));
  await send('touchStart', waiting);
  await phone.locator('[data-calendar][data-holding]').waitFor();
  await send('touchMove', { x: waiting.x, y: waiting.y - 12 });
  await send('touchMove', await middleOf(cell('2030-05-08')));
  await phone.locator('[data-ghost]').waitFor();
  await send('touchEnd');
  await dates(4, null, '2030-05-08');
  await phone.getByRole('button', { name: t('planning.hideUnscheduled') }).tap();
  // It rests on an arrow: the page turns, and the task is put down in another month.
  const [again, next] = [
    await middleOf(bar('Count the ships', phone)),
    await middleOf(phone.getByRole('button', { name: t('days.nextMonth') })),
  ];
  await send('touchStart', again);
  await phone.locator('[data-calendar][data-holding]').waitFor();
  await send('touchMove', { x: again.x, y: again.y + 10 });
  await send('touchMove', next);
  await cell('2030-06-25').waitFor();
  await send('touchMove', { x: next.x, y: next.y + 60 });
  await send('touchMove', await middleOf(cell('2030-06-12')));
  await phone.locator('[data-ghost]').waitFor();
  await send('touchEnd');
  await sample.expectRows(
    "select to_char(due_date, 'FMMonth') as month from tasks where project_id = $1 and number = 2 and due_date > '2030-06-01'",
    [{ month: 'June' }],
  );
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

test('in America weeks begin on Sunday', async () => {
  const visitor = await sample.site.visit({ locale: 'en-US', storageState: await page.context().storageState() });
  await openCalendar('?day=2030-05-15', visitor.page);
  expect(await visitor.page.getByRole('columnheader').first().innerText()).toBe('Sun');
  await visitor.close();
});

test('beside the calendar and the timeline the panel leads from task to task by their days', async () => {
  await plan(1, null, '2030-05-20');
  await plan(2, null, '2030-05-15');
  await plan(3, null, '2030-05-16');
  await plan(4, null, null);
  const number = (shown: number) => page.getByRole('complementary', { name: t('task.panel', { key: `HAR-${shown}` }) });
  for (const view of ['calendar?day=2030-05-15', 'timeline']) {
    const [layout, search] = view.split('?');
    await page.goto(`/app/projects/${sample.projectId}/${layout}/2${search === undefined ? '' : `?${search}`}`);
    const shownBars = page.locator(`[data-${layout}]`);
    for (const name of ['Paint the crane, 20 May', 'Count the ships, 15 May', 'Sweep the quay, 16 May'])
      await shownBars
        .getByRole('link', { name: new RegExp(name) })
        .first()
        .waitFor();
    await page
      .getByRole('button', { name: t('planning.unscheduledButton', { count: '1' }) })
      .first()
      .waitFor();
    await number(2).focus();
    for (const [key, shown] of [
      ['j', 3],
      ['j', 1],
      ['j', 4],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      await number(shown).waitFor();
    }
  }
});
