// Fields of a project: made, ordered, renamed and deleted in its settings; held by tasks, each kind entered as suits it, told in the story,
// and needed by a column.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { news, pressUntil, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
eachStory(async (site) => {
  sample = await settleHarbour(site);
  return [sample.ada];
});

const section = (page: Page) => page.getByRole('region', { name: t('plan.fields.title') });
const names = (page: Page) =>
  section(page)
    .getByRole('textbox', { name: t('plan.fields.name'), exact: true })
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));

async function add(page: Page, name: string, kind: string): Promise<void> {
  await section(page).getByLabel(t('plan.fields.newName')).fill(name);
  await section(page).getByLabel(t('common.kind')).selectOption(kind);
  await section(page)
    .getByRole('button', { name: t('plan.fields.add') })
    .click();
}

test('fields are made, put in order by keys, given options and needed by a column, and deleted with a word on what is lost', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await section(page).waitFor();
  await add(page, 'Price', 'number');
  await add(page, 'Size', 'select');
  await add(page, 'price', 'text');
  await section(page).getByText(t('plan.fields.taken')).waitFor();
  await expect.poll(() => names(page)).toEqual(['Price', 'Size']);

  await section(page)
    .getByRole('button', { name: t('common.moveNamed', { name: 'Size' }) })
    .focus();
  await pressUntil(
    page,
    'Space',
    page.getByText(saying('common.sorting.picked', { name: 'Size' }), { exact: false }).first(),
  );
  await pressUntil(page, 'ArrowUp', page.getByText(saying('common.sorting.over', { name: 'Size', place: 1 })));
  await page.keyboard.press('Space');
  await expect.poll(() => names(page)).toEqual(['Size', 'Price']);

  await section(page)
    .getByRole('button', { name: t('plan.fields.details', { name: 'Size' }) })
    .click();
  const option = section(page)
    .getByRole('textbox', { name: t('plan.fields.optionName') })
    .first();
  await option.fill('Small');
  await option.press('Enter');
  await section(page).getByLabel(t('plan.fields.newOption')).fill('Huge');
  await section(page)
    .getByRole('button', { name: t('common.add'), exact: true })
    .click();
  await section(page)
    .getByRole('button', { name: saying('plan.fields.neededOf', { name: 'Size' }) })
    .click();
  await page.getByRole('dialog').getByRole('option', { name: 'Done' }).click();
  await page.keyboard.press('Escape');
  await sample.expectRows(
    `select f.name, (select array_agg(o ->> 'name' order by o ->> 'name') from jsonb_array_elements(f.options) o) as options,
       array(select c.name from workflow_columns c where f.id = any (c.required_fields)) as needed
     from custom_fields f where f.project_id = $1 order by f.position`,
    [
      { name: 'Size', options: ['Huge', 'Second', 'Small'], needed: ['Done'] },
      { name: 'Price', options: null, needed: [] },
    ],
  );
  expect(await offences(page)).toEqual([]);

  await sample.rows(
    `insert into task_field_values (project_id, task_id, field_id, value)
     select t.project_id, t.id, f.id, '5' from tasks t join custom_fields f on f.project_id = t.project_id and f.name = 'Price'
     where t.project_id = $1 and t.number < 3`,
  );
  await section(page)
    .getByRole('button', { name: t('plan.fields.remove', { name: 'Price' }) })
    .click();
  await page.getByText(t('plan.fields.loss', { n: 2 })).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('plan.fields.remove', { name: 'Price' }) })
    .click();
  await expect.poll(() => names(page)).toEqual(['Size']);
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await expect.poll(() => names(page)).toEqual(['Size', 'Price']);
});

