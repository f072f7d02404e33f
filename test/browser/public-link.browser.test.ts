// Public links: a person without an account reads a board or a task, in both themes, on a phone and on paper; a link that was turned off shows nothing.

import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { holdAnswers } from './hold-answers.ts';
import { cardOf, settleHarbour, startSite } from './pages.ts';
import { t } from './words.ts';

/** Where to put pictures of what was looked at. */
const pictures = process.env.KANBASE_PICTURES;

const sample = forSuite(
  async () => settleHarbour(await startSite(), ['Paint the crane', 'Count the ships', 'Sweep the quay']),
  (sample) => sample.site.close(),
);
beforeAll(async () => {
  const { rows } = sample;
  await rows(
    "update tasks set due_date = current_date + 3, priority = 'p0', description = 'In **red**, as [agreed](https://example.test).' where project_id = $1 and number = 1",
  );
  await rows(
    'insert into task_assignees (project_id, task_id, user_id) select t.project_id, t.id, m.user_id from tasks t join project_members m using (project_id) where project_id = $1',
  );
  await rows(
    "insert into task_checklist_items (project_id, task_id, title, is_done, position) select project_id, id, 'Buy paint', true, 1 from tasks where project_id = $1 and number = 1",
  );
  await rows(
    "insert into task_comments (project_id, task_id, author_id, body) select t.project_id, t.id, m.user_id, 'Which colour?' from tasks t join project_members m using (project_id) where project_id = $1 and t.number = 1",
  );
  await rows(
    'update tasks set parent_id = (select id from tasks where project_id = $1 and number = 1) where project_id = $1 and number = 3',
  );
});

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

async function share(more: object = {}): Promise<{ id: string; address: string }> {
  const { data, error } = await sample.client.rpc('create_share_link', { project_id: sample.projectId, ...more });
  if (error !== null) throw error;
  const { id, token } = data as { id: string; token: string };
  return { id, address: `/share#${token}` };
}

