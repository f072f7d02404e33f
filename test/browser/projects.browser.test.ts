// Life of a project: columns, labels, dependency rule, roles, invitations, leaving, archiving, deleting; and the screens of each role. Each test has
// a project and people of its own.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import {
  addTasks,
  cardOf,
  columnOf,
  expectTitles,
  news,
  pressUntil,
  type SampleProject,
  settleHarbour,
  type Visitor,
} from './pages.ts';
import { eachStory } from './stories.ts';
import { either, inside, saying, t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let bobMail: string;
let projectId: string;
let expectRows: SampleProject['expectRows'];

eachStory(async (site) => {
  sample = await settleHarbour(site, ['Paint the crane', 'Count the ships']);
  ({ ada, projectId, expectRows } = sample);
  bob = await site.visit();
  ({ email: bobMail } = await bob.settle('Bob Kahn'));
  await sample.join(bobMail, 'viewer');
  return [ada, bob];
});

const settings = async (page: Page): Promise<void> => {
  await page.goto(`/app/projects/${projectId}/settings`);
  await page.getByRole('button', { name: t('settings.leave') }).waitFor();
};
const peoplePage = async (page: Page) => {
  await page.goto(`/app/projects/${projectId}/people`);
  return page.getByRole('main');
};
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** What can be undone for a while is sent at once when the page is left. */
const sendHeld = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('pagehide')));

test('the page of all projects tells how each stands, and follows it', async () => {
  const { page } = ada;
  await sample.rows("update tasks set due_date = current_date - 2 where project_id = $1 and title = 'Count the ships'");
  await page.goto('/app');
  const card = page.getByRole('main').getByRole('link', { name: /Harbour/ });
  await card.getByText(t('projects.progress', { done: '0', total: '2' })).waitFor();
  await card.getByText(t('projects.overdue', { n: '1' })).waitFor();
  await card.getByText(t('common.members', { n: 2 })).waitFor();
  // Somebody else gets on with it.
  await sample.rows(
    `update tasks t set column_id = c.id from workflow_columns c
     where c.project_id = t.project_id and c.kind = 'done' and t.project_id = $1 and t.title = 'Count the ships'`,
  );
  await card.getByText(t('projects.progress', { done: '1', total: '2' })).waitFor();
  expect(await card.getByText('overdue').count()).toBe(0);
  expect(await offences(page)).toEqual([]);
});

describe('columns', () => {
  const columnNames = () =>
    section(ada.page, t('common.columns'))
      .getByLabel(t('settings.columnName'))
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

  test('are added, named, limited, given a kind, moved by keys, and deleted once empty', async () => {
    const { page } = ada;
    await settings(page);
    const columns = section(page, t('common.columns'));
    await columns.getByRole('button', { name: t('settings.addColumn') }).click();
    const name = columns.getByLabel(t('settings.columnName')).last();
    await name.fill('Review');
    await name.press('Enter');
    await columns.getByLabel(t('common.kind')).last().selectOption({ label: 'In progress' });
    const limit = columns.getByLabel(t('common.wipLimit')).last();
    await limit.fill('none');
    await limit.press('Enter');
    await columns.getByText(t('settings.columnWipWrong')).waitFor();
    await limit.fill('1');
    await limit.press('Enter');
    await columns.getByRole('button', { name: t('settings.moveColumn', { name: 'Review' }) }).focus();
    const heard = page.getByRole('status').filter({ hasText: 'Review' });
    await page.keyboard.press('Space');
    await heard.getByText(t('common.sorting.picked', { name: 'Review', place: '5', of: '5' })).waitFor();
    await pressUntil(
      page,
      'ArrowUp',
      heard.getByText(t('common.sorting.over', { name: 'Review', place: '4', of: '5' })),
    );
    await page.keyboard.press('Space');
    await heard.getByText(t('common.sorting.dropped', { name: 'Review', place: '4' })).waitFor();
    await expect.poll(columnNames).toEqual(['Backlog', 'To do', 'In progress', 'Review', 'Done']);
    await expectRows(
      'select name, kind::text, wip_limit from workflow_columns where project_id = $1 order by position',
      [
        { name: 'Backlog', kind: 'backlog', wip_limit: null },
        { name: 'To do', kind: 'todo', wip_limit: null },
        { name: 'In progress', kind: 'in_progress', wip_limit: null },
        { name: 'Review', kind: 'in_progress', wip_limit: 1 },
        { name: 'Done', kind: 'done', wip_limit: null },
      ],
    );
    await columns.getByRole('button', { name: t('settings.removeColumn', { name: 'To do' }) }).click();
    await news(page).getByText(t('settings.columnNotEmpty')).waitFor();
    await columns.getByRole('button', { name: t('settings.removeColumn', { name: 'Backlog' }) }).click();
    await expect.poll(columnNames).toEqual(['To do', 'In progress', 'Review', 'Done']);
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    await expect.poll(columnNames).toEqual(['Backlog', 'To do', 'In progress', 'Review', 'Done']);
    // Archived tasks that keep a column from being deleted are found.
    await sample.rows('update tasks set archived_at = now() where project_id = $1 returning id');
    await columns.getByRole('button', { name: t('settings.removeColumn', { name: 'To do' }) }).click();
    await news(page).getByText(t('settings.columnNotEmpty')).first().waitFor();
    await columns.getByRole('link', { name: t('settings.toArchive') }).click();
    await page.getByRole('main').getByText('Count the ships').waitFor();
  });

  test('say on the board when they are at and over their limit', async () => {
    const { page } = ada;
    await sample.rows(
      "insert into workflow_columns (project_id, name, kind, wip_limit) values ($1, 'Review', 'in_progress', 1)",
    );
    await sample.openBoard(page);
    await addTasks(page, 'Review', ['One too few']);
    await columnOf(page, 'Review')
      .getByTitle(t('board.wipAt', { limit: '1' }))
      .waitFor();
    await addTasks(page, 'Review', ['One too many']);
    await columnOf(page, 'Review')
      .getByText(t('board.wipOver', { limit: '1' }))
      .waitFor();
  });
});

