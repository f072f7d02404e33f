// Offline work, and a new version: the real pages with their service worker, behind a proxy that can cut the connection or lead to a server with
// another build.

import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPagesAside, buildSecondPagesAside } from '../../scripts/build.mjs';
import { startApp, type TestApp } from '../helpers/app.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { type FrontDoor, frontDoor } from '../helpers/front-door.ts';
import {
  addTasks,
  cardOf,
  columnOf,
  expectTitles,
  fillSignIn,
  openHarbour,
  type SampleProject,
  type Site,
  startSite,
} from './pages.ts';
import { t } from './words.ts';

let door: FrontDoor;
let site: Site;
let second: TestApp;
let sample: SampleProject;
let context: BrowserContext;

beforeAll(async () => {
  await buildPagesAside();
  const nextBuild = await buildSecondPagesAside();
  door = await frontDoor(await findFreePort('127.0.0.1'));
  const settings = { SITE_URL: door.url, JWT_SECRET: 'a secret that both servers know of, and nobody else' };
  site = await startSite(settings, async (options) => {
    const app = await startApp(options);
    door.leadTo(app.services.config.server.port);
    return app;
  });
  const { databaseUrl: url, ownerUrl: directUrl } = site.app;
  second = await startApp({
    settings: { ...settings, WEB_DIR: nextBuild },
    database: { url, directUrl, drop: async () => undefined },
  });
}, 180_000);
beforeEach(async () => {
  door.leadTo(site.app.services.config.server.port);
  await door.open();
  sample = await openHarbour(site, undefined, { serviceWorkers: 'allow' });
  context = sample.ada.page.context();
});
afterEach(async () => {
  await door.open();
  await sample.ada.close();
});
afterAll(async () => {
  await second?.close();
  await site?.close();
  await door?.shut();
});

/** The pages are kept, and the rows of the project. */
async function whenKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 30_000 })
    .toBe(true);
  await expect.poll(() => keptRecords(page)).toContainEqual(expect.stringContaining(sample.projectId));
}

/** The names of what IndexedDB holds. */
function keptRecords(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('kanbase');
        opening.onsuccess = () => {
          const keys = opening.result.transaction('snapshots').objectStore('snapshots').getAllKeys();
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result.map(String));
          };
        };
      }),
  );
}

/** All windows are closed, and the app is opened anew. */
async function startCold(path: string): Promise<Page> {
  const pages = context.pages();
  const page = await context.newPage();
  page.setDefaultTimeout(45_000);
  for (const old of pages) await old.close();
  await page.goto(path);
  return page;
}

const board = () => `/app/projects/${sample.projectId}/board`;
const newLine = (page: Page) => page.getByText(t('common.newVersion.words'));
const mainOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src);

