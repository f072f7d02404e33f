// Overlays look the same over every screen. Each screen is loaded once, by a page of its own, and all its overlays are opened in turn, in another
// order on each screen, so that none relies on an earlier one. Of the common overlays each screen shows a third, or all with THOROUGH=true.

import { isDeepStrictEqual } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { isThorough } from '../helpers/seed.ts';
import { dropFiles, note, picture } from './files.ts';
import { addCrew, news, openSampleProject } from './pages.ts';
import { either, saying, t } from './words.ts';

/** Ada's session, for a page that has loaded nothing yet. */
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let bobId: string;
let crewId: string;

const sample = forSuite(openSampleProject, (sample) => sample.site.close());
beforeAll(async () => {
  await sample.rows("insert into task_labels (project_id, name) values ($1, 'Urgent')");
  await sample.rows(
    `insert into saved_views (project_id, owner_id, name) select id, created_by, 'Mine' from projects where id = $1`,
  );
  // The list shows a column of days where a task has one.
  await sample.rows('update tasks set due_date = current_date where project_id = $1');
  await sample.rows("update tasks set archived_at = now() where project_id = $1 and title = 'Sweep the quay'");
  await sample.rows("insert into custom_fields (project_id, name, kind) values ($1, 'Price', 'number')");
  await sample.rows(
    "insert into task_checklist_items (task_id, title) select id, 'Buy paint' from tasks where project_id = $1 and number = 1",
  );
  // More than a day of the calendar has room for; they stand in the last column.
  await sample.rows(
    `insert into tasks (project_id, column_id, title, due_date) select $1, c.id, 'Knot ' || n, current_date
     from workflow_columns c, generate_series(1, 12) n where c.project_id = $1 and c.name = 'Done' returning id`,
  );
  // With a second project there is something to choose between, with a second owner one may leave.
  await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  const { app } = sample.site;
  ({ id: bobId } = await app.createUser({ name: 'Bob' }));
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'owner')`);
  crewId = await addCrew(sample, bobId, false);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${bobId}' from tasks where project_id = $1 and number = 1`,
  );
  // A comment has a menu, and signs to give it; what someone else says is in the inbox.
  await app.asUser(
    bobId,
    `insert into task_comments (task_id, body) select id, 'Which red?' from tasks where project_id = '${sample.projectId}' and number = 1`,
  );
  const { name, mimeType, buffer } = await picture('crane.png');
  const [task] = await sample.rows<{ id: string }>('select id from tasks where project_id = $1 and number = 1');
  const path = `${sample.projectId}/${task?.id}/${name}`;
  await sample.client.storage.from('attachments').upload(path, buffer, { contentType: mimeType });
  await sample.client
    .from('task_attachments')
    .insert({ task_id: task?.id, name, content_type: mimeType, size_bytes: buffer.length, object_path: path });
  storageState = await sample.ada.page.context().storageState();
});

const phone = { width: 390, height: 800 };
const desk = { width: 1440, height: 900 };
const sending = '**/storage/v1/**';
/** Where each screen is, and what shows on it once everything has come that it shows. */
const screens: Readonly<Record<string, readonly [path: string, there: string]>> = {
  projects: ['/app', 'main li a'],
  inbox: ['/app/inbox', '[data-entry]'],
  'my tasks': ['/app/my-tasks', 'main h1 + p'],
  'all dashboards': ['/app/dashboard', 'main dl > div'],
  account: ['/app/account', 'main section li'],
  billing: ['/app/billing', 'main h1'],
  archive: ['/app/archive', 'main section li'],
  'a person': ['/app/people/:bob', 'main section li'],
  board: ['/app/projects/:id/board', '[data-task-id]'],
  task: ['/app/projects/:id/board/1', `[aria-label="${t('task.activity')}"] li`],
  list: ['/app/projects/:id/list', '[data-row-link]'],
  calendar: ['/app/projects/:id/calendar', '[data-calendar] [data-task-id]'],
  timeline: ['/app/projects/:id/timeline', '[data-timeline] [data-task-id]'],
  dashboard: ['/app/projects/:id/dashboard', 'main dl > div'],
  agents: ['/app/projects/:id/agents', 'main h2 + div'],
  people: ['/app/projects/:id/people', 'main li'],
  settings: ['/app/projects/:id/settings', 'main section li'],
  'a wrong address': ['/app/nothing-here', 'main :is(h1, h2)'],
  groups: ['/app/groups', 'main li'],
  'a group': ['/app/groups/:crew', 'main section li'],
};

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const click =
  (name: string | RegExp, exact = false) =>
  (page: Page) =>
    page.getByRole('button', { name, exact }).first().click();
