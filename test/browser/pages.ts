// The real pages, built once for all test files, served by the real app, and people with a browser each.

import type { SupabaseClient } from '@supabase/supabase-js';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { buildPagesAside } from '../../scripts/build.mjs';
import { type AppOptions, startApp, type TestApp } from '../helpers/app.ts';
import { cookieBrowser } from '../helpers/cookie-browser.ts';
import { openPages, showIfFailed } from '../helpers/failed-pages.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { keptBrowser } from '../helpers/open-browser.ts';
import { openContexts } from './contexts.ts';
import { saying, t } from './words.ts';

export interface Site<A extends TestApp = TestApp> {
  readonly app: A;
  readonly browser: Browser;
  /** A browser nobody has used before. Whatever goes wrong in its page is kept in `troubles`. */
  visit(options?: BrowserContextOptions, browser?: Browser): Promise<Visitor>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly page: Page;
  /** Errors thrown in the page, and complaints of its content policy. */
  readonly troubles: readonly string[];
  /** By the form. */
  signUp(name: string, email?: string): Promise<string>;
  /** Signed up and signed in without the form, for stories that begin later: their browser holds the session, no page is open yet. */
  settle(name: string, email?: string): Promise<Settled>;
  close(): Promise<void>;
}

export interface Settled {
  readonly email: string;
  readonly client: SupabaseClient;
}

/** The sites of this process have one address, one after the other: what its browser has of their pages serves the next one too. */
const address = { port: 0, isTaken: false };

/** `open` starts the app another way, with mail say; `launch` another browser than the one of this process. */
export async function startSite<A extends TestApp = TestApp>(
  settings: Record<string, string> = {},
  open: (options: AppOptions) => Promise<A> = startApp as (options: AppOptions) => Promise<A>,
  launch?: () => Promise<Browser>,
): Promise<Site<A>> {
  const directory = await buildPagesAside();
  const isUsual = launch === undefined && !address.isTaken;
  if (isUsual) {
    address.isTaken = true;
    address.port = await findFreePort('127.0.0.1', address.port).catch(() => findFreePort('127.0.0.1'));
  }
  const { port } = address;
  const place: Record<string, string> = isUsual ? { PORT: String(port), SITE_URL: `http://127.0.0.1:${port}` } : {};
  const [app, browser] = await Promise.all([
    open({ settings: { WEB_DIR: directory, ...place, ...settings } }),
    (launch ?? keptBrowser)(),
  ]);
  const contexts = openContexts(
    {
      baseURL: app.services.siteUrl,
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      // It answers before what a test puts in the way of requests; stories about it ask for it.
      serviceWorkers: 'block',
    },
    '/robots.txt',
  );
  let visitors = 0;
  const mailOf = (name: string) => `${name.toLowerCase().replaceAll(' ', '.')}.${++visitors}@example.test`;
  return {
    app,
    browser,
    async visit(options = {}, at = browser) {
      const context = await contexts.take(at, options);
      const page = await context.newPage();
      page.setDefaultTimeout(45_000);
      openPages.add(page);
      page.on('close', () => openPages.delete(page));
      const troubles: string[] = [];
      page.on('pageerror', (error) => troubles.push(error.message));
      page.on('console', (message) => {
        if (/Content Security Policy/.test(message.text())) troubles.push(message.text());
      });
      return {
        page,
        troubles,
        async signUp(name, email = mailOf(name)) {
          await page.goto('/sign-up');
          await fillSignUp(page, name, email);
          await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
          return email;
        },
        async settle(name, email = mailOf(name)) {
          const { client, jar } = cookieBrowser(app.services.siteUrl, app.anonKey, 'sb-kanbase-auth-token');
          const { error } = await client.auth.signUp({ email, password, options: { data: { name } } });
          if (error !== null) throw error;
          const url = app.services.siteUrl;
          await context.addCookies([...jar].map(([cookie, value]) => ({ name: cookie, value, url, sameSite: 'Lax' })));
          return { email, client };
        },
        async close() {
          await showIfFailed(page);
          await contexts.giveBack(context);
        },
      };
    },
    async close() {
      await contexts.close(app.services.siteUrl !== place.SITE_URL);
      if (launch !== undefined) await browser.close();
      await app.close();
      if (isUsual) address.isTaken = false;
    },
  };
}

export interface SampleProject {
  readonly site: Site;
  readonly ada: Visitor;
  readonly adaMail: string;
  /** Signed in as Ada, for what she did before a test begins. */
  readonly client: SupabaseClient;
  readonly projectId: string;
  /** Rows of the database; $1 is the project. */
  rows<T = Record<string, unknown>>(text: string): Promise<T[]>;
  /** Retries until what was done has arrived there. */
  expectRows(text: string, expected: unknown): Promise<void>;
  openBoard(page: Page, search?: string): Promise<void>;
  /** Makes someone a member. */
  join(email: string, role: 'owner' | 'editor' | 'viewer'): Promise<void>;
}