test('a person without an account reads the board and a task; once the link is turned off there is nothing', async () => {
  const { id, address } = await share({ options: { names: true, comments: true } });
  const guest = await sample.site.visit();
  const { page } = guest;
  await page.goto(address);
  await page.getByRole('heading', { name: 'Harbour' }).waitFor();
  const column = page.getByRole('region', { name: t('board.column', { name: 'To do', n: 3 }) });
  await column.getByRole('button', { name: /Paint the crane.*Ada Lovelace|Ada Lovelace.*Paint the crane/ }).waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'board');
  await column.getByRole('button', { name: /Paint the crane/ }).click();
  const task = page.getByRole('dialog', { name: 'Paint the crane' });
  await task.getByRole('link', { name: 'agreed' }).waitFor();
  await task.getByRole('checkbox', { name: 'Buy paint', checked: true, disabled: true }).waitFor();
  await task
    .getByRole('region', { name: t('task.stream.comments') })
    .getByText('Which colour?')
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'task');
  await task.getByRole('button', { name: 'Sweep the quay' }).click();
  await page.getByRole('dialog', { name: 'Sweep the quay' }).waitFor();
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await offences(page)).toEqual([]);
  await picture(page, 'board-dark');
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await picture(page, 'board-print');
  const revoked = await sample.client.rpc('revoke_share_link', { link_id: id });
  expect(revoked.error).toBeNull();
  await page.reload();
  await page.getByRole('heading', { name: t('shared.gone.title') }).waitFor();
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test('an owner shares a saved view from its menu; its tasks are read in its layout and order', async () => {
  const { page } = sample.ada;
  const filter = {
    all: [
      { property: 'title', is: 'contains', value: 'the' },
      { property: 'priority', is: 'any_of', value: ['p0', 'p2'] },
    ],
  };
  const { error } = await sample.client.from('saved_views').insert({
    ...{ project_id: sample.projectId, name: 'Next at the quay', layout: 'list', filter },
    sort: [{ by: 'title', descending: true }],
  });
  expect(error).toBeNull();
  await sample.rows("update tasks set priority = 'p1' where project_id = $1 and number = 3");
  await sample.openBoard(page);
  await page
    .getByRole('button', { name: t('views.menu', { name: 'Next at the quay' }) })
    .first()
    .click();
  // The link is created with the list of others still to come.
  const listed = await holdAnswers(page, /\/rest\/v1\/share_links/);
  await page.getByRole('menuitem', { name: t('common.publicLink') }).click();
  const dialog = page.getByRole('dialog', { name: t('shared.links.title', { name: 'Next at the quay' }) });
  await dialog.getByText(t('shared.links.view')).waitFor();
  await dialog.getByRole('button', { name: t('people.link.create') }).click();
  const field = dialog.getByRole('textbox', { name: t('shared.links.title', { name: 'Next at the quay' }) });
  await field.waitFor();
  listed();
  await dialog.getByRole('region', { name: t('shared.links.active') }).waitFor();
  const address = new URL(await field.inputValue());
  expect(await offences(page)).toEqual([]);
  const guest = await sample.site.visit();
  await guest.page.goto(`${address.pathname}${address.hash}`);
  await guest.page.getByRole('heading', { name: 'Next at the quay' }).waitFor();
  const titles = guest.page.getByRole('table').getByRole('button');
  await expect.poll(() => titles.allInnerTexts()).toEqual(['Paint the crane', 'Count the ships']);
  expect(await offences(guest.page)).toEqual([]);
  await picture(guest.page, 'view');
  await titles.first().click();
  await guest.page.getByRole('dialog', { name: 'Paint the crane' }).waitFor();
  await guest.page.keyboard.press('Escape');
  await guest.page.setViewportSize({ width: 375, height: 700 });
  expect(await guest.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await picture(guest.page, 'view-phone');
  expect(guest.troubles).toEqual([]);
  await guest.close();
  await sample.rows("update tasks set priority = 'p2' where project_id = $1 and number = 3");
});

test('a link that shows files offers them for download', async () => {
  const [{ id }] = (await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1')) as [
    { id: string },
  ];
  const object_path = `${sample.projectId}/${id}/tide table.txt`;
  const stored = await sample.client.storage.from('attachments').upload(object_path, 'High water at six');
  expect(stored.error).toBeNull();
  const listed = await sample.client
    .from('task_attachments')
    .insert({ task_id: id, name: 'tide table.txt', object_path, size_bytes: 17 });
  expect(listed.error).toBeNull();
  const { address } = await share({ task_id: id, options: { files: true } });
  const guest = await sample.site.visit();
  const { page } = guest;
  await page.goto(address);
  const files = page.getByRole('region', { name: t('common.attachments') });
  const coming = page.waitForEvent('download');
  await files.getByRole('button', { name: /tide table/ }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('tide table.txt');
  expect(readFileSync(await download.path(), 'utf8')).toBe('High water at six');
  expect(await offences(page)).toEqual([]);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test('on a phone a link to a task shows it with its subtasks, without people', async () => {
  const [{ id: task_id }] = (await sample.rows<{ id: string }>(
    'select id from tasks where project_id = $1 and number = 1',
  )) as [{ id: string }];
  const { address } = await share({ task_id });
  const guest = await sample.site.visit({ viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true });
  const { page } = guest;
  await page.goto(address);
  await page.getByRole('heading', { name: 'Paint the crane' }).waitFor();
  await page.getByRole('button', { name: 'Sweep the quay' }).waitFor();
  expect(await page.getByText(/Ada Lovelace|Which colour|Count the ships/).count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  expect(await offences(page)).toEqual([]);
  await picture(page, 'task-phone');
  await page.goto((await share()).address);
  await page.reload();
  await page.getByRole('heading', { name: 'Harbour' }).waitFor();
  const card = page.getByRole('button', { name: 'Count the ships' });
  await card.waitFor();
  // Begins at the first column that has a task, past an empty one.
  const { x, width } = (await card.boundingBox()) as { x: number; width: number };
  expect([x >= 0, x + width <= 375]).toEqual([true, true]);
  expect((await page.locator('[data-board]').boundingBox())?.x).toBe(0);
  await picture(page, 'board-phone');
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

test('an owner creates a link in the app, copies it and turns it off; so of a task', async () => {
  const { page } = sample.ada;
  await page.goto(`/app/projects/${sample.projectId}/people`);
  await page.getByRole('button', { name: t('common.publicLink') }).click();
  const dialog = page.getByRole('dialog', { name: t('shared.links.title', { name: 'Harbour' }) });
  await dialog.getByLabel(t('people.link.life')).selectOption('7');
  await dialog.getByLabel(t('shared.links.names')).check();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'dialog');
  await dialog.getByRole('button', { name: t('people.link.create') }).click();
  const field = dialog.getByRole('textbox', { name: t('shared.links.title', { name: 'Harbour' }) });
  await field.waitFor();
  const address = await field.inputValue();
  expect(address).toMatch(/\/share#[\w-]{43}$/);
  const links = dialog.getByRole('region', { name: t('shared.links.active') });
  const whole = links.getByRole('listitem').filter({ hasText: t('shared.links.ofProject') });
  await whole
    .first()
    .getByText(t('shared.links.uses', { n: 0 }))
    .waitFor();
  expect(await offences(page)).toEqual([]);
  await picture(page, 'dialog-links');

  const guest = await sample.site.visit();
  await guest.page.goto(address);
  await guest.page.getByRole('heading', { name: 'Harbour' }).waitFor();
  const before = await whole.count();
  await whole
    .first()
    .getByRole('button', { name: t('people.link.revoke') })
    .click();
  await expect.poll(() => whole.count()).toBe(before - 1);
  await guest.page.reload();
  await guest.page.getByRole('heading', { name: t('shared.gone.title') }).waitFor();

  await sample.openBoard(page);
  await cardOf(page, 'Count the ships').click({ button: 'right' });
  await page.getByRole('option', { name: t('task.share') }).click();
  const ofTask = page.getByRole('dialog', { name: t('people.guests.share', { name: 'Count the ships' }) });
  await ofTask.getByRole('button', { name: t('people.guests.link') }).click();
  await ofTask.getByLabel(t('shared.links.password')).fill('kites over water');
  await ofTask.getByRole('button', { name: t('people.link.create') }).click();
  const own = ofTask.getByRole('textbox', { name: t('shared.links.title', { name: 'Count the ships' }) });
  await own.waitFor();
  await ofTask.getByText(t('shared.links.protected')).waitFor();
  await guest.page.goto(await own.inputValue());
  await guest.page.reload();
  await guest.page.getByLabel(t('common.password')).fill('kites over water');
  await guest.page.keyboard.press('Enter');
  await guest.page.getByRole('heading', { name: 'Count the ships' }).waitFor();
  for (const { troubles } of [sample.ada, guest]) expect(troubles).toEqual([]);
  await guest.close();
});

test('a link with a password asks for it', async () => {
  const { data } = await sample.client.auth.getSession();
  const answer = await sample.site.app.request('/auth/v1/share_links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: sample.projectId, password: 'kites over water' }),
    ...(data.session === null ? {} : { token: data.session.access_token }),
  });
  const { token } = (await answer.json()) as { token: string };
  const guest = await sample.site.visit();
  const { page } = guest;
  await page.goto(`/share#${token}`);
  await page.getByLabel(t('common.password')).fill('guess');
  expect(await offences(page)).toEqual([]);
  await page.getByRole('button', { name: t('shared.asks.enter') }).click();
  await page.getByText(t('shared.asks.wrong')).waitFor();
  await picture(page, 'password');
  await page.getByLabel(t('common.password')).fill('kites over water');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Harbour' }).waitFor();
  await guest.close();
});
