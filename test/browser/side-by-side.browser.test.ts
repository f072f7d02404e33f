// Concurrency in the app: two windows, two people on one task, a session that ends while someone writes. Each test has a project and a browser of its
// own.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import {
  addTasks,
  cardOf,
  drag,
  dragOver,
  expectAfterRefocus,
  expectTitles,
  fillSignIn,
  news,
  openHarbour,
  refocus,
  type SampleProject,
  type Visitor,
  whenLive,
  written,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { inside, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let page: Page;

eachStory(async (site) => {
  sample = await openHarbour(site);
  ({ ada } = sample);
  ({ page } = ada);
  return [ada];
});

describe('two windows', () => {
  test('changes in one window show in the other at once, a deletion as soon as it is sent', async () => {
    const other = await page.context().newPage();
    await sample.openBoard(other);
    await page.bringToFront();
    await addTasks(page, 'Backlog', ['Order rope']);
    await expectTitles(other, 'Backlog', ['Order rope']);
    await drag(page, 'Order rope', 'In progress');
    await expectTitles(other, 'In progress', ['Order rope']);
    await cardOf(page, 'Order rope').click();
    await page
      .getByRole('button', { name: t('common.more'), exact: true })
      .first()
      .click();
    await page.getByRole('menuitem', { name: t('common.delete') }).click();
    await expectTitles(other, 'In progress', ['Order rope']);
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    await expectTitles(other, 'In progress', []);
    await other.close();
  });

  test('changes that a closed window could not send are sent by the remaining one', async () => {
    const other = await page.context().newPage();
    await sample.openBoard(other);
    await other.route(/\/rest\/v1\//, (route) => route.abort('connectionrefused'));
    await addTasks(other, 'Backlog', ['Left behind']);
    await other.getByText(t('common.unsent.title')).waitFor();
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
    // The page doesn't hear of it.
    await page.routeWebSocket(/\/realtime\//, () => undefined);
    await sample.openBoard(page);
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
    expect(await news(page).getByText(saying('common.refused.title')).count()).toBe(0);
  });

  test('a change by one who may no longer is taken back and says why; what was typed is not lost', async () => {
    await cardOf(page, 'Paint the crane').click();
    await page.getByRole('button', { name: t('task.descriptionPlaceholder') }).click();
    await page.getByRole('textbox', { name: t('property.description') }).fill('Red all over');
    const me = '(select created_by from projects where id = $1)';
    const bob = await sample.site.app.createUser({ name: 'Bob' });
    await sample.rows(
      `insert into project_members (project_id, user_id, role) select id, '${bob.id}', 'owner' from projects where id = $1`,
    );
    // Between the press and the server: the page, which hears of it at once, would close the field of one who may only look.
    await page.route(
      '**/rpc/apply_changes',
      async (route) => {
        await sample.rows(`update project_members set role = 'viewer' where project_id = $1 and user_id = ${me}`);
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press('Control+Enter');
    await news(page).getByText(t('common.refused.forbidden')).waitFor();
    await sample.rows(`update project_members set role = 'owner' where project_id = $1`);
    await page.reload();
    await expect
      .poll(() => written(page.getByRole('textbox', { name: t('property.description') })))
      .toBe('Red all over');
    await page.keyboard.press('Tab');
    await page.getByRole('textbox', { name: t('property.description') }).press('Control+Enter');
    await sample.expectRows("select description from tasks where project_id = $1 and title = 'Paint the crane'", [
      { description: 'Red all over' },
    ]);
  });
});

test('signed out from another device while writing: the door, and then back to what was written', async () => {
  await cardOf(page, 'Count the ships').click();
  await page.getByRole('textbox', { name: t('task.comment') }).fill('Seven, or');
  // Told seconds after the start: refused, it would lead to the door before anything else was written.
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.endsWith('zone told')));
  const phone = await sample.site.visit();
  await phone.page.goto('/sign-in?next=/app/account');
  await fillSignIn(phone.page, sample.adaMail);
  await phone.page.getByRole('button', { name: t('account.signOutOthers') }).click();
  await phone.page.getByText(t('account.othersOut')).waitFor();
  await phone.close();
  await page.getByRole('textbox', { name: t('property.title') }).fill('Count all ships');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign-in#next=/);
  await fillSignIn(page, sample.adaMail);
  await page.waitForURL(/\/board\/2$/);
  await expect.poll(() => written(page.getByRole('textbox', { name: t('task.comment') }))).toBe('Seven, or');
  await sample.expectRows('select title from tasks where project_id = $1 and number = 2', [
    { title: 'Count all ships' },
  ]);
});

test('a session that is gone from this browser leads to the door, and what was done meanwhile is sent after signing in', async () => {
  await whenLive(page);
  await page.waitForLoadState('networkidle');
  // Nothing else is asked for between the two.
  await dragOver(page, 'Sweep the quay', 'In progress');
  await page.context().clearCookies();
  await page.mouse.up();
  await page.waitForURL(/\/sign-in#next=/);
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
  await page.getByRole('button', { name: t('account.signOutOthers') }).click();
  await page.getByText(t('account.onlyHere')).waitFor();
  const phone = await sample.site.visit({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  });
  await phone.page.goto('/sign-in?next=/app/account');
  await fillSignIn(phone.page, sample.adaMail);
  await phone.page.getByText(t('account.thisDevice'), { exact: true }).waitFor();
  await page.reload();
  const rows = page.getByRole('list', { name: t('account.sessions') }).getByRole('listitem');
  await expect
    .poll(async () =>
      (await rows.allTextContents()).map((text) =>
        text.split(new RegExp(`${inside('account.lastSeen')}|${inside('account.signedIn')}`, 'i'))[0]?.trim(),
      ),
    )
    .toEqual([
      `${t('account.device', { browser: 'Chrome', system: 'Linux' })} ${t('account.thisDevice')}`,
      t('account.device', { browser: 'Safari', system: 'iPhone' }),
    ]);
  expect(await offences(page)).toEqual([]);

  const button = page.getByRole('button', { name: t('account.endSessionOf', { device: 'Safari on iPhone' }) });
  await page.route('**/rpc/end_my_session', (route) => route.fulfill({ status: 503, json: { message: 'busy' } }));
  await button.click();
  await page
    .getByText(t('account.sessionKept', { device: 'Safari on iPhone', reason: t('common.refused.busy') }))
    .waitFor();
  await page.unroute('**/rpc/end_my_session');

  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText(t('account.sessionEnded', { device: 'Safari on iPhone' })).waitFor();
  await page.getByText(t('account.onlyHere')).waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(t('account.sessions'));
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);

  // By itself, or at the next thing it asks for.
  await expectAfterRefocus(phone.page, async () => new URL(phone.page.url()).pathname, '/sign-in');
  expect(phone.troubles).toEqual([]);
  await phone.close();
});
