// Failures in the app: a network that goes away while someone types, a screen that cannot be loaded, an address without a page. Each test
// has a project and a browser of its own.

import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import {
  addTasks,
  cardOf,
  drag,
  expectTitles,
  fillSignIn,
  news,
  openHarbour,
  type SampleProject,
  startSite,
  type Visitor,
  written,
} from './pages.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let projectId: string;
let rows: SampleProject['rows'];
let expectRows: SampleProject['expectRows'];
let openBoard: SampleProject['openBoard'];

const site = forSuite(startSite);
beforeEach(async () => {
  sample = await openHarbour(site);
  ({ ada, projectId, rows, expectRows, openBoard } = sample);
});
afterEach(async () => {
  // What cannot be fetched, and what React drew once more before it gave up (its number 520), is said on the screen.
  const thrown = ada.troubles.filter((trouble) => !/dynamically imported module|React error #520/.test(trouble));
  await ada.close();
  expect(thrown).toEqual([]);
});

/** Whether this browser keeps the rows of a project for its next visit. */
function isRemembered(page: Page, projectId: string): Promise<boolean> {
  return page.evaluate(
    (name) =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('kanbase');
        opening.onsuccess = () => {
          const keys = opening.result.transaction('snapshots').objectStore('snapshots').getAllKeys();
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result.some((key) => String(key).endsWith(name)));
          };
        };
      }),
    `project ${projectId}`,
  );
}

/** The keys under which this browser keeps changes that have no answer yet. */
function unsentKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('unsent')));
}

/** The page asks by itself too, every few seconds: nothing is answered before the press, so that the button is still there to be pressed. */
async function askAgain(page: Page, away: (url: URL) => boolean, button: Locator): Promise<void> {
  let comeBack = (): void => undefined;
  const back = new Promise<void>((resolve) => {
    comeBack = resolve;
  });
  await page.route(away, async (route) => {
    await back;
    await route.continue();
  });
  await button.click();
  // From here on all of it passes. Intercepting goes on: a request that is on its way when it ends may never arrive.
  comeBack();
}

test('the server goes away while someone types: nothing is lost, it is said, and sent once it is back', async () => {
  const { page } = ada;
  await cardOf(page, 'Paint the crane').click();
  const field = page.getByRole('textbox', { name: t('task.comment') });
  await field.fill('Red as ');
  const away = (url: URL): boolean => /^\/(rest|auth)\/v1\//.test(url.pathname);
  await page.route(away, (route) => route.abort('connectionrefused'));
  await field.pressSequentially('rust');
  await page.keyboard.press('Control+Enter');
  await page.getByText(t('common.unsent.title')).waitFor();
  await page.getByRole('button', { name: t('task.close') }).click();
  await addTasks(page, 'Backlog', ['Written without a server']);
  await drag(page, 'Count the ships', 'In progress');
  await expectTitles(page, 'Backlog', ['Written without a server']);
  await expectTitles(page, 'In progress', ['Count the ships']);
  // What the page shows may be old by now, which it says apart.
  const unsent = page.getByRole('status').filter({ hasText: t('common.unsent.title') });
  await askAgain(page, away, unsent.getByRole('button', { name: t('common.retry') }).last());
  await news(page).getByText(t('common.unsent.arriving')).waitFor();
  await expectRows("select body from task_comments where project_id = $1 and body like 'Red%'", [
    { body: 'Red as rust' },
  ]);
  await expectRows("select number from tasks where project_id = $1 and title = 'Written without a server'", [
    { number: 4 },
  ]);
  await expectRows(
    'select c.name from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.number = 2',
    [{ name: 'In progress' }],
  );
  await cardOf(page, 'Written without a server').getByText('HAR-4').waitFor();
});

