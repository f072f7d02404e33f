// Two people at one project: what one does the other sees at once, through the socket alone. The two and their pages are there for
// all stories; each story has a project of its own, the only one there is.

import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addTasks,
  cardOf,
  columnOf,
  drag,
  expectAfterRefocus,
  expectTitles,
  makeHarbour,
  refocus,
  type SampleProject,
  type Settled,
  type Site,
  startSite,
  type Visitor,
  whenLive,
  written,
} from './pages.ts';
import { saying, t } from './words.ts';

let site: Site;
let ada: Visitor;
let bob: Visitor;
let adaSettled: Settled;
let bobMail: string;
let sample: SampleProject;

beforeAll(async () => {
  site = await startSite();
  [ada, bob] = [await site.visit(), await site.visit()];
  adaSettled = await ada.settle('Ada Lovelace');
  ({ email: bobMail } = await bob.settle('Bob Babbage'));
}, 120_000);
beforeEach(async () => {
  await site.app.sql('delete from projects');
  sample = await makeHarbour(site, ada, adaSettled);
  await sample.join(bobMail, 'editor');
  await Promise.all([come(ada), come(bob)]);
});
afterAll(async () => {
  await site?.close();
  expect([...ada.troubles, ...bob.troubles]).toEqual([]);
});

async function come({ page }: Visitor): Promise<void> {
  await sample.openBoard(page);
  await whenLive(page);
  // What comes after the first screen, such as the views at the side, asks for its own rows.
  await page.waitForLoadState('networkidle');
}

/** Somebody for one story alone. */
async function comeAsEve(): Promise<Visitor> {
  const eve = await site.visit();
  await sample.join((await eve.settle('Eve Viewer')).email, 'viewer');
  return eve;
}

/** What the page asks the data API for from now on. */
function reads(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/rest/v1/') && request.method() === 'GET') asked.push(pathname);
  });
  return asked;
}

describe('rows', () => {
  test('a card that one moves is moved before the other, who asks for nothing', async () => {
    const asked = reads(bob.page);
    await drag(ada.page, 'Count the ships', 'In progress');
    await columnOf(bob.page, 'In progress').getByText('Count the ships').waitFor();
    await expectTitles(bob.page, 'To do', ['Paint the crane', 'Sweep the quay']);
    expect(asked).toEqual([]);
  });
});

describe('on the board', () => {
  afterEach(() => bob.page.emulateMedia({ reducedMotion: 'reduce' }));

  /** Counts what moves by itself. */
  const countGlides = (page: Page) =>
    page.evaluate(() => {
      const { animate } = Element.prototype;
      const counted = window as unknown as { glides: number };
      counted.glides = 0;
      Element.prototype.animate = function (...args) {
        counted.glides += 1;
        return animate.apply(this, args);
      };
    });
  const glides = (page: Page) => page.evaluate(() => (window as unknown as { glides: number }).glides);
  const move = (title: string, column: string) =>
    sample.rows(
      `update tasks set column_id = (select id from workflow_columns where project_id = $1 and name = '${column}')
       where project_id = $1 and title = '${title}'`,
    );

  test('a card that others move glides to its place, unless one wants no motion', async () => {
    await bob.page.emulateMedia({ reducedMotion: 'no-preference' });
    await move('Count the ships', 'In progress');
    await columnOf(bob.page, 'In progress').getByText('Count the ships').waitFor();
    await countGlides(bob.page);
    await move('Count the ships', 'To do');
    await columnOf(bob.page, 'To do').getByText('Count the ships').waitFor();
    expect(await glides(bob.page)).toBeGreaterThan(0);
    await bob.page.emulateMedia({ reducedMotion: 'reduce' });
    await countGlides(bob.page);
    await move('Count the ships', 'In progress');
    await columnOf(bob.page, 'In progress').getByText('Count the ships').waitFor();
    expect(await glides(bob.page)).toBe(0);
  });

  test('the card under the pointer stays in place while others are deleted', async () => {
    await sample.rows(
      `insert into tasks (project_id, column_id, title)
       select $1, id, 'Crate ' || n from workflow_columns, generate_series(1, 40) n where project_id = $1 and name = 'Backlog' order by n`,
    );
    const crate = bob.page.locator('[data-task-id]', { hasText: /Crate 12$/ });
    const list = columnOf(bob.page, 'Backlog').locator('ul');
    await list.locator('[data-task-id]').first().waitFor();
    await list.evaluate((element) => element.scrollTo(0, 900));
    await crate.hover();
    const before = await crate.boundingBox();
    await sample.rows("delete from tasks where project_id = $1 and title in ('Crate 9', 'Crate 10')");
    await bob.page.locator('[data-task-id]', { hasText: /Crate 10$/ }).waitFor({ state: 'detached' });
    await expect.poll(async () => Math.round((await crate.boundingBox())?.y ?? 0)).toBe(Math.round(before?.y ?? -1));
    await bob.page.mouse.move(0, 0);
  });
});

