// List as a table: choosing, moving and resizing columns, walking and editing cells by keys, copy and paste with a spreadsheet, sums.

import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { makeHarbour, news, openDisplay, type SampleProject, startSite, whenLive } from './pages.ts';
import { t } from './words.ts';

let sample: SampleProject;
let fields: Readonly<Record<string, string>>;
const site = forSuite(startSite);
afterEach(async () => {
  const { troubles } = sample.ada;
  await sample.ada.close();
  expect(troubles).toEqual([]);
});
beforeEach(async () => {
  const ada = await site.visit();
  sample = await makeHarbour(site, ada, await ada.settle('Ada Lovelace'));
  const options = [
    { id: 's', name: 'Small', color: '#1b8a94' },
    { id: 'l', name: 'Large', color: '#cc4a3d' },
  ];
  const wanted: readonly Record<string, unknown>[] = [
    { name: 'Price', kind: 'number', unit: '€' },
    { name: 'Client', kind: 'text' },
    { name: 'Size', kind: 'select', options },
    { name: 'Ordered', kind: 'date' },
    { name: 'Checked', kind: 'checkbox' },
  ];
  fields = {};
  for (const field of wanted) {
    const { data } = await sample.client
      .from('custom_fields')
      .insert({ project_id: sample.projectId, ...field })
      .select('id')
      .single();
    fields = { ...fields, [String(field.name)]: `${field.kind}_field.${data?.id as string}` };
  }
});

const grid = (page: Page) => page.getByRole('grid', { name: t('common.taskList') });
const heads = (page: Page) => grid(page).getByRole('columnheader').allInnerTexts();
const cell = (page: Page, task: string, column: string) =>
  page.locator('[data-row]', { hasText: task }).locator(`[data-col="${fields[column] ?? column}"]`);
const cursor = (page: Page) =>
  page.evaluate(() => {
    const there = document.activeElement?.closest<HTMLElement>('[data-col]');
    return there ? `${there.closest<HTMLElement>('[data-row]')?.dataset.row} ${there.dataset.col}` : null;
  });

async function openTable(page: Page, columns: readonly string[], more: Record<string, unknown> = {}): Promise<void> {
  const shown = JSON.stringify({ columns: columns.map((name) => fields[name] ?? name), ...more });
  await page.goto(`/app/projects/${sample.projectId}/list?group=none&shown=${encodeURIComponent(shown)}`);
  await page.locator('[data-row-link]').first().waitFor();
}

const keys = (page: Page, ...all: readonly string[]) =>
  all.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
const texts = (page: Page, column: string) =>
  page.locator(`[data-row] [data-col="${fields[column] ?? column}"]`).allInnerTexts();
const held = (name: string) =>
  `select t.number, v.value from task_field_values v join tasks t on t.id = v.task_id join custom_fields f on f.id = v.field_id
   where v.project_id = $1 and f.name = '${name}' order by t.number`;
const paste = (page: Page, text: string) =>
  page.evaluate((given) => navigator.clipboard.writeText(given), text).then(() => page.keyboard.press('Control+v'));