async function lookAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** As if the person came back after their token was over. */
async function ageSession(): Promise<void> {
  const cookies = await context.cookies();
  const parts = cookies
    .filter((cookie) => /^sb-kanbase-auth-token(\.\d+)?$/.test(cookie.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = parts
    .map((cookie) => cookie.value)
    .join('')
    .replace(/^base64-/, '');
  const session = {
    ...JSON.parse(Buffer.from(text, 'base64url').toString()),
    expires_at: Math.floor(Date.now() / 1000) - 60,
  };
  const value = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`;
  const [first] = parts;
  if (first === undefined) throw new Error('nobody is signed in');
  await context.clearCookies();
  await context.addCookies([{ ...first, name: 'sb-kanbase-auth-token', value }]);
}

describe('without a network', () => {
  test('the app opens with what it knew, takes edits, and sends them once the server is back', async () => {
    await whenKept(sample.ada.page);
    await door.shut();
    let page = await startCold('/app');
    await page
      .getByRole('link', { name: /Harbour/ })
      .first()
      .click();
    await cardOf(page, 'Paint the crane').waitFor();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
    await addTasks(page, 'Backlog', ['Written on an island']);

    page = await startCold(board());
    await cardOf(page, 'Written on an island').waitFor();
    await page.getByText(t('common.unsent.title')).waitFor();

    // Neither the front page nor a door is answered from what is kept.
    for (const path of ['/', '/api/settings', '/rest/v1/tasks', '/auth/v1/settings', '/health'])
      expect(
        await page.evaluate(
          (at) =>
            fetch(at).then(
              (response) => response.status,
              () => 'nobody',
            ),
          path,
        ),
      ).toBe('nobody');
    const other = await context.newPage();
    await expect(other.goto('/')).rejects.toThrow(/ERR_CONNECTION_REFUSED/);
    await other.close();

    await door.open();
    await sample.expectRows("select number from tasks where project_id = $1 and title = 'Written on an island'", [
      { number: 4 },
    ]);
    await cardOf(page, 'Written on an island').getByText('HAR-4').waitFor();
  });

  test('also when the token is over, which is renewed once the server is back', async () => {
    await whenKept(sample.ada.page);
    await door.shut();
    await ageSession();
    const page = await startCold(board());
    await cardOf(page, 'Paint the crane').waitFor();
    await addTasks(page, 'Backlog', ['Written in the desert']);
    await door.open();
    await expect
      .poll(() => sample.rows("select number from tasks where project_id = $1 and title = 'Written in the desert'"), {
        timeout: 60_000,
      })
      .toEqual([{ number: 4 }]);
    expect(new URL(page.url()).pathname).toBe(board());
  });

  test('a task saved before the network went is there, too, and a snapshot of another format is ignored', async () => {
    const { page } = sample.ada;
    await whenKept(page);
    await addTasks(page, 'Backlog', ['Arrived in time']);
    await cardOf(page, 'Arrived in time').getByText('HAR-4').waitFor();
    await lookAway(page);
    await expect
      .poll(() =>
        page.evaluate(
          (name) =>
            new Promise<string>((resolve) => {
              const opening = indexedDB.open('kanbase');
              opening.onsuccess = () => {
                const all = opening.result.transaction('snapshots').objectStore('snapshots').getAll();
                all.onsuccess = () => {
                  opening.result.close();
                  resolve(JSON.stringify(all.result).includes(name) ? 'kept' : 'not yet');
                };
              };
            }),
          'Arrived in time',
        ),
      )
      .toBe('kept');
    await door.shut();
    const later = await startCold(board());
    await cardOf(later, 'Arrived in time').waitFor();
    // What another version kept in another form is as good as nothing.
    await later.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('kanbase');
          opening.onsuccess = () => {
            const writing = opening.result.transaction('snapshots', 'readwrite');
            writing.objectStore('snapshots').openCursor().onsuccess = ({ target }) => {
              const { result } = target as IDBRequest<IDBCursorWithValue | null>;
              result?.update({ ...result.value, format: 1 });
              result?.continue();
            };
            writing.oncomplete = () => {
              opening.result.close();
              resolve();
            };
          };
        }),
    );
    const other = await startCold(board());
    await other
      .getByRole('main')
      .getByRole('button', { name: t('common.retry') })
      .first()
      .waitFor();
    expect(await cardOf(other, 'Arrived in time').count()).toBe(0);
  });

  test('signing out wipes it, and whoever comes next sees nothing of it', async () => {
    const { page } = sample.ada;
    await whenKept(page);
    const eve = await site.visit();
    const { email } = await eve.settle('Eve');
    await eve.close();
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: t('common.nav.signOut') }).click();
    await page.waitForURL(/\/sign-in/);
    await expect.poll(() => keptRecords(page)).toEqual([]);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('kanbase:')))).toEqual(
      [],
    );

    await fillSignIn(page, email);
    await page.getByRole('heading', { name: t('projects.empty') }).waitFor();
    await door.shut();
    const cold = await startCold(board());
    await cold
      .getByRole('main')
      .getByRole('button', { name: t('common.retry') })
      .first()
      .waitFor();
    expect(await cold.getByText('Harbour').count()).toBe(0);
    expect(await cardOf(cold, 'Paint the crane').count()).toBe(0);
    // Signed out, there is a page to sign in, and nothing else.
    await context.clearCookies();
    const nobody = await startCold('/app');
    await nobody.waitForURL(/\/sign-in/);
  });
});

describe('a new version', { timeout: 120_000 }, () => {
  test('is told quietly, waits for what is being typed, and comes when nobody looks', async () => {
    const { page } = sample.ada;
    await whenKept(page);
    const before = await mainOf(page);
    door.leadTo(second.services.config.server.port);
    await newLine(page).waitFor();

    // A part of the old version that was not needed so far: the server has it no more, the device has.
    await page
      .getByRole('navigation', { name: t('common.nav.main') })
      .getByRole('link', { name: t('projects.views.dashboard') })
      .click();
    await page.getByRole('heading', { name: t('dashboard.throughput') }).waitFor();
    expect(await mainOf(page)).toBe(before);

    await page.goBack();
    await columnOf(page, 'Backlog').locator('[data-add-task]').click();
    await page.getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) }).fill('Half a thou');
    await lookAway(page);
    await page.getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) }).press('End');
    expect(await page.getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) }).inputValue()).toBe(
      'Half a thou',
    );
    expect(await mainOf(page)).toBe(before);
    // A debugger is attached to every worker here: a page that begins to load while one takes the place of another may wait for ever.
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const one = await navigator.serviceWorker.getRegistration();
          const builds = await caches.keys();
          return JSON.stringify([builds.length, one?.installing?.state, one?.waiting?.state, one?.active?.state]);
        }),
      )
      .toBe('[2,null,null,"activated"]');
    await page.getByRole('textbox', { name: t('board.addTo', { column: 'Backlog' }) }).fill('');
    const loaded = page.waitForEvent('load');
    await lookAway(page);
    await loaded;
    await cardOf(page, 'Paint the crane').waitFor();
    expect(await mainOf(page)).not.toBe(before);
    expect(await newLine(page).count()).toBe(0);

    // And it opens without a network, in one piece.
    const now = await mainOf(page);
    await expect
      .poll(
        () =>
          page.evaluate(
            async (main) => (await caches.keys()).includes(`kanbase-pages ${new URL(main ?? '').pathname}`),
            now,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
    await door.shut();
    const cold = await startCold(board());
    await cardOf(cold, 'Paint the crane').waitFor();
    expect(await mainOf(cold)).toBe(now);
  });

  test('opens from what is kept, and comes by itself as long as nobody has touched the page', async () => {
    const { page } = sample.ada;
    await whenKept(page);
    const before = await mainOf(page);
    door.leadTo(second.services.config.server.port);
    const later = await startCold(board());
    // Nothing is asked of the page before: that would count as a touch.
    await later.waitForEvent('load');
    expect(await mainOf(later)).not.toBe(before);
    await cardOf(later, 'Paint the crane').waitFor();
    expect(await newLine(later).count()).toBe(0);
  });
});

test('without a worker, a part that is gone loads the page anew, once', async () => {
  const guest = await site.visit();
  await guest.page.context().addCookies(await context.cookies());
  const { page } = guest;
  await page.goto(board());
  await cardOf(page, 'Paint the crane').waitFor();
  const before = await mainOf(page);
  // Whatever else the page does at the start is done.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/new-version-')),
  );
  door.leadTo(second.services.config.server.port);
  await page
    .getByRole('navigation', { name: t('common.nav.main') })
    .getByRole('link', { name: t('projects.views.dashboard') })
    .click();
  await page.getByRole('heading', { name: t('dashboard.throughput') }).waitFor();
  expect(await mainOf(page)).not.toBe(before);
  await guest.close();
});
