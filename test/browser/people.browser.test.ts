// The app for other users: with read access only, without a mouse, on a phone, in the dark theme, with a screen reader. Each test has a project and a
// browser of its own.

import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { cardOf, columnOf, expectTitles, type SampleProject, settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { either, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;

eachStory(async (site) => {
  sample = await settleHarbour(site);
  ({ ada, projectId } = sample);
  await sample.rows(
    "insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d'), ($1, 'A label with a rather long name that will not fit', '#3b74d6')",
  );
  return [ada];
});

describe('a viewer', () => {
  let eve: Visitor;
  beforeEach(async () => {
    eve = await sample.site.visit();
    await sample.join((await eve.settle('Eve Viewer')).email, 'viewer');
  });
  afterEach(async () => {
    const { troubles } = eve;
    await eve.close();
    expect(troubles).toEqual([]);
  });

  test('sees the board and no control that would be refused', async () => {
    const { page } = eve;
    await page.goto(`/app/projects/${projectId}/board`);
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
    expect(await page.getByRole('button', { name: either(saying('board.add'), saying('board.addTo')) }).count()).toBe(
      0,
    );
    await cardOf(page, 'Paint the crane').focus();
    await page.keyboard.press('Shift+Space');
    expect(await page.locator('[data-landing]').count()).toBe(0);
    await page.keyboard.press('c');
    expect(await page.locator('textarea').count()).toBe(0);
  });

  test('reads a task: nothing there can be typed, ticked or deleted', async () => {
    const { page } = eve;
    await page.goto(`/app/projects/${projectId}/board`);
    await cardOf(page, 'Paint the crane').click();
    const panel = page.getByRole('complementary', { name: saying('task.panel') });
    await panel.getByText('Paint the crane').first().waitFor();
    expect(await panel.getByRole('textbox').count()).toBe(0);
    expect(await panel.getByRole('combobox').count()).toBe(0);
    expect(await panel.locator('input:not([disabled]), textarea').count()).toBe(0);
    expect(await panel.getByRole('button', { name: t('common.more') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  test('has a menu of what looking is: opening, its address, watching', async () => {
    const { page } = eve;
    await page.goto(`/app/projects/${projectId}/board`);
    await cardOf(page, 'Paint the crane').focus();
    await page.keyboard.press('.');
    const options = page.getByRole('option');
    await options.getByText(t('common.inbox.watch'), { exact: true }).waitFor();
    const labels = await options.locator(':scope > span:nth-child(2)').allInnerTexts();
    expect(labels).toEqual([t('common.openIt'), t('common.copyLink'), t('common.inbox.watch')]);
    await page.keyboard.type('watch');
    await page.keyboard.press('Enter');
    await sample.expectRows(
      `select w.is_watching from task_watchers w join tasks t on t.id = w.task_id join auth.users u on u.id = w.user_id
       where t.project_id = $1 and t.title = 'Paint the crane' and u.raw_user_meta_data ->> 'name' = 'Eve Viewer'`,
      [{ is_watching: true }],
    );
    await page.keyboard.press('.');
    await options.getByText(t('common.inbox.stop')).waitFor();
    await page.keyboard.press('Escape');
    // What changes the task is refused in words, as before.
    await page.keyboard.press('p');
    await page.getByText(t('task.keys.readOnly')).waitFor();
  });

  test('finds who is there, and in the settings how to leave, nothing else', async () => {
    const { page } = eve;
    await page.goto(`/app/projects/${projectId}/people`);
    await page
      .getByRole('list', { name: t('projects.views.people') })
      .getByText('Ada Lovelace')
      .first()
      .waitFor();
    expect(await page.getByRole('main').getByRole('combobox').count()).toBe(0);
    expect(await page.getByRole('button', { name: t('projects.invite') }).count()).toBe(0);
    await page.goto(`/app/projects/${projectId}/settings`);
    await page.getByRole('button', { name: t('settings.leave') }).waitFor();
    expect(await page.getByRole('region', { name: t('settings.sections.general') }).count()).toBe(0);
    expect(await page.getByRole('button', { name: t('settings.remove') }).count()).toBe(0);
    expect(await page.getByRole('button', { name: t('settings.leave') }).isEnabled()).toBe(true);
  });
});

describe('a keyboard user', () => {
  test('adds, moves, opens, edits, closes and undoes by keys alone, and hears what happens', async () => {
    const { page } = ada;
    await sample.openBoard(page);
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // skip to the content
    // The first card of a column is one tab stop; arrows go on from there.
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement?.matches('[data-task-id]'))) break;
    }
    const focused = () =>
      page.evaluate(() => document.activeElement?.querySelector('[data-title]')?.textContent ?? null);
    await expect.poll(focused).toBe('Paint the crane');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Count the ships');

    await page.keyboard.press('Shift+Space');
    const heard = () => page.locator('.only-spoken[aria-live="assertive"]').textContent();
    await expect
      .poll(heard)
      .toContain(t('board.drag.picked', { task: 'HAR-2 Count the ships', place: '2', of: '3', column: 'To do' }));
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(heard)
      .toContain(t('board.drag.over', { task: 'HAR-2 Count the ships', place: '1', of: '1', column: 'In progress' }));
    await page.keyboard.press('Escape');
    await expect.poll(heard).toContain(t('board.drag.cancelled', { task: 'HAR-2 Count the ships' }));
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);

    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await expect
      .poll(heard)
      .toContain(t('board.drag.dropped', { task: 'HAR-2 Count the ships', place: '1', column: 'In progress' }));
    await expectTitles(page, 'In progress', ['Count the ships']);
    await expect.poll(focused).toBe('Count the ships');

    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-2' }) });
    await panel.waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Count the ships');

    await page.keyboard.press('Control+z');
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: t('common.nav.shortcuts') }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('two-key sequences go places', async () => {
    const { page } = ada;
    await sample.openBoard(page);
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/settings$/);
    await page.getByRole('heading', { name: t('settings.sections.general') }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.waitForURL(/\/board$/);
  });
});

describe('a phone user', () => {
  test('opens the drawer, drags by touch, opens a task over everything; nothing is wider than the screen', async () => {
    const phone = await sample.site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = phone;
    await page.context().addCookies(await ada.page.context().cookies());
    await page.goto('/app');
    await page.getByRole('button', { name: t('common.nav.openMenu') }).tap();
    await page
      .getByRole('dialog', { name: t('common.nav.main') })
      .getByRole('link', { name: 'Harbour' })
      .tap();
    await columnOf(page, 'To do').scrollIntoViewIfNeeded();
    await cardOf(page, 'Sweep the quay').waitFor();

    const card = await cardOf(page, 'Sweep the quay').boundingBox();
    const top = await cardOf(page, 'Paint the crane').boundingBox();
    if (card === null || top === null) throw new Error('no cards to touch');
    const session = await page.context().newCDPSession(page);
    const at = (x: number, y: number) => [{ x: Math.round(x), y: Math.round(y) }];
    const x = card.x + 60;
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(x, card.y + 20) });
    await page.locator('[data-held-card]').waitFor();
    for (const part of [0.25, 0.5, 0.75, 1])
      await session.send('Input.dispatchTouchEvent', {
        type: 'touchMove',
        touchPoints: at(x, card.y + 20 + (top.y + 4 - card.y - 20) * part),
      });
    await page.locator('[data-landing]').waitFor();
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expectTitles(page, 'To do', ['Sweep the quay', 'Paint the crane', 'Count the ships']);

    await cardOf(page, 'Paint the crane').tap();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
    expect(phone.troubles).toEqual([]);
    await phone.close();
  });
});

describe('accessibility in light and dark', () => {
  const screens: readonly (readonly [name: string, path: () => string, ready: string])[] = [
    ['projects', () => '/app', 'Harbour'],
    ['board', () => `/app/projects/${projectId}/board`, 'Paint the crane'],
    ['task', () => `/app/projects/${projectId}/board/1`, 'Paint the crane'],
    ['list', () => `/app/projects/${projectId}/list`, 'Paint the crane'],
    ['settings', () => `/app/projects/${projectId}/settings`, t('common.columns')],
    ['dashboard of a project', () => `/app/projects/${projectId}/dashboard`, t('dashboard.throughput')],
    ['my tasks', () => '/app/my-tasks', t('common.nav.myTasks')],
    ['dashboard', () => '/app/dashboard', t('dashboard.throughput')],
    ['account', () => '/app/account', t('common.nav.account')],
    ['nothing there', () => '/app/nowhere', t('common.failed.goneTitle')],
  ];
  const schemes = [
    ['light', 'all'],
    ['dark', 'colours'],
  ] as const;
  /** What is found on the page that is loaded, by its name: a scheme of colours changes no more than styles. */
  async function look(page: Page, name: string, found: Record<string, string[]>): Promise<void> {
    for (const [colorScheme, what] of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found[`${name}, ${colorScheme}`] = await offences(page, what);
    }
  }

  test('axe finds nothing serious inside, light: all, dark: colours', async () => {
    const { page } = ada;
    const found: Record<string, string[]> = {};
    for (const [name, path, ready] of screens) {
      await page.goto(path());
      await page.getByText(ready).first().waitFor();
      await look(page, name, found);
    }
    // What opens over them.
    await page.goto(`/app/projects/${projectId}/list`);
    await page.getByLabel(t('list.select', { key: 'HAR-1' })).check();
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('list.bulk.assign') })
      .click();
    await page.getByRole('option').first().waitFor();
    await look(page, 'many tasks', found);
    await page.keyboard.press('Escape');
    for (const [name, key] of [
      ['palette', 'Control+k'],
      ['shortcuts', '?'],
      ['new project', 'n'],
    ] as const) {
      await page.locator('body').click({ position: { x: 1, y: 1 } });
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await look(page, name, found);
      // Asked for calm: nothing on the page moves by itself.
      found[`${name}, what moves`] = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) => {
            const { animationDuration, transitionDuration } = getComputedStyle(element);
            return `${animationDuration}, ${transitionDuration}`
              .split(', ')
              .some((time) => Number.parseFloat(time) > 0.01);
          })
          .map((element) => element.outerHTML.slice(0, 80)),
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  }, 240_000);

  test('axe finds nothing serious at the doors, light: all, dark: colours', async () => {
    const guest = await sample.site.visit();
    const found: Record<string, string[]> = {};
    for (const path of [
      '/',
      '/sign-in',
      '/sign-up',
      '/forgot',
      '/reset',
      '/invitation/none',
      '/join#none',
      '/nowhere',
    ]) {
      await guest.page.goto(path);
      await guest.page.getByRole('heading', { level: 1 }).waitFor();
      await look(guest.page, path, found);
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await guest.close();
  });
});