const dialog = (page: Page) => page.getByRole('dialog');
const menu = (page: Page) => page.getByRole('menu');

interface Overlay {
  readonly open: (page: Page) => Promise<unknown>;
  readonly root: (page: Page) => Locator;
  /** Something in it that only its own sheet makes what it is. */
  readonly part: (root: Locator) => Locator;
  /** What the part must look like. */
  readonly styled: Readonly<Record<string, string | RegExp>>;
  /** Where it can be opened; without it, over every screen. */
  readonly on?: readonly string[];
  /** Puts away what Escape leaves there. */
  readonly close?: (page: Page) => Promise<unknown>;
  /** A bar of one screen lies below what opens over all of them. */
  readonly below?: boolean;
}

/** Holds the first card in the air. */
async function pickUpCard(page: Page): Promise<void> {
  const card = await page.locator('[data-task-id]').first().boundingBox();
  if (card === null) throw new Error('there is no card to pick up');
  await page.mouse.move(card.x + 40, card.y + 20);
  await page.mouse.down();
  await page.mouse.move(card.x + 60, card.y + 40, { steps: 4 });
}

/** Sets up a second factor and asks for its removal. */
async function askToRemoveFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('account.enrol') }).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(t('signIn.code')).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: t('account.confirm') }).click();
  await page.getByRole('button', { name: t('account.removeFactor'), exact: true }).click();
}

async function beginComment(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: t('task.comment') }).click();
  await page.locator('[data-writing="rich"]').first().waitFor();
}

async function emptyComment(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: t('task.comment') }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  // Keys mean the screen again.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
}

/** Fingers are what the page is used with. */
async function holdInHand(page: Page, is: boolean): Promise<void> {
  // Only the session that turned it on turns it off.
  const session = hands.get(page) ?? (await page.context().newCDPSession(page));
  hands.set(page, session);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: is });
}
const hands = new WeakMap<Page, CDPSession>();

const option = (root: Locator) => root.getByRole('option').first();
const item = (root: Locator) => root.getByRole('menuitem').first();
const row = { display: 'flex', paddingLeft: '8px', minHeight: '32px', cursor: 'pointer' };

