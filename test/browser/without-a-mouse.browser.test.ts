// Screens by keys alone: every control is reached by Tab, shows its focus, and works. Boards, lists and the inbox have shortcuts of their own
// (keys.browser.test.ts, inbox.browser.test.ts).

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { tabTo, walk } from './keys-alone.ts';
import { addCrew, openSampleProject, type SampleProject } from './pages.ts';
import { holding, saying, t } from './words.ts';

let sample: SampleProject;
let page: Page;
let bobId: string;
let crewId: string;
let viewId = '';
let priceId = '';

beforeAll(async () => {
  sample = await openSampleProject();
  ({ page } = sample.ada);
  await sample.rows("update tasks set archived_at = now() where project_id = $1 and title = 'Sweep the quay'");
  const bob = await sample.site.app.createUser({ name: 'Bob' });
  bobId = bob.id;
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'editor')`);
  crewId = await addCrew(sample, bobId);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${bobId}' from tasks where project_id = $1 and number = 1`,
  );
  await sample.rows('update tasks set due_date = current_date where project_id = $1 and number = 1');
  await sample.client.rpc('invite_member', { project_id: sample.projectId, email: 'dan@example.test' });
  const [view] = await sample.rows<{ id: string }>(
    "insert into saved_views (owner_id, name, layout) select created_by, 'All of it', 'list' from projects where id = $1 returning id",
  );
  viewId = view?.id ?? '';
  const [price] = await sample.rows<{ id: string }>(
    "insert into custom_fields (project_id, name, kind) values ($1, 'Price', 'number') returning id",
  );
  priceId = price?.id ?? '';
  const [task] = await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1');
  await bob.client.from('task_comments').insert({ task_id: task?.id, body: 'Which red?' });
}, 120_000);
afterAll(async () => {
  expect(sample.ada.troubles).toEqual([]);
  await sample.site.close();
});

/** The list with columns of its own: a table. */
const table = (): string =>
  `/app/projects/${sample.projectId}/list?group=none&shown=${encodeURIComponent(JSON.stringify({ columns: ['number', 'title', `number_field.${priceId}`] }))}`;

const screens: Readonly<Record<string, readonly [path: () => string, there: string]>> = {
  projects: [() => '/app', 'main li a'],
  'my tasks': [() => '/app/my-tasks', 'main h1'],
  dashboard: [() => '/app/dashboard', 'main section'],
  settings: [() => `/app/projects/${sample.projectId}/settings`, 'main section'],
  inbox: [() => '/app/inbox', '[data-entry]'],
  archive: [() => '/app/archive', 'main section li'],
  person: [() => `/app/people/${bobId}`, 'main section li'],
  groups: [() => '/app/groups', 'main li'],
  group: [() => `/app/groups/${crewId}`, 'main section li'],
  agents: [() => `/app/projects/${sample.projectId}/agents`, 'main h2 + div'],
  people: [() => `/app/projects/${sample.projectId}/people`, 'main li'],
  account: [() => '/app/account', 'main section li'],
  invitations: [() => `/app/projects/${sample.projectId}/people`, 'text=dan@example.test'],
  calendar: [() => `/app/projects/${sample.projectId}/calendar`, '[data-calendar] [data-task-id]'],
  timeline: [() => `/app/projects/${sample.projectId}/timeline`, '[data-timeline] [data-task-id]'],
  table: [table, '[data-row-link]'],
  view: [() => `/app/views/${viewId}`, 'main [data-task-id]'],
  'a task with a thread': [
    () => `/app/projects/${sample.projectId}/board/1`,
    `[aria-label="${t('task.activity')}"] li`,
  ],
};

test.each(Object.entries(screens))(
  '%s: all there is can be reached, and shows when it is',
  async (_, [path, there]) => {
    await page.goto(path());
    await page.locator(there).first().waitFor();
    expect(await walk(page)).toEqual({ missed: [], unseen: [] });
    expect(await offences(page)).toEqual([]);
  },
);

test('an invitation is read and taken up', async () => {
  const { data } = await sample.client.rpc('invite_member', {
    project_id: sample.projectId,
    email: 'cyd@example.test',
  });
  const guest = await sample.site.visit();
  const mine = page;
  page = guest.page;
  await page.goto(`/invitation/${(data as { token: string }).token}`);
  await page.getByText('cyd@example.test').first().waitFor();
  expect((await walk(page)).missed).toEqual([]);
  expect(await offences(page)).toEqual([]);
  page = mine;
  await guest.close();
});

test('an archived task is restored', async () => {
  await page.goto('/app/archive');
  await page.getByText('Sweep the quay').waitFor();
  await tabTo(page, saying('people.archive.restore', { what: /.*Sweep the quay|HAR-3/ }));
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from tasks where project_id = $1 and archived_at is not null', [
    { n: 0 },
  ]);
});