test('data that could not be loaded is not shown as empty, and one press loads all of it', async () => {
  const guest = await site.visit();
  const { page } = guest;
  await page.context().addCookies(await ada.page.context().cookies());
  const away = (url: URL): boolean => url.pathname.startsWith('/rest/v1/');
  await page.route(away, (route) => route.abort('connectionrefused'));
  await page.goto('/app/my-tasks');
  await page.getByText(t('common.failed.title')).waitFor();
  expect(await page.getByText(t('people.open', { n: 0 })).count()).toBe(0);
  const me = (url: URL): boolean => /\/(projects|project_members|profiles)$/.test(url.pathname);
  await page.route(me, (route) => route.continue());
  const panelFetched = page.waitForResponse(/\/assets\/task-panel-.*\.js$/);
  await page.goto(`/app/projects/${projectId}/board/1`);
  await page.getByText(t('common.failed.title')).waitFor();
  // Also once the panel could be drawn, nothing lies over the way to ask again.
  await page.evaluate(`import(${JSON.stringify((await panelFetched).url())})`);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  for (const untrue of [t('board.emptyBoard'), t('common.failed.goneTitle')])
    expect(await page.getByText(untrue).count()).toBe(0);
  await askAgain(page, away, page.getByRole('button', { name: t('common.retry') }));
  await cardOf(page, 'Paint the crane').waitFor();
  await page.getByRole('textbox', { name: t('property.title') }).waitFor();

  // The project is remembered, as soon as the page had a moment for it; whether it has this task is not known.
  await expect.poll(() => isRemembered(page, projectId)).toBe(true);
  await page.route(away, (route) => route.abort('connectionrefused'));
  await page.goto(`/app/projects/${projectId}/board/999`);
  const panel = page.getByRole('complementary');
  await panel.getByText(t('common.failed.title')).waitFor();
  await askAgain(page, away, panel.getByRole('button', { name: t('common.retry') }));
  await panel.getByText(t('common.failed.goneTitle')).waitFor();
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test.each(['live', 'by nothing but the answer'])(
  'an answer that is lost is no second task and writes over nobody, told %s',
  async (told) => {
    const { page } = ada;
    if (told !== 'live') {
      // Nothing but the second answer can say what number it has.
      await page.routeWebSocket(/\/realtime\//, () => undefined);
      await page.reload();
      await cardOf(page, 'Paint the crane').waitFor();
    }
    let lost = 0;
    const makes = (url: URL): boolean => url.pathname === '/rest/v1/rpc/apply_changes';
    await page.route(makes, async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    const sentAgain = page.waitForResponse((response) => makes(new URL(response.url())));
    await addTasks(page, 'Backlog', ['Only once']);
    await cardOf(page, 'Only once').getByText('HAR-4').waitFor();
    expect(lost).toBe(1);
    // Live changes can say the number before it is sent again.
    await sentAgain;
    await expectRows("select number from tasks where project_id = $1 and title = 'Only once'", [{ number: 4 }]);
    await page.unroute(makes);

    // Someone has given it another title before it is sent again: theirs stays, and mine is shown, also on the next page.
    await page.route(
      '**/rpc/apply_changes',
      async (route) => {
        await route.fetch();
        await rows("update tasks set title = 'Theirs' where project_id = $1 and number = 4");
        return route.abort('connectionreset');
      },
      { times: 1 },
    );
    await cardOf(page, 'Only once').click();
    await page.getByRole('textbox', { name: t('property.title') }).fill('Mine');
    await page.keyboard.press('Enter');
    const line = page.getByRole('status').locator('p', { hasText: t('common.stranded.overtaken') });
    await line.getByText('Mine').waitFor();
    await cardOf(page, 'Theirs').waitFor();
    await page.reload();
    await line.getByText('Mine').waitFor();
    await cardOf(page, 'Theirs').waitFor();
    await page.getByRole('button', { name: t('common.discard') }).click();
    await line.waitFor({ state: 'detached' });
    await expect.poll(() => unsentKeys(page)).toEqual([]);
    await expectRows('select title from tasks where project_id = $1 and number = 4', [{ title: 'Theirs' }]);
  },
);

test('a move made offline leaves a colleague’s later move as it is, says so, and is made all the same on demand', async () => {
  const { page } = ada;
  const column = `select c.name from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.number = 1`;
  // Only what is sent: news of rows that can't be read would move the board under the pointer.
  const moves = (url: URL): boolean => /^\/rest\/v1\/rpc\/(move_task|apply_changes)$/.test(url.pathname);
  await page.route(moves, (route) => route.abort('connectionreset'));
  await drag(page, 'Paint the crane', 'In progress');
  await page.getByText(t('common.unsent.title')).waitFor();
  await rows(
    "update tasks set column_id = (select id from workflow_columns where project_id = $1 and name = 'Done') where project_id = $1 and number = 1",
  );
  await page.unroute(moves);
  const line = page.getByRole('status').locator('p', { hasText: t('common.stranded.theirs') });
  await line.waitFor();
  await expectTitles(page, 'Done', ['Paint the crane']);
  expect(await line.innerText()).toBe(
    `${t('common.stranded.title', { what: t('board.done.moved', { task: 'HAR-1', column: 'In progress' }) })} ${t('common.stranded.theirs')}`,
  );
  await expectRows(column, [{ name: 'Done' }]);

  await page.getByRole('button', { name: t('task.conflict.useMine') }).click();
  await expectRows(column, [{ name: 'In progress' }]);
  await expectTitles(page, 'In progress', ['Paint the crane']);
  await line.waitFor({ state: 'detached' });
  await expect.poll(() => unsentKeys(page)).toEqual([]);
});

/** Refuses requests for rows in the page itself: what a page sends while it is being left does not pass a route. */
function refuse(): void {
  const { fetch } = window;
  window.fetch = async (...asked) => {
    const url = new URL(new Request(...asked).url);
    if (localStorage.getItem('refused') && url.pathname.startsWith('/rest/v1/')) throw new TypeError('refused');
    return fetch(...asked);
  };
}

test('unsent changes outlive the page, stay hidden from other accounts, and are sent once', async () => {
  const { page } = ada;
  await page.addInitScript(refuse);
  await page.evaluate(refuse);
  await page.evaluate(() => localStorage.setItem('refused', 'yes'));
  await addTasks(page, 'Backlog', ['Written on the train', 'Thought better of']);
  await drag(page, 'Sweep the quay', 'Done');
  await cardOf(page, 'Paint the crane').click();
  await page.getByRole('textbox', { name: t('property.title') }).fill('Once and for all');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: t('task.comment') }).fill('Said in a tunnel');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: t('task.close') }).click();
  await cardOf(page, 'Thought better of').click();
  await page
    .getByRole('button', { name: t('common.more'), exact: true })
    .first()
    .click();
  await page.getByRole('menuitem', { name: t('common.delete') }).click();
  const todo = ['Once and for all', 'Count the ships'];
  await expectTitles(page, 'Backlog', ['Written on the train']);
  await expectTitles(page, 'To do', todo);

  await page.goto(`/app/projects/${projectId}/board`);
  await expectTitles(page, 'Backlog', ['Written on the train']);
  await expectTitles(page, 'To do', todo);
  await expectTitles(page, 'Done', ['Sweep the quay']);
  await page.getByText(t('common.unsent.title')).waitFor();

  // The session ends, and someone else signs in here.
  await page.goto('/robots.txt');
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('refused'));
  await ada.signUp('Eve');
  await page.goto(`/app/projects/${projectId}/board`);
  await page.getByText(t('common.failed.goneTitle')).waitFor();
  await page.getByRole('button', { name: 'Eve' }).click();
  await page.getByRole('menuitem', { name: t('common.nav.signOut') }).click();
  await page.waitForURL(/\/sign-in/);
  expect(await rows("select 1 from tasks where project_id = $1 and title = 'Written on the train'")).toEqual([]);

  await fillSignIn(page, sample.adaMail);
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  await expectRows("select body from task_comments where project_id = $1 and body like 'Said%'", [
    { body: 'Said in a tunnel' },
  ]);
  await expectRows(
    "select title from tasks where project_id = $1 and title in ('Written on the train', 'Once and for all', 'Paint the crane', 'Thought better of') order by title",
    [{ title: 'Once and for all' }, { title: 'Written on the train' }],
  );
  await expectRows(
    "select c.name from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and t.title = 'Sweep the quay'",
    [{ name: 'Done' }],
  );
  await openBoard(page);
  await expectTitles(page, 'Backlog', ['Written on the train']);
  await expectTitles(page, 'To do', todo);
  await cardOf(page, 'Written on the train')
    .getByText(/^HAR-\d+$/)
    .waitFor();
  await expect.poll(() => unsentKeys(page)).toEqual([]);
});