/** What most stories begin with: Ada has signed up, has a project, Harbour, with three tasks to do, and looks at its board. */
export async function openSampleProject(tasks?: readonly string[]): Promise<SampleProject> {
  return openHarbour(await startSite(), tasks);
}

const threeTasks = ['Paint the crane', 'Count the ships', 'Sweep the quay'];

/** The same with an app that runs already, for a test that shares nothing with the one before it: an Ada, a browser and a project of its own. */
export async function openHarbour(
  site: Site,
  tasks: readonly string[] = threeTasks,
  options: BrowserContextOptions = {},
): Promise<SampleProject> {
  const sample = await settleHarbour(site, tasks, options);
  await sample.openBoard(sample.ada.page);
  return sample;
}

/** For stories that begin on another screen, or with more rows: Ada's page is empty yet. */
export async function settleHarbour(
  site: Site,
  tasks: readonly string[] = threeTasks,
  options: BrowserContextOptions = {},
): Promise<SampleProject> {
  const ada = await site.visit(options);
  return makeHarbour(site, ada, await ada.settle('Ada Lovelace'), tasks);
}

/** A project for an Ada who is here already; nobody looks at it yet. Who makes one for each story shares people and pages, and no rows. */
export async function makeHarbour(
  site: Site,
  ada: Visitor,
  { email: adaMail, client }: Settled,
  tasks: readonly string[] = threeTasks,
): Promise<SampleProject> {
  const made = await client.rpc('create_project_with_defaults', { name: 'Harbour', key: 'HAR' });
  if (made.error !== null) throw made.error;
  const { id: projectId } = made.data as { id: string };
  await site.app.sql(
    `insert into tasks (project_id, column_id, title, created_by)
     select $1, c.id, t.title, u.id from unnest($2::text[]) with ordinality as t (title, place)
     join workflow_columns c on c.project_id = $1 and c.name = 'To do' join auth.users u on u.email = $3 order by t.place`,
    [projectId, tasks, adaMail],
  );
  const rows = <T>(text: string): Promise<T[]> => site.app.sql<T>(text, text.includes('$1') ? [projectId] : []);
  return {
    site,
    ada,
    adaMail,
    client,
    projectId,
    rows,
    async expectRows(text, expected) {
      await expect.poll(() => rows(text)).toEqual(expected);
    },
    async join(email, role) {
      await site.app.sql(
        'insert into project_members (project_id, user_id, role) select $1, id, $3 from auth.users where email = $2',
        [projectId, email, role],
      );
    },
    async openBoard(page, search = '') {
      await page.goto(`/app/projects/${projectId}/board${search}`);
      await columnOf(page, 'To do').locator('[data-task-id]').first().waitFor();
    },
  };
}

/** A group of Ada's, with this person in it, that is in her project unless said otherwise. Its id. */
export async function addCrew({ rows }: SampleProject, userId: string, isInProject = true): Promise<string> {
  const [{ id }] = (await rows<{ id: string }>("insert into groups (name) values ('Crew') returning id")) as [
    { id: string },
  ];
  await rows(
    `insert into group_members (group_id, user_id, is_manager) select '${id}', created_by, true from projects where id = $1`,
  );
  await rows(`insert into group_members (group_id, user_id) values ('${id}', '${userId}')`);
  if (isInProject)
    await rows(`insert into project_members (project_id, group_id, role) values ($1, '${id}', 'viewer')`);
  return id;
}

/** Presses a key again if the first press came too early: a drag by keys starts listening a moment after it is announced. */
export async function pressUntil(page: Page, key: string, heard: Locator): Promise<void> {
  for (let tries = 3; tries > 0; tries--) {
    await page.keyboard.press(key);
    const there = await heard.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (there) return;
  }
  await heard.waitFor();
}

/** The region with messages about what was done, refused or taken back. */
export const news = (page: Page) => page.getByRole('region', { name: saying('common.news') });

/** Waits until changes of others come by themselves. */
export const whenLive = (page: Page) =>
  page.locator('[data-live="live"]').waitFor({ state: 'attached', timeout: 60_000 });

/** Coming back to the window asks for news. */
export const refocus = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

/** Retries, coming back to the window each time, until it is as it should be. */
export async function expectAfterRefocus(page: Page, look: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect
    .poll(
      async () => {
        await refocus(page);
        return look();
      },
      { timeout: 30_000, interval: 500 },
    )
    .toEqual(expected);
}

export const password = 'correct horse battery';

export async function fillSignUp(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel(t('signIn.name')).fill(name);
  await page.getByLabel(t('signIn.email')).fill(email);
  await page.getByLabel(t('common.password')).fill(password);
  await page.getByRole('button', { name: t('signIn.doUp') }).click();
}

export async function fillSignIn(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel(t('signIn.email')).fill(email);
  await page.getByLabel(t('common.password')).fill(secret);
  await page.getByRole('button', { name: t('common.signIn'), exact: true }).click();
}

