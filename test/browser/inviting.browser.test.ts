// People: inviting many at once, coming by a link, who is who, one's page; and the first hour of somebody new.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './offences.ts';
import { password, type SampleProject, settleHarbour, startSite, type Visitor } from './pages.ts';

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
    await page.getByRole('button', { name: 'Invite people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite to Harbour' });
    const field = dialog.getByLabel('Email addresses');
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await field.fill(`Bob Byron <bob.${Date.now()}@example.test>, nonsense; ${sample.adaMail}`);
    await dialog.getByRole('button', { name: /^Invite/ }).click();
    await dialog.getByText("doesn't look like an email address: nonsense").waitFor();
    const bobMail = `bob.${Date.now()}@example.test`;
    await field.fill(`Bob Byron <${bobMail}>\ncyd@example.test; ${sample.adaMail}`);
    await dialog.getByText('3 addresses').waitFor();
    await dialog.getByLabel('Role').selectOption('viewer');
    expect(await offences(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Invite 3' }).click();
    const results = dialog.getByRole('region', { name: 'Results' });
    await results.getByText('2 people are invited.').waitFor();
    await results.getByText('is a member already.').waitFor();
    // Without a mail server no email is promised.
    await results.getByText('copy each link and pass it on').waitFor();
    const seen = await results.boundingBox();
    expect((seen?.y ?? 9999) + 40).toBeLessThan(page.viewportSize()?.height ?? 0);
    await page.keyboard.press('Escape');

    await page.reload();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    const invited = page.getByRole('region', { name: 'Invited' });
    const line = invited.getByRole('listitem').filter({ hasText: bobMail });
    await line.getByText('Viewer').waitFor();
    await line.getByRole('button', { name: `Link for ${bobMail}` }).click();
    const link = await line.getByRole('textbox').inputValue();
    expect(await offences(page)).toEqual([]);
    await invited
      .getByRole('listitem')
      .filter({ hasText: 'cyd@' })
      .getByRole('button', { name: /^Withdraw/ })
      .click();
    await invited.getByText('cyd@example.test').waitFor({ state: 'detached' });

    const bob = await site.visit();
    await bob.page.goto(link);
    await bob.page.getByText('Ada Lovelace invites you to Harbour').waitFor();
    await bob.page.getByText('As Viewer: Reads everything, changes nothing.').waitFor();
    expect(await offences(bob.page)).toEqual([]);
    await bob.page.getByRole('link', { name: 'Create account' }).click();
    await bob.page.getByText('Ada Lovelace invites you to Harbour').waitFor();
    expect(await bob.page.getByLabel('Email').inputValue()).toBe(bobMail);
    const name = bob.page.getByLabel('Your name');
    await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);
    await name.fill('Bob Byron');
    await bob.page.getByLabel('Password').fill(password);
    await bob.page.getByRole('button', { name: 'Create account' }).click();
    await bob.page.getByRole('button', { name: 'Accept invitation' }).click();
    await bob.page.getByRole('heading', { name: 'Harbour' }).waitFor();
    expect(bob.troubles).toEqual([]);

    // Ada sees him come, and who he is.
    await invited.waitFor({ state: 'detached' });
    const people = page.getByRole('list', { name: 'People' });
    await people.getByRole('listitem').filter({ hasText: 'Bob Byron' }).getByText("Hasn't done anything").waitFor();
    await people.getByRole('link', { name: 'Bob Byron' }).hover();
    await page.locator('[data-person-card]').getByText('Viewer').waitFor();
    await people.getByRole('link', { name: 'Bob Byron' }).click();
    await page.getByRole('heading', { name: 'Bob Byron', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Projects you share' }).getByText('Harbour').waitFor();
    expect(await offences(page)).toEqual([]);
    await page.goto(link);
    await page.getByText('This invitation is no longer valid').waitFor();
    await bob.close();
  });

  test('somebody with an account joins from the inbox, without a link', async () => {
    const cyd = await site.visit();
    const { email } = await cyd.settle('Cyd Charisse');
    await sample.client.rpc('invite_member', { project_id: sample.projectId, email, role: 'editor' });
    await cyd.page.goto('/app/inbox');
    const entry = cyd.page.locator('[data-entry]', { hasText: 'Ada Lovelace invited you' });
    await entry.getByRole('button', { name: 'Join' }).click();
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
    await page.getByText('This is you, as others see you.').waitFor();
    const tasks = page.getByRole('region', { name: 'Open tasks' });
    await expect.poll(() => tasks.getByRole('listitem').count()).toBe(2);
    await page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor();
    await tasks.getByRole('link', { name: /Paint the crane/ }).click();
    await page.getByRole('complementary', { name: 'Task HAR-1' }).waitFor();
  });

  test('archived tasks are listed in the archive, restored or deleted; a task is duplicated', async () => {
    const { page } = ada;
    await sample.rows('update tasks set archived_at = now() where project_id = $1 and number in (1, 2)');
    await page.goto('/app/archive');
    const tasks = page.getByRole('region', { name: 'Tasks' });
    await tasks.getByRole('button', { name: 'Restore HAR-1 Paint the crane' }).click();
    await tasks.getByText('Paint the crane').waitFor({ state: 'detached' });
    await sample.expectRows('select number from tasks where project_id = $1 and archived_at is not null', [
      { number: 2 },
    ]);
    await tasks.getByRole('button', { name: 'Delete HAR-2 Count the ships' }).click();
    await page.getByRole('heading', { name: 'Nothing archived' }).waitFor();
    expect(await offences(page)).toEqual([]);

    await page.goto(`/app/projects/${sample.projectId}/board/1`);
    await page.getByRole('complementary', { name: 'Task HAR-1' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('complementary', { name: 'Task HAR-4' }).getByText('Paint the crane').first().waitFor();
    await page.keyboard.press('Control+z');
    await sample.expectRows('select count(*)::int as n from tasks where project_id = $1 and number = 4', [{ n: 0 }]);
  });

  test('an account ends after its name and password were typed, and what becomes of its work was said', async () => {
    const { page } = ada;
    await page.goto('/app/account');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download your data' }).click();
    expect((await download).suggestedFilename()).toMatch(/^kanbase-.*\.zip$/);
    await page.getByRole('button', { name: 'Delete your account…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText('Harbour is deleted with all its tasks: nobody else is in it.').waitFor();
    expect(await offences(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').first().fill(sample.adaMail);
    // Whoever finds the window open does not know it.
    expect(await dialog.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Your password').fill('not this one at all');
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await dialog.getByText("This isn't your password. Nothing was deleted.").waitFor();
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await expect.poll(() => site.app.sql('select id from auth.users where email = $1', [sample.adaMail])).toEqual([]);
  });
});

describe('the first hour', () => {
  test('the password can be looked at, and a wrong one leaves the way to a new one', async () => {
    const dan = await site.visit();
    const { page } = dan;
    await page.goto('/sign-up');
    const name = page.getByLabel('Your name');
    await expect.poll(() => name.evaluate((one) => one === document.activeElement)).toBe(true);
    const field = page.getByLabel('Password');
    await field.fill(password);
    await page.getByRole('button', { name: 'Show what is typed' }).click();
    expect(await field.getAttribute('type')).toBe('text');
    expect(await offences(page)).toEqual([]);
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill('dan@example.test');
    await page.getByLabel('Password').fill('not this one at all');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText("Email or password isn't right").waitFor();
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await dan.close();
  });

  test('begins with a sample project, and a list of first steps that ticks itself and is put away', async () => {
    const eve = await site.visit();
    const { page } = eve;
    await page.goto('/sign-up');
    await eve.signUp('Eve New');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('5 left').waitFor();
    expect(await offences(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try it with a sample project' }).click();
    await page.locator('[data-task-id]', { hasText: 'Drag this card to In progress' }).waitFor();
    await page.goto('/app');
    await steps.getByText('3 left').waitFor();
    await steps.getByRole('button', { name: 'Hide this list' }).click();
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
    await page.getByRole('button', { name: 'New project' }).first().click();
    await page.getByLabel('Start with').selectOption({ label: 'Software development' });
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Software');
    await page.getByRole('button', { name: 'Create project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite to Software' });
    await dialog.getByRole('button', { name: 'Not now' }).click();
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