describe('without a socket', () => {
  /** Of a page that is not open yet. */
  async function takeWire(page: Page) {
    const sockets = new Set<WebSocketRoute>();
    let isCut = false;
    await page.routeWebSocket(/\/realtime\/v1\//, (socket) => {
      if (isCut) return void socket.close();
      socket.connectToServer();
      sockets.add(socket);
    });
    return {
      async cut() {
        isCut = true;
        for (const socket of sockets) void socket.close();
        await page.getByText(t('common.reconnecting')).waitFor();
      },
      mend() {
        isCut = false;
      },
    };
  }

  test('a sign says so, coming back to the window asks, and what changed meanwhile is all that is fetched after', async () => {
    const eve = await comeAsEve();
    const { page } = eve;
    const wire = await takeWire(page);
    await come(eve);
    await page.waitForLoadState('networkidle');
    await wire.cut();

    await sample.rows("update tasks set title = 'Count all ships' where project_id = $1 and title = 'Count the ships'");
    await expectAfterRefocus(page, () => cardOf(page, 'Count all ships').count(), 1);

    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/rest/v1/')) asked.push(pathname);
    });
    await sample.rows("update tasks set title = 'Count the ships' where project_id = $1 and title = 'Count all ships'");
    await sample.rows("delete from tasks where project_id = $1 and title = 'Sweep the quay'");
    wire.mend();
    await cardOf(page, 'Count the ships').waitFor({ timeout: 60_000 });
    await whenLive(page);
    await page.getByText(t('common.reconnecting')).waitFor({ state: 'detached' });
    await cardOf(page, 'Sweep the quay').waitFor({ state: 'detached' });
    expect(asked).toContain('/rest/v1/rpc/changes_since');
    expect(asked).not.toContain('/rest/v1/tasks');
    expect(eve.troubles).toEqual([]);
    await eve.close();
  });

  test('far from Greenwich, what comes after a gap is what was there before it: what one did can still be undone', async () => {
    const cyd = await site.visit({ timezoneId: 'Asia/Kolkata' });
    await sample.join((await cyd.settle('Cyd Editor')).email, 'editor');
    const { page } = cyd;
    const wire = await takeWire(page);
    await come(cyd);
    await cardOf(page, 'Sweep the quay').click({ button: 'right' });
    await page.getByRole('option', { name: saying('task.archive') }).click();
    await cardOf(page, 'Sweep the quay').waitFor({ state: 'detached' });
    const archived = 'select archived_at is null as here from tasks where project_id = $1 and number = 3';
    await sample.expectRows(archived, [{ here: false }]);
    await wire.cut();
    const answered = page.waitForResponse(/changes_since/, { timeout: 60_000 });
    wire.mend();
    await (await answered).finished();
    await whenLive(page);
    await page.keyboard.press('Control+z');
    await cardOf(page, 'Sweep the quay').waitFor();
    await sample.expectRows(archived, [{ here: true }]);
    await cyd.close();
  });
});

describe('another window', () => {
  test('that is closed before what it did has arrived leaves it to one that was open before it', async () => {
    const { page } = ada;
    const other = await page.context().newPage();
    await sample.openBoard(other);
    await other.route('**/rest/v1/**', (route) => route.abort());
    await addTasks(other, 'Backlog', ['Written elsewhere']);
    await other.getByText(t('common.unsent.title')).waitFor();
    await other.close();
    await refocus(page);
    await sample.expectRows("select title from tasks where project_id = $1 and title = 'Written elsewhere'", [
      { title: 'Written elsewhere' },
    ]);
  });
});

