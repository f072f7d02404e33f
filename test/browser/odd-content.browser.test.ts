// Looks of the app under odd content: long and foreign names in large and small windows, people's own colours, and placeholders as large as
// their content.

import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { columnOf, openSampleProject, type Visitor } from './pages.ts';

let ada: Visitor;

const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const arabic = 'مراجعة نصوص الصفحة الرئيسية قبل النشر على الخادم الجديد';

const sample = forSuite(
  () => openSampleProject([unbroken.repeat(2), arabic, 'Sweep the quay']),
  (sample) => sample.site.close(),
);
beforeAll(async () => {
  const { site, projectId, rows } = sample;
  const other = await site.visit();
  const mail = await other.signUp(`${unbroken} van den Berghe`, 'long@example.test');
  await other.close();
  await sample.join(mail, 'editor');
  await rows(`update projects set name = '${unbroken}' where id = $1`);
  await rows(
    `update workflow_columns set name = case kind when 'todo' then '${arabic}' else '${unbroken}' end, wip_limit = 1 where project_id = $1`,
  );
  await site.app.sql(
    `with label as (insert into task_labels (project_id, name) values ($1, $2), ($1, $3), ($1, 'a') returning id)
     insert into task_label_links (project_id, task_id, label_id)
     select $1, t.id, label.id from tasks t, label where t.project_id = $1`,
    [projectId, unbroken, arabic],
  );
  await rows(
    'insert into task_assignees (project_id, task_id, user_id) select t.project_id, t.id, m.user_id from tasks t join project_members m using (project_id) where project_id = $1',
  );
  await rows("update tasks set due_date = '2031-12-24', priority = 'p0' where project_id = $1");
});

afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});

/** Ada in a browser of its own, which has nothing of the project yet. */
/** Where things are is asked for where they stay: nothing glides in. */
async function visit(viewport = { width: 1280, height: 720 }): Promise<Page> {
  const reducedMotion = 'reduce';
  ada = await sample.site.visit({
    viewport,
    reducedMotion,
    storageState: await sample.ada.page.context().storageState(),
  });
  return ada.page;
}

/** What can be pressed or written in and is not whole inside the window, or smaller than a pointer needs. */
function misplaced(least: number): string[] {
  // What slides sideways on its own, and what only those see who need it.
  const own =
    '[data-board], search, main nav, [role="rowgroup"]:has([role="columnheader"]), section[tabindex], .only-spoken, .skip';
  const wrong: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} wide`);
  for (const one of document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest('[inert]')) continue;
    const name = `${one.className} ${one.getAttribute('aria-label') ?? one.textContent?.slice(0, 30)}`;
    if (!one.closest(own) && (box.left < -1 || box.right > innerWidth + 1))
      wrong.push(`${name} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
    // What lies around a small box, invisible, is hit as well.
    const around = getComputedStyle(one, one.matches('[type="checkbox"]') ? '::before' : '::after');
    const more = around.position === 'absolute' ? -2 * Math.min(Number.parseFloat(around.top) || 0, 0) : 0;
    if (!one.closest('label:has(> [type="radio"]), .only-spoken') && box.height + more < least)
      wrong.push(`${name} is ${Math.round(box.height + more)} high`);
  }
  return wrong;
}

describe('names of any length and script', () => {
  const windows = [
    { width: 1280, height: 720 },
    { width: 640, height: 360 },
    { width: 360, height: 640 },
  ];
  for (const size of windows)
    test(`stay in their places at ${size.width} × ${size.height}`, async () => {
      const page = await visit(size);
      const found: Record<string, string[]> = {};
      const places: [string, string][] = [
        [`/app/projects/${sample.projectId}/board`, '[data-task-id]'],
        [`/app/projects/${sample.projectId}/list`, '[data-row-link]'],
        [`/app/projects/${sample.projectId}/calendar?day=2031-12-24&show=month`, '[data-calendar] [data-task-id]'],
        [`/app/projects/${sample.projectId}/timeline?day=2031-12-24`, '[data-timeline] [data-task-id]'],
        [`/app/projects/${sample.projectId}/board/1`, 'aside textarea'],
        [`/app/projects/${sample.projectId}/settings`, 'main section li'],
        [`/app/projects/${sample.projectId}/dashboard`, 'main dl > div'],
        ['/app/my-tasks', 'main section li'],
        ['/app', 'main li a'],
      ];
      for (const [path, there] of places) {
        await page.goto(path);
        await page.locator(there).first().waitFor();
        const wrong = await page.evaluate(misplaced, 24);
        if (wrong.length > 0) found[path] = wrong;
      }
      expect(found).toEqual({});
    });

  test('a name that runs from right to left loses its end, not its beginning', async () => {
    const page = await visit();
    await page.goto(`/app/projects/${sample.projectId}/board`);
    const head = page.locator('[data-column] h2', { hasText: arabic });
    await head.waitFor();
    expect(await head.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('plaintext');
  });
});

test('with colours of one’s own it can be seen where one is, what is open and what is ticked', async () => {
  const page = await visit();
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground('aside nav li a[aria-current]')).not.toBe(await ground('aside nav li a:not([aria-current])'));
  const boxes = '[data-row] [type="checkbox"]';
  await page.locator(boxes).first().check();
  expect(await ground(`${boxes}:checked`)).not.toBe(await ground(`${boxes}:not(:checked)`));
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await dialog.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px');
});

test('fetched columns appear in the place reserved for them', async () => {
  const page = await visit();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/rest\/v1\/(tasks|workflow_columns)/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/app/projects/${sample.projectId}/board`);
  const column = page.locator('[data-column]').first();
  await column.waitFor();
  await page.evaluate(() => document.fonts.ready);
  const before = await column.boundingBox();
  release();
  await columnOf(page, arabic).locator('[data-task-id]').first().waitFor();
  expect((await column.boundingBox())?.y).toBe(before?.y);
  expect((await column.boundingBox())?.width).toBe(before?.width);
});
