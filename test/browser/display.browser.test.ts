// Display of a view: the same popover on every layout, with the parts that the layout has a use for, in one order.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openDisplay, type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada } = sample);
  ({ page } = ada);
  return [ada];
});

const layouts = ['board', 'list', 'calendar', 'timeline', 'dashboard'] as const;

test('each layout has one Display, with its parts in one order', async () => {
  const order = [t('views.display.order'), t('views.levels.then')];
  const parts: Readonly<Record<(typeof layouts)[number], readonly string[]>> = {
    board: [
      t('common.columns'),
      t('views.display.lanes'),
      ...order,
      t('views.display.hideEmpty'),
      t('views.display.shown'),
      t('board.density'),
    ],
    list: [t('list.group'), ...order, t('table.outline'), t('common.columns'), t('board.density')],
    calendar: [t('board.density')],
    timeline: [t('list.group'), ...order, t('board.density')],
    dashboard: [],
  };
  for (const layout of layouts) {
    await page.goto(`/app/projects/${sample.projectId}/${layout}`);
    const display = await openDisplay(page);
    const heads = display.locator('legend, label').filter({ visible: true });
    const said = (await heads.allInnerTexts()).filter((one) => parts[layout].includes(one));
    expect(said).toEqual(parts[layout]);
    const choices = display.getByRole('group', { name: t('views.layout') }).getByRole('button');
    expect(await choices.allInnerTexts()).toEqual(layouts.map((one) => t(`projects.views.${one}`)));
    // The button closes what it opened.
    await page.getByRole('button', { name: t('board.display') }).click();
    await display.waitFor({ state: 'detached' });
  }
});

test('another layout keeps filter and grouping, and its display open', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list?filter=text.contains.crane&group=priority`);
  await page.locator('[data-row-link]', { hasText: 'Paint the crane' }).waitFor();
  const display = await openDisplay(page);
  await display.getByRole('button', { name: t('projects.views.timeline') }).click();
  await page.waitForURL(/\/timeline\?filter=text\.contains\.crane&group=priority$/);
  await display.getByRole('button', { name: t('projects.views.timeline'), pressed: true }).waitFor();
  expect(await display.getByRole('combobox', { name: t('list.group') }).inputValue()).toBe('priority');
  await display.getByRole('button', { name: t('projects.views.board'), exact: true }).click();
  await page.waitForURL(/\/board\?filter=text\.contains\.crane&group=priority$/);
  await page.keyboard.press('Escape');
  await display.waitFor({ state: 'detached' });
  // It is open once only.
  await page.getByRole('link', { name: t('projects.views.list'), exact: true }).click();
  await page.locator('[data-row-link]', { hasText: 'Sweep the quay' }).waitFor();
  expect(await display.count()).toBe(0);
});

test('chrome above a layout is two rows of 48 pixels, of a project and across projects', async () => {
  const { data: me } = await sample.client.auth.getUser();
  await sample.rows('update tasks set start_date = current_date, due_date = current_date where project_id = $1');
  const bar = page.getByRole('search', { name: t('board.filters.label') });
  const bodies = {
    board: page.getByRole('region', { name: /^To do, / }),
    list: page.getByRole('grid', { name: t('common.taskList') }),
    calendar: page.locator('[data-calendar]'),
    timeline: page.locator('[data-timeline]'),
  };
  for (const [layout, body] of Object.entries(bodies)) {
    const { data: view } = await sample.client
      .from('saved_views')
      .insert({ owner_id: me.user?.id ?? '', name: `All in a ${layout}`, layout })
      .select('id')
      .single();
    for (const path of [`/app/projects/${sample.projectId}/${layout}`, `/app/views/${view?.id}`]) {
      await page.goto(path);
      await body.locator('[data-task-id]').first().waitFor();
      const heights = await Promise.all(
        [page.locator('main header').first(), bar].map(async (one) => one.boundingBox()),
      );
      const [head, filters] = heights.map((box) => box?.height ?? Number.NaN);
      expect((head ?? 0) + (filters ?? 0), path).toBeLessThanOrEqual(96);
      // Nothing else stands between them and what they are about.
      const foot = (heights[1]?.y ?? 0) + (heights[1]?.height ?? 0);
      expect((await body.boundingBox())?.y, path).toBeCloseTo(foot, 0);
    }
  }
});

test('keys pressed before the display has come are no keys of the page', async () => {
  await sample.openBoard(page);
  await page.locator('[data-task-id]', { hasText: 'Paint the crane' }).focus();
  let come = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await gone;
    await route.continue();
  });
  await page.keyboard.press('Shift+V');
  await page.keyboard.type('exal');
  come();
  await page.getByRole('dialog', { name: t('board.display') }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await sample.rows('select 1 from tasks where project_id = $1 and archived_at is not null')).toEqual([]);
});