export async function createProject(page: Page, name: string): Promise<string> {
  await page
    .getByRole('main')
    .getByRole('button', { name: t('common.nav.newProject') })
    .click();
  await page.getByLabel(t('common.name'), { exact: true }).fill(name);
  await page.getByRole('button', { name: t('projects.doCreate') }).click();
  await page.waitForURL(/\/app\/projects\/[^/]+\/board/);
  // Whom to invite is asked next.
  const inviting = page.getByRole('dialog', { name: t('people.invite.title', { project: name }) });
  await inviting.getByRole('button', { name: t('people.invite.later') }).click();
  await inviting.waitFor({ state: 'detached' });
  return page.url().split('/')[5] ?? '';
}

export async function addTasks(page: Page, column: string, titles: readonly string[]): Promise<void> {
  await columnOf(page, column).locator('[data-add-task]').click();
  const field = page.getByRole('textbox', { name: t('board.addTo', { column }) });
  for (const title of titles) {
    await field.fill(title);
    await field.press('Enter');
    await cardOf(page, title).waitFor();
  }
  await field.press('Escape');
}

export function columnOf(page: Page, name: string) {
  return page.getByRole('region', { name: new RegExp(`^${name}, `) });
}

/** A card of a subtask names its parent, too. */
export function cardOf(page: Page, title: string) {
  const parents = page.locator('[data-part-of]', { hasText: title });
  return page.locator('[data-task-id]', { hasText: title, hasNot: parents });
}

/** From here on the page does late what it puts off, as one does that has much to do; keys and presses come in time all the same. */
export const makeTimersLate = (page: Page, by: number): Promise<void> =>
  page.evaluate((by) => {
    const { setTimeout } = window;
    const late = (effect: () => void, pause = 0, ...rest: []) => setTimeout(effect, Math.max(pause, by), ...rest);
    window.setTimeout = late as typeof setTimeout;
  }, by);

/** The title of the card that has the focus; null: none has. */
export const focusedCard = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.closest('[data-task-id]')?.querySelector('[data-title]')?.textContent ?? null,
  );

/** Titles of a column's cards, top to bottom. */
export function titlesIn(page: Page, column: string) {
  return columnOf(page, column).locator('[data-title]');
}

export async function drag(page: Page, title: string, column: string): Promise<void> {
  await dragOver(page, title, column);
  await page.mouse.up();
}

/** Presses on a card and starts dragging it. */
export async function takeUp(page: Page, title: string): Promise<void> {
  const card = cardOf(page, title);
  // A line that comes up over the board moves it: the pointer stands still on the card before it presses.
  await expect
    .poll(async () => {
      await card.hover();
      return card.evaluate((element) => element.matches(':hover'));
    })
    .toBe(true);
  await page.mouse.down();
  const from = await card.boundingBox();
  if (from === null) throw new Error(`nothing to take up: ${title}`);
  await page.mouse.move(from.x + from.width / 2 + 12, from.y + from.height / 2 + 6, { steps: 3 });
  await page.locator('[data-held-card]').waitFor();
}

/** Drags a card over a column without dropping it. */
export async function dragOver(page: Page, title: string, column: string): Promise<void> {
  await takeUp(page, title);
  const to = await columnOf(page, column).boundingBox();
  if (to === null) throw new Error(`nowhere to drag to: ${column}`);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height - 60, { steps: 8 });
  await columnOf(page, column).locator('[data-landing]').waitFor();
}

/** What stands in a field for words, whichever of the two kinds it is: its Markdown, or how that looks. */
export function written(field: Locator): Promise<string> {
  return field.evaluate((element) =>
    (element instanceof HTMLTextAreaElement ? element.value : (element as HTMLElement).innerText).trimEnd(),
  );
}

/** Writes in plain Markdown from here on, as one who prefers that. */
export async function preferMarkdown(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('kanbase-writing', 'markdown'));
  await page.reload();
}

/** Retries until the texts are these, in this order. */
export async function expectTitles(page: Page, column: string, titles: readonly string[]): Promise<void> {
  await expect.poll(() => titlesIn(page, column).allInnerTexts()).toEqual(titles);
}

/** Opens what a view looks like: layout, grouping, order, what is shown. */
export async function openDisplay(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: t('board.display') }).click();
  const display = page.getByRole('dialog', { name: t('board.display') });
  await display.waitFor();
  return display;
}

/** Chooses by name in the display of a view, and closes it. */
export async function chooseDisplay(page: Page, field: string, choice: string): Promise<void> {
  const display = await openDisplay(page);
  await display.getByRole('combobox', { name: field, exact: true }).selectOption({ label: choice });
  await page.keyboard.press('Escape');
  await display.waitFor({ state: 'detached' });
}

/** Chooses a condition that the filter box offers, once it was asked for them. */
export async function pickCondition(page: Page, name: string): Promise<void> {
  await page.getByRole('option').first().waitFor();
  await page.getByRole('searchbox', { name: t('board.filters.text') }).fill(name);
  await page.keyboard.press('Enter');
}
