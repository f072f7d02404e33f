// The app on a phone and a tablet: reach of the thumb, share of the screen for content, portrait, landscape and small. One page for all of it.

import type { CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { addCrew, cardOf, columnOf, news, openSampleProject, type SampleProject, type Visitor } from './pages.ts';
import { tooSmall } from './touch-targets.ts';
import { either, saying, t } from './words.ts';

let sample: SampleProject;
let bobId: string;
let crewId: string;
let phone: Visitor;
let page: Page;
let cdp: CDPSession;

const upright = { width: 390, height: 844 };
const lying = { width: 844, height: 390 };
const small = { width: 320, height: 640 };

beforeAll(async () => {
  sample = await openSampleProject();
  await sample.rows("insert into task_labels (project_id, name) values ($1, 'Urgent')");
  ({ id: bobId } = await sample.site.app.createUser({ name: 'Bob' }));
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'editor')`);
  crewId = await addCrew(sample, bobId, false);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select $1, t.id, m.user_id from tasks t, project_members m
     where t.project_id = $1 and m.project_id = $1 and m.role = 'owner'`,
  );
  // Two tasks are talked about: the inbox has something to say.
  await sample.site.app.asUser(
    bobId,
    `insert into task_comments (task_id, body) select id, 'Which red?' from tasks where project_id = '${sample.projectId}' and number < 3`,
  );
  await sample.rows(
    `insert into comment_reactions (project_id, task_id, comment_id, user_id, emoji)
     select project_id, task_id, id, author_id, emoji from task_comments, unnest(array['👍', '🎉']) emoji where project_id = $1`,
  );
  phone = await sample.site.visit({
    viewport: upright,
    hasTouch: true,
    isMobile: true,
    storageState: await sample.ada.page.context().storageState(),
  });
  ({ page } = phone);
  // The phone's way back, which a browser on a desk does not have: pressed by `pressBack`.
  await page.addInitScript(() => {
    const open = new Set<EventTarget>();
    class CloseWatcher extends EventTarget {
      constructor() {
        super();
        open.add(this);
      }
      destroy(): void {
        open.delete(this);
      }
    }
    Object.assign(window, {
      CloseWatcher,
      pressBack: () => [...open].at(-1)?.dispatchEvent(new Event('close')),
    });
  });
  cdp = await page.context().newCDPSession(page);
}, 120_000);
afterAll(async () => {
  const { troubles } = phone;
  await phone.close();
  await sample.site.close();
  expect(troubles).toEqual([]);
});

beforeEach(async () => {
  await page.setViewportSize(upright);
});

const bar = () => page.getByRole('navigation', { name: t('common.bar.label') });
const top = async (selector: string): Promise<number> => {
  const first = page.locator(selector).first();
  await first.waitFor();
  await bar().waitFor();
  return Math.round((await first.boundingBox())?.y ?? Number.NaN);
};
const go = (path: string) => page.goto(path.replace(':id', sample.projectId).replace(':crew', crewId));

/** A finger is put down in the middle of it, drawn so far, and stays there until `then` is over. */
async function draw(
  from: Locator,
  by: { readonly x?: number; readonly y?: number },
  then: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const box = await from.boundingBox();
  if (box === null) throw new Error('nothing to put a finger on');
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 24)];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd' ? [] : [{ x: Math.round(x + (by.x ?? 0) * part), y: Math.round(y + (by.y ?? 0) * part) }],
    });
  await send('touchStart', 0);
  for (const part of [0.1, 0.25, 0.5, 0.75, 1]) await send('touchMove', part);
  await then();
  await send('touchEnd', 1);
}

