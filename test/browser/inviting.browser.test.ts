// People: inviting many at once, joining by a link, the list of members, a person's page, and the first hour of a new account.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { news, password, type SampleProject, settleHarbour, startSite, type Visitor } from './pages.ts';
import { saying, t } from './words.ts';

const site = forSuite(startSite);

describe('inviting', () => {
  let sample: SampleProject;
  let ada: Visitor;
  beforeEach(async () => {
    sample = await settleHarbour(site);
    ({ ada } = sample);
  });
  afterEach(async () => {
    const { troubles } = ada;
    await ada.close();
    expect(troubles).toEqual([]);
  });

  test('many at once from the faces, by a link that is read again after a reload, and the invited reads whose it is', async () => {
    const { page } = ada;
    await sample.openBoard(page);
    await page.getByRole('button', { name: t('projects.invite') }).click();
    const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
    const field = dialog.getByLabel(t('people.invite.emails'));
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill(`Bob Byron <bob.${Date.now()}@example.test>, nonsense; ${sample.adaMail}`);
    await dialog.getByRole('button', { name: saying('people.invite.send') }).click();
    await dialog.getByText(t('people.invite.wrong', { what: 'nonsense' })).waitFor();
    const bobMail = `bob.${Date.now()}@example.test`;
    await field.fill(`Bob Byron <${bobMail}>\ncyd@example.test; ${sample.adaMail}`);
    await dialog.getByText(t('people.invite.count', { n: 3 })).waitFor();
    await dialog.getByLabel(t('people.invite.role'), { exact: true }).selectOption('viewer');
    expect(await offences(page)).toEqual([]);
    await dialog.getByRole('button', { name: t('people.invite.send', { n: 3 }) }).click();
    const results = dialog.getByRole('region', { name: t('people.invite.results') });
    await results.getByText(t('people.invite.invited', { n: 2 })).waitFor();
    await results.getByText(t('people.invite.member')).waitFor();
    // Without a mail server no email is promised.
    await results.getByText(t('people.invite.notMailed')).waitFor();
    const seen = await results.boundingBox();
    expect((seen?.y ?? 9999) + 40).toBeLessThan(page.viewportSize()?.height ?? 0);
    await page.keyboard.press('Escape');

    await page.reload();
    await page.getByRole('link', { name: t('projects.views.people'), exact: true }).click();
    const invited = page.getByRole('region', { name: t('people.invitation.title') });
    const line = invited.getByRole('listitem').filter({ hasText: bobMail });
    await line.getByText(t('common.roles.viewer')).waitFor();
    await line.getByRole('button', { name: t('people.invitation.show', { email: bobMail }) }).click();
    const link = await line.getByRole('textbox').inputValue();
    expect(await offences(page)).toEqual([]);
    await invited
      .getByRole('listitem')
      .filter({ hasText: 'cyd@' })
      .getByRole('button', { name: saying('people.invitation.revoke') })
      .click();
    await invited.getByText('cyd@example.test').waitFor({ state: 'detached' });

    const bob = await site.visit();
    await bob.page.goto(link);
    await bob.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
    await bob.page.getByText('As Viewer: Reads everything; comments if the project allows it.').waitFor();
    expect(await offences(bob.page)).toEqual([]);
    await bob.page.getByRole('link', { name: t('signIn.doUp') }).click();
    await bob.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
    expect(await bob.page.getByLabel(t('signIn.email')).inputValue()).toBe(bobMail);
    const name = bob.page.getByLabel(t('signIn.name'));
    await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);
    await name.fill('Bob Byron');
    await bob.page.getByLabel(t('common.password')).fill(password);
    await bob.page.getByRole('button', { name: t('signIn.doUp') }).click();
    await bob.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await bob.page.getByRole('heading', { name: 'Harbour' }).waitFor();
    expect(bob.troubles).toEqual([]);

    // Ada sees him come, and who he is.
    await invited.waitFor({ state: 'detached' });
    const people = page.getByRole('list', { name: t('projects.views.people') });
    await people.getByRole('listitem').filter({ hasText: 'Bob Byron' }).getByText(t('people.neverActive')).waitFor();
    await people.getByRole('link', { name: 'Bob Byron' }).hover();
    await page.locator('[data-person-card]').getByText(t('common.roles.viewer')).waitFor();
    await people.getByRole('link', { name: 'Bob Byron' }).click();
    await page.getByRole('heading', { name: 'Bob Byron', level: 1 }).waitFor();
    await page
      .getByRole('region', { name: t('people.person.projects') })
      .getByText('Harbour')
      .waitFor();
    expect(await offences(page)).toEqual([]);
    await page.goto(link);
    await page.getByText(t('signIn.invitation.gone')).waitFor();
    await bob.close();
  });

  test('colleagues from other projects are offered by name, and are members at once', async () => {
    const { page } = ada;
    const { id: eveId } = await site.app.createUser({ name: 'Eve Marlow' });
    const { id: outsiderId } = await site.app.createUser({ name: 'Evelyn Stranger' });
    const { data } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse', key: 'LIG' });
    await site.app.sql("insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')", [
      (data as { id: string }).id,
      eveId,
    ]);
    await sample.openBoard(page);
    await page.getByRole('button', { name: t('projects.invite') }).click();
    const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
    const field = dialog.getByLabel(t('people.invite.emailsOrNames'));
    await field.pressSequentially('ev');
    const offered = dialog.getByRole('listbox', { name: t('people.invite.colleagues') });
    await expect
      .poll(() => offered.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('Eve Marlow')]);
    expect(await offences(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: t('settings.removeMember', { name: 'Eve Marlow' }) }).waitFor();
    expect(await field.inputValue()).toBe('');
    await dialog.getByLabel(t('people.invite.role'), { exact: true }).selectOption('viewer');
    await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }) }).click();
    await dialog.waitFor({ state: 'detached' });
    await news(page)
      .getByText(t('settings.did.membersAdded', { names: 'Eve Marlow' }))
      .waitFor();
    const members = `select user_id, role from project_members where project_id = $1 and user_id in ('${eveId}', '${outsiderId}')`;
    await sample.expectRows(members, [{ user_id: eveId, role: 'viewer' }]);
    await sample.expectRows(
      `select kind from notifications where user_id = '${eveId}' and project_id = $1 and kind = 'added'`,
      [{ kind: 'added' }],
    );
    await news(page)
      .getByRole('button', { name: t('common.undo') })
      .click();
    await sample.expectRows(members, []);
  });

  test('somebody with an account joins from the inbox, without a link', async () => {
    const cyd = await site.visit();
    const { email } = await cyd.settle('Cyd Charisse');
    await sample.client.rpc('invite_member', { project_id: sample.projectId, email, role: 'editor' });
    await cyd.page.goto('/app/inbox');
    const entry = cyd.page.locator('[data-entry]', { hasText: 'Ada Lovelace invited you' });
    await entry.getByRole('button', { name: t('inbox.join') }).click();
    await cyd.page.getByRole('heading', { name: 'Harbour' }).waitFor();
    expect(cyd.troubles).toEqual([]);
    await cyd.close();
  });

  test("somebody's page shows what they have to do and did, in shared projects alone", async () => {
    const { page } = ada;
    await sample.rows(
      `insert into task_assignees (project_id, task_id, user_id) select project_id, id, created_by from tasks where project_id = $1 and number < 3`,
    );
    await sample.client.from('tasks').update({ priority: 'p0' }).match({ project_id: sample.projectId, number: 3 });
    await sample.openBoard(page);
    await page.getByRole('link', { name: 'Ada Lovelace' }).first().click();
    await page.getByText(t('people.person.me')).waitFor();
    const tasks = page.getByRole('region', { name: t('people.person.tasks') });
    await expect.poll(() => tasks.getByRole('listitem').count()).toBe(2);
    await page
      .getByRole('region', { name: t('task.activity') })
      .getByRole('listitem')
      .first()
      .waitFor();
    await tasks.getByRole('link', { name: /Paint the crane/ }).click();
    await page.getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) }).waitFor();
  });

  test('a press on a face leads to its person, also while their card comes', async () => {
    const { page } = ada;
    let come = (): void => undefined;
    const coming = new Promise<void>((resolve) => {
      come = resolve;
    });
    await page.route(/\/(person-link|hover-card)-[^/]*\.js/, async (route) => {
      await coming;
      await route.continue();
    });
    await sample.openBoard(page);
    const fetched = page.waitForResponse(/\/(person-link|hover-card)-[^/]*\.js/);
    const asked = page.waitForRequest(/\/(person-link|hover-card)-[^/]*\.js/);
    await page.getByRole('main').getByRole('link', { name: 'Ada Lovelace' }).first().hover();
    await asked;
    await page.mouse.down();
    come();
    await (await fetched).finished();
    await page.waitForLoadState('networkidle');
    await page.mouse.up();
    await page.getByText(t('people.person.me')).waitFor();
  });

  test('archived tasks are listed in the archive, restored or deleted; a task is duplicated', async () => {
    const { page } = ada;
    await sample.rows('update tasks set archived_at = now() where project_id = $1 and number in (1, 2)');
    await page.goto('/app/archive');
    const tasks = page.getByRole('region', { name: t('common.taskList') });
    await tasks.getByRole('button', { name: t('people.archive.restore', { what: 'HAR-1 Paint the crane' }) }).click();
    await tasks.getByText('Paint the crane').waitFor({ state: 'detached' });
    await sample.expectRows('select number from tasks where project_id = $1 and archived_at is not null', [
      { number: 2 },
    ]);
    await tasks.getByRole('button', { name: t('people.archive.remove', { what: 'HAR-2 Count the ships' }) }).click();
    await page.getByRole('heading', { name: t('people.archive.empty') }).waitFor();
    expect(await offences(page)).toEqual([]);

    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page
      .getByRole('complementary', { name: t('task.panel', { key: 'HAR-1' }) })
      .getByRole('button', { name: t('common.more'), exact: true })
      .click();
    await page.getByRole('menuitem', { name: t('common.duplicate') }).click();
    await page
      .getByRole('complementary', { name: t('task.panel', { key: 'HAR-4' }) })
      .getByText('Paint the crane')
      .first()
      .waitFor();
    await page.keyboard.press('Control+z');
    await sample.expectRows('select count(*)::int as n from tasks where project_id = $1 and number = 4', [{ n: 0 }]);
  });

  test('an account ends after its name and password were typed, and what becomes of its work was said', async () => {
    const { page } = ada;
    await page.goto('/app/account');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: t('people.account.doExport') }).click();
    expect((await download).suggestedFilename()).toMatch(/^kanbase-.*\.zip$/);
    await page.getByRole('button', { name: t('people.account.doEnd') }).click();
    const dialog = page.getByRole('dialog', { name: t('people.account.endTitle') });
    await dialog.getByText(t('people.account.becomesDeleted', { project: 'Harbour' })).waitFor();
    expect(await offences(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: t('people.archive.doEnd') }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').first().fill(sample.adaMail);
    // Whoever finds the window open does not know it.
    expect(await dialog.getByRole('button', { name: t('people.archive.doEnd') }).isDisabled()).toBe(true);
    await dialog.getByLabel(t('people.account.password')).fill('not this one at all');
    await dialog.getByRole('button', { name: t('people.archive.doEnd') }).click();
    await dialog.getByText(t('people.account.wrongPassword')).waitFor();
    await dialog.getByLabel(t('people.account.password')).fill(password);
    await dialog.getByRole('button', { name: t('people.archive.doEnd') }).click();
    await page.getByRole('heading', { name: t('common.signIn'), level: 1 }).waitFor();
    await expect.poll(() => site.app.sql('select id from auth.users where email = $1', [sample.adaMail])).toEqual([]);
  });
});

