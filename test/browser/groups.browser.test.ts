// Groups: made, filled, brought into a project, and what their people see of it at once.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { addTasks, news, type SampleProject, settleHarbour, startSite, type Visitor, whenLive } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let sample: SampleProject;
let ada: Visitor;
let bob: Visitor;
let bobId: string;

eachStory(
  async (site) => {
    sample = await settleHarbour(site);
    ({ ada } = sample);
    bob = await site.visit();
    const { email } = await bob.settle('Bob Babbage');
    // A colleague by another project.
    const { data } = await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse', key: 'LIG' });
    [{ id: bobId }] = (await site.app.sql(
      `insert into project_members (project_id, user_id, role) select $1, id, 'viewer' from auth.users where email = $2 returning user_id as id`,
      [(data as { id: string }).id, email],
    )) as [{ id: string }];
    await site.app.sql('delete from groups');
    return [ada, bob];
  },
  () => startSite({ GROUPS_MADE_BY: 'everyone' }),
);

/** A group of Ada's, with Bob in it. */
async function makeCrew(name = 'Crew'): Promise<string> {
  const { data } = await sample.client.rpc('create_group', { name });
  const { id: group_id } = data as { id: string };
  await sample.client.from('group_members').insert({ group_id, user_id: bobId });
  return group_id;
}

const bring = (group_id: string, role: string) =>
  sample.client.from('project_members').insert({ project_id: sample.projectId, group_id, role });
const peopleOf = () => `/app/projects/${sample.projectId}/people`;
const lineOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: t('projects.views.people') })
    .getByRole('listitem')
    .filter({ hasText: name });
const groupsOn = (page: Page) => page.getByRole('region', { name: t('common.nav.groups') });

test('a group brings a colleague into a project, who writes there, and loses it with the group', async () => {
  const { page } = ada;
  await bob.page.goto('/app');
  await whenLive(bob.page);
  await page.goto('/app');
  await whenLive(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: t('common.nav.search') }).fill(t('common.nav.groups'));
  await page
    .getByRole('option')
    .first()
    .filter({ hasText: t('common.nav.groups') })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: t('groups.empty') }).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.getByRole('button', { name: t('groups.new') }).click();
  const dialog = page.getByRole('dialog', { name: t('groups.new') });
  await dialog.getByRole('button', { name: t('groups.create') }).click();
  await dialog.getByText(t('groups.nameMissing')).waitFor();
  await dialog.getByLabel(t('common.name')).fill('Crew');
  expect(await offences(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('groups.create') }).click();

  await page.getByRole('heading', { name: 'Crew', level: 1 }).waitFor();
  await page.getByRole('button', { name: t('groups.addPeople') }).click();
  await page.getByRole('option', { name: 'Bob Babbage' }).click();
  const people = page.getByRole('list', { name: t('groups.inIt') });
  const inGroup = people.getByRole('listitem').filter({ hasText: 'Bob Babbage' });
  await inGroup.waitFor();
  await page.getByText(t('groups.noProjects')).waitFor();
  expect(await offences(page)).toEqual([]);

  await page.goto(peopleOf());
  const adding = page.getByRole('form', { name: t('groups.add') });
  await adding.getByRole('button', { name: t('groups.add') }).click();
  await groupsOn(page).getByRole('link', { name: 'Crew' }).waitFor();
  await adding.waitFor({ state: 'detached' });
  await lineOf(page, 'Bob Babbage')
    .getByText(t('groups.through', { groups: 'Crew' }), { exact: true })
    .waitFor();
  expect(await offences(page)).toEqual([]);

  // His page shows the project by itself, and he writes there.
  await bob.page.getByRole('main').getByRole('link', { name: 'Harbour' }).first().click();
  await addTasks(bob.page, 'To do', ['Oil the winch']);
  await sample.expectRows(`select title from tasks where project_id = $1 and created_by = '${bobId}'`, [
    { title: 'Oil the winch' },
  ]);

  await groupsOn(page).getByRole('link', { name: 'Crew' }).click();
  await page.getByRole('button', { name: t('settings.removeMember', { name: 'Bob Babbage' }) }).click();
  await inGroup.waitFor({ state: 'detached' });
  await bob.page.getByRole('heading', { name: t('projects.accessLost.removed', { name: 'Harbour' }) }).waitFor();
  await bob.page
    .getByRole('navigation', { name: t('common.nav.main') })
    .getByText('Harbour')
    .waitFor({ state: 'detached' });
  await sample.expectRows(
    `select count(*)::int as n from project_members where project_id = $1 and user_id = '${bobId}'`,
    [{ n: 0 }],
  );
});

