// Things that happen at the same time: two windows, two people on one task, a session that ends while someone writes;
// and where the focus is afterwards. Each test has a project and a browser of its own.

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { offences } from './offences.ts';
import {
  addTasks,
  cardOf,
  carry,
  columnOf,
  drag,
  expectAfterRefocus,
  expectTitles,
  fillSignIn,
  news,
  openHarbour,
  refocus,
  type SampleProject,
  type Site,
  startSite,
  type Visitor,
  whenLive,
  written,
} from './pages.ts';

let site: Site;
let sample: SampleProject;
let ada: Visitor;
let page: Page;

beforeAll(async () => {
  site = await startSite();
}, 120_000);
beforeEach(async () => {
  sample = await openHarbour(site);
  ({ ada } = sample);
  ({ page } = ada);
});
afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});
afterAll(async () => {
  await site?.close();
});

const focusedCard = () =>
  page.evaluate(() => document.activeElement?.querySelector('[data-title]')?.textContent ?? null);

describe('two windows', () => {
  test('what is done in one shows in the other at once, also what goes', async () => {
    const other = await page.context().newPage();
    await sample.openBoard(other);
    await page.bringToFront();
    await addTasks(page, 'Backlog', ['Order rope']);
    await expectTitles(other, 'Backlog', ['Order rope']);
    await drag(page, 'Order rope', 'In progress');
    await expectTitles(other, 'In progress', ['Order rope']);
    await cardOf(page, 'Order rope').click();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: /Delete/ }).click();
    await expectTitles(other, 'In progress', ['Order rope']);
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    await expectTitles(other, 'In progress', []);
    await other.close();
  });

  test('what a closed window could not send is sent by the one that is left', async () => {
    const other = await page.context().newPage();
    await sample.openBoard(other);
    await other.route(/\/rest\/v1\//, (route) => route.abort('connectionrefused'));
    await addTasks(other, 'Backlog', ['Left behind']);
    await other.getByText('Not saved yet').waitFor();
    await sample.openBoard(page);
    await expectTitles(page, 'Backlog', []);
    await other.close();
    await expectTitles(page, 'Backlog', ['Left behind']);
    await sample.expectRows("select count(*)::int as n from tasks where project_id = $1 and title = 'Left behind'", [
      { n: 1 },
    ]);
  });
});

describe('two people', () => {
  test('a drop beside a card that has left keeps its place', async () => {
    await sample.rows(
      `update tasks set column_id = (select id from workflow_columns where project_id = $1 and kind = 'done') where project_id = $1 and title = 'Count the ships'`,
    );
    await cardOf(page, 'Sweep the quay').focus();
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await sample.expectRows(
      `select title from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 and c.kind = 'todo' order by order_rank`,
      [{ title: 'Paint the crane' }, { title: 'Sweep the quay' }],
    );
    await refocus(page);
    expect(await news(page).getByText('Taken back').count()).toBe(0);
  });

  test('a change by one who may no longer is taken back and says why; what was typed is not lost', async () => {
    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('button', { name: 'Add a description. Markdown works.' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Red all over');
    const me = '(select created_by from projects where id = $1)';
    const bob = await site.app.createUser({ name: 'Bob' });
    await sample.rows(
      `insert into project_members (project_id, user_id, role) select id, '${bob.id}', 'owner' from projects where id = $1`,
    );
    await sample.rows(`update project_members set role = 'viewer' where project_id = $1 and user_id = ${me}`);
    await page.keyboard.press('Control+Enter');
    await news(page).getByText('Your role in this project does not allow that.').waitFor();
    await sample.rows(`update project_members set role = 'owner' where project_id = $1`);
    await page.reload();
    await expect.poll(() => written(page.getByRole('textbox', { name: 'Description' }))).toBe('Red all over');
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: 'Description' }).press('Control+Enter');
    await sample.expectRows("select description from tasks where project_id = $1 and title = 'Paint the crane'", [
      { description: 'Red all over' },
    ]);
  });
});

test('signed out from another device while writing: the door, and then back to what was written', async () => {
  await cardOf(page, 'Count the ships').click();
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('Seven, or');
  const phone = await site.visit();
  await phone.page.goto('/sign-in?next=/app/account');
  await fillSignIn(phone.page, sample.adaMail);
  await phone.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await phone.page.getByText('You are signed out everywhere else.').waitFor();
  await phone.close();
  await page.getByRole('textbox', { name: 'Title' }).fill('Count all ships');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign-in\?next=/);
  await fillSignIn(page, sample.adaMail);
  await page.waitForURL(/\/board\/2$/);
  await expect.poll(() => written(page.getByRole('textbox', { name: 'Write a comment' }))).toBe('Seven, or');
  await sample.expectRows('select title from tasks where project_id = $1 and number = 2', [
    { title: 'Count all ships' },
  ]);
});