describe('the first hour', () => {
  test('the password can be looked at, and a wrong one leaves the way to a new one', async () => {
    const dan = await site.visit();
    const { page } = dan;
    await page.goto('/sign-up');
    const name = page.getByLabel(t('signIn.name'));
    await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);
    const field = page.getByLabel(t('common.password'));
    await field.fill(password);
    await page.getByRole('button', { name: t('common.showTyped') }).click();
    expect(await field.getAttribute('type')).toBe('text');
    expect(await offences(page)).toEqual([]);
    await page.goto('/sign-in');
    await page.getByLabel(t('signIn.email')).fill('dan@example.test');
    await page.getByLabel(t('common.password')).fill('not this one at all');
    await page.getByRole('button', { name: t('common.signIn'), exact: true }).click();
    await page.getByText(t('signIn.errors.credentials')).waitFor();
    await page.getByRole('link', { name: t('signIn.forgot') }).click();
    await page.getByRole('heading', { name: t('signIn.titleForgot') }).waitFor();
    await dan.close();
  });

  test('begins with a sample project, and a list of first steps that ticks itself and is put away', async () => {
    const eve = await site.visit();
    const { page } = eve;
    await page.goto('/sign-up');
    await eve.signUp('Eve New');
    const steps = page.getByRole('region', { name: t('steps.title') });
    await steps.getByText(t('steps.left', { n: 5 })).waitFor();
    expect(await offences(page)).toEqual([]);
    await page.getByRole('button', { name: t('steps.sample') }).click();
    await page.locator('[data-task-id]', { hasText: 'Drag this card to In progress' }).waitFor();
    await page.goto('/app');
    await steps.getByText(t('steps.left', { n: 3 })).waitFor();
    await steps.getByRole('button', { name: t('steps.skip') }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page
      .getByRole('heading', { name: 'Sample: moving the office' })
      .or(page.getByText('Sample: moving the office').first())
      .first()
      .waitFor();
    expect(await steps.count()).toBe(0);
    expect(eve.troubles).toEqual([]);
    await eve.close();
  });

  test('a project from a template asks whom to invite, which may wait', async () => {
    const fay = await site.visit();
    await fay.settle('Fay Wray');
    const { page } = fay;
    await page.goto('/app');
    await page
      .getByRole('button', { name: t('common.nav.newProject') })
      .first()
      .click();
    await page.getByLabel(t('starters.label')).selectOption({ label: 'Software development' });
    await expect.poll(() => page.getByLabel(t('common.name'), { exact: true }).inputValue()).toBe('Software');
    await page.getByRole('button', { name: t('projects.doCreate') }).click();
    const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Software' }) });
    await dialog.getByRole('button', { name: t('people.invite.later') }).click();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    expect(
      await site.app.sql(
        `select c.name, c.kind::text from workflow_columns c join projects p on p.id = c.project_id where p.name = 'Software' order by c.position`,
      ),
    ).toEqual([
      { name: 'Backlog', kind: 'backlog' },
      { name: 'Next', kind: 'todo' },
      { name: 'In progress', kind: 'in_progress' },
      { name: 'Review', kind: 'custom' },
      { name: 'Done', kind: 'done' },
    ]);
    expect(fay.troubles).toEqual([]);
    await fay.close();
  });
});