/** What can be pressed and is not whole inside the window, or is smaller than a finger needs. */
function misplaced(): string[] {
  const wrong: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} wide`);
  for (const one of document.querySelectorAll<HTMLElement>('header :is(a, button), nav :is(a, button)')) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || one.closest('main')) continue;
    const name = one.getAttribute('aria-label') ?? one.textContent;
    if (box.left < -1 || box.right > innerWidth + 1) wrong.push(`${name} reaches to ${Math.round(box.right)}`);
    if (box.height < 43.5 && !one.closest('[data-present]')) wrong.push(`${name} is ${Math.round(box.height)} high`);
  }
  return wrong;
}

/** Each screen, what is its work, and below how many pixels that begins at the latest. */
const screens: readonly (readonly [path: string, work: string, most: number])[] = [
  ['/app/projects/:id/board', '[data-task-id]', 120],
  ['/app/projects/:id/list', '[data-row-link]', 130],
  ['/app/inbox', '[data-entry]', 190],
  ['/app/my-tasks', '[data-task-id]', 160],
];

describe('layout of the screens', () => {
  test.each([
    ['upright', upright],
    ['small', small],
    ['lying', lying],
  ])(
    '%s: the work begins near the top, and all can be reached',
    async (_, size) => {
      await page.setViewportSize(size);
      const found: Record<string, unknown> = {};
      for (const [path, work, most] of screens) {
        await go(path);
        const from = await top(work);
        const wrong = await page.evaluate(misplaced);
        const heard = size === upright ? await offences(page) : [];
        if (from > most || wrong.length > 0 || heard.length > 0) found[path] = { from, wrong, heard };
      }
      expect(found).toEqual({});
      await page.setViewportSize(upright);
    },
    120_000,
  );

  test('one column fills the screen, and the edge of the next one shows', async () => {
    await go('/app/projects/:id/board');
    await top('[data-task-id]');
    const [first, second] = await page.locator('[data-column]').all();
    const [one, other] = [await first?.boundingBox(), await second?.boundingBox()];
    expect(one?.width).toBeGreaterThan(upright.width * 0.8);
    expect(other?.x).toBeLessThan(upright.width - 12);
  });

  test('names of the columns at the foot of the board: the one in sight is marked, a press goes to another', async () => {
    await go('/app/projects/:id/board');
    const strip = page.getByRole('navigation', { name: t('common.columns') });
    const marked = () => strip.locator('[aria-current]').allTextContents();
    await expect.poll(marked).toEqual(['Backlog']);
    await columnOf(page, 'To do').evaluate((column) => column.scrollIntoView({ inline: 'start' }));
    await expect.poll(marked).toEqual(['To do']);
    await strip.getByRole('button', { name: 'Done' }).tap();
    await expect.poll(marked).toEqual(['Done']);
    const box = await columnOf(page, 'Done').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(upright.width);
    expect(await tooSmall(page, 'main')).toEqual([]);
  });
});

test('the inbox shows nine whole entries at once, and one button opens the actions of each', async () => {
  await sample.rows(
    `insert into tasks (project_id, column_id, title, created_by)
     select c.project_id, c.id, 'Ask the harbour master for the depth of berth ' || n, m.user_id
     from workflow_columns c, project_members m, generate_series(1, 12) n
     where c.project_id = $1 and c.name = 'To do' and m.project_id = $1 and m.role = 'owner'`,
  );
  const comments = ['“Deep enough?” is what the pilot asked, and nobody had an answer for her', 'Anyone?'];
  for (const body of comments)
    await sample.site.app.asUser(
      bobId,
      `insert into task_comments (task_id, body) select id, '${body}' from tasks where project_id = '${sample.projectId}' and title like 'Ask %'`,
    );
  await go('/app/inbox');
  const entries = page.locator('[data-entry]');
  await expect.poll(() => entries.count()).toBeGreaterThan(12);
  const foot = (await bar().boundingBox())?.y ?? 0;
  const boxes = await Promise.all((await entries.all()).map((one) => one.boundingBox()));
  expect(boxes.filter((box) => box !== null && box.y + box.height <= foot).length).toBeGreaterThanOrEqual(9);
  // Its lines end before the button.
  const covered = await entries.evaluateAll((rows) =>
    rows.flatMap((row) => {
      const button = row.lastElementChild?.getBoundingClientRect().left ?? 0;
      const times = [...row.querySelectorAll('time')].map((time) => time.getBoundingClientRect().right);
      return times.some((right) => right > button) ? [row.textContent] : [];
    }),
  );
  expect(covered).toEqual([]);
  expect(await tooSmall(page, 'main')).toEqual([]);
  const first = entries.first();
  await first.getByRole('button', { name: saying('inbox.actions') }).tap();
  await page.getByRole('option', { name: t('inbox.done'), exact: true }).tap();
  await expect.poll(() => entries.count()).toBeLessThan(boxes.length);
  await sample.rows("delete from tasks where project_id = $1 and title like 'Ask %'");
});

test('a finger finds what is drawn smaller than it is', async () => {
  const found: Record<string, string[]> = {};
  for (const [path, room, there] of [
    ['/app/inbox', 'main', '[data-entry]'],
    ['/app/my-tasks', 'main', '[data-task-id]'],
    ['/app/projects/:id/board', 'main', '[data-task-id]'],
    ['/app/projects/:id/calendar', 'main', '[data-calendar]'],
    ['/app/projects/:id/people', 'main', 'main li'],
    ['/app/groups', 'main', 'main li'],
    ['/app/groups/:crew', 'main', 'main section li'],
    ['/app/projects/:id/board/1', '[aria-label="Activity"]', `[aria-label="${t('task.activity')}"] [aria-pressed]`],
  ] as const) {
    await go(path);
    await page.locator(there).first().waitFor();
    const small = await tooSmall(page, room);
    if (small.length > 0) found[path] = small;
  }
  expect(found).toEqual({});
});

describe('the bar at the foot', () => {
  test('leads to what one opens most, and says how much is unread', async () => {
    await go('/app');
    await bar()
      .getByRole('link', { name: saying('common.nav.inbox') })
      .getByText(t('common.nav.inboxUnread', { n: 3 }))
      .waitFor({ state: 'attached' });
    await bar()
      .getByRole('link', { name: saying('common.nav.inbox') })
      .tap();
    await page.getByRole('heading', { name: t('common.nav.inbox'), level: 1 }).waitFor();
    expect(
      await bar()
        .getByRole('link', { name: saying('common.nav.inbox') })
        .getAttribute('aria-current'),
    ).toBe('page');
    await bar()
      .getByRole('link', { name: t('common.taskList') })
      .tap();
    await page.getByRole('heading', { name: t('common.nav.myTasks'), level: 1 }).waitFor();
    await bar()
      .getByRole('button', { name: t('common.nav.search') })
      .tap();
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    // What it has no room for is behind the button at the top.
    await page.getByRole('button', { name: t('common.nav.openMenu') }).tap();
    await page
      .getByRole('dialog', { name: t('common.nav.main') })
      .getByRole('link', { name: t('projects.views.dashboard') })
      .tap();
    await page.getByRole('heading', { name: t('projects.views.dashboard'), level: 1 }).waitFor();
  });

  test('has a new task for the column in sight, with the words that are understood', async () => {
    await go('/app/projects/:id/board');
    await columnOf(page, 'In progress').evaluate((column) => column.scrollIntoView({ inline: 'start' }));
    await bar()
      .getByRole('button', { name: t('common.newTask') })
      .tap();
    const sheet = page.getByRole('dialog', { name: t('common.newTask') });
    await sheet.getByRole('button', { name: t('common.bar.column', { name: 'In progress' }) }).waitFor();
    await sheet.getByRole('textbox').fill('Order rope !high');
    // While something is typed the bar is out of the way.
    expect(await bar().isVisible()).toBe(false);
    await sheet.getByRole('button', { name: t('board.add'), exact: true }).tap();
    await sheet.waitFor({ state: 'detached' });
    await columnOf(page, 'In progress').getByText('Order rope').waitFor();
    await sample.expectRows("select priority, title from tasks where project_id = $1 and title like 'Order%'", [
      { priority: 'p1', title: 'Order rope' },
    ]);
  });
});

test('a task has the whole screen, and a way back at its head', async () => {
  await go('/app/projects/:id/board');
  await cardOf(page, 'Paint the crane').tap();
  const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  await panel.waitFor();
  expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, ...upright });
  const back = panel.getByRole('button', { name: t('task.close') });
  expect((await back.boundingBox())?.x).toBeLessThan(30);
  await back.tap();
  await panel.waitFor({ state: 'detached' });
  await bar().waitFor();
});

test('a task takes a photo by the camera, beside files', async () => {
  await go('/app/projects/:id/board/3');
  const chips = page.getByRole('group', { name: t('task.addPart.title') });
  await chips.getByRole('button', { name: t('task.addPart.files'), exact: true }).waitFor();
  const camera = page.waitForEvent('filechooser');
  await chips.getByRole('button', { name: t('task.addPart.photo') }).tap();
  const chooser = await camera;
  expect(await chooser.element().getAttribute('capture')).toBe('environment');
  await chooser.setFiles({ name: 'quay.png', mimeType: 'image/png', buffer: Buffer.from('no real picture') });
  await sample.expectRows('select count(*)::int as n from task_attachments where project_id = $1', [{ n: 1 }]);
  await page.getByRole('button', { name: t('files.photo') }).waitFor();
});

test('saved views stand behind the button of the views, which says the one that is open', async () => {
  await sample.rows(
    "insert into saved_views (project_id, owner_id, name, layout) select id, created_by, 'Critical ones', 'list' from projects where id = $1",
  );
  await page.goto(`/app/projects/${sample.projectId}/board`);
  await page.getByRole('button', { name: saying('projects.viewsLabel') }).tap();
  await page.getByRole('menuitemradio', { name: 'Critical ones' }).tap();
  await page.waitForURL(/\/list\?view=/);
  const said = t('common.pair', { name: t('projects.viewsLabel'), value: 'Critical ones' });
  await page.getByRole('button', { name: said }).waitFor();
});

test('filters stand behind one button, which counts those in use', async () => {
  await go('/app/projects/:id/board');
  await page.getByRole('button', { name: t('board.filters.label'), exact: true }).tap();
  await page.getByRole('search').getByRole('searchbox').fill('crane');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: t('board.filters.count', { n: 1 }) }).waitFor();
  await cardOf(page, 'Count the ships').waitFor({ state: 'detached' });
});

describe('a sheet from the foot of the screen', () => {
  const sheet = () => page.locator('[role="menu"], [role="dialog"]').last();
  const shown = async (): Promise<string[]> => {
    await sheet().waitFor();
    return sheet().evaluate(async (one) => {
      // It is measured where it comes to rest.
      await Promise.allSettled(one.getAnimations().map((animation) => animation.finished));
      const box = one.getBoundingClientRect();
      const wrong: string[] = [];
      if (Math.round(box.bottom) !== innerHeight) wrong.push(`it ends at ${Math.round(box.bottom)}`);
      if (box.top < 24) wrong.push(`it begins at ${Math.round(box.top)}`);
      if (box.left < 0 || box.right > innerWidth) wrong.push(`it reaches from ${box.left} to ${box.right}`);
      if (!one.contains(document.activeElement)) wrong.push('it does not have the focus');
      if (document.activeElement?.matches('input, textarea')) wrong.push('it makes a keyboard come');
      for (const part of one.querySelectorAll<HTMLElement>('button, a, [role^="menuitem"], [role="option"], input')) {
        const { height, width } = part.getBoundingClientRect();
        const small = height > 1 && height < 43.5 && !part.closest('label');
        if (small) wrong.push(`${part.textContent || part.getAttribute('aria-label')} is ${Math.round(height)} high`);
        if (part.matches('input') && width > 24 && Number.parseFloat(getComputedStyle(part).fontSize) < 16)
          wrong.push('a phone zooms into its field');
      }
      return wrong;
    });
  };
  const menuOf = (name: string) => page.getByRole('button', { name: t('board.columnMenu', { column: name }) }).tap();
  const openings: readonly (readonly [what: string, path: string, open: () => Promise<unknown>])[] = [
    ['the menu of a column', '/app/projects/:id/board', () => menuOf('To do')],
    [
      'colours for a column',
      '',
      async () => {
        await menuOf('To do');
        await page.getByRole('menuitem', { name: t('common.colour') }).tap();
        await page.getByRole('dialog').waitFor();
      },
    ],
    ['the views', '', () => page.getByRole('button', { name: saying('projects.viewsLabel') }).tap()],
    ['the filters', '', () => page.getByRole('button', { name: saying('board.filters.label') }).tap()],
    [
      'a day to pick',
      '/app/projects/:id/board/1',
      () =>
        page
          .getByRole('button', { name: saying('property.due_date') })
          .first()
          .tap(),
    ],
    [
      'people to pick',
      '',
      () =>
        page
          .getByRole('button', { name: saying('task.properties.assignee') })
          .first()
          .tap(),
    ],
    [
      'what can be done with a task',
      '',
      () =>
        page
          .getByRole('button', { name: t('common.more') })
          .first()
          .tap(),
    ],
    [
      'when an entry is to come back',
      '/app/inbox',
      async () => {
        await page
          .getByRole('button', { name: saying('inbox.actions') })
          .first()
          .tap();
        await page.getByRole('option', { name: t('inbox.snooze'), exact: true }).tap();
        await page.getByRole('menu', { name: t('inbox.snooze') }).waitFor();
      },
    ],
  ];

  test('upright and lying, whatever it is, and Escape closes it', async () => {
    const found: Record<string, string[]> = {};
    for (const [what, path, open] of openings) {
      if (path !== '') await go(path);
      for (const size of [upright, lying]) {
        await page.setViewportSize(size);
        const wrong = await open().then(shown, (reason: Error) => [reason.message]);
        if (wrong.length > 0) found[`${what}, ${size.width} wide`] = wrong;
        await page.keyboard.press('Escape');
        await sheet().waitFor({ state: 'detached' });
      }
    }
    expect(found).toEqual({});
  }, 120_000);

  test('the finger that opens it may rest: lifting it chooses nothing', async () => {
    await page.setViewportSize(lying);
    await go('/app/projects/:id/board');
    const opener = page.getByRole('button', { name: t('board.columnMenu', { column: 'To do' }) });
    await opener.scrollIntoViewIfNeeded();
    const box = await opener.boundingBox();
    const at = { x: Math.round((box?.x ?? 0) + 20), y: Math.round((box?.y ?? 0) + 20) };
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => shown()).toEqual([]);
    // The click of that finger comes late, onto what lies there by now.
    const clicked = await sheet().evaluate((one) =>
      one
        .querySelector('[role="menuitem"]')
        ?.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, cancelable: true, pointerType: 'touch' })),
    );
    expect(clicked).toBe(false);
    expect(await page.getByRole('textbox', { name: t('settings.columnName') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('a long drag down closes the sheet, a short one does not, and the back button closes nothing else', async () => {
    await go('/app/projects/:id/board');
    const opener = page.getByRole('button', { name: t('board.columnMenu', { column: 'To do' }) });
    await opener.tap();
    expect(await offences(page)).toEqual([]);
    await draw(sheet(), { y: 20 });
    await expect.poll(() => shown()).toEqual([]);
    await draw(sheet(), { y: 150 });
    await sheet().waitFor({ state: 'detached' });
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
    await opener.tap();
    await sheet().waitFor();
    await page.evaluate(() => (window as unknown as { pressBack(): void }).pressBack());
    await sheet().waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/board$/);
    await opener.tap();
    await sheet().waitFor();
    await page.touchscreen.tap(195, 100);
    await sheet().waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/board$/);
  });
});

test('without CloseWatcher a sheet is an entry of the history, and no press of the back button is lost', async () => {
  const other = await page.context().newPage();
  await other.addInitScript('delete window.CloseWatcher');
  await other.goto('/app/my-tasks');
  await other.goto(`/app/projects/${sample.projectId}/board`);
  const filters = other.getByRole('button', { name: saying('board.filters.label') });
  const sheet = other.locator('[role="menu"], [role="dialog"]').last();
  const depth = () => other.evaluate(() => history.length);
  const before = await depth();
  await filters.tap();
  await expect.poll(depth).toBe(before + 1);
  await other.getByRole('search').getByRole('searchbox').fill('crane');
  await cardOf(other, 'Count the ships').waitFor({ state: 'detached' });
  // Back closes it, and what was filtered stays so.
  await other.goBack();
  await sheet.waitFor({ state: 'detached' });
  await other.getByRole('button', { name: t('board.filters.count', { n: 1 }) }).waitFor();
  expect(other.url()).toMatch(/board\?.*crane/);
  // Closed another way it leaves an entry, which the next one takes, and going back passes over.
  for (const _ of [1, 2]) {
    await filters.tap();
    await sheet.waitFor();
    await other.waitForFunction(() => 'sheet' in (history.state ?? {}));
    await other.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  }
  expect(await depth()).toBe(before + 1);
  await other.evaluate(() => history.back());
  await other.waitForURL(/my-tasks$/);
  await other.close();
});

test('a viewer sees their role in the header', async () => {
  const role = (is: string) =>
    sample.rows(
      `update project_members m set role = '${is}' from auth.users u where m.project_id = $1 and u.id = m.user_id and u.email = '${sample.adaMail}'`,
    );
  await sample.rows("update project_members set role = 'owner' where project_id = $1");
  await role('viewer');
  await go('/app/projects/:id/board');
  await page.locator('header').getByText(t('common.roles.viewer'), { exact: true }).waitFor();
  expect(await page.evaluate(misplaced)).toEqual([]);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Harbour');
  await role('owner');
});

describe('a finger on a row', () => {
  const rowOf = (title: string) =>
    page.locator('li, [data-row]').filter({ has: page.locator('[data-task-id]', { hasText: title }) });
  const entry = (title: string) => page.locator('[data-entry]').filter({ hasText: title });
  const menu = () => page.getByRole('dialog', { name: either(saying('task.keys.menu'), saying('common.actions')) });

  /** The rows of a screen are there, and listen. */
  async function open(path: string): Promise<void> {
    await go(path);
    await page.locator('[data-swipes]').waitFor();
  }

  /** It rests until something has come of it. */
  async function rest(on: Locator): Promise<void> {
    await draw(on, {}, () => menu().waitFor());
  }

  test('draws a task of mine to the right: done, with a way back; by a little, or up and down, nothing happens', async () => {
    await open('/app/my-tasks');
    const row = rowOf('Paint the crane');
    await row.waitFor();
    await draw(row, { x: 40 }, async () => expect(await row.textContent()).toContain('Done'));
    await expect.poll(() => row.evaluate((one) => one.style.translate)).toBe('');
    await draw(row, { x: 60, y: 90 });
    await row.waitFor();
    await draw(row, { x: 180 });
    await row.waitFor({ state: 'detached' });
    await news(page)
      .getByText(t('board.done.moved', { task: 'HAR-1', column: 'Done' }))
      .waitFor();
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .tap();
    await row.waitFor();
  });

  test('draws it to the left: its day is chosen, in the list as well', async () => {
    for (const path of ['/app/my-tasks', '/app/projects/:id/list']) {
      await open(path);
      await draw(rowOf('Count the ships'), { x: -180 });
      const days = page.getByRole('dialog', { name: t('task.keys.due_date') });
      await days.getByRole('option', { name: saying('days.tomorrow') }).waitFor();
      expect(await offences(page)).toEqual([]);
      await days.getByRole('option', { name: path === '/app/my-tasks' ? saying('days.tomorrow') : /^No/ }).tap();
      await days.waitFor({ state: 'detached' });
      await sample.expectRows('select due_date is null as none from tasks where project_id = $1 and number = 2', [
        { none: path !== '/app/my-tasks' },
      ]);
    }
  });

  test('draws a row of the list to the right, and an entry of the inbox to either side', async () => {
    await open('/app/projects/:id/list');
    await draw(rowOf('Sweep the quay'), { x: 180 });
    await sample.expectRows('select completed_at is null as open from tasks where project_id = $1 and number = 3', [
      { open: false },
    ]);
    await open('/app/inbox');
    await draw(entry('Count the ships'), { x: -180 });
    await page.getByRole('menu', { name: t('inbox.snooze') }).waitFor();
    await page.keyboard.press('Escape');
    await draw(entry('Count the ships'), { x: 180 });
    await entry('Count the ships').waitFor({ state: 'detached' });
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .tap();
    await entry('Count the ships').waitFor();
  });

  test('rests: what can be done comes from the foot, for that row', async () => {
    await open('/app/inbox');
    await rest(entry('Paint the crane').locator('[data-way]'));
    expect(await offences(page)).toEqual([]);
    await menu()
      .getByRole('option', { name: either(saying('inbox.read'), saying('inbox.unreadAgain')) })
      .tap();
    await menu().waitFor({ state: 'detached' });
    await open('/app/my-tasks');
    await rest(rowOf('Count the ships').locator('a'));
    await menu()
      .getByRole('option', { name: t('task.keys.priority') })
      .tap();
    await page.getByRole('option', { name: t('common.priorities.p0') }).tap();
    await sample.expectRows('select priority from tasks where project_id = $1 and number = 2', [{ priority: 'p0' }]);
    expect(page.url()).toMatch(/my-tasks$/);
  });

  test.each([
    { width: 820, height: 1180 },
    { width: 1180, height: 820 },
  ])('does the same on a tablet of %o', async (size) => {
    await page.setViewportSize(size);
    await open('/app/my-tasks');
    await draw(rowOf('Paint the crane'), { x: 60 }, async () =>
      expect(await rowOf('Paint the crane').textContent()).toContain('Done'),
    );
    await draw(rowOf('Paint the crane'), { x: 180 });
    await rowOf('Paint the crane').waitFor({ state: 'detached' });
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .tap();
    await rowOf('Paint the crane').waitFor();
    await open('/app/inbox');
    await draw(entry('Count the ships'), { x: 180 });
    await entry('Count the ships').waitFor({ state: 'detached' });
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .tap();
    await entry('Count the ships').waitFor();
    await open('/app/projects/:id/list');
    await draw(rowOf('Count the ships'), { x: -180 });
    await page.getByRole('option', { name: saying('days.tomorrow') }).waitFor();
    await page.keyboard.press('Escape');
    await rest(rowOf('Count the ships').locator('a'));
    await menu()
      .getByRole('option', { name: t('common.copyLink') })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('rests on a card: lifted where it was its menu opens, moved it goes along', async () => {
    await go('/app/projects/:id/board');
    const card = cardOf(page, 'Paint the crane');
    const held = page.locator('[data-held-card]');
    await top('[data-task-id]');
    await columnOf(page, 'To do').evaluate((column) => column.scrollIntoView({ inline: 'center' }));
    await draw(card, {}, () => held.waitFor());
    await menu().waitFor();
    await held.waitFor({ state: 'detached' });
    await menu()
      .getByRole('option', { name: t('task.archive') })
      .waitFor();
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
    // Rests first, then goes down past the next one.
    const box = await card.boundingBox();
    const [x, y] = [Math.round((box?.x ?? 0) + 80), Math.round((box?.y ?? 0) + 20)];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    await held.waitFor();
    for (const by of [20, 60, 120, 170]) await touch('touchMove', y + by);
    await page.locator('[data-landing]').waitFor();
    await touch('touchEnd', 0);
    await held.waitFor({ state: 'detached' });
    expect(await menu().count()).toBe(0);
    await expect.poll(() => columnOf(page, 'To do').locator('[data-task-id]').first().textContent()).toContain('HAR-2');
  });
});