test('a session that is gone from this browser leads to the door, and what was done meanwhile is sent after signing in', async () => {
  await whenLive(page);
  await page.waitForLoadState('networkidle');
  // Nothing else is asked for between the two.
  await carry(page, 'Sweep the quay', 'In progress');
  await page.context().clearCookies();
  await page.mouse.up();
  await page.waitForURL(/\/sign-in\?next=/);
  await fillSignIn(page, sample.adaMail);
  await page.waitForURL(/\/board$/);
  await expectTitles(page, 'In progress', ['Sweep the quay']);
  await sample.expectRows(
    `select t.title from tasks t join workflow_columns c on c.id = t.column_id
     where t.project_id = $1 and c.name = 'In progress'`,
    [{ title: 'Sweep the quay' }],
  );
});

test('one device is signed out from another: gone from the list at once, back with the reason if refused, and led to the door', async () => {
  await page.context().clearCookies();
  await page.goto('/sign-in?next=/app/account');
  await fillSignIn(page, sample.adaMail);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByText('You are signed in on this device only.').waitFor();
  const phone = await site.visit({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  });
  await phone.page.goto('/sign-in?next=/app/account');
  await fillSignIn(phone.page, sample.adaMail);
  await phone.page.getByText('This device', { exact: true }).waitFor();
  await page.reload();
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect
    .poll(async () => (await rows.allTextContents()).map((text) => text.split(/Last seen|Signed in/)[0]?.trim()))
    .toEqual(['Chrome on Linux This device', 'Safari on iPhone']);
  expect(await offences(page)).toEqual([]);

  const button = page.getByRole('button', { name: 'Sign out Safari on iPhone' });
  await page.route('**/rpc/end_my_session', (route) => route.fulfill({ status: 503, json: { message: 'busy' } }));
  await button.click();
  await page.getByText('Safari on iPhone is still signed in. The server is busy. Try again in a moment.').waitFor();
  await page.unroute('**/rpc/end_my_session');

  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Safari on iPhone is signed out.').waitFor();
  await page.getByText('You are signed in on this device only.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Sessions');
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);

  // By itself, or at the next thing it asks for.
  await expectAfterRefocus(phone.page, async () => new URL(phone.page.url()).pathname, '/sign-in');
  expect(phone.troubles).toEqual([]);
  await phone.close();
});