const overlays: Readonly<Record<string, Overlay>> = {
  'the search palette': { open: press('Control+k'), root: dialog, part: option, styled: row },
  'the list of keys': {
    open: press('?'),
    root: dialog,
    part: (root) => root.locator('kbd').first(),
    styled: { borderTopWidth: '1px', textAlign: 'center', fontSize: '12px' },
  },
  'saving a view': {
    open: async (page) => {
      await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('a');
      await page.getByRole('button', { name: t('views.saveView') }).click();
    },
    root: dialog,
    part: (root) => root.getByRole('textbox'),
    styled: { borderTopWidth: '1px', paddingLeft: '12px' },
    on: ['board', 'list'],
    close: async (page) => {
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByRole('searchbox', { name: t('board.filters.text') }).fill('');
      await page.getByRole('button', { name: t('views.saveView') }).waitFor({ state: 'detached' });
    },
  },
  'the menu of a saved view': {
    open: click(t('views.menu', { name: 'Mine' })),
    root: menu,
    part: item,
    styled: row,
    on: ['board', 'list', 'dashboard'],
  },
  'a filter': {
    open: press('f'),
    root: (page) => page.getByRole('listbox'),
    part: option,
    styled: row,
    on: ['board', 'list'],
  },
  'a new project': {
    open: press('n'),
    root: dialog,
    part: (root) => root.getByRole('textbox').first(),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
  },
  'my own menu': { open: click('Ada Lovelace'), root: menu, part: item, styled: row },
  'the navigation as a drawer': {
    open: async (page) => {
      await page.setViewportSize(phone);
      await click(t('common.nav.openMenu'))(page);
    },
    root: dialog,
    part: (root) => root.getByRole('link').first(),
    styled: { display: 'block', borderTopLeftRadius: '8px' },
    close: async (page) => {
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await page.setViewportSize(desk);
    },
  },
  'a new task from the bar of a phone': {
    open: async (page) => {
      await holdInHand(page, true);
      await page.setViewportSize(phone);
      await page
        .getByRole('navigation', { name: t('common.bar.label') })
        .getByRole('button', { name: t('common.newTask') })
        .click();
    },
    root: dialog,
    part: (root) => root.getByRole('textbox'),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
    // An open task has the whole screen of a phone.
    on: Object.keys(screens).filter((screen) => screen !== 'task'),
    close: async (page) => {
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await page.setViewportSize(desk);
      await holdInHand(page, false);
    },
  },
  'a short message': {
    open: press('Control+z'),
    root: (page) => news(page).getByRole('listitem').first(),
    part: (root) => root,
    styled: { display: 'flex', paddingLeft: '16px', borderTopLeftRadius: '8px' },
    // It goes by itself.
    close: async () => undefined,
  },
  'a list to pick from': {
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: saying('common.pair', { name: t('property.priority') }) })
        .last()
        .click(),
    root: dialog,
    part: option,
    styled: row,
    on: ['task'],
  },
  'the display of a view': {
    open: press('Shift+V'),
    root: dialog,
    part: (root) => root.getByRole('button', { pressed: true }).first(),
    styled: { display: 'grid', minHeight: '32px', paddingTop: '8px' },
    on: ['board'],
  },
  'a menu of choices': {
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('button', {
          name: either(saying('common.nav.allProjects'), saying('common.more')),
        })
        .last()
        .click(),
    root: menu,
    part: (root) => root.getByRole('menuitem').or(root.getByRole('menuitemradio')).first(),
    styled: row,
    on: ['task', 'my tasks', 'all dashboards'],
  },
  'the menu of a column': {
    open: click(t('board.columnMenu', { column: 'To do' })),
    root: menu,
    part: item,
    styled: row,
    on: ['board', 'task'],
  },
  'colours for a column': {
    open: async (page) => {
      await click(t('board.columnMenu', { column: 'To do' }))(page);
      await menu(page)
        .getByRole('menuitem', { name: t('common.colour') })
        .click();
    },
    root: dialog,
    part: (root) => root.locator('label').first(),
    styled: { width: '28px', height: '28px', borderTopLeftRadius: '50%' },
    on: ['board', 'task'],
  },
  'what to do with a step': {
    open: click(t('plan.subtasks.more', { title: 'Buy paint' })),
    root: menu,
    part: item,
    styled: row,
    on: ['task'],
  },
  'signs for a comment': {
    open: click(t('writing.comments.react'), true),
    root: menu,
    part: item,
    styled: { display: 'flex', justifyContent: 'center', minHeight: '32px', cursor: 'pointer' },
    on: ['task'],
  },
  'a day to pick': {
    open: click(saying('list.set.due')),
    root: dialog,
    part: (root) => root.getByRole('gridcell').first().getByRole('button'),
    styled: { display: 'inline-grid', height: '28px', borderTopLeftRadius: '8px', cursor: 'pointer' },
    on: ['list'],
  },
  'colours to pick from': {
    open: click(t('common.pair', { name: t('common.colour'), value: 'Urgent' })),
    root: dialog,
    part: (root) => root.locator('label').first(),
    styled: { width: '28px', height: '28px', borderTopLeftRadius: '50%' },
    on: ['settings'],
  },
  'what goes with a field': {
    open: click(t('plan.fields.remove', { name: 'Price' })),
    root: dialog,
    part: (root) => root.getByRole('button').first(),
    styled: { display: 'flex', borderTopLeftRadius: '8px', cursor: 'pointer' },
    on: ['settings'],
  },
  'the bar for many tasks': {
    open: (page) => page.getByLabel(t('list.select', { key: 'HAR-1' }), { exact: true }).check(),
    root: (page) => page.getByRole('toolbar'),
    part: (root) => root.getByRole('status'),
    styled: { fontWeight: '600', paddingRight: '12px' },
    on: ['list'],
    below: true,
    close: (page) => page.getByLabel(t('list.select', { key: 'HAR-1' }), { exact: true }).uncheck(),
  },
  'the card in the hand': {
    open: pickUpCard,
    root: (page) => page.locator('[data-held-card]'),
    part: (root) => root.locator('[data-title]'),
    styled: { fontWeight: '500', webkitLineClamp: '4' },
    on: ['board', 'task'],
    close: async (page) => {
      await page.keyboard.press('Escape');
      await page.mouse.up();
    },
  },
  'whom to invite': {
    open: (page) =>
      page
        .getByRole('button', { name: t('projects.invite') })
        .first()
        .click(),
    root: dialog,
    part: (root) => root.getByRole('textbox').first(),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
    on: ['board', 'list', 'calendar', 'timeline', 'dashboard', 'agents', 'people', 'settings'],
  },
  'people who can see a project': {
    open: click(t('common.canSee')),
    root: dialog,
    part: (root) => root.getByRole('listitem').first(),
    styled: { display: 'flex', alignItems: 'flex-start', paddingTop: '12px' },
    on: ['people'],
  },
  "a person's card": {
    open: (page) => page.getByRole('main').getByRole('link', { name: 'Bob' }).first().hover(),
    root: (page) => page.locator('[data-person-card]'),
    part: (root) => root.locator('p').first(),
    styled: { fontWeight: '600' },
    on: ['board', 'list', 'calendar', 'timeline', 'dashboard', 'agents', 'people', 'settings'],
  },
  "a person's card over a card": {
    open: (page) => page.locator('[data-task-id] [data-face]').first().hover(),
    root: (page) => page.locator('[data-person-card]'),
    part: (root) => root.locator('p').first(),
    styled: { fontWeight: '600' },
    on: ['board', 'task'],
  },
  "a card's menu": {
    open: async (page) => {
      await page.locator('[data-task-id]').first().hover();
      await page.keyboard.press('.');
    },
    root: dialog,
    part: option,
    styled: row,
    on: ['board', 'task'],
  },
  'what a key asks for': {
    open: async (page) => {
      await page.locator('[data-task-id], [data-row-link]').first().hover();
      await page.keyboard.press('p');
    },
    root: dialog,
    part: option,
    styled: row,
    on: ['board', 'list'],
  },
  'to which project': {
    open: async (page) => {
      await page.locator('[data-task-id], [data-row-link]').first().hover();
      await page.keyboard.press('Shift+P');
      // The dialog may come to lie below it.
      await page.mouse.move(5, 5);
    },
    root: dialog,
    part: (root) => root.getByRole('combobox'),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
    on: ['board', 'list'],
  },
  'a new task on a day': {
    open: async (page) => {
      await page.locator('[data-day][aria-current]').focus();
      await page.keyboard.press('Enter');
    },
    root: dialog,
    part: (root) => root.getByRole('textbox'),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
    on: ['calendar'],
  },
  'all tasks of a day': {
    open: (page) => page.locator('[data-more]').first().click(),
    root: dialog,
    part: (root) => root.getByRole('link').first(),
    styled: { display: 'flex', borderLeftWidth: '3px' },
    on: ['calendar'],
  },
  'until when to snooze': {
    open: async (page) => {
      await page.locator('[data-entry]').first().getByRole('link').focus();
      await page.keyboard.press('h');
    },
    root: menu,
    part: item,
    styled: row,
    on: ['inbox'],
  },
  'a picture in the viewer': {
    open: click(t('common.openNamed', { name: 'crane.png' })),
    root: dialog,
    part: (root) => root.getByRole('button', { name: t('common.zoomIn') }),
    styled: { display: 'flex', borderTopLeftRadius: '8px', cursor: 'pointer' },
    on: ['task'],
  },
  'the part of a picture that is shown': {
    open: async (page) => {
      const { name, mimeType, buffer } = await picture('face.png');
      await page.locator('main input[type="file"]').first().setInputFiles({ name, mimeType, buffer });
      await dialog(page)
        .getByRole('slider', { name: t('files.crop.zoom') })
        .waitFor();
    },
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
    on: ['account', 'settings'],
  },
  'kinds of text': {
    open: async (page) => {
      await beginComment(page);
      await page.keyboard.type('/');
    },
    root: (page) => page.getByRole('listbox', { name: t('writing.blocks') }),
    part: option,
    styled: row,
    on: ['task'],
    close: emptyComment,
  },
  'what can be done with words': {
    open: async (page) => {
      await beginComment(page);
      await page.keyboard.type('red');
      await page.keyboard.press('Control+a');
    },
    root: (page) => page.getByRole('toolbar', { name: t('writing.toolbar') }),
    part: (root) => root.getByRole('button').first(),
    styled: { display: 'grid', cursor: 'pointer' },
    on: ['task'],
    close: emptyComment,
  },
  'files on their way': {
    open: async (page) => {
      await page.route(sending, () => undefined);
      await dropFiles(page.locator('[data-task-id]').first(), [note('late.txt')]);
      // The task opens to show it; who leaves it still sees what is on its way.
      await page.locator('[data-open-task]').waitFor();
      await page.keyboard.press('Escape');
    },
    root: (page) => page.getByRole('region', { name: either(saying('files.dock', { n: 1 }), saying('files.dock')) }),
    part: (root) => root.locator('header'),
    styled: { display: 'flex', paddingLeft: '12px' },
    on: ['board'],
    close: async (page) => {
      // While it is held: let go, it may be there before it is cancelled.
      await page.getByRole('button', { name: t('files.cancelNamed', { name: 'late.txt' }) }).click();
      await page.unroute(sending);
    },
  },
  'the end of an account': {
    open: click(t('people.account.doEnd')),
    root: dialog,
    part: (root) => root.getByRole('textbox').first(),
    styled: { borderTopWidth: '1px', paddingLeft: '12px' },
    on: ['account'],
  },
  'a question before leaving': {
    open: click(t('settings.leave')),
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
    on: ['settings'],
  },
  'a question before deleting': {
    open: click(t('settings.remove')),
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
    on: ['settings'],
  },
};