test('labels are made, renamed, coloured and deleted; a name that is taken is shown beside the field', async () => {
  const { page } = ada;
  await settings(page);
  const labels = section(page, t('property.labels'));
  await labels.getByText(t('settings.noLabels')).waitFor();
  for (const name of ['Urgent', 'Later']) {
    await labels.getByLabel(t('settings.labelName')).last().fill(name);
    await labels.getByRole('button', { name: t('task.addLabel') }).click();
    await labels.getByRole('button', { name: t('settings.removeLabel', { name }) }).waitFor();
  }
  await labels.getByLabel(t('settings.labelName')).last().fill('urgent');
  await labels.getByRole('button', { name: t('task.addLabel') }).click();
  await labels.getByText(t('settings.labelTaken')).waitFor();
  await labels.getByLabel(t('settings.labelName')).last().fill('');
  const second = labels.getByLabel(t('settings.labelName')).first();
  await second.fill('Some day');
  await second.press('Enter');
  await labels.getByRole('button', { name: t('common.pair', { name: t('common.colour'), value: 'Some day' }) }).click();
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: t('common.colours.green') })
    .check({ force: true });
  await page.keyboard.press('Escape');
  await labels.getByRole('button', { name: t('settings.removeLabel', { name: 'Urgent' }) }).click();
  await news(page)
    .getByText(t('settings.did.labelRemoved', { name: 'Urgent' }))
    .waitFor();
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await labels.getByRole('button', { name: t('settings.removeLabel', { name: 'Urgent' }) }).waitFor();
  await expectRows('select name, color from task_labels where project_id = $1 order by name', [
    { name: 'Some day', color: '#4b913f' },
    { name: 'Urgent', color: expect.any(String) },
  ]);
});

test('name, key, colour and the rule of dependencies are kept, faults shown', async () => {
  const { page } = ada;
  await settings(page);
  const general = section(page, t('settings.sections.general'));
  await general.getByLabel(t('common.key')).fill('H');
  await general.getByRole('button', { name: t('common.save') }).click();
  await general.getByText(t('projects.keyWrong')).waitFor();
  await general.getByLabel(t('common.key')).fill('HB');
  await general.getByLabel(t('common.name'), { exact: true }).fill('Old harbour');
  await general.getByLabel(t('property.description')).fill('All about the quay.');
  await general.getByRole('button', { name: t('common.save') }).click();
  await page.getByRole('heading', { name: 'Old harbour' }).waitFor();
  await general.getByLabel(t('settings.rule')).uncheck();
  await expectRows('select name, key, description, enforce_dependencies as held from projects where id = $1', [
    { name: 'Old harbour', key: 'HB', description: 'All about the quay.', held: false },
  ]);
  await general.getByLabel(t('settings.rule')).check();
});