test('bringing a group in is undone, and so is taking it out', async () => {
  const { page } = ada;
  await makeCrew();
  await page.goto(peopleOf());
  await whenLive(page);
  const adding = page.getByRole('form', { name: t('groups.add') });
  await adding.getByLabel(t('people.invite.role')).selectOption('viewer');
  await adding.getByRole('button', { name: t('groups.add') }).click();
  const memberships = 'select role from project_members where project_id = $1 and group_id is not null';
  await sample.expectRows(memberships, [{ role: 'viewer' }]);
  await lineOf(page, 'Bob Babbage').waitFor();
  await news(page)
    .getByRole('button', { name: t('common.undo') })
    .click();
  await sample.expectRows(memberships, []);
  await lineOf(page, 'Bob Babbage').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Shift+z');
  await sample.expectRows(memberships, [{ role: 'viewer' }]);

  await groupsOn(page)
    .getByLabel(t('settings.role', { name: 'Crew' }))
    .selectOption('editor');
  await sample.expectRows(memberships, [{ role: 'editor' }]);
  await page.keyboard.press('Control+z');
  await sample.expectRows(memberships, [{ role: 'viewer' }]);
  await groupsOn(page)
    .getByRole('button', { name: t('settings.removeMember', { name: 'Crew' }) })
    .click();
  await groupsOn(page).getByRole('link', { name: 'Crew' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await groupsOn(page).getByRole('link', { name: 'Crew' }).waitFor();
});

test('a group is invited by its name with a colleague, which is undone at once, and offered no more once it is there', async () => {
  const { page } = ada;
  await makeCrew();
  const [{ id: eveId }] = (await sample.site.app.sql(
    `insert into project_members (project_id, user_id, role)
     select p.id, $2, 'viewer' from projects p join projects h on h.created_by = p.created_by where h.id = $1 and p.key = 'LIG' returning user_id as id`,
    [sample.projectId, (await sample.site.app.createUser({ name: 'Eve Marlow' })).id],
  )) as [{ id: string }];
  await sample.openBoard(page);
  await whenLive(page);
  const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
  const offered = dialog.getByRole('listbox', { name: t('people.invite.colleagues') });
  const field = dialog.getByLabel(t('people.invite.emailsOrNames'));
  await page.getByRole('button', { name: t('projects.invite') }).click();
  await field.pressSequentially('cre');
  const crew = offered.getByRole('option', { name: 'Crew' });
  await crew.getByText(t('groups.people', { n: 2 })).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: t('settings.removeMember', { name: 'Crew' }) }).waitFor();
  await field.pressSequentially('eve');
  await offered.getByRole('option', { name: 'Eve Marlow' }).click();
  await dialog.getByLabel(t('people.invite.role'), { exact: true }).selectOption('viewer');
  await dialog.getByRole('button', { name: t('people.invite.send', { n: 2 }) }).click();
  await dialog.waitFor({ state: 'detached' });
  await news(page)
    .getByText(t('settings.did.membersAdded', { names: 'Eve Marlow, Crew' }))
    .waitFor();
  const added = `select m.role, g.name from project_members m left join groups g on g.id = m.group_id
    where m.project_id = $1 and (m.group_id is not null or m.user_id = '${eveId}') order by g.name`;
  await sample.expectRows(added, [
    { role: 'viewer', name: 'Crew' },
    { role: 'viewer', name: null },
  ]);

  await page.getByRole('button', { name: t('projects.invite') }).click();
  await field.pressSequentially('cre');
  await crew.getByText(t('people.invite.groupIn', { role: 'viewer' })).waitFor();
  // It is there to be read, not to be taken.
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('cre');
  expect(await offences(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await sample.expectRows(added, []);
});

test('somebody whom a group brings is given more than it gives, and leaves only with it', async () => {
  const { page } = ada;
  const crew = await makeCrew();
  await bring(crew, 'editor');
  await page.goto(peopleOf());
  await whenLive(page);
  const line = lineOf(page, 'Bob Babbage');
  const role = line.getByLabel(t('settings.role', { name: 'Bob Babbage' }));
  await expect
    .poll(() => role.locator('option').allTextContents())
    .toEqual([
      t('common.roles.owner'),
      t('common.roles.editor'),
      t('groups.weaker', { role: t('common.roles.viewer'), group: 'Crew' }),
    ]);
  expect(await role.locator('option').last().isDisabled()).toBe(true);
  const hint = t('groups.onlyThrough', { name: 'Bob Babbage', groups: 'Crew' });
  await line.getByRole('button', { name: hint }).click();
  await news(page).getByText(hint).waitFor();
  await role.selectOption('owner');
  const rows = `select role, own_role from project_members where project_id = $1 and user_id = '${bobId}'`;
  await sample.expectRows(rows, [{ role: 'owner', own_role: 'owner' }]);
  await line.getByText(t('groups.alsoThrough', { groups: 'Crew' })).waitFor();
  await line.getByRole('button', { name: t('groups.endOwnRole', { name: 'Bob Babbage' }) }).click();
  await sample.expectRows(rows, [{ role: 'editor', own_role: null }]);
  await page.keyboard.press('Control+z');
  await sample.expectRows(rows, [{ role: 'owner', own_role: 'owner' }]);
  await page.keyboard.press('Control+Shift+z');
  await sample.expectRows(rows, [{ role: 'editor', own_role: null }]);

  // In the settings he reads by which group he is here.
  await bob.page.goto(`/app/projects/${sample.projectId}/settings`);
  await bob.page.getByText(t('groups.leaveBrought', { groups: 'Crew' })).waitFor();
  expect(await bob.page.getByRole('button', { name: t('settings.leave') }).count()).toBe(0);
  expect(await offences(bob.page)).toEqual([]);
  await bob.page.getByRole('link', { name: t('common.openNamed', { name: 'Crew' }) }).click();
  await bob.page.getByRole('heading', { name: 'Crew', level: 1 }).waitFor();
  expect(await bob.page.getByRole('main').getByRole('combobox').count()).toBe(0);
  await bob.page
    .getByRole('list', { name: t('groups.inIt') })
    .getByText(t('groups.manager'))
    .waitFor();
  await bob.page.getByRole('button', { name: t('groups.leave') }).click();
  await bob.page
    .getByRole('dialog')
    .getByRole('button', { name: t('groups.leave') })
    .click();
  await bob.page.getByRole('heading', { name: t('common.nav.groups'), level: 1 }).waitFor();
  await sample.expectRows(rows, []);
  await line.waitFor({ state: 'detached' });
});

test('a group is renamed, managed and deleted on its page, and read only where a provider keeps it', async () => {
  const { page } = ada;
  await bob.page.goto('/app/groups');
  await bob.page.getByRole('heading', { name: t('groups.empty') }).waitFor();
  await whenLive(bob.page);
  const crew = await makeCrew();
  const hands = await makeCrew('Hands');
  await bob.page.getByRole('link', { name: 'Hands' }).waitFor();
  await bring(crew, 'viewer');
  await sample.rows(`update groups set source = 'scim' where id = '${hands}'`);
  await page.goto('/app/groups');
  await page.getByText(t('groups.provided')).waitFor();
  expect(await offences(page)).toEqual([]);
  await page.getByRole('link', { name: 'Hands' }).click();
  await page.getByText(t('groups.providedWords')).waitFor();
  expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: t('groups.leave') }).count()).toBe(0);
  await page.goBack();

  await page.getByRole('link', { name: 'Crew' }).click();
  const main = page.getByRole('main');
  await main.getByLabel(t('common.name'), { exact: true }).fill('Hands');
  await main.getByRole('button', { name: t('common.save') }).click();
  await news(page).getByText(t('common.refused.taken')).waitFor();
  await main.getByLabel(t('common.name'), { exact: true }).fill('Riggers');
  await main.getByRole('button', { name: t('common.save') }).click();
  await page.getByRole('heading', { name: 'Riggers', level: 1 }).waitFor();
  await bob.page.getByRole('link', { name: 'Riggers' }).waitFor();
  await page
    .getByRole('list', { name: t('common.nav.projects') })
    .getByRole('link', { name: 'Harbour' })
    .waitFor();

  await main.getByLabel(t('settings.role', { name: 'Bob Babbage' })).selectOption('manager');
  await bob.page.getByText(t('groups.youManage')).waitFor();
  await main.getByRole('button', { name: t('groups.delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.delete') })
    .click();
  await page.getByRole('heading', { name: t('common.nav.groups'), level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Riggers' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.getByRole('link', { name: 'Riggers' }).waitFor();
  await page.getByRole('link', { name: 'Riggers' }).click();
  await main.getByRole('button', { name: t('groups.delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('common.delete') })
    .click();
  await bob.page.getByRole('link', { name: 'Riggers' }).waitFor({ state: 'detached' });
});