function groundOf(element: Element): { backgroundColor: string; boxShadow: string; layer: number } {
  const { backgroundColor, boxShadow } = getComputedStyle(element);
  const layers = [element, element.parentElement, element.closest('ol')].map(
    (one) => Number.parseInt(one ? getComputedStyle(one).zIndex : '', 10) || 0,
  );
  return { backgroundColor, boxShadow, layer: Math.max(...layers) };
}

function valuesOf(element: Element, names: readonly string[]): Record<string, string> {
  const style = getComputedStyle(element);
  const property = (name: string) => name.replace(/^(?=webkit)|(?=[A-Z])/g, '-').toLowerCase();
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(property(name))]));
}

/** How a thing and all that is in it look, by what each part is: the same part looks the same wherever it stands. */
function looksOf(root: Element): Record<string, Record<string, string>> {
  const asked = [
    'position',
    'zIndex',
    'display',
    'backgroundColor',
    'color',
    'boxShadow',
    'borderTopWidth',
    'borderTopColor',
    'borderTopLeftRadius',
    'paddingTop',
    'paddingLeft',
    'gap',
    'minHeight',
    'maxHeight',
    'fontSize',
    'fontWeight',
    'textOverflow',
    'overflowY',
    'cursor',
    'flexGrow',
  ] as const;
  const looks: Record<string, Record<string, string>> = {};
  for (const one of [root, ...root.querySelectorAll('*')]) {
    // What has a colour of its own, as projects and people have, is no part of the style.
    if (one instanceof SVGElement || one.getAttribute('style')?.includes('--hue')) continue;
    const states = ['data-selected', 'data-highlighted', 'data-disabled', 'disabled', 'role', 'type'];
    const around = one.closest('a, [role="menuitem"]');
    const state = [
      around?.className,
      around?.getAttribute('aria-current'),
      // Many stand there without a value.
      ...states.map((name) => (one.hasAttribute(name) ? `${name}=${one.getAttribute(name)}` : '')),
    ];
    const key = [one.tagName, one.className, ...state.map((name) => name ?? '')].join(' ');
    const style = getComputedStyle(one);
    looks[key] ??= Object.fromEntries(asked.map((name) => [name, style[name]]));
  }
  return looks;
}

