// Templates by mouse and by keys: saving projects and tasks as templates, creating from them, duplicating a project, and managing templates in
// settings and account.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, expectTitles, type SampleProject, settleHarbour } from './pages.ts';
import { eachStory } from './stories.ts';
import { saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Paint the crane', 'Count the ships']);
  page = sample.ada.page;
  return [sample.ada];
});

/** For whoever wants to look: `KANBASE_LOOK` names the directory. */
async function look(name: string): Promise<void> {
  const directory = process.env.KANBASE_LOOK;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  await page.screenshot({ path: `${directory}/${name}.png` });
}

/** Something to do, by the palette alone. */
async function byPalette(words: string, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox');
  await field.fill(words);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

const tasksOf = (name: string) =>
  sample.site.app.sql<{ title: string; due_date: string | null }>(
    `select t.title, t.due_date::text from tasks t join projects p on p.id = t.project_id where p.name = $1 order by t.title`,
    [name],
  );

test('a project is kept as a template by the palette, and the next one begins with it', async () => {
  await sample.rows("update tasks set due_date = '2026-05-08' where project_id = $1 and title = 'Paint the crane'");
  await sample.openBoard(page);
  await byPalette(t('projects.saveAsTemplate'), t('projects.saveAsTemplate'));
  const dialog = page.getByRole('dialog', { name: t('templates.saveTitle') });
  await dialog.getByText(t('templates.withTasksHint', { n: 2 })).waitFor();
  expect(await offences(page)).toEqual([]);
  await look('save-project');
  await dialog.getByLabel(t('templates.name')).fill('A harbour');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() =>
      sample.site.app.sql(`select name, owner_id is not null as mine from templates where name = 'A harbour'`),
    )
    .toEqual([{ name: 'A harbour', mine: true }]);

  await page.goto('/app');
  await page
    .getByRole('main')
    .getByRole('button', { name: t('common.nav.newProject') })
    .click();
  await page.getByLabel(t('starters.label')).selectOption({ label: t('starters.mine', { name: 'A harbour' }) });
  await page
    .getByText(t('starters.holds', { fields: 0, views: 0, columns: 'Backlog, To do, In progress, Done', tasks: 2 }))
    .waitFor();
  await expect.poll(() => page.getByLabel(t('common.name'), { exact: true }).inputValue()).toBe('Harbour');
  await page.getByLabel(t('common.name'), { exact: true }).fill('Second harbour');
  await page.getByRole('button', { name: saying('starters.startDay') }).click();
  await page.keyboard.type('15 may 2027');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: saying('common.pair', { name: t('starters.startDay'), value: /.*15/ }) })
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await look('new-project');
  await page.getByRole('button', { name: t('projects.doCreate') }).click();
  await page.getByRole('button', { name: t('people.invite.later') }).click();
  await cardOf(page, 'Paint the crane').waitFor();
  expect(await tasksOf('Second harbour')).toEqual([
    { title: 'Count the ships', due_date: null },
    { title: 'Paint the crane', due_date: '2027-05-15' },
  ]);
});

test('a project is made twice from its settings, which say before what goes along', async () => {
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  await page.getByRole('button', { name: t('projects.copy') }).click();
  const dialog = page.getByRole('dialog', { name: t('templates.copyTitle', { project: 'Harbour' }) });
  await dialog.getByText(t('templates.copyHolds', { columns: 4, labels: 0, fields: 0, views: 0 })).waitFor();
  await dialog.getByText(t('templates.copyTasksHint', { n: 2, archived: 0 })).waitFor();
  expect(await offences(page)).toEqual([]);
  await look('duplicate');
  expect(await dialog.getByLabel(t('common.name')).inputValue()).toBe(t('templates.copyNamed', { name: 'Harbour' }));
  await dialog.getByRole('button', { name: t('common.duplicate') }).click();
  await page.getByRole('heading', { name: t('templates.copyNamed', { name: 'Harbour' }) }).waitFor();
  await cardOf(page, 'Paint the crane').waitFor();
  expect((await tasksOf('Harbour (copy)')).length).toBe(2);
});