describe('presence', () => {
  const faces = (page: Page) => page.locator('header [data-present]');
  const seenOn = (page: Page, title: string) => cardOf(page, title).locator('[data-others]');

  afterEach(() => site.app.sql('update profiles set shows_presence = true'));

  test('a person in the project has a ring, and a person at a card has their name on it', async () => {
    await expect.poll(() => faces(bob.page).count()).toBe(1);
    await bob.page.getByTitle(t('projects.isHere', { name: 'Ada Lovelace' })).waitFor();
    await ada.page.getByTitle(t('projects.isHere', { name: 'Bob Babbage' })).waitFor();
    await cardOf(ada.page, 'Paint the crane').click();
    await seenOn(bob.page, 'Paint the crane').getByText('Ada Lovelace', { exact: true }).waitFor();
    expect(await seenOn(ada.page, 'Paint the crane').count()).toBe(0);
    await ada.page.getByRole('button', { name: t('task.close') }).click();
    await seenOn(bob.page, 'Paint the crane').waitFor({ state: 'detached' });
    await cardOf(ada.page, 'Sweep the quay').focus();
    await ada.page.keyboard.press('Space');
    await seenOn(bob.page, 'Sweep the quay').waitFor();
    await ada.page.keyboard.press('Escape');
    await seenOn(bob.page, 'Sweep the quay').waitFor({ state: 'detached' });
  });

  test('a comment shows while it is written, and as soon as it is sent', async () => {
    for (const { page } of [ada, bob]) await cardOf(page, 'Paint the crane').click();
    await bob.page.getByRole('textbox', { name: t('task.comment') }).fill('Which colour?');
    await ada.page.getByText(t('task.writers', { n: 1, names: 'Bob Babbage' })).waitFor();
    const asked = reads(ada.page);
    await bob.page.getByRole('button', { name: t('task.doComment'), exact: true }).click();
    await ada.page
      .getByRole('region', { name: t('task.activity') })
      .getByText('Which colour?')
      .waitFor();
    await ada.page.getByText(t('task.writers', { n: 1, names: 'Bob Babbage' })).waitFor({ state: 'detached' });
    expect(asked).toEqual([]);
  });

  test('a person who hides their presence is not shown, and still sees the others', async () => {
    await bob.page.goto('/app/account');
    await faces(ada.page).waitFor({ state: 'detached' });
    await bob.page.getByRole('checkbox', { name: t('account.showsPresence') }).uncheck();
    await sample.expectRows("select shows_presence from profiles where display_name = 'Bob Babbage'", [
      { shows_presence: false },
    ]);
    await sample.openBoard(bob.page);
    await bob.page.getByTitle(t('projects.isHere', { name: 'Ada Lovelace' })).waitFor();
    expect(await faces(ada.page).count()).toBe(0);
    await bob.page.goto('/app/account');
    await bob.page.getByRole('checkbox', { name: t('account.showsPresence') }).check();
    await sample.openBoard(bob.page);
    await faces(ada.page).waitFor();
  });

  test('a window that is closed takes its face along', async () => {
    const eve = await comeAsEve();
    await sample.openBoard(eve.page);
    await ada.page.getByTitle(t('projects.isHere', { name: 'Eve Viewer' })).waitFor();
    await eve.page.close();
    await ada.page.getByTitle(t('projects.isHere', { name: 'Eve Viewer' })).waitFor({ state: 'detached' });
    await ada.page.getByTitle(t('projects.isHere', { name: 'Bob Babbage' })).waitFor();
    await eve.close();
  });
});