test('a screen that cannot be fetched says so, keeps the rest, and loads when asked again', async () => {
  const { page } = ada;
  const screen = (url: URL): boolean => /\/assets\/dashboard-/.test(url.pathname);
  await page.route(screen, (route) => route.abort());
  await page
    .getByRole('navigation', { name: t('common.nav.main') })
    .getByRole('link', { name: t('projects.views.dashboard') })
    .click();
  await page.getByRole('alert').getByText(t('common.failed.crashTitle')).waitFor();
  await page.unroute(screen);
  await page.getByRole('button', { name: t('common.reload') }).click();
  await page.getByRole('heading', { name: t('dashboard.throughput') }).waitFor();
});

test('the first message is shown although its corner has to be fetched, also after a fetch that failed', async () => {
  const { page } = ada;
  let fetches = 0;
  let isAway = true;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/assets\/toast-corner-.*\.js/, async (route) => {
    fetches++;
    if (isAway) return route.abort();
    await held;
    return route.continue();
  });
  await openBoard(page);
  await page.keyboard.press('Control+z');
  // It is asked for twice.
  await expect.poll(() => fetches).toBeGreaterThanOrEqual(2);
  isAway = false;
  const failed = fetches;
  // A press before the page knows that the fetch failed joins it.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+z');
      return fetches;
    })
    .toBeGreaterThan(failed);
  expect(await news(page).count()).toBe(0);
  letGo();
  await news(page).getByText(t('common.nothingToUndo')).first().waitFor();
  const middle = (place: Locator) =>
    place.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (left + right) / 2;
    });
  expect(await middle(news(page).getByRole('listitem').first())).toBeCloseTo(await middle(page.getByRole('main')), -1);
});