test('cells are walked, typed into, picked, ticked and emptied by keys, and rows keep theirs', async () => {
  const { page } = sample.ada;
  await openTable(page, ['number', 'title', 'Price', 'Client', 'Size', 'Ordered', 'Checked']);
  expect(await grid(page).getAttribute('aria-colcount')).toBe('8');
  await page.locator('[data-row-link]').first().focus();
  await keys(page, 'ArrowRight', 'ArrowRight', 'ArrowRight');
  expect(await cursor(page)).toBe(`0 ${fields.Price}`);
  await page.keyboard.type('12.5');
  await keys(page, 'Enter');
  await page.keyboard.type('abc');
  await keys(page, 'Enter');
  await page.getByText(t('table.faults.number', { text: 'abc' })).waitFor();
  await keys(page, 'Escape');
  expect(await cursor(page)).toBe(`1 ${fields.Price}`);
  await page.keyboard.type('7');
  await keys(page, 'Tab');
  await page.keyboard.type('Wintergreen');
  await keys(page, 'Tab', 'Enter');
  await page.getByRole('option', { name: 'Large' }).click();
  await expect.poll(() => cursor(page)).toBe(`1 ${fields.Size}`);
  await keys(page, 'ArrowRight', 'ArrowRight', 'Space');
  await sample.expectRows(held('Price'), [
    { number: 1, value: 12.5 },
    { number: 2, value: 7 },
  ]);
  await sample.expectRows(held('Client'), [{ number: 2, value: 'Wintergreen' }]);
  await sample.expectRows(held('Size'), [{ number: 2, value: 'l' }]);
  await sample.expectRows(held('Checked'), [{ number: 2, value: true }]);
  expect(await offences(page)).toEqual([]);

  await keys(page, 'Home', 'ArrowRight', 'F2');
  await page.getByRole('textbox', { name: t('list.editTitle', { key: 'HAR-2' }) }).fill('Count the boats');
  await keys(page, 'Shift+Enter');
  await sample.expectRows('select title from tasks where project_id = $1 and number = 2', [
    { title: 'Count the boats' },
  ]);
  await keys(page, 'ArrowRight', 'Shift+ArrowDown', 'Delete');
  await sample.expectRows(held('Price'), []);
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .first()
    .click();
  await sample.expectRows(held('Price'), [
    { number: 1, value: 12.5 },
    { number: 2, value: 7 },
  ]);

  await cell(page, 'Paint the crane', 'Price').click();
  await keys(page, 'Escape', 'x');
  await page.getByRole('toolbar', { name: t('list.bulk.label') }).waitFor();
});

test('cells go to a spreadsheet and come from one: what cannot be read is named, the rest is one step', async () => {
  const { page } = sample.ada;
  await openTable(page, ['title', 'Price', 'Size', 'due_date', 'assignee', 'column', 'number']);
  await cell(page, 'Paint the crane', 'Price').click();
  await paste(
    page,
    '1,200.50 €\tSmall\t2030-12-24\tAda Lovelace\tIn progress\r\nmany\tHuge\t24/12/2030\tBob\tDone\r\n3\tl\t\t\tNowhere\r\n',
  );
  const faults = page.getByRole('region', { name: t('table.faults.label') });
  for (const sentence of [
    'HAR-2, Price: “many” isn’t a number',
    'HAR-2, Size: “Huge” isn’t one of the options',
    'HAR-2, Assignee: “Bob” isn’t a member of the project',
    'HAR-3, Size: “l” isn’t one of the options',
    'HAR-3, Column: “Nowhere” isn’t one of the options',
  ])
    await faults.getByText(sentence).waitFor();
  await sample.expectRows(
    `select t.number, t.due_date::text as due, c.name, (select count(*)::int from task_assignees a where a.task_id = t.id) as people
     from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 order by t.number`,
    [
      { number: 1, due: '2030-12-24', name: 'In progress', people: 1 },
      { number: 2, due: '2030-12-24', name: 'Done', people: 0 },
      { number: 3, due: null, name: 'To do', people: 0 },
    ],
  );
  await sample.expectRows(held('Price'), [
    { number: 1, value: 1200.5 },
    { number: 3, value: 3 },
  ]);
  expect(await offences(page)).toEqual([]);
  await faults.getByRole('button', { name: 'HAR-2, Price', exact: false }).click();
  await expect.poll(() => cursor(page)).toBe(`2 ${fields.Price}`);
  await faults.getByRole('button', { name: t('common.close') }).click();

  await cell(page, 'Paint the crane', 'Price').click();
  await keys(page, 'Shift+ArrowRight', 'Shift+ArrowRight', 'Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1200.5\tSmall\t2030-12-24');
  // Its message may have gone by now.
  await page.keyboard.press('Control+z');
  await sample.expectRows(held('Price'), []);
  await sample.expectRows(
    "select count(*)::int from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and c.name = 'To do' and due_date is null",
    [{ count: 3 }],
  );
});