/** Controls and keys that change something. */
const changing = [
  ...(['board.add', 'common.newTask', 'common.delete', 'common.edit', 'common.rename', 'common.save'] as const),
  ...(['task.archive', 'task.doComment', 'task.keys.due_date', 'myTasks.complete', 'files.remove'] as const),
  ...(['list.bulk.move', 'list.bulk.assign', 'list.selectAll', 'projects.invite'] as const),
  ...(['settings.moveColumn', 'people.invitation.revoke'] as const),
];
const changingKeys = [
  ...(['common.newTask', 'common.delete', 'task.archive', 'list.selectOne', 'list.editFocused'] as const),
  ...(['task.keys.column', 'task.keys.assignee', 'task.keys.me', 'task.keys.priority'] as const),
  ...(['task.keys.label', 'task.keys.due_date'] as const),
];

describe('people', () => {
  test('a viewer finds no control that would be refused, on any screen', async () => {
    const { page } = bob;
    const verbs = changing.map((key) => inside(key).split(' ', 1)[0]);
    const forbidden = new RegExp(`^(?!${inside('task.saveAsTemplate')})(${verbs.join('|')})(?!\\p{L})`, 'iu');
    await sample.rows(
      `insert into task_assignees (project_id, task_id, user_id)
       select t.project_id, t.id, u.id from tasks t, auth.users u
       where t.project_id = $1 and t.title = 'Paint the crane' and u.email = '${bobMail}'`,
    );
    await sample.rows(
      `insert into task_comments (project_id, task_id, author_id, body)
       select project_id, id, created_by, 'Which red?' from tasks where project_id = $1 and title = 'Paint the crane'`,
    );
    await sample.rows(
      `insert into task_checklist_items (project_id, task_id, title, position)
       select project_id, id, 'Buy paint', 1 from tasks where project_id = $1 and title = 'Paint the crane'`,
    );
    for (const [path, ready] of [
      [`projects/${projectId}/board`, 'Paint the crane'],
      [`projects/${projectId}/board/1`, 'Which red?'],
      [`projects/${projectId}/list`, 'Paint the crane'],
      [`projects/${projectId}/dashboard`, t('dashboard.throughput')],
      [`projects/${projectId}/people`, t('common.members', { n: 2 })],
      [`projects/${projectId}/settings`, t('projects.viewerNotice')],
      ['my-tasks', 'Paint the crane'],
    ] as const) {
      await page.goto(`/app/${path}`);
      await page.getByText(ready).first().waitFor();
      const main = page.getByRole('main');
      const named = await main.getByRole('button', { name: forbidden }).allInnerTexts();
      expect([path, named]).toEqual([path, []]);
      const fields = main.locator('input:not([type=search]):not([disabled]), textarea, select, [contenteditable=true]');
      expect([path, await fields.count()]).toEqual([path, 0]);
      await page.keyboard.press('?');
      await page
        .getByRole('dialog', { name: t('common.nav.shortcuts') })
        .locator('dt')
        .first()
        .waitFor();
      const offered = await page.getByRole('dialog').locator('dt').allInnerTexts();
      expect([path, offered.filter((label) => changingKeys.some((key) => label === t(key)))]).toEqual([path, []]);
      await page.keyboard.press('Escape');
    }
  });

  test('the head of a project is as high for its owner as for other members', async () => {
    const tabs = (of: Page) => of.getByRole('navigation', { name: t('projects.viewsLabel') });
    const top = async (of: Page): Promise<number | undefined> => {
      const board = tabs(of).getByRole('link', { name: t('projects.views.board'), exact: true });
      await board.waitFor();
      return (await board.boundingBox())?.y;
    };
    for (const width of [1440, 820, 390]) {
      for (const { page } of [ada, bob]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/app/projects/${projectId}/list`);
        await page.getByText('Paint the crane').first().waitFor();
      }
      await ada.page.getByRole('button', { name: t('projects.invite') }).waitFor();
      expect(await bob.page.getByRole('button', { name: t('projects.invite') }).count()).toBe(0);
      expect([width, await top(ada.page)]).toEqual([width, await top(bob.page)]);
    }
  });

  test('the last activity of others is shown, and never one’s own', async () => {
    const [owner] = await sample.rows<{ id: string }>(
      "select user_id as id from project_members where project_id = $1 and role = 'owner'",
    );
    const done = await sample.client
      .from('tasks')
      .update({ priority: 'p1' })
      .eq('project_id', projectId)
      .eq('number', 1);
    expect(done.error).toBeNull();
    const projects = (of: Page) =>
      section(of, t('people.person.projects')).getByRole('listitem').filter({ hasText: 'Harbour' });
    for (const { page } of [ada, bob]) {
      await page.goto(`/app/people/${owner?.id}`);
      await projects(page).waitFor();
    }
    await bob.page.getByText(saying('people.lastActive')).waitFor();
    await ada.page.getByText(t('people.person.me')).waitFor();
    expect(await ada.page.getByText(either(saying('people.lastActive'), saying('people.neverActive'))).count()).toBe(0);
    const main = await peoplePage(ada.page);
    await main.getByText(t('people.activeNow')).waitFor();
  });

  test('a role is changed, and the other sees what it allows; the last owner is kept, in words', async () => {
    const members = await peoplePage(ada.page);
    const mine = members.getByLabel(t('settings.role', { name: 'Ada Lovelace' }));
    expect(await mine.isDisabled()).toBe(true);
    await members.getByText(t('settings.lastOwner')).waitFor();
    await members
      .getByLabel(t('settings.role', { name: 'Bob Kahn' }))
      .selectOption({ label: t('common.roles.editor') });
    await expectRows("select role::text from project_members where project_id = $1 and role = 'editor'", [
      { role: 'editor' },
    ]);
    await bob.page.goto(`/app/projects/${projectId}/board`);
    await addTasks(bob.page, 'To do', ['Sweep the quay']);
    await members.getByLabel(t('settings.role', { name: 'Bob Kahn' })).selectOption({ label: t('common.roles.owner') });
    await expect.poll(() => mine.isEnabled()).toBe(true);
    await ada.page.locator('h1').first().click();
    await ada.page.keyboard.press('Control+z');
    await expectRows("select role::text from project_members where project_id = $1 and role <> 'owner'", [
      { role: 'editor' },
    ]);
  });

  test('two owners who step down at once: the second is refused: one must stay', async () => {
    const { page } = ada;
    // Ada hears nothing of what others do meanwhile.
    await page.routeWebSocket(/\/realtime\//, () => undefined);
    const members = await peoplePage(page);
    await members.getByLabel(t('settings.role', { name: 'Bob Kahn' })).selectOption({ label: t('common.roles.owner') });
    await expectRows("select count(*)::int as n from project_members where project_id = $1 and role = 'owner'", [
      { n: 2 },
    ]);
    // Bob steps down.
    await sample.site.app.sql(
      "update project_members m set role = 'editor' from auth.users u where u.id = m.user_id and u.email = $1",
      [bobMail],
    );
    await members
      .getByLabel(t('settings.role', { name: 'Ada Lovelace' }))
      .selectOption({ label: t('common.roles.viewer') });
    await news(page).getByText(t('settings.lastOwner')).waitFor();
    await expect
      .poll(() => members.getByLabel(t('settings.role', { name: 'Ada Lovelace' })).inputValue())
      .toBe('owner');
  });

  test('an invitation can be copied, made anew and withdrawn', async () => {
    const { page } = ada;
    const members = await peoplePage(page);
    await members
      .getByRole('button', { name: t('projects.invite') })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }), exact: true }).click();
    await dialog.getByText(t('people.invite.missing')).waitFor();
    await dialog.getByLabel(t('people.invite.emails')).fill('cyd@example.test');
    await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }), exact: true }).click();
    await dialog.getByRole('button', { name: t('people.invitation.copy', { email: 'cyd@example.test' }) }).click();
    await news(page).getByText(t('common.copied')).waitFor();
    const first = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Escape');
    await members.getByRole('button', { name: t('people.invitation.renew', { email: 'cyd@example.test' }) }).click();
    await news(page)
      .getByText(saying('people.invitation.renewed', { email: 'cyd@example.test' }))
      .waitFor();
    const link = await members
      .getByRole('textbox', { name: t('people.invitation.linkOf', { email: 'cyd@example.test' }) })
      .inputValue();
    expect(link).toMatch(/\/invitation#.+/);
    const cyd = await sample.site.visit();
    await cyd.settle('Cyd', 'cyd@example.test');
    await cyd.page.goto(first);
    await cyd.page.getByText(t('signIn.invitation.gone')).waitFor();
    await cyd.page.goto(link);
    await cyd.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
    await members.getByRole('button', { name: t('people.invitation.revoke', { email: 'cyd@example.test' }) }).click();
    await news(page)
      .getByText(t('settings.did.revoked', { email: 'cyd@example.test' }))
      .waitFor();
    await expect.poll(() => members.getByText('cyd@example.test', { exact: true }).count()).toBe(0);
    await sendHeld(page);
    await expectRows('select email from project_invitations where project_id = $1', []);
    await cyd.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await cyd.page.getByText(t('signIn.invitation.gone')).waitFor();
    await cyd.close();
  });

  test('a member who leaves the project no longer sees it', async () => {
    const { page } = bob;
    await settings(page);
    await page.getByRole('button', { name: t('settings.leave') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('settings.leave') })
      .click();
    await page.waitForURL(/\/app$/);
    await page.getByText(t('projects.empty')).waitFor();
    await page.goto(`/app/projects/${projectId}/board`);
    await page.getByText(t('common.failed.goneTitle')).waitFor();
  });
});

describe('the end', () => {
  test('archived: apart from the others, read-only for all, and back again', async () => {
    const { page } = ada;
    await settings(page);
    await page.getByRole('button', { name: t('settings.archive') }).click();
    await page.getByText(t('projects.archivedNotice')).waitFor();
    await page.getByRole('link', { name: t('projects.views.board'), exact: true }).click();
    await cardOf(page, 'Paint the crane').waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: either(saying('board.add'), saying('board.addTo')) })
        .count(),
    ).toBe(0);
    await page.goto('/app');
    await page.getByRole('heading', { name: t('projects.archivedTitle') }).waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Harbour/ })
      .click();
    await page.getByRole('link', { name: t('projects.views.settings') }).click();
    await page.getByRole('button', { name: t('settings.unarchive') }).click();
    await expect.poll(() => page.getByText(t('projects.archivedNotice')).count()).toBe(0);
    await page.getByRole('link', { name: t('projects.views.board'), exact: true }).click();
    await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
  });

  test('deleted only when its name is typed', async () => {
    const { page } = ada;
    await settings(page);
    await page.getByRole('button', { name: t('settings.remove') }).click();
    const dialog = page.getByRole('dialog', { name: t('settings.remove') });
    const sure = dialog.getByRole('button', { name: t('common.delete'), exact: true });
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('harbour');
    expect(await sure.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Harbour');
    await sure.click();
    await page.waitForURL(/\/app$/);
    await page.getByText(t('projects.empty')).waitFor();
    await expectRows('select 1 from project_members where project_id = $1', []);
  });

  test('and brought back whole: by undo, and from the archive', async () => {
    const { page } = ada;
    const whole = async () => {
      await page
        .getByRole('navigation', { name: t('common.nav.main') })
        .getByText('Harbour')
        .click();
      await expectTitles(page, 'To do', ['Paint the crane', 'Count the ships']);
      await expectRows('select count(*)::int as n from tasks where project_id = $1', [{ n: 2 }]);
    };
    const remove = async () => {
      await settings(page);
      await page.getByRole('button', { name: t('settings.remove') }).click();
      const dialog = page.getByRole('dialog', { name: t('settings.remove') });
      await dialog.getByRole('textbox').fill('Harbour');
      await dialog.getByRole('button', { name: t('common.delete'), exact: true }).click();
      await page.waitForURL(/\/app$/);
    };
    await remove();
    await page.getByRole('button', { name: t('common.undo') }).click();
    await whole();

    await remove();
    await page.goto('/app/archive');
    const list = page.getByRole('region', { name: t('people.archive.deleted') });
    await list.getByText('Harbour', { exact: true }).waitFor();
    expect(await offences(page)).toEqual([]);
    await list.getByRole('button', { name: t('people.archive.restore', { what: 'Harbour' }) }).click();
    await page.getByText(t('common.restored', { name: 'Harbour' })).waitFor();
    await whole();

    await remove();
    await page.goto('/app/archive');
    await list.getByRole('button', { name: t('people.archive.endNow', { what: 'Harbour' }) }).click();
    const dialog = page.getByRole('dialog', { name: t('people.archive.endTitle', { name: 'Harbour' }) });
    expect(await offences(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('people.archive.doEnd') }).click();
    await page.getByText(t('people.archive.ended', { name: 'Harbour' })).waitFor();
    await page.getByText(t('people.archive.empty')).waitFor();
    await expectRows('select 1 from private.kept_members where project_id = $1', []);
  });
});
