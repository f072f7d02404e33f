// The screens that `take-screenshots.mjs` takes: whose they are, where they are, what shows that they are complete, and, of wide ones, which
// `part` is cut out. `:id` in a path is the sample project, `:empty` a project in which nothing has happened yet.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../install.mjs';
import { programScreens } from './program-screens.mjs';
import { app, button, cards, dialog, region, taskMenu } from './waiting.mjs';

/** The landing page and the README show these; they are taken sharper than the rest. */
export const shown = {
  board: { path: app('/projects/:id/board'), there: board },
  task: {
    path: app('/projects/:id/board/26'),
    there: (page) => page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor(),
  },
  presence: {
    path: app('/projects/:id/board'),
    company: { tomas: { open: 21 }, ines: { drag: 25 }, noor: {} },
    there: async (page) => {
      await board(page);
      await page.locator('[data-others]').nth(1).waitFor();
      // A phone has room for two of their faces.
      await page.locator('header [data-present]').nth(2).waitFor({ state: 'attached' });
    },
  },
  'presence-task': {
    path: app('/projects/:id/board/26'),
    company: { tomas: { open: 26, type: 26 }, ines: { open: 24 } },
    there: async (page) => {
      await page.getByText('is typing').waitFor();
      await page.getByRole('region', { name: 'Activity' }).scrollIntoViewIfNeeded();
    },
  },
  list: { path: app('/projects/:id/list'), there: (page) => page.locator('[data-row-link]').nth(8).waitFor() },
  dashboard: { path: app('/projects/:id/dashboard'), there: charts },
  'my-tasks': { path: app('/my-tasks'), there: (page) => page.locator('main section li').nth(5).waitFor() },
  projects: { path: app(''), there: (page) => page.locator('main li a').nth(2).waitFor() },
  search: {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await cards(4)(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('page');
      await page.waitForTimeout(700);
    },
  },
  settings: {
    path: app('/projects/:id/settings'),
    there: (page) => page.locator('main section').nth(2).waitFor(),
  },
  account: { path: app('/account'), there: button('Set up') },
  'sign-in': { who: null, path: '/sign-in', there: button('Sign in') },
};

