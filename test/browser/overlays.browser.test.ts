// Whatever opens over a screen looks the same over every screen, also when that screen is the first of the visit: each is opened on a page
// that was loaded for it alone, so that nothing is styled by what another screen happened to bring.

import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { news, openSampleProject, type SampleProject, type Visitor } from './pages.ts';

let sample: SampleProject;
/** Ada's session, for a browser that has fetched nothing yet. */
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let visitor: Visitor;
let bobId: string;

beforeAll(async () => {
  sample = await openSampleProject();
  await sample.rows("insert into task_labels (project_id, name) values ($1, 'Urgent')");
  // The list shows a column of days where a task has one.
  await sample.rows('update tasks set due_date = current_date where project_id = $1');
  await sample.rows("update tasks set archived_at = now() where project_id = $1 and title = 'Sweep the quay'");
  // With a second project there is something to choose between, with a second owner one may leave.
  await sample.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  const { app } = sample.site;
  ({ id: bobId } = await app.createUser({ name: 'Bob' }));
  await sample.rows(`insert into project_members (project_id, user_id, role) values ($1, '${bobId}', 'owner')`);
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id) select project_id, id, '${bobId}' from tasks where project_id = $1 and number = 1`,
  );
  // A comment has a menu, and signs to give it; what someone else says is in the inbox.
  await app.asUser(
    bobId,
    `insert into task_comments (task_id, body) select id, 'Which red?' from tasks where project_id = '${sample.projectId}' and number = 1`,
  );
  storageState = await sample.ada.page.context().storageState();
}, 120_000);
afterEach(async () => {
  const { troubles } = visitor;
  await visitor.close();
  expect(troubles).toEqual([]);
});
afterAll(async () => {
  await sample?.site.close();
});

const phone = { width: 390, height: 800 };
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
  task: ['/app/projects/:id/board/1', '[aria-label="Comments"] li'],
  list: ['/app/projects/:id/list', '[data-row-link]'],
  dashboard: ['/app/projects/:id/dashboard', 'main dl > div'],
  people: ['/app/projects/:id/people', 'main li'],
  settings: ['/app/projects/:id/settings', 'main section li'],
  'a wrong address': ['/app/nothing-here', 'main :is(h1, h2)'],
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
  readonly onPhone?: boolean;
  /** Where it can be opened; without it, over every screen. */
  readonly on?: readonly string[];
  /** Opening it changes the account, so that it is done by someone who came for it. */
  readonly byNewcomer?: boolean;
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
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(/^Code from/).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
}

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
  'a new project': {
    open: press('n'),
    root: dialog,
    part: (root) => root.getByRole('textbox').first(),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
  },
  'my own menu': { open: click('Ada Lovelace'), root: menu, part: item, styled: row },
  'the navigation as a drawer': {
    open: click('Open navigation'),
    root: dialog,
    part: (root) => root.getByRole('link').first(),
    styled: { display: 'block', borderTopLeftRadius: '8px' },
    onPhone: true,
  },
  'a short message': {
    open: press('Control+z'),
    root: (page) => news(page).getByRole('listitem').first(),
    part: (root) => root,
    styled: { display: 'flex', paddingLeft: '16px', borderTopLeftRadius: '8px' },
  },
  'a list to pick from': {
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^(Assignee|Status: .*)$/ })
        .last()
        .click(),
    root: dialog,
    part: option,
    styled: row,
    on: ['board', 'list', 'task'],
  },
  'a menu of choices': {
    open: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^(All projects|Group.*|More)$/ })
        .last()
        .click(),
    root: menu,
    part: (root) => root.getByRole('menuitem').or(root.getByRole('menuitemradio')).first(),
    styled: row,
    on: ['task', 'list', 'my tasks', 'all dashboards'],
  },
  'the menu of a column': {
    open: click('Change column To do'),
    root: menu,
    part: item,
    styled: row,
    on: ['board', 'task'],
  },
  'colours for a column': {
    open: async (page) => {
      await click('Change column To do')(page);
      await menu(page).getByRole('menuitem', { name: 'Colour' }).click();
    },
    root: dialog,
    part: (root) => root.locator('label').first(),
    styled: { width: '28px', height: '28px', borderTopLeftRadius: '50%' },
    on: ['board', 'task'],
  },
  'signs for a comment': { open: click('React', true), root: menu, part: item, styled: row, on: ['task'] },
  'a day to pick': {
    open: click(/^Due date of /),
    root: dialog,
    part: (root) => root.getByRole('gridcell').first().getByRole('button'),
    styled: { display: 'inline-grid', height: '28px', borderTopLeftRadius: '8px', cursor: 'pointer' },
    on: ['list'],
  },
  'colours to pick from': {
    open: click('Colour: Urgent'),
    root: dialog,
    part: (root) => root.locator('label').first(),
    styled: { width: '28px', height: '28px', borderTopLeftRadius: '50%' },
    on: ['settings'],
  },
  'the bar for many tasks': {
    open: (page) => page.getByLabel('Select HAR-1').check(),
    root: (page) => page.getByRole('toolbar'),
    part: (root) => root.getByRole('status'),
    styled: { fontWeight: '600', paddingRight: '12px' },
    on: ['list'],
    below: true,
  },
  'the card in the hand': {
    open: pickUpCard,
    root: (page) => page.locator('[data-held-card]'),
    part: (root) => root.locator('[data-title]'),
    styled: { fontWeight: '500', webkitLineClamp: '4' },
    on: ['board', 'task'],
  },
  'a question of the account': {
    open: askToRemoveFactor,
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
    on: ['account'],
    byNewcomer: true,
  },
  'whom to invite': {
    open: (page) => page.getByRole('button', { name: 'Invite people' }).first().click(),
    root: dialog,
    part: (root) => root.getByRole('textbox').first(),
    styled: { borderTopWidth: '1px', borderTopLeftRadius: '8px', paddingLeft: '12px' },
    on: ['board', 'list', 'dashboard', 'people', 'settings'],
  },
  "a person's card": {
    open: async (page) => {
      const face = page.getByRole('main').getByRole('link', { name: 'Bob' }).first();
      // What opens comes when somebody points at the first face.
      await face.hover();
      await expect
        .poll(async () => {
          await page.mouse.move(5, 5);
          await face.hover();
          return page
            .locator('[data-person-card]')
            .waitFor({ timeout: 1500 })
            .then(
              () => true,
              () => false,
            );
        })
        .toBe(true);
    },
    root: (page) => page.locator('[data-person-card]'),
    part: (root) => root.locator('p').first(),
    styled: { fontWeight: '600' },
    on: ['board', 'list', 'dashboard', 'people', 'settings'],
  },
  "a person's card over a card": {
    open: (page) => page.locator('[data-face]').first().hover(),
    root: (page) => page.locator('[data-person-card]'),
    part: (root) => root.locator('p').first(),
    styled: { fontWeight: '600' },
    on: ['board', 'task'],
  },
  'the end of an account': {
    open: click('Delete your account…'),
    root: dialog,
    part: (root) => root.getByRole('textbox'),
    styled: { borderTopWidth: '1px', paddingLeft: '12px' },
    on: ['account'],
  },
  'a question before leaving': {
    open: click('Leave project'),
    root: dialog,
    part: (root) => root.getByRole('button').last(),
    styled: { display: 'flex', borderTopLeftRadius: '8px' },
    on: ['settings'],
  },
  'a question before deleting': {
    open: click('Delete project'),
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
      ...states.map((name) => one.getAttribute(name)),
    ];
    const key = [one.tagName, one.className, ...state.map((name) => name ?? '')].join(' ');
    const style = getComputedStyle(one);
    looks[key] ??= Object.fromEntries(asked.map((name) => [name, style[name]]));
  }
  return looks;
}

test.each(Object.entries(overlays))(
  '%s looks the same over every screen',
  async (_, { open, root, part, styled, onPhone = false, on, below = false, byNewcomer = false }) => {
    const known = new Map<string, { readonly screen: string; readonly look: Record<string, string> }>();
    visitor = await sample.site.visit({
      reducedMotion: 'reduce',
      ...(byNewcomer ? {} : { storageState }),
      ...(onPhone ? { viewport: phone } : {}),
    });
    if (byNewcomer) await visitor.settle('Cyd Viewer');
    const { page } = visitor;
    for (const [screen, [path, there]] of Object.entries(screens)) {
      if (on?.includes(screen) === false) continue;
      await page.goto(path.replace(':id', sample.projectId).replace(':bob', bobId));
      await page.locator(there).first().waitFor();
      await open(page);
      const shown = root(page);
      await shown.waitFor();
      await part(shown).waitFor();

      // It lies over the screen, on a ground and with a shadow of its own.
      const ground = await shown.evaluate(groundOf);
      expect(ground.backgroundColor, screen).not.toBe('rgba(0, 0, 0, 0)');
      expect(ground.boxShadow, screen).not.toBe('none');
      expect(ground.layer, screen).toBeGreaterThan(below ? 2 : 20);
      expect(await part(shown).evaluate(valuesOf, Object.keys(styled)), screen).toEqual(styled);

      // And every part of it looks as it did over the screens before.
      for (const [key, now] of Object.entries(await shown.evaluate(looksOf))) {
        const before = known.get(key);
        if (before === undefined) known.set(key, { screen, look: now });
        else expect(now, `${key} over ${screen}, compared with ${before.screen}`).toEqual(before.look);
      }
    }
    expect(known.size).toBeGreaterThan(0);
  },
  120_000,
);
