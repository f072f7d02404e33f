// Views of a board: columns by people, priorities, labels and fields, lanes, and parts of cards; by mouse and by keys.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import {
  cardOf,
  columnOf,
  expectTitles,
  openDisplay,
  openHarbour,
  type SampleProject,
  takeUp,
  type Visitor,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;
let field: string;

eachStory(async (site) => {
  sample = await openHarbour(site);
  ({ ada, projectId } = sample);
  const [made] = await sample.rows<{ id: string }>(
    `insert into custom_fields (project_id, name, kind, options) values ($1, 'Area', 'select', '[{"id":"dock","name":"Dock"},{"id":"sea","name":"Sea"}]') returning id`,
  );
  field = made?.id ?? '';
  await sample.rows(
    `insert into task_field_values (project_id, task_id, field_id, value)
     select $1, t.id, f.id, '"dock"' from tasks t join custom_fields f on f.project_id = t.project_id where t.project_id = $1 and t.title = 'Paint the crane'`,
  );
  return [ada];
});

const held = `select t.title, v.value from tasks t left join task_field_values v on v.task_id = t.id where t.project_id = $1 order by t.title`;

async function drag(title: string, target: ReturnType<typeof columnOf>): Promise<void> {
  const { page } = ada;
  await takeUp(page, title);
  const to = await target.boundingBox();
  if (to === null) throw new Error(`nowhere to drag to: ${title}`);
  await page.mouse.move(to.x + to.width / 2, to.y + Math.min(60, to.height / 2), { steps: 8 });
  await page.mouse.up();
}

test('columns of a field: a drop writes it, an undo takes it back, a new task has it, several go together', async () => {
  const { page } = ada;
  await openDisplay(page);
  await page.getByRole('combobox', { name: t('common.columns') }).selectOption({ label: 'Area' });
  await page.keyboard.press('Escape');
  await expectTitles(page, 'Dock', ['Paint the crane']);
  await expectTitles(page, t('common.none'), ['Count the ships', 'Sweep the quay']);
  await drag('Count the ships', columnOf(page, 'Sea'));
  await expectTitles(page, 'Sea', ['Count the ships']);
  await sample.expectRows(held, [
    { title: 'Count the ships', value: 'sea' },
    { title: 'Paint the crane', value: 'dock' },
    { title: 'Sweep the quay', value: null },
  ]);
  await page.keyboard.press('Control+z');
  await expectTitles(page, t('common.none'), ['Count the ships', 'Sweep the quay']);
  // By keys, two at once.
  await cardOf(page, 'Count the ships').click({ modifiers: ['Control'] });
  await cardOf(page, 'Sweep the quay').click({ modifiers: ['Control'] });
  await cardOf(page, 'Sweep the quay').focus();
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expectTitles(page, 'Sea', ['Count the ships', 'Sweep the quay']);
  await page.getByRole('button', { name: t('board.addTo', { column: 'Dock' }) }).click();
  await page.getByRole('textbox', { name: t('board.addTo', { column: 'Dock' }) }).fill('Mend the net');
  await page.keyboard.press('Enter');
  await expectTitles(page, 'Dock', ['Mend the net', 'Paint the crane']);
  await sample.expectRows(held, [
    { title: 'Count the ships', value: 'sea' },
    { title: 'Mend the net', value: 'dock' },
    { title: 'Paint the crane', value: 'dock' },
    { title: 'Sweep the quay', value: 'sea' },
  ]);
});

