// Table and dashboard on touch screens: selecting, editing, typing, picking and ticking cells; scrolling; reading charts as tables.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { openSampleProject, type SampleProject, type Visitor } from './pages.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let phone: Visitor;
let page: Page;
let fields: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  sample = await openSampleProject();
  const wanted: readonly Record<string, unknown>[] = [
    { name: 'Price', kind: 'number' },
    {
      name: 'Size',
      kind: 'select',
      options: [
        { id: 's', name: 'Small' },
        { id: 'l', name: 'Large' },
      ],
    },
    { name: 'Ordered', kind: 'date' },
    { name: 'Checked', kind: 'checkbox' },
  ];
  for (const field of wanted) {
    const row = { project_id: sample.projectId, ...field };
    const { data } = await sample.client.from('custom_fields').insert(row).select('id').single();
    fields = { ...fields, [String(field.name)]: `${field.kind}_field.${(data as { id: string }).id}` };
  }
  phone = await sample.site.visit({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await sample.ada.page.context().storageState(),
  });
  ({ page } = phone);
}, 120_000);
afterAll(async () => {
  const { troubles } = phone;
  await phone.close();
  await sample.site.close();
  expect(troubles).toEqual([]);
});

const cell = (task: string, column: string) =>
  page.locator('[data-row]', { hasText: task }).locator(`[data-col="${fields[column] ?? column}"]`);
const held = (name: string) =>
  `select t.number, v.value from task_field_values v join tasks t on t.id = v.task_id join custom_fields f on f.id = v.field_id
   where v.project_id = $1 and f.name = '${name}' order by t.number`;
async function openTable(...columns: readonly string[]): Promise<void> {
  const shown = JSON.stringify({ columns: columns.map((name) => fields[name] ?? name) });
  await page.goto(`/app/projects/${sample.projectId}/list?group=none&shown=${encodeURIComponent(shown)}`);
  await page.locator('[data-row-link]').first().waitFor();
}
/** The first press is for the cursor alone. */
async function press(task: string, column: string): Promise<void> {
  await cell(task, column).tap();
  await expect.poll(() => cell(task, column).getAttribute('data-cursor')).toBe('true');
  await cell(task, column).tap();
}

test('a number is typed, a choice and a day are picked, a box is ticked, each with two presses', async () => {
  await openTable('title', 'Price', 'Size', 'Ordered', 'Checked');
  await cell('Paint the crane', 'Price').tap();
  await expect.poll(() => cell('Paint the crane', 'Price').getAttribute('data-cursor')).toBe('true');
  expect(await page.getByRole('textbox', { name: t('table.cell', { column: 'Price', key: 'HAR-1' }) }).count()).toBe(0);
  await cell('Paint the crane', 'Price').tap();
  const field = page.getByRole('textbox', { name: t('table.cell', { column: 'Price', key: 'HAR-1' }) });
  expect(await field.evaluate((one) => [one === document.activeElement, (one as HTMLInputElement).inputMode])).toEqual([
    true,
    'decimal',
  ]);
  await page.keyboard.type('12.5');
  // What was typed is kept by going elsewhere.
  await cell('Count the ships', 'Price').tap();
  await sample.expectRows(held('Price'), [{ number: 1, value: 12.5 }]);

  await press('Count the ships', 'Size');
  await page.getByRole('option', { name: 'Large' }).tap();
  await sample.expectRows(held('Size'), [{ number: 2, value: 'l' }]);
  await press('Count the ships', 'Ordered');
  await page.getByRole('option', { name: saying('days.tomorrow') }).tap();
  await expect.poll(async () => (await sample.rows(held('Ordered'))).length).toBe(1);
  await press('Sweep the quay', 'Checked');
  await sample.expectRows(held('Checked'), [{ number: 3, value: true }]);
  expect(await offences(page)).toEqual([]);
});