describe('small courtesies', () => {
  test('undo in a message takes back what the message is about, whatever was done since', async () => {
    await addTasks(page, 'Backlog', ['Order rope']);
    await cardOf(page, 'Order rope').click();
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await page.getByRole('menuitem', { name: /^Archive/ }).click();
    await expectTitles(page, 'Backlog', []);
    await drag(page, 'Sweep the quay', 'In progress');
    await news(page).getByRole('button', { name: 'Undo' }).click();
    await expectTitles(page, 'Backlog', ['Order rope']);
    await expectTitles(page, 'In progress', ['Sweep the quay']);
  });

  test('the focus stays with what one was at', async () => {
    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Task HAR-2' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focusedCard).toBe('Count the ships');
    for (const key of ['Control+k', '?']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(focusedCard).toBe('Count the ships');
    }
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Add a task to To do' }).press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[data-add-task]'))).toBe(true);
    // What goes hands it to what stood beside it.
    await cardOf(page, 'Paint the crane').click();
    const add = page.getByRole('textbox', { name: 'Add an item' });
    for (const item of ['Buy paint', 'Prime']) {
      await add.fill(item);
      await add.press('Enter');
    }
    await page.getByRole('button', { name: 'Remove “Buy paint”' }).press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Remove “Prime”');
    await page.keyboard.press('e');
    await expect.poll(focusedCard).toBe('Count the ships');
    await page.keyboard.press('Control+z');
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships', 'Sweep the quay']);
  });

  test('what is picked in the palette happens where one was; behind a dialog nothing happens', async () => {
    await cardOf(page, 'Paint the crane').focus();
    const pick = async (action: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(action);
      await page.getByRole('option', { name: action }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await pick('Add task');
    await expect.poll(focusedName).toBe('Add a task to To do');
    await page.keyboard.press('Escape');
    await pick('Filter by text');
    await expect.poll(focusedName).toBe('Filter by text');
    // A field inside takes the focus; it comes back all the same.
    await pick('New project');
    await page.getByRole('dialog', { name: 'New project' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focusedName).toBe('Filter by text');

    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    for (const key of ['j', 'n', 'Control+Backspace']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
    expect(await page.getByText('Deleted HAR-1').count()).toBe(0);
  });

  test('Escape goes one step back at a time, and words that were not sent are still there', async () => {
    await cardOf(page, 'Paint the crane').click();
    const panel = page.getByRole('complementary', { name: 'Task HAR-1' });
    await panel.getByRole('button', { name: /^Priority/ }).click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await panel.getByRole('textbox', { name: 'Title' }).fill('Paint it black');
    await page.keyboard.press('Escape');
    expect(await panel.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Paint the crane');
    await panel.getByRole('textbox', { name: 'Write a comment' }).fill('Perhaps');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('ASIDE');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.goBack();
    await expect.poll(() => written(panel.getByRole('textbox', { name: 'Write a comment' }))).toBe('Perhaps');
    // Going away is leaving the field, too.
    await page.getByRole('button', { name: 'Close task' }).click();
    await cardOf(page, 'Sweep the quay').click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Sweep the whole quay');
    await page.goBack();
    await sample.expectRows('select title from tasks where project_id = $1 and number = 3', [
      { title: 'Sweep the whole quay' },
    ]);
  });

  test('what someone else saved meanwhile is shown before it is replaced', async () => {
    await sample.rows("update tasks set description = 'Red' where project_id = $1 and number = 1");
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    const panel = page.getByRole('complementary', { name: 'Task HAR-1' });
    await panel.getByRole('region', { name: 'Description' }).getByRole('button', { name: 'Edit' }).click();
    await panel.getByRole('textbox', { name: 'Description' }).fill('Green');
    await sample.rows("update tasks set description = 'Blue' where project_id = $1 and number = 1");
    await panel.getByText('changed this while you were writing').waitFor();
    await panel.locator('[data-theirs]').getByText('Blue', { exact: true }).waitFor();
    expect(await panel.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByText('Blue', { exact: true }).waitFor();
  });

  test('a link is copied also where the browser keeps its clipboard to itself', async () => {
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
    await page.getByRole('button', { name: 'Copy link' }).click();
    await news(page).getByText('Link copied').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/board\/1$/);
  });

  test('next and previous follow the order that is shown beside', async () => {
    await page.goto(`/app/projects/${sample.projectId}/list?group=none&sort=title&order=backwards`);
    await page.getByRole('link', { name: 'Sweep the quay' }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    for (const [key, next] of [
      ['j', 'Paint the crane'],
      ['j', 'Count the ships'],
      ['k', 'Paint the crane'],
    ] as const) {
      await page.getByRole('complementary', { name: /^Task / }).focus();
      await page.keyboard.press(key);
      await expect.poll(() => title.inputValue()).toBe(next);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Paint the crane');
  });

  test('a card in the hand of the keys goes back when the mouse is used', async () => {
    await cardOf(page, 'Paint the crane').focus();
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-landing]').waitFor();
    await page.getByRole('heading', { name: 'Harbour' }).click();
    await expect.poll(() => page.locator('[data-landing]').count()).toBe(0);
    await columnOf(page, 'To do').getByText('Paint the crane').waitFor();
  });

  test('a new task that the filters hide gets a message', async () => {
    await sample.openBoard(page, '?q=crane');
    await page.getByRole('button', { name: 'Add a task to Backlog' }).click();
    await page.getByRole('textbox', { name: 'Add a task to Backlog' }).fill('Out of sight');
    await page.keyboard.press('Enter');
    await news(page).getByText('Added. The filters hide it.').waitFor();
  });

  test('the list of keys names what a card hears', async () => {
    await page.locator('h1').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Pick it up; the arrows move it, Space drops it').waitFor();
  });

  test('however far one scrolls, what has the focus keeps it', async () => {
    await sample.rows(
      `insert into tasks (project_id, column_id, title)
       select $1, id, 'Crate ' || n from workflow_columns, generate_series(1, 200) n
       where project_id = $1 and name = 'In progress' order by n`,
    );
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'));
    for (const [view, line, far] of [
      ['board', '[data-task-id]', 'Crate 50'],
      ['list', '[data-row-link]', 'Crate 100'],
    ] as const) {
      await page.goto(`/app/projects/${sample.projectId}/${view}`);
      const crate = page.locator(line, { hasText: /Crate 3$/ });
      await crate.focus();
      const held = await focused();
      await crate.hover();
      await page.mouse.wheel(0, 4000);
      await page.locator(line, { hasText: far }).waitFor();
      expect(await focused()).toBe(held);
    }
  });
});