test('after a paste that sorts the list anew, Delete empties what was pasted and nothing else', async () => {
  const { page } = sample.ada;
  await sample.client.from('task_field_values').insert({
    task_id: (await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 3'))[0]?.id,
    field_id: (
      await sample.rows<{ id: string }>("select id from custom_fields where project_id = $1 and name = 'Price'")
    )[0]?.id,
    value: 5,
  });
  await sample.expectRows(held('Price'), [{ number: 3, value: 5 }]);
  await openTable(page, ['title', 'Price', 'Client']);
  await page.goto(`${page.url()}&sort=${encodeURIComponent(fields.Price ?? '')}`);
  await cell(page, 'Sweep the quay', 'Price').getByText('5').waitFor();
  await cell(page, 'Paint the crane', 'Price').click();
  await paste(page, '1\r\n9\r\n');
  await sample.expectRows(held('Price'), [
    { number: 1, value: 1 },
    { number: 2, value: 9 },
    { number: 3, value: 5 },
  ]);
  await expect.poll(() => texts(page, 'Price')).toEqual(['1 €', '5 €', '9 €']);
  await page.keyboard.press('Delete');
  await sample.expectRows(held('Price'), [{ number: 3, value: 5 }]);
});

test('after a paste that puts tasks into other groups, the range and the focus are theirs, and Delete empties them', async () => {
  const { page } = sample.ada;
  const due = `select number, due_date::text as due from tasks where project_id = $1 order by number`;
  await sample.rows("update tasks set due_date = '2030-05-05' where project_id = $1 and number = 3 returning id");
  const shown = JSON.stringify({ columns: ['title', 'priority', 'due_date'] });
  await page.goto(`/app/projects/${sample.projectId}/list?group=priority&shown=${encodeURIComponent(shown)}`);
  await cell(page, 'Paint the crane', 'priority').click();
  const urgent = t('common.priorities.p0');
  await paste(page, `${urgent}\t2030-01-02\r\n${urgent}\t2030-01-03\r\n`);
  await sample.expectRows(due, [
    { number: 1, due: '2030-01-02' },
    { number: 2, due: '2030-01-03' },
    { number: 3, due: '2030-05-05' },
  ]);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent))
    .toContain('Paint the crane');
  await keys(page, 'Delete');
  await sample.expectRows(due, [
    { number: 1, due: null },
    { number: 2, due: null },
    { number: 3, due: '2030-05-05' },
  ]);
});