test('lanes: cards move between them by mouse and by keys, they fold, and the board shows what the view says', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/board?lanes=priority`);
  const lane = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) }).first();
  await expectTitles(page, 'To do of Normal', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  expect(await offences(page)).toEqual([]);
  await drag('Count the ships', columnOf(page, 'In progress of Critical'));
  await expectTitles(page, 'In progress of Critical', ['Count the ships']);
  const rows = `select t.title, t.priority, c.name from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 order by t.title`;
  await sample.expectRows(rows, [
    { title: 'Count the ships', priority: 'p0', name: 'In progress' },
    { title: 'Paint the crane', priority: 'p2', name: 'To do' },
    { title: 'Sweep the quay', priority: 'p2', name: 'To do' },
  ]);
  // One step back for both.
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'To do of Normal', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  await cardOf(page, 'Paint the crane').focus();
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await sample.expectRows(rows, [
    { title: 'Count the ships', priority: 'p2', name: 'To do' },
    { title: 'Paint the crane', priority: 'p1', name: 'To do' },
    { title: 'Sweep the quay', priority: 'p2', name: 'To do' },
  ]);
  const fold = lane(t('common.priorities.p2')).getByRole('button', { expanded: true });
  await fold.focus();
  await page.keyboard.press('Enter');
  await columnOf(page, 'To do of Normal').waitFor({ state: 'detached' });
  // A card that rests on the head of a folded lane opens it, and is put down in it.
  await takeUp(page, 'Paint the crane');
  const head = await lane(t('common.priorities.p2')).getByRole('heading').boundingBox();
  if (head === null) throw new Error('no lane to rest on');
  await page.mouse.move(head.x + 80, head.y + head.height / 2, { steps: 8 });
  const cell = columnOf(page, 'In progress of Normal');
  await cell.waitFor();
  const to = await cell.boundingBox();
  if (to === null) throw new Error('the lane is folded');
  await page.mouse.move(to.x + to.width / 2, to.y + 30, { steps: 8 });
  await page.mouse.up();
  await expectTitles(page, 'In progress of Normal', ['Paint the crane']);
  await sample.expectRows(rows, [
    { title: 'Count the ships', priority: 'p2', name: 'To do' },
    { title: 'Paint the crane', priority: 'p2', name: 'In progress' },
    { title: 'Sweep the quay', priority: 'p2', name: 'To do' },
  ]);

  // Several levels of order: of equal priority the later title first.
  await openDisplay(page);
  await page.getByRole('combobox', { name: t('views.display.order') }).selectOption({ label: t('property.priority') });
  await page.getByRole('combobox', { name: t('views.levels.then') }).selectOption({ label: t('property.title') });
  await page.getByRole('button', { name: t('views.levels.reverse', { name: t('property.title') }) }).click();
  await page.keyboard.press('Escape');
  await expectTitles(page, 'To do of Normal', ['Sweep the quay', 'Count the ships']);

  // Limits stand over the lanes and count all of them; what is empty is hidden.
  await sample.rows(
    "update workflow_columns set wip_limit = 1 where project_id = $1 and name in ('To do', 'In progress') returning id",
  );
  const heads = page.getByRole('list', { name: t('common.columns') }).getByRole('listitem');
  const said = async () => (await heads.allInnerTexts()).map((one) => one.replace(/\s+/g, ' '));
  await expect
    .poll(async () => (await said()).join('; '))
    .toMatch(
      new RegExp(
        `To do ${t('board.wip', { n: 2, limit: 1 })} ?, ${t('board.wipOver', { limit: 1 })}; In progress ${t('board.wip', { n: 1, limit: 1 })}`,
      ),
    );
  await lane(t('common.priorities.p0')).waitFor();
  await openDisplay(page);
  await page.getByRole('checkbox', { name: t('views.display.hideEmpty') }).check();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await said()).length).toBe(2);
  await lane(t('common.priorities.p0')).waitFor({ state: 'detached' });
  await expectTitles(page, 'In progress of Normal', ['Paint the crane']);

  // By finger, which rests on a card first.
  const guest = await sample.site.visit({ hasTouch: true, storageState: await page.context().storageState() });
  await guest.page.goto(`/app/projects/${projectId}/board?lanes=priority`);
  await expectTitles(guest.page, 'To do of Normal', ['Count the ships', 'Sweep the quay']);
  const [from, aim] = [
    await cardOf(guest.page, 'Sweep the quay').boundingBox(),
    await columnOf(guest.page, 'In progress of Critical').boundingBox(),
  ];
  if (from === null || aim === null) throw new Error('nothing to put a finger on');
  const cdp = await guest.page.context().newCDPSession(guest.page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  await send('touchStart', from.x + 60, from.y + 20);
  await guest.page.locator('[data-held-card]').waitFor();
  await send('touchMove', from.x + 80, from.y + 10);
  await send('touchMove', aim.x + aim.width / 2, aim.y + aim.height / 2);
  await columnOf(guest.page, 'In progress of Critical').locator('[data-landing]').waitFor();
  await send('touchEnd');
  await sample.expectRows(`${rows.replace('order by', "and t.title = 'Sweep the quay' order by")}`, [
    { title: 'Sweep the quay', priority: 'p0', name: 'In progress' },
  ]);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test('the fields cards show are saved with the view, and its link restores them', async () => {
  const { page } = ada;
  await openDisplay(page);
  await page.getByRole('button', { name: t('views.display.parts.key'), pressed: true }).click();
  await page.getByRole('button', { name: 'Area', pressed: false }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => cardOf(page, 'Paint the crane').innerText()).toMatch(/^Paint the crane\s+Area\s+Dock$/);
  await page.getByRole('button', { name: t('views.saveView') }).click();
  await page.getByRole('textbox', { name: t('views.name') }).fill('Areas');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('views.saveView') })
    .click();
  await expect.poll(() => page.url()).toMatch(/\/board\?view=[0-9a-f-]{36}$/);
  await sample.expectRows('select shown from saved_views where project_id = $1', [
    {
      shown: { card: ['priority', 'people', 'labels', 'due', 'progress', 'counts', 'cover', `select_field.${field}`] },
    },
  ]);
  await page.reload();
  await expect.poll(() => cardOf(page, 'Paint the crane').innerText()).toMatch(/^Paint the crane\s+Area\s+Dock$/);
});

test('a view of another layout opens as what it was saved', async () => {
  const { page } = ada;
  for (const [layout, there] of [
    ['calendar', 'grid'],
    ['dashboard', 'search'],
  ] as const) {
    const [view] = await sample.rows<{ id: string }>(
      `insert into saved_views (project_id, owner_id, name, layout, filter)
       select $1, created_by, 'Critical ${layout}', '${layout}', '{"all":[{"property":"priority","is":"any_of","value":["p0"]}]}'
       from projects where id = $1 returning id`,
    );
    await page.goto(`/app/views/${view?.id}`);
    await expect.poll(() => page.url()).toContain(`/${layout}?view=${view?.id}`);
    await page.getByRole(there).first().waitFor();
    await page
      .getByRole('button', {
        name: t('views.says.is', { what: t('property.priority'), value: t('common.priorities.p0') }),
        exact: true,
      })
      .waitFor();
  }
  // Of the figures only what passes is counted.
  await page.getByText(t('list.noMatch')).waitFor();
});
