// Dashboard: its figures as tables, and its charts. Each test has a project and a browser of its own.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada, projectId } = sample);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id)
     select t.project_id, t.id, t.created_by from tasks t where t.project_id = $1 and t.title <> 'Sweep the quay'`,
  );
  await sample.rows(
    "update tasks set due_date = current_date - 3, description = 'Mind the barnacles' where project_id = $1 and title = 'Count the ships'",
  );
  return [ada];
});

test('every figure of the dashboard can be read as a table', async () => {
  const { page } = ada;
  await page.goto('/app/dashboard');
  await page.getByRole('slider').first().waitFor();
  const switches = page.getByRole('button', { name: t('dashboard.asTable') });
  await switches.first().waitFor();
  while ((await switches.count()) > 0) await switches.first().click();
  await page
    .getByRole('region', { name: t('dashboard.flow') })
    .getByRole('columnheader', { name: 'In progress' })
    .waitFor();
  await page
    .getByRole('region', { name: t('dashboard.byAssignee') })
    .getByRole('rowheader', { name: 'Ada Lovelace' })
    .waitFor();
  await sample.rows(
    `insert into custom_fields (project_id, name, kind, unit, options)
     values ($1, 'Tons', 'number', 't', '[]'), ($1, 'Berth', 'select', null, '[{"id": "n", "name": "North"}, {"id": "s", "name": "South"}]')`,
  );
  await sample.rows(
    `insert into task_field_values (project_id, task_id, field_id, value)
     select t.project_id, t.id, f.id, case f.kind when 'number' then '5'::jsonb else '"n"' end
     from tasks t join custom_fields f using (project_id) where t.project_id = $1`,
  );
  await page.goto(`/app/projects/${projectId}/dashboard`);
  await page.getByRole('heading', { name: t('dashboard.byColumn') }).waitFor();
  const fields = page.getByRole('region', { name: t('dashboard.fields') });
  const berth = page.getByRole('region', { name: 'Berth' });
  await fields.getByText('15 t', { exact: true }).waitFor();
  await berth.getByRole('button', { name: t('dashboard.asTable') }).click();
  await berth.getByRole('row', { name: 'North 3' }).waitFor();
  await berth.getByRole('row', { name: 'South 0' }).waitFor();
  expect(await offences(page)).toEqual([]);
  // They follow a filter.
  await page.goto(`/app/projects/${projectId}/dashboard?q=crane`);
  await fields.getByText('5 t', { exact: true }).waitFor();
  await berth.getByRole('button', { name: t('dashboard.asTable') }).click();
  await berth.getByRole('row', { name: 'North 1' }).waitFor();
});

test('charts stand with the first paint of their figures, also where nobody asks for less motion', async () => {
  const guest = await sample.site.visit({
    reducedMotion: 'no-preference',
    storageState: await ada.page.context().storageState(),
  });
  const { page } = guest;
  await page.goto('/app');
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  // The sizes of all that is drawn, in each frame that has figures.
  await page.evaluate(() => {
    const frames: string[] = [];
    const look = (): void => {
      const shapes = [...document.querySelectorAll<SVGGraphicsElement>('main figure svg :is(rect, path)')];
      const sizes = shapes.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return `${one.nodeName} ${Math.round(width)} × ${Math.round(height)}`;
      });
      if (document.querySelector('main dd') !== null) frames.push(sizes.join('\n'));
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { drawn: () => frames });
  });
  const drawn = () => page.evaluate(() => (window as unknown as { drawn: () => string[] }).drawn());
  await page
    .getByRole('navigation', { name: t('common.nav.main') })
    .getByRole('link', { name: t('projects.views.dashboard') })
    .click();
  await expect.poll(async () => (await drawn()).length).toBeGreaterThan(60);
  const frames = await drawn();
  expect(frames[0]).toMatch(/rect \d+ × [1-9]/);
  expect(frames[0]).toMatch(/path \d+ × [1-9]/);
  expect(new Set(frames).size).toBe(1);
  await guest.close();
});

test('figures of a project do not wait for its rows', async () => {
  const { page } = ada;
  let letRows = (): void => undefined;
  const rows = new Promise<void>((resolve) => {
    letRows = resolve;
  });
  await page.route(/\/rest\/v1\/tasks\?/, async (route) => {
    await rows;
    await route.continue();
  });
  await page.goto(`/app/projects/${projectId}/dashboard`);
  await page
    .getByRole('figure', { name: t('dashboard.byColumn') })
    .getByText('To do')
    .waitFor();
  letRows();
});

test('rows of a chart are read by arrow keys and under the pointer', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/dashboard`);
  const chart = page.getByRole('slider', { name: t('dashboard.byColumn') });
  await chart.focus();
  const said = () => chart.getAttribute('aria-valuetext');
  expect(await said()).toBe(
    t('common.pair', { name: 'Backlog', value: t('common.pair', { name: t('common.taskList'), value: '0' }) }),
  );
  await page.keyboard.press('ArrowDown');
  expect(await said()).toBe(
    t('common.pair', { name: 'To do', value: t('common.pair', { name: t('common.taskList'), value: '3' }) }),
  );
  await chart.getByText(t('common.pair', { name: t('common.taskList'), value: '3' }), { exact: true }).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  expect(await said()).toBe(
    t('common.pair', { name: 'Done', value: t('common.pair', { name: t('common.taskList'), value: '0' }) }),
  );
  await page.keyboard.press('Escape');
  await chart
    .getByText(t('common.pair', { name: t('common.taskList'), value: '0' }), { exact: true })
    .waitFor({ state: 'detached' });
  await page.getByRole('slider', { name: t('dashboard.throughput') }).hover({ position: { x: 4, y: 60 } });
  await page
    .getByRole('slider', { name: t('dashboard.throughput') })
    .getByText(t('common.pair', { name: t('dashboard.created'), value: '0' }), { exact: true })
    .waitFor();
  expect(await offences(page)).toEqual([]);
});

test('a figure of a project opens the list of what it counts, within the filter', async () => {
  const { page } = ada;
  await sample.rows("update tasks set due_date = current_date + 6 where project_id = $1 and title = 'Paint the crane'");
  const counted = {
    open: ['Paint the crane', 'Count the ships', 'Sweep the quay'],
    overdue: ['Count the ships'],
    due_this_week: ['Paint the crane'],
    unassigned: ['Sweep the quay'],
  } as const;
  for (const [name, titles] of Object.entries(counted)) {
    await page.goto(`/app/projects/${projectId}/dashboard`);
    const figure = t(`dashboard.figures.${name as keyof typeof counted}`);
    await page.getByRole('link', { name: `${titles.length} ${figure}`, exact: true }).click();
    await page.waitForURL(/\/list\?filter=/);
    await expect.poll(() => page.locator('[data-row-link]').allInnerTexts()).toEqual(titles);
  }
  await page.goto(`/app/projects/${projectId}/dashboard?filter=text.contains.ships`);
  await page.getByRole('link', { name: `1 ${t('dashboard.figures.overdue')}`, exact: true }).click();
  await page.waitForURL(/\/list\?filter=text.contains.ships/);
  await expect.poll(() => page.locator('[data-row-link]').allInnerTexts()).toEqual(['Count the ships']);
});