test('a part that breaks says so and leaves the rest, and drafts are still there after loading again', async () => {
  const { page } = ada;
  await rows("update tasks set description = 'Use red' where project_id = $1 and number = 1");
  await rows(
    `insert into task_comments (project_id, task_id, author_id, body)
     select project_id, id, created_by, 'Red as rust' from tasks where project_id = $1 and number = 1`,
  );
  await openBoard(page);
  await cardOf(page, 'Paint the crane').click();
  const field = page.getByRole('textbox', { name: t('task.comment') });
  await field.fill('Half a thought');
  await page
    .getByRole('region', { name: t('property.description') })
    .getByRole('button', { name: t('common.edit'), exact: true })
    .click();
  await page.getByRole('textbox', { name: t('property.description') }).fill('Half a description');
  const comments = (url: URL): boolean => url.pathname === '/rest/v1/task_comments';
  await page.route(comments, async (route) => {
    const answer = await route.fetch();
    const rows = (await answer.json()) as object[];
    return route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, created_at: 'never' })) });
  });
  await page.reload();
  await page.getByRole('alert').getByText(t('common.failed.part')).waitFor();
  await expect.poll(() => written(field)).toBe('Half a thought');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await page.getByText('Red as rust').waitFor();
  await expect.poll(() => written(field)).toBe('Half a thought');
  await expect
    .poll(() => written(page.getByRole('textbox', { name: t('property.description') })))
    .toBe('Half a description');
});

test('an address where nothing is has a way on, inside and outside', async () => {
  const { page } = ada;
  await page.goto(`/app/projects/${projectId}/board/999`);
  await page.getByRole('complementary').getByText(t('common.failed.goneTitle')).waitFor();
  await page.goto('/app/nowhere');
  await page.getByRole('link', { name: t('common.failed.toProjects') }).click();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await page.getByRole('link').first().waitFor();
});