/** Until it stands still: a button that has just become ready has a colour in between. */
async function untilStill(root: Element): Promise<void> {
  const passing = root
    .getAnimations({ subtree: true })
    .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}

/** How the parts of each overlay looked where they were met first. */
const known = new Map<string, Map<string, { readonly screen: string; readonly look: Record<string, string> }>>();

/** Opens it, looks at it, and puts it away. */
async function meet(page: Page, screen: string, name: string, overlay: Overlay): Promise<void> {
  const { open, root, part, styled, below = false, close = putAway(root) } = overlay;
  const where = `${name} over ${screen}`;
  await open(page);
  const shown = root(page);
  await shown.waitFor();
  await part(shown).waitFor();
  await shown.evaluate(untilStill);

  // It lies over the screen, on a ground and with a shadow of its own.
  const ground = await shown.evaluate(groundOf);
  expect(ground.backgroundColor, where).not.toBe('rgba(0, 0, 0, 0)');
  expect(ground.boxShadow, where).not.toBe('none');
  expect(ground.layer, where).toBeGreaterThan(below ? 2 : 20);
  expect(await part(shown).evaluate(valuesOf, Object.keys(styled)), where).toEqual(styled);

  // And every part of it looks as it did over the screens before.
  const parts =
    known.get(name) ?? new Map<string, { readonly screen: string; readonly look: Record<string, string> }>();
  known.set(name, parts);
  const looks = async () => Object.entries(await shown.evaluate(looksOf));
  // A button becomes ready when what it needs has come, and has another colour then.
  const others = async () =>
    (await looks()).flatMap(([key, look]) => {
      const before = parts.get(key);
      if (before === undefined || isDeepStrictEqual(look, before.look)) return [];
      return [{ part: `${key}, compared with ${before.screen}`, look, before: before.look }];
    });
  await expect.poll(others, { message: where }).toEqual([]);
  for (const [key, look] of await looks()) if (!parts.has(key)) parts.set(key, { screen, look });
  expect(parts.size).toBeGreaterThan(0);
  await close(page);
}