test('every row is as high as a finger needs, and the title stays while the table is drawn aside', async () => {
  await openTable('title', 'priority', 'column', 'Price', 'Size', 'Ordered', 'Checked');
  const low = await page.locator('[data-row]').evaluateAll((rows) =>
    rows.flatMap((one) => {
      const { height } = one.getBoundingClientRect();
      return height < 43.5 ? [`${one.textContent} is ${height} high`] : [];
    }),
  );
  expect(low).toEqual([]);
  const title = cell('Paint the crane', 'title');
  const before = await title.boundingBox();
  await title.evaluate((one) => one.closest('[role="grid"]')?.parentElement?.scrollBy(400, 0));
  await cell('Paint the crane', 'Checked').waitFor();
  await expect
    .poll(async () => Math.round((await title.boundingBox())?.x ?? -1))
    .toBeLessThanOrEqual(Math.round(before?.x ?? 0));
  expect((await title.boundingBox())?.x).toBeGreaterThanOrEqual(0);
  await press('Paint the crane', 'Checked');
  await sample.expectRows(held('Checked').replace('order by', `and t.number = 1 order by`), [
    { number: 1, value: true },
  ]);
  // What stands in a cell to be pressed opens at once.
  await title.evaluate((one) => one.closest('[role="grid"]')?.parentElement?.scrollTo(0, 0));
  await cell('Sweep the quay', 'priority').getByRole('button').tap();
  await page.getByRole('option', { name: t('common.priorities.p0') }).tap();
  await sample.expectRows('select priority from tasks where project_id = $1 and number = 3', [{ priority: 'p0' }]);
});

test('columns are chosen, drawn wider and put into order by finger', async () => {
  await openTable('number', 'title');
  const cdp = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  const head = page.locator('[data-head="number"]');
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
  const [before, edge] = [await width(), await head.locator('[data-edge]').boundingBox()];
  if (edge === null) throw new Error('no edge');
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await send('touchStart', x, y);
  await send('touchMove', x + 20, y);
  await send('touchMove', x + 40, y);
  await send('touchEnd');
  await expect.poll(width).toBe(before + 40);

  // Of a finger that is there some hundredths of a second after another one the browser at times makes no click; nobody's is so quick.
  const columns = page.getByRole('button', { name: t('board.display') });
  const isOpen = () =>
    columns.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
  for (let times = 0; times < 5; times++) {
    await page.getByRole('button', { name: t('board.filters.label'), exact: true }).tap();
    if (await isOpen()) break;
  }
  await columns.tap();
  await page.getByRole('checkbox', { name: 'Price' }).tap();
  await expect.poll(() => page.locator('[data-head]').count()).toBe(3);
  const handle = page.getByRole('button', { name: t('table.move', { column: 'Price' }) });
  await handle.scrollIntoViewIfNeeded();
  const grip = await handle.boundingBox();
  const first = await page
    .getByRole('button', { name: t('table.move', { column: t('table.columns.number') }) })
    .boundingBox();
  if (grip === null || first === null) throw new Error('no grip');
  const from = [grip.x + grip.width / 2, grip.y + grip.height / 2] as const;
  await send('touchStart', ...from);
  await page.getByText(saying('common.sorting.picked', { name: 'Price' })).waitFor({ state: 'attached' });
  await send('touchMove', from[0], from[1] - 12);
  await send('touchMove', from[0], first.y + 4);
  await page.getByText(saying('common.sorting.over', { name: 'Price', place: 1 })).waitFor({ state: 'attached' });
  await send('touchEnd');
  await expect
    .poll(() =>
      page.locator('[data-head]').evaluateAll((heads) => heads.map((one) => (one as HTMLElement).dataset.head)),
    )
    .toEqual([fields.Price, 'number', 'title']);
});

test('the charts of the dashboard are tables by a press, and a filter narrows them', async () => {
  await page.goto(`/app/projects/${sample.projectId}/dashboard`);
  const chart = page
    .locator('main section')
    .filter({ has: page.getByRole('heading', { name: t('dashboard.byPriority') }) });
  await chart.scrollIntoViewIfNeeded();
  await chart.getByRole('button').first().tap();
  await chart.getByRole('table').waitFor();
  await chart.getByRole('button').first().tap();
  await chart.getByRole('table').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: t('board.filters.label'), exact: true }).tap();
  await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('crane');
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('text.contains.crane');
  await page.keyboard.press('Escape');
  const open = page
    .getByRole('region', { name: t('dashboard.figures.label') })
    .locator('dl > div')
    .filter({ hasText: saying('dashboard.figures.open') });
  await expect.poll(() => open.innerText()).toMatch(/1/);
  expect(await offences(page)).toEqual([]);
});