test('a task is kept as a template, and others begin with it by keys; one undo takes each back', async () => {
  await sample.rows(
    `with label as (insert into task_labels (project_id, name) values ($1, 'Crane work') returning id)
     insert into task_label_links (project_id, task_id, label_id)
     select t.project_id, t.id, label.id from tasks t, label where t.project_id = $1 and t.title = 'Paint the crane'`,
  );
  await sample.rows(
    `insert into task_checklist_items (project_id, task_id, title) select project_id, id, 'Sand' from tasks where project_id = $1 and title = 'Paint the crane'`,
  );
  await sample.openBoard(page);
  await cardOf(page, 'Paint the crane').click({ button: 'right' });
  await page.getByRole('option', { name: t('task.saveAsTemplate') }).click();
  const dialog = page.getByRole('dialog', { name: t('templates.saveTitle') });
  await dialog.getByLabel(t('templates.name')).fill('A paint job');
  await dialog.getByLabel(t('templates.share')).check();
  expect(await offences(page)).toEqual([]);
  await look('save-task');
  const saving = page.waitForRequest(/save_task_as_template/);
  await dialog.getByRole('button', { name: t('templates.save') }).click();
  // Its days are counted from the day it is here.
  const here = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect((await saving).headers().prefer).toContain(`timezone=${here}`);
  await dialog.waitFor({ state: 'detached' });

  // Elsewhere there is no label of the name any more: it is made again.
  await sample.rows(`delete from task_labels where project_id = $1`);

  await sample.openBoard(page);
  await page.getByRole('button', { name: t('board.addTo', { column: 'In progress' }) }).click();
  const field = page.getByRole('textbox', { name: t('board.addTo', { column: 'In progress' }) });
  await field.waitFor();
  const choose = page.getByRole('button', { name: t('templates.choose') });
  await choose.waitFor();
  await look('quick-add');
  await choose.focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: 'A paint job' });
  await item.waitFor();
  expect(await offences(page)).toEqual([]);
  await page.locator('[role=menuitem]:focus', { hasText: 'A paint job' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: t('templates.let', { name: 'A paint job' }) }).waitFor();
  await expect.poll(() => field.inputValue()).toBe('Paint the crane');
  await look('quick-add-chosen');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Paint the pier @me !critical due fri');
  await page.keyboard.press('Enter');
  await expectTitles(page, 'In progress', ['Paint the pier']);
  const steps = () =>
    sample.rows(
      `select i.title from task_checklist_items i join tasks t on t.id = i.task_id where t.project_id = $1 and t.title = 'Paint the pier'`,
    );
  await expect.poll(steps).toEqual([{ title: 'Sand' }]);
  const made = () =>
    sample.rows(
      `select t.priority, t.due_date is not null as due, (select count(*)::int from task_assignees a where a.task_id = t.id) as people,
         (select string_agg(l.name, ' ') from task_label_links k join task_labels l on l.id = k.label_id where k.task_id = t.id) as labels
       from tasks t where t.project_id = $1 and t.title = 'Paint the pier'`,
    );
  await expect.poll(made).toEqual([{ priority: 'p0', due: true, people: 1, labels: 'Crane work' }]);
  await page.keyboard.press('Escape');
  await cardOf(page, 'Paint the pier').click();
  await page.getByText(t('task.history.fromTemplate', { name: 'A paint job' })).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expectTitles(page, 'In progress', []);
  // The label that was made for it goes with it.
  await sample.expectRows('select name from task_labels where project_id = $1', []);
  await expect.poll(steps).toEqual([]);

  // Looked after where the project is.
  await page.goto(`/app/projects/${sample.projectId}/settings`);
  const name = page.getByLabel(t('templates.name'));
  await name.waitFor();
  expect(await offences(page)).toEqual([]);
  await look('settings');
  await name.fill('Painting');
  await name.press('Enter');
  await expect
    .poll(() => sample.site.app.sql(`select 1 as is from templates where name = 'Painting'`))
    .toEqual([{ is: 1 }]);
  await page.getByRole('button', { name: t('templates.remove', { name: 'Painting' }) }).click();
  await page.getByText(t('templates.none')).waitFor();
  await page.locator('h1').first().click();
  await page.keyboard.press('Control+z');
  await page.getByLabel(t('templates.name')).waitFor();
});