test('columns are chosen, moved and resized by mouse and keys, kept in the address, and summed at the foot', async () => {
  const { page } = sample.ada;
  await sample.rows(
    `insert into task_field_values (project_id, task_id, field_id, value)
     select t.project_id, t.id, f.id, to_jsonb(t.number * 10) from tasks t join custom_fields f on f.project_id = t.project_id and f.name = 'Price'
     where t.project_id = $1`,
  );
  await page.goto(`/app/projects/${sample.projectId}/list?group=none`);
  await openDisplay(page);
  await page.getByRole('checkbox', { name: 'Price' }).check();
  await page.getByRole('checkbox', { name: t('property.priority') }).uncheck();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => heads(page))
    .toEqual([t('list.columns.select'), t('table.columns.number'), t('property.title'), t('property.column'), 'Price']);
  await expect.poll(() => texts(page, 'Price')).toEqual(['10 €', '20 €', '30 €']);
  const foot = page.locator(`[role="rowgroup"]:last-child [data-sum="${fields.Price}"]`);
  await expect.poll(() => foot.innerText()).toContain('60 €');
  await foot.getByRole('button').click();
  await page.getByRole('menuitemradio', { name: t('table.summaries.average') }).click();
  await expect.poll(() => foot.innerText()).toContain('20 €');

  const head = (name: string) => grid(page).getByRole('columnheader', { name });
  const width = async (name: string) => Math.round((await head(name).boundingBox())?.width ?? 0);
  const before = await width('Price');
  await head('Price').getByRole('button').focus();
  await keys(page, 'Alt+ArrowRight', 'Alt+Shift+ArrowLeft');
  await expect
    .poll(() => heads(page))
    .toEqual([t('list.columns.select'), t('table.columns.number'), t('property.title'), 'Price', t('property.column')]);
  await expect.poll(() => width('Price')).toBe(before + 16);
  const edge = await head(t('property.column')).locator('[data-edge]').boundingBox();
  if (edge === null) throw new Error('no edge');
  await page.mouse.move(edge.x + 4, edge.y + 10);
  await page.mouse.down();
  await page.mouse.move(edge.x + 44, edge.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => width(t('property.column'))).toBe(170);
  const from = await head(t('property.column')).getByRole('button').boundingBox();
  const to = await head(t('property.title')).boundingBox();
  if (from === null || to === null) throw new Error('no head');
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 8, { steps: 6 });
  await page.mouse.up();
  await expect
    .poll(() => heads(page))
    .toEqual([t('list.columns.select'), t('table.columns.number'), t('property.column'), t('property.title'), 'Price']);
  await page.reload();
  await expect
    .poll(() => heads(page))
    .toEqual([t('list.columns.select'), t('table.columns.number'), t('property.column'), t('property.title'), 'Price']);
  await expect.poll(() => width(t('property.column'))).toBe(170);
  await expect.poll(() => foot.innerText()).toContain('20 €');
  expect(await offences(page)).toEqual([]);
});

test('on a phone the title stays while the other columns scroll; without chosen columns it is the simple list', async () => {
  const phone = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const mine = await makeHarbour(site, phone, await phone.settle('Ada Lovelace'));
  const { page } = phone;
  const shown = encodeURIComponent(
    JSON.stringify({ columns: ['number', 'title', 'column', 'due_date', 'created_at'] }),
  );
  await page.goto(`/app/projects/${mine.projectId}/list?group=none&shown=${shown}`);
  const title = page.locator('[data-row] [data-col="title"]').first();
  await title.waitFor();
  await title.evaluate((element) => element.closest('[role="grid"]')?.parentElement?.scrollTo({ left: 400 }));
  await expect.poll(async () => Math.round((await title.boundingBox())?.x ?? -1)).toBe(36);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await offences(page)).toEqual([]);
  await page.goto(`/app/projects/${mine.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  expect((await page.locator('[data-row]').first().boundingBox())?.height).toBe(60);
  await phone.close();
});

test('a cell that is opened and left as it was keeps what someone else wrote since', async () => {
  const { page } = sample.ada;
  await sample.rows('update tasks set estimate = 3 where project_id = $1 and number = 1 returning 1');
  await openTable(page, ['number', 'title', 'estimate', 'priority']);
  await whenLive(page);
  await page.locator('[data-row-link]').first().focus();
  await keys(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F2');
  const field = cell(page, 'Paint the crane', 'estimate').locator('input');
  await expect.poll(() => field.inputValue()).toBe('3');
  await sample.rows("update tasks set estimate = 5, priority = 'p0' where project_id = $1 and number = 1 returning 1");
  await cell(page, 'Paint the crane', 'priority').getByText(t('common.priorities.p0')).waitFor();
  await keys(page, 'Enter');
  await page.keyboard.type('8');
  await keys(page, 'Enter');
  await sample.expectRows(
    'select number, estimate::int from tasks where project_id = $1 and number < 3 order by number',
    [
      { number: 1, estimate: 5 },
      { number: 2, estimate: 8 },
    ],
  );
});