test('somebody is invited', async () => {
  await page.goto(`/app/projects/${sample.projectId}/people`);
  await page.getByText('dan@example.test').waitFor();
  await tabTo(page, t('projects.invite'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
  await dialog.locator('textarea:focus').waitFor();
  await page.keyboard.type('eve@example.test');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows(
    "select email from project_invitations where project_id = $1 and email = 'eve@example.test'",
    [{ email: 'eve@example.test' }],
  );
});

const due = (ahead: number) =>
  sample.expectRows('select due_date - current_date as ahead from tasks where project_id = $1 and number = 1', [
    { ahead },
  ]);

test('a task is planned on the calendar, and on the timeline', async () => {
  await page.goto(`/app/projects/${sample.projectId}/calendar`);
  await page.locator('[data-calendar] [data-task-id]').first().waitFor();
  await tabTo(page, holding('calendar.day', { n: 1 }));
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-task-id]:focus', { hasText: 'HAR-1 Paint the crane' }).waitFor();
  await page.keyboard.press('Alt+ArrowRight');
  await due(1);
  await page.goto(`/app/projects/${sample.projectId}/timeline`);
  await page.locator('[data-timeline] [data-task-id]').first().waitFor();
  await tabTo(page, /HAR-1 Paint the crane/);
  await page.keyboard.press('Alt+ArrowDown');
  await due(8);
});

test('a filter is made, read, changed, joined otherwise and taken away', async () => {
  await page.goto(`/app/projects/${sample.projectId}/list`);
  await page.locator('[data-row-link]').first().waitFor();
  const add = async (property: string, value: string, option: RegExp): Promise<void> => {
    await page.keyboard.press('f');
    await page.locator('input[type="search"]:focus').waitFor();
    await page.keyboard.type(property);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).waitFor();
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const filter = () => new URL(page.url()).searchParams.get('filter');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await add('assignee', 'bob', /Bob/);
  await add('blocked', 'no', holding('views.flags.no'));
  await expect.poll(filter).toBe(`assignee.any_of.${bobId}*blocked.is.no`);
  await tabTo(page, 'Assignee is Bob');
  // Chip, its cross, and the word between two.
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  expect(await focused()).toBe(t('views.and'));
  await page.keyboard.press('Enter');
  await expect.poll(filter).toBe(`any*assignee.any_of.${bobId}*blocked.is.no*end`);
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe(t('common.pair', { name: t('property.blocked'), value: t('views.flags.no') }));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.locator('[role="dialog"] input:focus').waitFor();
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect
    .poll(focused)
    .toMatch(
      saying('views.says.is', { what: t('property.assignee'), value: /(Ada Lovelace or Bob|Bob or Ada Lovelace)$/ }),
    );
  await page.keyboard.press('Backspace');
  await expect.poll(filter).toBe('blocked.is.no');
  await expect.poll(focused).toBe(t('common.pair', { name: t('property.blocked'), value: t('views.flags.no') }));
  await page.keyboard.press('Delete');
  await expect.poll(filter).toBe(null);
});

test('a cell of the table is filled in', async () => {
  await page.goto(table());
  await page.getByText('Count the ships').waitFor();
  await tabTo(page, /Paint the crane/);
  await page.locator('[data-row-link]:focus').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('12.5');
  await page.keyboard.press('Enter');
  await sample.expectRows(
    'select t.number, v.value from task_field_values v join tasks t on t.id = v.task_id where v.project_id = $1',
    [{ number: 1, value: 12.5 }],
  );
});

test('a comment is written, another answered and reacted to, and its thread resolved', async () => {
  const open = async (): Promise<void> => {
    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page.getByText('Which red?').first().waitFor();
  };
  await open();
  await tabTo(page, t('task.comment'));
  await page.keyboard.type('Signal red');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows("select body from task_comments where project_id = $1 and body like 'Signal%'", [
    { body: 'Signal red' },
  ]);
  await open();
  await tabTo(page, 'Reply to Bob');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe(t('writing.comments.reply'));
  await page.keyboard.type('Number 3');
  await page.keyboard.press('Control+Enter');
  await sample.expectRows('select body from task_comments where project_id = $1 and parent_id is not null', [
    { body: 'Number 3' },
  ]);
  await open();
  await tabTo(page, t('writing.comments.react'));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from comment_reactions where project_id = $1', [{ n: 1 }]);
  await tabTo(page, t('common.more'));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: t('writing.comments.resolve') }).waitFor();
  await page.keyboard.type(t('writing.comments.resolve').slice(0, 3));
  await page.locator('[role=menuitem]:focus', { hasText: t('writing.comments.resolve') }).waitFor();
  await page.keyboard.press('Enter');
  await sample.expectRows('select count(*)::int as n from comment_resolutions where project_id = $1', [{ n: 1 }]);
});