const putAway = (root: Overlay['root']) => async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.mouse.move(5, 5);
  await root(page).waitFor({ state: 'detached' });
};

test.each(Object.entries(screens))(
  'overlays over the screen “%s” look as they do over every other',
  async (screen, [path, there]) => {
    const { page, troubles, close } = await sample.site.visit({ storageState });
    await page.goto(path.replace(':id', sample.projectId).replace(':bob', bobId).replace(':crew', crewId));
    await page.locator(there).first().waitFor();
    const place = Object.keys(screens).indexOf(screen);
    const here = Object.entries(overlays).filter(([, { on }], at) =>
      on === undefined ? isThorough || (place + at) % 3 === 0 : on.includes(screen),
    );
    const first = place % here.length;
    for (const [name, overlay] of [...here.slice(first), ...here.slice(0, first)])
      await meet(page, screen, name, overlay).catch((cause) => {
        throw new Error(`${name}, over ${screen}: ${cause.message}`, { cause });
      });
    expect(troubles).toEqual([]);
    await close();
  },
  120_000,
);

test('a question of the account lies over it like any other', async () => {
  const visitor = await sample.site.visit();
  await visitor.settle('Cyd Viewer');
  const { page, troubles } = visitor;
  await page.goto('/app/account');
  await meet(page, 'account', 'a question of the account', {
    open: askToRemoveFactor,
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
  });
  expect(troubles).toEqual([]);
  await visitor.close();
});
