// Screens hold in a language with longer words: in German, and in German with every word two fifths longer, on a desk and on a phone,
// nothing runs out of its box, is cut off, lies on something else or leaves the window.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { openSampleProject, type Visitor } from './pages.ts';

let ada: Visitor;
let bobId: string;
/** Where to put pictures of what was looked at, for who wants to see it. */
const pictures = process.env.KANBASE_PICTURES;

const sample = forSuite(
  () => openSampleProject(['Kran streichen', 'Schiffe zählen', 'Kai fegen']),
  (sample) => sample.site.close(),
);
beforeAll(async () => {
  const { rows, site } = sample;
  await rows("update tasks set due_date = current_date + number - 2, priority = 'p0' where project_id = $1");
  await rows("insert into task_labels (project_id, name) values ($1, 'Dringend')");
  await rows(
    'insert into task_assignees (project_id, task_id, user_id) select t.project_id, t.id, m.user_id from tasks t join project_members m using (project_id) where project_id = $1',
  );
  await rows(
    "insert into task_comments (project_id, task_id, author_id, body) select t.project_id, t.id, m.user_id, 'Welche Farbe?' from tasks t join project_members m using (project_id) where project_id = $1 and t.number = 1",
  );
  const bob = await site.app.createUser({ name: 'Bob' });
  bobId = bob.id;
  await sample.join(bob.email, 'editor');
  await site.app.sql('select private.set_operator($1, true)', [sample.adaMail]);
  await site.app.sql(
    `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"language":"de"}' where email = $1`,
    [sample.adaMail],
  );
  await sample.ada.page
    .context()
    .addCookies([{ name: 'kanbase-language', value: 'de', url: site.app.services.siteUrl, sameSite: 'Lax' }]);
});
afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});

const screens: Readonly<Record<string, string>> = {
  projects: '/app',
  inbox: '/app/inbox',
  'my-tasks': '/app/my-tasks',
  dashboard: '/app/dashboard',
  account: '/app/account',
  billing: '/app/billing',
  archive: '/app/archive',
  board: '/app/projects/:id/board',
  task: '/app/projects/:id/board/1',
  list: '/app/projects/:id/list',
  people: '/app/projects/:id/people',
  settings: '/app/projects/:id/settings',
  table: `/app/projects/:id/list?shown=${encodeURIComponent('{"columns":["number","title","priority","due_date"]}')}`,
  calendar: '/app/projects/:id/calendar',
  timeline: '/app/projects/:id/timeline',
  person: '/app/people/:bob',
  import: '/app/import',
  desk: '/admin',
  'desk-accounts': '/admin/accounts',
  'desk-projects': '/admin/projects',
  'desk-mail': '/admin/mail',
  'desk-log': '/admin/log',
};
const doors: Readonly<Record<string, string>> = {
  landing: '/',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  forgot: '/forgot',
  invitation: '/invitation/of-nobody',
};

/** Every word two fifths longer, by letters of its own. */
function lengthen(): void {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const longer = (word: string): string => word + word.slice(0, Math.ceil(word.length * 0.4)).toLowerCase();
  for (let text = walk.nextNode(); text !== null; text = walk.nextNode()) {
    // An example of code has no language, and what is only spoken no room.
    if (text.parentElement?.closest('pre, code, script, style, .only-spoken')) continue;
    text.nodeValue = (text.nodeValue ?? '').replace(/\p{L}{3,}/gu, longer);
  }
}

/** What is wrong with how things lie, in words. */
function faults(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  // What slides sideways on its own, and what only those hear who need it.
  const slides =
    '[data-board], [role="table"], [role="grid"], [role="treegrid"], [role="tablist"], main nav, search, pre, .code, .only-spoken, .skip, [inert]';
  const nameOf = (one: Element): string =>
    `${one.tagName.toLowerCase()} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}”`;
  const shows = (one: Element): boolean => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const holdsText = (one: Element): boolean =>
    [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(node.nodeValue ?? ''));
  if (root.scrollWidth > root.clientWidth) {
    const rights = [...document.querySelectorAll('body *')].map(
      (one) => [one.getBoundingClientRect().right, one] as const,
    );
    const widest = rights.sort(([a], [b]) => b - a)[0]?.[1];
    found.push(`the page is ${root.scrollWidth} wide, of ${root.clientWidth}, for ${widest && nameOf(widest)}`);
  }
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    if (!holdsText(one) || !shows(one) || one.closest('.only-spoken, .skip, [inert], option, svg, pre')) continue;
    const style = getComputedStyle(one);
    // Inline boxes have no inner width to run out of.
    if (style.display === 'inline') continue;
    const ends = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    // The words themselves: what lies around a small control, invisible, to be hit is wider than it.
    const box = one.getBoundingClientRect();
    const range = document.createRange();
    for (const node of one.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || one.matches('textarea')) continue;
      range.selectNodeContents(node);
      const words = range.getBoundingClientRect();
      if (words.width > 0 && (words.right > box.right + 1 || words.left < box.left - 1) && !ends)
        found.push(`${nameOf(one)} needs ${Math.round(words.width)} and has ${Math.round(box.width)}`);
    }
    if (style.overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 4 && !ends)
      found.push(`${nameOf(one)} is cut off below`);
  }
  const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].filter(
    (one) => shows(one) && !one.closest(slides),
  );
  for (const one of controls) {
    const box = one.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1)
      found.push(`${nameOf(one)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
  }
  for (const [at, one] of controls.entries())
    for (const other of controls.slice(at + 1)) {
      // Beside each other in one part: what lies over everything is another layer.
      if (
        one.contains(other) ||
        other.contains(one) ||
        one.parentElement?.parentElement !== other.parentElement?.parentElement
      )
        continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const covers = a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
      if (wide > 3 && high > 3 && !covers) found.push(`${nameOf(one)} lies on ${nameOf(other)}`);
    }
  return [...new Set(found)];
}

async function look(page: Page, name: string, width: number): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const asItIs = await page.evaluate(faults);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}-${width}.png` });
  }
  await page.evaluate(lengthen);
  const longer = await page.evaluate(faults);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}-long.png` });
  return [...asItIs, ...longer.map((one) => `with longer words: ${one}`)].map((one) => `${name}: ${one}`);
}

describe.each([
  [1280, 800],
  [390, 844],
])('%i wide', (width, height) => {
  // A phone is touched: what is hit by a finger is larger.
  const hasTouch = width < 400;
  const options = { viewport: { width, height }, hasTouch, reducedMotion: 'reduce', locale: 'de-DE' } as const;
  test('the screens of the app', async () => {
    const storageState = await sample.ada.page.context().storageState();
    ada = await sample.site.visit({ ...options, storageState });
    const found: string[] = [];
    for (const [name, path] of Object.entries(screens)) {
      await ada.page.goto(path.replace(':id', sample.projectId).replace(':bob', bobId));
      await ada.page.getByRole('main').first().waitFor();
      await ada.page.waitForLoadState('networkidle');
      found.push(...(await look(ada.page, name, width)));
    }
    expect(found).toEqual([]);
  }, 180_000);

  test('the pages before signing in', async () => {
    ada = await sample.site.visit(options);
    const found: string[] = [];
    for (const [name, path] of Object.entries(doors)) {
      await ada.page.goto(path);
      await ada.page.getByRole('heading', { level: 1 }).waitFor();
      await ada.page.waitForLoadState('networkidle');
      found.push(...(await look(ada.page, name, width)));
    }
    expect(found).toEqual([]);
  }, 120_000);
});