describe('the same field', () => {
  const panelOf = (page: Page) => page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) });
  const title = (page: Page) => panelOf(page).getByRole('textbox', { name: t('property.title') });

  beforeEach(async () => {
    for (const { page } of [ada, bob]) {
      await cardOf(page, 'Paint the crane').click();
      await title(page).waitFor();
      await whenLive(page);
    }
  });

  test('a title both write: mine stays, theirs is shown with their name, and mine wins only when I say so', async () => {
    await title(ada.page).fill('Paint the crane red');
    await title(bob.page).fill('Paint the crane blue');
    await bob.page.keyboard.press('Enter');
    const theirs = ada.page.locator('[data-theirs]');
    await theirs.getByText(t('task.conflict.changed', { name: 'Bob Babbage' })).waitFor();
    await theirs.getByText('Paint the crane blue').waitFor();
    expect(await title(ada.page).inputValue()).toBe('Paint the crane red');
    await ada.page.keyboard.press('Enter');
    await cardOf(ada.page, 'Paint the crane blue').waitFor();
    expect(await title(ada.page).inputValue()).toBe('Paint the crane red');
    await theirs.getByRole('button', { name: t('task.conflict.keep') }).click();
    await expect.poll(() => title(bob.page).inputValue()).toBe('Paint the crane red');
    await theirs.waitFor({ state: 'detached' });
  });

  test('a title that someone else changed can be taken', async () => {
    await title(ada.page).fill('Mine');
    await title(bob.page).fill('Paint the ship');
    await bob.page.keyboard.press('Enter');
    await ada.page
      .locator('[data-theirs]')
      .getByRole('button', { name: t('task.conflict.take') })
      .click();
    expect(await title(ada.page).inputValue()).toBe('Paint the ship');
    await sample.expectRows('select title from tasks where project_id = $1 and number = 1', [
      { title: 'Paint the ship' },
    ]);
  });

  test('a description both write is saved over theirs only by choice', async () => {
    const description = (page: Page) => panelOf(page).getByRole('region', { name: t('property.description') });
    for (const [{ page }, text] of [
      [ada, 'From Ada'],
      [bob, 'From Bob'],
    ] as const) {
      await description(page)
        .getByRole('button', { name: t('task.descriptionPlaceholder') })
        .click();
      await description(page).getByRole('textbox').fill(text);
    }
    await description(bob.page)
      .getByRole('button', { name: t('common.save'), exact: true })
      .click();
    const theirs = description(ada.page).locator('[data-theirs]');
    await theirs.getByText(t('task.conflict.changed', { name: 'Bob Babbage' })).waitFor();
    await theirs.getByText('From Bob').waitFor();
    const save = description(ada.page).getByRole('button', { name: t('common.save'), exact: true });
    expect(await save.isDisabled()).toBe(true);
    expect(await written(description(ada.page).getByRole('textbox'))).toBe('From Ada');
    await theirs.getByRole('button', { name: t('task.conflict.keep') }).click();
    await save.click();
    await description(bob.page).getByText('From Ada').waitFor();
  });

  describe('a comment', () => {
    const comments = (page: Page) => panelOf(page).getByRole('region', { name: t('task.activity') });
    const edit = async (page: Page, said: string, text: string) => {
      const comment = comments(page).getByRole('listitem').filter({ hasText: said });
      await comment.getByRole('button', { name: t('common.more'), exact: true }).click();
      await page.getByRole('menuitem', { name: t('task.editComment') }).click();
      await comments(page)
        .getByRole('textbox', { name: t('task.editComment') })
        .fill(text);
    };
    const bobSays = (text: string) =>
      sample.rows(
        `insert into task_comments (project_id, task_id, author_id, body) select $1, t.id, p.id, '${text}'
         from tasks t, profiles p where t.project_id = $1 and t.number = 1 and p.display_name = 'Bob Babbage'`,
      );

    test('that one edits in two windows at once: what is written here stays, what was saved there is shown beside it', async () => {
      await bobSays('Red or blue?');
      const other = await bob.page.context().newPage();
      await other.goto(bob.page.url());
      await whenLive(other);
      await edit(bob.page, 'Red or blue?', 'Red, please');
      await edit(other, 'Red or blue?', 'Blue, please');
      await comments(other)
        .getByRole('button', { name: t('common.save'), exact: true })
        .click();
      const theirs = comments(bob.page).locator('[data-theirs]');
      await theirs.getByText(t('task.conflict.own')).waitFor();
      await theirs.getByText('Blue, please').waitFor();
      const save = comments(bob.page).getByRole('button', { name: t('common.save'), exact: true });
      expect(await save.isDisabled()).toBe(true);
      expect(await written(comments(bob.page).getByRole('textbox', { name: t('task.editComment') }))).toBe(
        'Red, please',
      );
      // Ada, who reads along, has what is saved.
      await comments(ada.page).getByText('Blue, please').waitFor();
      await theirs.getByRole('button', { name: t('task.conflict.keep') }).click();
      await save.click();
      for (const page of [ada.page, other]) await comments(page).getByText('Red, please').waitFor();
      await other.close();
    });

    test('that someone deletes while its author edits it leaves the words', async () => {
      await bobSays('Red, please');
      await edit(bob.page, 'Red, please', 'Red, as I said');
      await comments(ada.page)
        .getByRole('listitem')
        .filter({ hasText: 'Red, please' })
        .getByRole('button', { name: t('common.more'), exact: true })
        .click();
      await ada.page.getByRole('menuitem', { name: t('task.deleteComment') }).click();
      const gone = comments(bob.page).locator('[data-gone]');
      await gone.getByText(t('task.commentGone.said')).waitFor();
      await gone.getByText('Red, as I said').waitFor();
      await gone.getByRole('button', { name: t('task.commentGone.use') }).click();
      await gone.waitFor({ state: 'detached' });
      expect(await written(comments(bob.page).getByRole('textbox', { name: t('task.comment') }))).toBe(
        'Red, as I said',
      );
      await comments(bob.page)
        .getByRole('button', { name: t('task.doComment'), exact: true })
        .click();
      await comments(ada.page).getByText('Red, as I said').waitFor();
    });
  });
});