/** All others, so that every screen has been looked at. `views` of the sample project are found by their names. */
export const others = {
  ...programScreens,
  calendar: {
    path: app('/projects/:id/calendar?view=:Launch calendar'),
    there: bars,
  },
  timeline: {
    path: app('/projects/:id/timeline?view=:Launch plan'),
    there: bars,
  },
  'timeline-critical': {
    path: app('/projects/:id/timeline?view=:Launch plan&critical=1&zoom=month'),
    there: bars,
  },
  lanes: { path: app('/projects/:id/board?view=:Who does what'), there: cards(4) },
  table: {
    path: app('/projects/:id/list?view=:Costs'),
    there: (page) => page.locator('[data-row-link]').nth(5).waitFor(),
  },
  'dashboard-filtered': { path: app('/projects/:id/dashboard?view=:For customers'), there: charts },
  'dashboard-all': { path: app('/dashboard'), there: charts },
  'list-across': {
    path: app('/views/:Due in two weeks'),
    there: (page) => page.locator('main [data-task-id]').nth(2).waitFor(),
  },
  'table-across': {
    path: `${app('/views/:Due in two weeks')}?group=none&shown={"columns":["number","title","project","kind","assignee","due_date","estimate"]}`,
    there: (page) => page.locator('main [data-task-id]').nth(2).waitFor(),
  },
  'board-across': { path: app('/views/:All under way'), there: cards(4) },
  'calendar-across': { path: `${app('/views/:All plans')}?layout=calendar`, there: bars },
  'timeline-across': { path: app('/views/:All plans'), there: bars },
  'dashboard-across': {
    path: `${app('/views/:All under way')}?layout=dashboard`,
    // How columns filled is told of whole projects alone: one chart less.
    there: (page) => page.getByRole('slider').nth(2).waitFor(),
  },
  inbox: { path: app('/inbox'), who: 'tomas', there: (page) => page.locator('[data-entry]').nth(1).waitFor() },
  'inbox-task': {
    path: app('/inbox'),
    who: 'tomas',
    there: async (page) => {
      await page.locator('[data-entry] a').first().click();
      await page.getByRole('complementary', { name: /^Task/ }).getByRole('region', { name: 'Activity' }).waitFor();
    },
  },
  import: { path: app('/import'), there: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
  'import-look': {
    path: app('/import'),
    there: async (page) => {
      const rows = [
        'ID,Title,Status,Assignee,Due',
        '1,Caulk the seams,To do,Cleo Sand <cleo@example.com>,2026-12-01',
        '2,Order tar,To do,Dag,30.02.2026',
        '3,Paint the hull,Doing,Ezra Holt <ezra@example.com>,2026-12-24',
      ];
      const file = { name: 'yard.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Invite all 2 with an address' }).click();
      await page.getByText('2 problems').waitFor();
      await page.getByRole('button', { name: 'Import', exact: true }).scrollIntoViewIfNeeded();
    },
  },
  export: {
    path: app('/projects/:id/settings'),
    there: async (page) => {
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  display: {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await cards(4)(page);
      await page.keyboard.press('Shift+V');
      await page.getByRole('dialog').waitFor();
    },
  },
  'task-menu': {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await cards(4)(page);
      await page.locator('[data-task-id]').nth(1).focus();
      await page.keyboard.press('.');
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  'new-task': {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await cards(4)(page);
      await page.locator('[data-task-id]').first().focus();
      await page.keyboard.press('c');
      await page.getByRole('textbox', { name: /^Add a task to/ }).fill('Order rope @tom !high due friday');
      await page.getByRole('button', { name: /^High/ }).waitFor();
    },
  },
  writing: {
    path: app('/projects/:id/board/26'),
    there: async (page) => {
      const description = page.getByRole('region', { name: 'Description' });
      await description.getByRole('button', { name: 'Edit' }).click();
      await description.locator('[data-writing="rich"]').waitFor();
      await page.keyboard.press('Control+a');
      await page.getByRole('toolbar').waitFor();
    },
  },
  'agent-task': {
    path: app('/projects/:agents/board/1'),
    who: 'rosa',
    there: async (page) => {
      const agents = page.getByRole('region', { name: 'Agents' });
      await agents.getByText('until half past ten').waitFor();
      await agents.scrollIntoViewIfNeeded();
    },
  },
  admin: { path: '/admin', who: 'operator', there: (page) => page.locator('main table:visible').first().waitFor() },
  'admin-requests': { path: '/admin', who: 'operator', there: partOfAdmin('Requests of the last day') },
  'admin-jobs': { path: '/admin', who: 'operator', there: partOfAdmin('Background jobs') },
  'group-mapping': {
    path: '/admin/provisioning',
    who: 'operator',
    there: async (page) => {
      const part = page.getByRole('region', { name: 'Groups from single sign-on' });
      await part.getByRole('button', { name: 'Add platform' }).click();
      await part.getByLabel('Group', { exact: true }).last().fill('Platform');
      await part.getByRole('button', { name: 'Remove the line design' }).click();
      await part.getByRole('button', { name: 'Preview' }).click();
      await part.getByRole('button', { name: 'Apply' }).waitFor();
      await part.evaluate((one) => one.scrollIntoView({ block: 'start' }));
    },
    part: region('Groups from single sign-on'),
  },
  'scim-trial': {
    path: '/admin/provisioning',
    who: 'operator',
    there: async (page) => {
      await page.getByRole('button', { name: 'Preview changes from Entra ID' }).click();
      await page.getByRole('button', { name: 'Apply changes from Entra ID' }).waitFor();
    },
    part: (page) => page.getByRole('list', { name: 'Provisioning' }),
  },
  'admin-deleted': {
    path: '/admin/projects',
    who: 'operator',
    there: async (page) => {
      await page.getByLabel('Which projects').selectOption({ label: 'Deleted' });
      await page.getByRole('button', { name: /^Autumn fair/ }).waitFor();
    },
  },
  'admin-restore': {
    path: '/admin/projects',
    who: 'operator',
    there: async (page) => {
      await page.getByLabel('Which projects').selectOption({ label: 'Deleted' });
      await page.getByRole('button', { name: /^Autumn fair/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('dialog').getByLabel('Why').fill('Its owner asked for it');
    },
  },
  'archive-deleted': {
    who: 'newcomer',
    path: app('/archive'),
    there: (page) => page.getByText('Autumn fair').first().waitFor(),
  },
  'new-from-template': {
    path: app(''),
    there: async (page) => {
      await page.locator('main li a').nth(2).waitFor();
      await page.getByRole('main').getByRole('button', { name: 'New project' }).click();
      const option = page.getByLabel('Start with').locator('option', { hasText: 'Relaunch of a site' });
      await option.waitFor({ state: 'attached' });
      await page.getByLabel('Start with').selectOption(await option.getAttribute('value'));
      await page.getByText('Backlog, To do').waitFor();
    },
  },
  templates: {
    path: app('/projects/:id/settings'),
    there: async (page) => {
      await page.getByRole('heading', { name: 'Templates and copies' }).scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Duplicate project…' }).waitFor();
    },
  },
  subtasks: {
    path: app('/projects/:id/board/31'),
    there: async (page) => {
      const outline = page.getByRole('region', { name: 'Subtasks' });
      await outline.getByRole('checkbox').nth(1).waitFor();
      await outline.evaluate((one) => one.scrollIntoView({ block: 'start' }));
    },
  },
  fields: {
    path: app('/projects/:id/settings'),
    there: async (page) => {
      const fields = page.getByRole('region', { name: 'Fields' });
      await fields
        .getByRole('button', { name: /^More about/ })
        .nth(1)
        .waitFor();
      await fields.evaluate((one) => one.scrollIntoView({ block: 'start' }));
    },
    part: region('Fields'),
  },
  feeds: {
    path: app('/account'),
    there: async (page) => {
      const feeds = page.getByRole('region', { name: 'Calendars in other programs' });
      await feeds.getByRole('listitem').nth(1).waitFor();
      await feeds.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    },
    part: region('Calendars in other programs'),
  },
  repeats: {
    path: app('/projects/:id/board/38'),
    there: async (page) => {
      await page.getByRole('button', { name: /^Repeats/ }).click();
      await page.getByRole('dialog', { name: 'Repeats' }).getByRole('option').first().waitFor();
    },
  },
  landing: { who: null, path: '/', there: (page) => page.waitForLoadState('networkidle'), height: 2400 },
  'sign-up': { who: null, path: '/sign-up', there: button('Create account') },
  // Without mail it says so.
  forgot: { who: null, path: '/forgot', there: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
  reset: { who: 'newcomer', path: '/reset', there: button('Save password') },
  invitation: {
    who: null,
    path: '/invitation/sample',
    there: (page) => page.getByRole('link', { name: 'Sign in' }).waitFor(),
  },
  'account-sessions': {
    path: app('/account'),
    there: async (page) => {
      await page.getByText('This device', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Sign out here' }).scrollIntoViewIfNeeded();
    },
  },
  'share-task': { path: app('/projects/:shared/board/:task'), there: taskMenu('Share…'), part: dialog },
  'share-project': {
    path: app('/projects/:shared/board'),
    there: async (page) => {
      await cards(0)(page);
      await page.getByRole('button', { name: 'Invite people' }).click();
      const guests = page.getByRole('dialog').getByRole('region', { name: 'Guests' });
      await guests
        .getByRole('button', { name: / tasks?$/ })
        .first()
        .click();
      await page
        .getByRole('dialog')
        .getByRole('heading', { name: 'People who can see this' })
        .evaluate((one) => {
          one.style.scrollMarginTop = '16px';
          one.scrollIntoView({ block: 'start' });
        });
    },
    part: dialog,
    height: 1060,
  },
  'share-restricted': { path: app('/projects/:shared/board/:restricted'), there: taskMenu('Share…') },
  'who-sees': {
    path: app('/projects/:shared/board/:task'),
    there: async (page) => {
      await taskMenu('People who can see this')(page);
      await page.getByText('with the group Movers').first().waitFor();
    },
    part: dialog,
  },
  guests: {
    path: app('/projects/:shared/people'),
    there: async (page) => {
      const guests = page.getByRole('region', { name: 'Guests' });
      await guests.getByText('Through Movers').first().waitFor();
      await guests.evaluate((one) => one.scrollIntoView({ block: 'start' }));
    },
  },
  groups: {
    path: app('/groups'),
    there: (page) => page.getByRole('list', { name: 'Groups' }).getByRole('listitem').nth(1).waitFor(),
  },
  group: {
    path: app('/groups/:group'),
    there: (page) => page.getByRole('list', { name: 'Projects' }).getByRole('listitem').first().waitFor(),
  },
  'shared-password': { who: null, path: ':locked', there: button('Show page') },
  'guest-board': { who: 'guest', path: app('/projects/:shared/board'), there: cards(0) },
  'guest-list': {
    who: 'guest',
    path: app('/projects/:shared/list'),
    there: (page) => page.locator('[data-row-link]').first().waitFor(),
  },
  'guest-task': {
    who: 'guest',
    path: app('/projects/:shared/board/:task'),
    there: (page) => page.locator('[data-properties]').waitFor(),
  },
  'guest-refused': {
    who: 'guest',
    path: app('/projects/:shared/board/2'),
    there: (page) => page.getByRole('complementary').waitFor(),
  },
  'guest-leaves': {
    who: 'guest',
    path: app('/projects/:shared/board'),
    there: async (page) => {
      await cards(0)(page);
      await page
        .getByRole('button', { name: /^(More|Views of the project)/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Leave project' }).click();
      await page.getByRole('dialog').getByText('Movers').waitFor();
    },
  },
  billing: { path: app('/billing'), there: (page) => page.getByRole('table').waitFor() },
  'second-factor': { who: 'careful', path: app(''), there: (page) => page.getByLabel('Code from').waitFor() },
  'projects-empty': { who: 'stranger', path: app(''), there: (page) => page.locator('main h2').nth(1).waitFor() },
  'board-empty': {
    who: 'newcomer',
    path: app('/projects/:empty/board'),
    there: (page) => page.getByRole('main').locator('[data-column]').nth(3).waitFor(),
  },
  'board-filtered': { path: `${app('/projects/:id/board')}?q=page`, there: cards(2) },
  'board-limit': {
    path: app('/projects/:id/board'),
    limit: 4,
    there: (page) => page.locator('[data-column] h2 + span[title]').first().waitFor(),
  },
  'task-whole': {
    path: app('/projects/:id/board/26'),
    there: (page) => page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first().waitFor(),
    height: 1500,
  },
  thread: {
    path: app('/projects/:id/board/26'),
    there: async (page) => {
      const comments = page.getByRole('region', { name: 'Activity' });
      await comments.getByRole('listitem').nth(1).waitFor();
      await comments.scrollIntoViewIfNeeded();
    },
  },
  people: {
    path: app('/projects/:id/people'),
    there: (page) => page.getByRole('list', { name: 'People' }).getByRole('listitem').nth(1).waitFor(),
  },
  invite: {
    path: app('/projects/:shared/people'),
    there: async (page) => {
      await page.getByRole('button', { name: 'Invite people' }).first().click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
    },
  },
  person: {
    path: app('/projects/:id/people'),
    there: async (page) => {
      await page.getByRole('list', { name: 'People' }).getByRole('link').last().click();
      await page.getByRole('region', { name: 'Activity' }).waitFor();
    },
  },
  archive: { path: app('/archive'), there: (page) => page.getByRole('heading', { level: 1 }).waitFor() },
  'account-end': {
    path: app('/account'),
    there: async (page) => {
      await page.getByRole('button', { name: 'Delete your account…' }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
    part: dialog,
  },
  'dashboard-table': {
    path: app('/projects/:id/dashboard'),
    there: async (page) => {
      await charts(page);
      for (const one of await page.locator('main section header button').all()) await one.click();
      await page
        .locator('main section')
        .first()
        .evaluate((first) => first.scrollIntoView({ block: 'end' }));
    },
  },
  shortcuts: {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await cards(4)(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByRole('heading').nth(1).waitFor();
    },
  },
  missing: { path: app('/nothing-here'), there: (page) => page.locator('main h1').waitFor() },
  404: { who: null, path: '/nothing-here', there: (page) => page.locator('.lost').waitFor() },
  error: {
    who: null,
    path: '/broken',
    before: (page) => {
      const body = readFileSync(join(root, 'dist/web/error.html'), 'utf8');
      return page.route('**/broken', (route) => route.fulfill({ status: 500, contentType: 'text/html', body }));
    },
    there: (page) => page.locator('.lost').waitFor(),
  },
};

/** The sample project has two covers. */
async function board(page) {
  await cards(8)(page);
  await page.locator('[data-task-id] [data-cover] img').nth(1).waitFor({ state: 'attached' });
}

function partOfAdmin(name) {
  return async (page) => {
    const part = page.getByRole('region', { name, exact: true });
    await part.getByRole('table').or(part.getByRole('figure')).first().waitFor();
    await part.evaluate((one) => one.scrollIntoView({ block: 'nearest' }));
    await page.waitForTimeout(800);
  };
}

async function bars(page) {
  await page.locator('main a[data-task-id]').nth(3).waitFor();
  // The words of a filter come after it.
  await page.waitForTimeout(700);
}

async function charts(page) {
  await page.getByRole('slider').nth(3).waitFor();
  // Views in the navigation come later.
  await page.waitForTimeout(800);
}
