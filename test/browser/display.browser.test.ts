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

/** Many people, a long name, tasks with days, in a language, in a small window. */
async function crowd(language: string): Promise<void> {
  await sample.rows('update tasks set start_date = current_date, due_date = current_date where project_id = $1');
  await sample.rows("update projects set name = 'Harbour and all of its quays' where id = $1");
  for (const name of ['Bob Kahn', 'Cem Lund', 'Dora Main', 'Eve Nolte', 'Finn Ott']) {
    const { email } = await sample.site.app.createUser({ name });
    await sample.join(email, 'editor');
  }
  const chooseLanguage = `update auth.users set raw_user_meta_data = raw_user_meta_data || jsonb_build_object('language', $2::text) where email = $1`;
  await sample.site.app.sql(chooseLanguage, [sample.adaMail, language]);
  const url = sample.site.app.services.siteUrl;
  await page.context().addCookies([{ name: 'kanbase-language', value: language, url, sameSite: 'Lax' }]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test.each(['en', 'fr'])(
  'chrome of every layout stays as high with tabs, many people and unsaved changes, in %s',
  async (language) => {
    const { data: me } = await sample.client.auth.getUser();
    await crowd(language);
    const found: Record<string, number> = {};
    for (const layout of ['board', 'list', 'calendar', 'timeline'])
      for (const project_id of [sample.projectId, null]) {
        const { data: view } = await sample.client
          .from('saved_views')
          .insert({ project_id, owner_id: me.user?.id ?? '', name: `Mine in a ${layout}`, layout })
          .select('id')
          .single();
        const paths = project_id
          ? [`projects/${project_id}/${layout}?`, `projects/${project_id}/${layout}?view=${view?.id}&`]
          : [`views/${view?.id}?`];
        for (const path of paths) {
          await page.goto(`/app/${path}filter=text.contains.crane`);
          await page.locator('main [data-task-id]').first().waitFor();
          const isPlain = project_id !== null && !path.includes('view=');
          await page
            .locator(isPlain ? 'main search' : 'main [role="status"][title]')
            .first()
            .waitFor();
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
          const chrome = [page.locator('main header').first(), page.locator('main search')];
          const boxes = await Promise.all(chrome.map((one) => one.boundingBox()));
          found[path] = boxes.reduce((sum, box) => sum + (box?.height ?? Number.NaN), 0);
        }
      }
    const high = Object.entries(found).filter(([, height]) => !(height <= 96));
    expect(Object.keys(found)).toHaveLength(12);
    expect(high).toEqual([]);
  },
);

test.each(['en', 'fr'])(
  'layouts keep their names beside many saved views, a task opens below them, in %s',
  async (language) => {
    await crowd(language);
    for (const [at, name] of ['Critical', 'Overdue', 'Of this week', 'Waiting for others'].entries())
      await sample.rows(
        `insert into saved_views (project_id, owner_id, name, position) select id, created_by, '${name}', ${at + 1} from projects where id = $1`,
      );
    const [view] = await sample.rows<{ id: string }>(
      `select id from saved_views where project_id = $1 and name = 'Waiting for others'`,
    );
    const head = page.locator('main header').first();
    for (const path of ['board', `board?view=${view?.id}`, `board/1?view=${view?.id}`]) {
      await page.goto(`/app/projects/${sample.projectId}/${path}`);
      await page.locator('main [data-task-id]').first().waitFor();
      await head.getByRole('button', { name: /^\d/ }).waitFor();
      const cut = await head.locator('nav > a').evaluateAll((links) =>
        links.flatMap((link) => {
          const room = link.parentElement?.getBoundingClientRect();
          const words = link.querySelector('span')?.getBoundingClientRect();
          const isSeen = room && words && words.width > 20 && words.left >= room.left && words.right <= room.right;
          return isSeen || /people|settings/.test(link.getAttribute('href') ?? '') ? [] : [link.textContent];
        }),
      );
      expect(cut, path).toEqual([]);
      expect((await head.boundingBox())?.height, path).toBe(48);
    }
    const panel = await page.locator('[data-open-task]').boundingBox();
    expect(panel?.y).toBe(((await head.boundingBox())?.y ?? Number.NaN) + 48);
    expect((await page.locator('main search').boundingBox())?.height).toBe(48);
  },
);

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