describe('leaving', () => {
  const shareView = () =>
    sample.rows(
      "insert into saved_views (project_id, name, is_shared, layout) values ($1, 'All ships', true, 'board')",
    );
  const side = (page: Page) => page.getByRole('navigation', { name: t('common.nav.main') });
  const viewsOf = (page: Page) => page.getByRole('list', { name: t('views.ofProject') });

  const leave = () =>
    sample.rows(
      "delete from project_members where project_id = $1 and user_id = (select id from profiles where display_name = 'Bob Babbage')",
    );

  test('a project one is removed from closes with a sentence, and is gone from the side', async () => {
    const { page } = bob;
    await page
      .getByRole('navigation', { name: t('common.nav.main') })
      .getByText('Harbour')
      .waitFor();
    await leave();
    await page.getByRole('heading', { name: t('projects.accessLost.removed', { name: 'Harbour' }) }).waitFor();
    await page.getByText(t('projects.accessLost.removedWords')).waitFor();
    await page
      .getByRole('navigation', { name: t('common.nav.main') })
      .getByText('Harbour')
      .waitFor({ state: 'detached' });
    // Its rows are not on this page any more.
    await page.getByRole('link', { name: t('common.failed.toProjects') }).click();
    await page.getByRole('heading', { name: t('projects.empty') }).waitFor();
  });

  test('an added member sees the project at once, and people at a deleted project are told so', async () => {
    const { page } = bob;
    await leave();
    await page.goto('/app');
    await page.getByRole('heading', { name: t('projects.empty') }).waitFor();
    await whenLive(page);
    await sample.rows(
      "insert into project_members (project_id, user_id, role) select $1, id, 'editor' from profiles where display_name = 'Bob Babbage'",
    );
    await side(page).getByText('Harbour').click();
    await cardOf(page, 'Paint the crane').waitFor();
    await sample.client.from('projects').delete().eq('id', sample.projectId);
    await page.getByRole('heading', { name: t('projects.accessLost.deleted', { name: 'Harbour' }) }).waitFor();
    await ada.page.getByRole('heading', { name: t('projects.accessLost.deleted', { name: 'Harbour' }) }).waitFor();
  });

  test('a member added to another project has its shared views at once', async () => {
    const made = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse', key: 'LIG' });
    const { id } = made.data as { id: string };
    await site.app.sql(
      "insert into saved_views (project_id, name, is_shared, layout) values ($1, 'All lamps', true, 'board')",
      [id],
    );
    await site.app.sql(
      "insert into project_members (project_id, user_id, role) select $1, id, 'editor' from auth.users where email = $2",
      [id, bobMail],
    );
    await side(bob.page).getByText('Lighthouse').click();
    await viewsOf(bob.page).getByText('All lamps').waitFor();
  });

  test('a project that is brought back has its shared views again, for whoever looks', async () => {
    await shareView();
    for (const { page } of [ada, bob]) await viewsOf(page).getByText('All ships').waitFor();
    const { page } = ada;
    await page.getByRole('link', { name: t('projects.views.settings') }).click();
    await page.getByRole('button', { name: t('settings.remove') }).click();
    const dialog = page.getByRole('dialog', { name: t('settings.remove') });
    await dialog.getByRole('textbox').fill('Harbour');
    await dialog.getByRole('button', { name: t('common.delete'), exact: true }).click();
    await bob.page.getByRole('heading', { name: t('projects.accessLost.deleted', { name: 'Harbour' }) }).waitFor();
    await page.getByRole('button', { name: t('common.undo') }).click();
    for (const { page } of [ada, bob]) {
      await side(page).getByText('Harbour').click();
      await cardOf(page, 'Paint the crane').waitFor();
      await viewsOf(page).getByText('All ships').waitFor();
    }
  });
});