test('a task holds what each kind is, its story tells it, and a column that needs a field says so', async () => {
  const { page } = sample.ada;
  const options = [
    { id: 's', name: 'Small', color: '#1b8a94' },
    { id: 'l', name: 'Large', color: '#cc4a3d' },
  ];
  const fields = [
    { name: 'Client', kind: 'text' },
    { name: 'Price', kind: 'number', unit: '€' },
    { name: 'Ordered', kind: 'date' },
    { name: 'Size', kind: 'select', options },
    { name: 'Parts', kind: 'multi_select', options },
    { name: 'Contact', kind: 'person' },
    { name: 'Offer', kind: 'url' },
    { name: 'Checked', kind: 'checkbox' },
  ];
  for (const field of fields) {
    const { error } = await sample.client.from('custom_fields').insert({ project_id: sample.projectId, ...field });
    expect(error).toBeNull();
  }
  await sample.rows(
    `update workflow_columns set required_fields = array(select id from custom_fields where project_id = $1 and name in ('Client', 'Price'))
     where project_id = $1 and kind = 'done'`,
  );
  await page.goto(`/app/projects/${sample.projectId}/board/1`);
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  await panel.getByRole('textbox', { name: 'Client' }).fill('Wintergreen');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: t('common.pair', { name: 'Ordered', value: t('common.none') }) }).click();
  await page.getByRole('option', { name: t('myTasks.groups.today') }).click();
  await panel.getByRole('button', { name: t('common.pair', { name: 'Size', value: t('common.none') }) }).click();
  await page.getByRole('option', { name: 'Large' }).click();
  await panel.getByRole('button', { name: t('common.pair', { name: 'Parts', value: t('common.none') }) }).click();
  await page.getByRole('option', { name: 'Large' }).click();
  await page.getByRole('option', { name: 'Small' }).click();
  await page.keyboard.press('Escape');
  await panel.getByRole('button', { name: t('common.pair', { name: 'Contact', value: t('common.none') }) }).click();
  await page.getByRole('option', { name: 'Ada Lovelace' }).click();
  await panel.getByRole('textbox', { name: 'Offer' }).fill('no address');
  await page.keyboard.press('Enter');
  await panel.getByText(t('table.faults.address', { text: 'no address' })).waitFor();
  await panel.getByRole('textbox', { name: 'Offer' }).fill('example.test/offer');
  await page.keyboard.press('Enter');
  await panel.getByRole('checkbox', { name: 'Checked' }).check();
  await sample.expectRows(
    `select f.name, v.value from task_field_values v join custom_fields f on f.id = v.field_id
     where v.project_id = $1 and f.name not in ('Ordered', 'Contact') order by f.position`,
    [
      { name: 'Client', value: 'Wintergreen' },
      { name: 'Size', value: 'l' },
      { name: 'Parts', value: ['s', 'l'] },
      { name: 'Offer', value: 'https://example.test/offer' },
      { name: 'Checked', value: true },
    ],
  );
  const story = panel.getByRole('region', { name: t('task.activity') });
  await story.getByRole('button', { name: saying('task.stream.more') }).click();
  for (const line of [
    t('task.history.fieldSet', { name: 'Client', value: 'Wintergreen' }),
    t('task.history.fieldSet', { name: 'Size', value: 'Large' }),
    t('task.history.fieldSet', { name: 'Contact', value: 'Ada Lovelace' }),
    t('task.history.fieldTicked', { name: 'Checked' }),
  ])
    await story.getByText(line, { exact: false }).first().waitFor();
  expect(await offences(page)).toEqual([]);

  await panel.getByRole('button', { name: t('common.pair', { name: t('property.column'), value: 'To do' }) }).click();
  await page.getByRole('option', { name: 'Done' }).click();
  await page.getByText(t('common.refused.emptyFields', { fields: 'Price' })).waitFor();
  await panel.getByRole('textbox', { name: 'Price' }).fill('12,5');
  await page.keyboard.press('Enter');
  await sample.expectRows(
    `select v.value from task_field_values v join custom_fields f on f.id = v.field_id where v.project_id = $1 and f.name = 'Price'`,
    [{ value: 12.5 }],
  );
});
