// The dashboard, read as people read it: its figures as tables, and its charts.
// Each test has a project and a browser of its own.

import { expect, test } from 'vitest';
import { offences } from './offences.ts';
import { type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';

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
  await page.locator('.recharts-surface').first().waitFor();
  const switches = page.getByRole('button', { name: /As table/ });
  await switches.first().waitFor();
  while ((await switches.count()) > 0) await switches.first().click();
  await page
    .getByRole('region', { name: 'Cumulative flow' })
    .getByRole('columnheader', { name: 'In progress' })
    .waitFor();
  await page.getByRole('region', { name: 'By assignee' }).getByRole('rowheader', { name: 'Ada Lovelace' }).waitFor();
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
  await page.getByRole('heading', { name: 'By column' }).waitFor();
  const fields = page.getByRole('region', { name: 'Fields of the project' });
  const berth = page.getByRole('region', { name: 'Berth' });
  await fields.getByText('15 t', { exact: true }).waitFor();
  await berth.getByRole('button', { name: /As table/ }).click();
  await berth.getByRole('row', { name: 'North 3' }).waitFor();
  await berth.getByRole('row', { name: 'South 0' }).waitFor();
  expect(await offences(page)).toEqual([]);
  // They follow a filter.
  await page.goto(`/app/projects/${projectId}/dashboard?q=crane`);
  await fields.getByText('5 t', { exact: true }).waitFor();
  await berth.getByRole('button', { name: /As table/ }).click();
  await berth.getByRole('row', { name: 'North 1' }).waitFor();
});

test('charts stand at once, also where nobody asks for less motion', async () => {
  const guest = await sample.site.visit({
    reducedMotion: 'no-preference',
    storageState: await ada.page.context().storageState(),
  });
  const { page } = guest;
  await page.goto('/app');
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  // How large each bar, each area and what areas are cut by is in every picture that is drawn.
  await page.evaluate(() => {
    const sizes = new Map<Element, { kind: string; least: number; most: number }>();
    let calm = 0;
    const look = (): void => {
      calm++;
      const parts = 'figure svg :is(.recharts-bar-rectangle path, .recharts-area-area, clipPath rect)';
      for (const one of document.querySelectorAll<SVGGraphicsElement>(parts)) {
        const box = one.getBBox();
        const size = box.width * box.height;
        const seen = sizes.get(one);
        if (seen === undefined) calm = 0;
        const { least = size, most = size } = seen ?? {};
        const kind = one.closest('.recharts-bar') ? 'bar' : one instanceof SVGRectElement ? 'clip' : 'area';
        sizes.set(one, { kind, least: Math.min(least, size), most: Math.max(most, size) });
      }
      requestAnimationFrame(look);
    };
    look();
    Object.assign(window, { drawnSizes: () => ({ calm, sizes: [...sizes.values()] }) });
  });
  type Drawn = { calm: number; sizes: { kind: string; least: number; most: number }[] };
  const drawn = () => page.evaluate(() => (window as unknown as { drawnSizes: () => Drawn }).drawnSizes());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.locator('.recharts-surface').nth(2).waitFor();
  // Longer than any of the library's own motions.
  await expect.poll(async () => (await drawn()).calm).toBeGreaterThan(120);
  const { sizes } = await drawn();
  expect(new Set(sizes.filter(({ most }) => most > 0).map(({ kind }) => kind))).toEqual(
    new Set(['area', 'bar', 'clip']),
  );
  expect(sizes.filter(({ least, most }) => least < 0.9 * most)).toEqual([]);
  await guest.close();
});
