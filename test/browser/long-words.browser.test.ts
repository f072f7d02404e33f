// Screens hold in the pseudo-language, whose words are two fifths longer than English ones: on a desk and on a phone nothing runs out of its
// box, is cut off, lies on something else or leaves the window, and every text comes from a catalog.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildPseudoPagesAside } from '../../scripts/build.mjs';
import { forSuite } from '../helpers/for-suite.ts';
import { doors, faults, screens } from './layout.ts';
import { addCrew, settleHarbour, startSite, type Visitor } from './pages.ts';

let ada: Visitor;
let bobId: string;
let crewId: string;
/** Where to put pictures of what was looked at, for who wants to see it. */
const pictures = process.env.KANBASE_PICTURES;

const tasks = ['Paint the crane', 'Count the ships', 'Sweep the quay'];
const columns = ['Backlog', 'To do', 'In progress', 'Done'];
const sample = forSuite(
  async () => settleHarbour(await startSite({ WEB_DIR: await buildPseudoPagesAside() }), tasks),
  (sample) => sample.site.close(),
);
beforeAll(async () => {
  const { rows, site } = sample;
  await rows("update tasks set due_date = current_date + number - 2, priority = 'p0' where project_id = $1");
  await rows("insert into task_labels (project_id, name) values ($1, 'Urgent')");
  await rows(
    'insert into task_assignees (project_id, task_id, user_id) select t.project_id, t.id, m.user_id from tasks t join project_members m using (project_id) where project_id = $1',
  );
  await rows(
    "insert into task_comments (project_id, task_id, author_id, body) select t.project_id, t.id, m.user_id, 'Which colour?' from tasks t join project_members m using (project_id) where project_id = $1 and t.number = 1",
  );
  const bob = await site.app.createUser({ name: 'Bob' });
  bobId = bob.id;
  await sample.join(bob.email, 'editor');
  crewId = await addCrew(sample, bobId);
  await site.app.sql('select private.set_operator($1, true)', [sample.adaMail]);
});
afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
/** Names that people, products and Intl give. */
const names = [
  ...[...tasks, ...columns, 'Harbour', 'Ada Lovelace', 'Bob', 'Crew', 'Urgent', 'Which colour?'],
  ...[
    'Kanbase',
    'kanbase operator',
    'OpenAPI',
    'Trello',
    'Jira',
    'Linear',
    'Asana',
    'Todoist',
    'Plane',
    'Vikunja',
    'Planka',
    'TickTick',
  ],
  ...['Claude Code', 'Codex', 'Cursor', 'Gemini CLI', 'VS Code'],
  ...Array.from({ length: 12 }, (_, n) => month.format(Date.UTC(2026, n, 1))),
  ...Array.from({ length: 7 }, (_, n) => weekday.format(Date.UTC(2026, 0, n + 1))),
];

/** Texts of the page without an accent: they come from no catalog. Runs in the browser. */
function plainTexts(names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (text: string | null): void => {
    // Addresses, and days with a short month.
    const bare = (text ?? '').trim().replaceAll(/\S+@\S+|\b\d{1,2} [A-Z][a-z]{2,3}\b/g, '');
    const rest = names.reduce((left, name) => left.replaceAll(name, ''), bare);
    if (/\p{Ll}{3}/u.test(rest) && !/[^\p{ASCII}…’“”–—·→×]/u.test(rest)) found.add(`“${rest.trim()}” is in no catalog`);
  };
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('pre, code, kbd, time, script, style, svg, option, [lang]:not(html)')) continue;
    for (const name of ['aria-label', 'aria-description', 'alt', 'placeholder', 'title']) add(one.getAttribute(name));
    for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.nodeValue);
  }
  return [...found];
}

/** Every word a fifth longer once more, what people wrote too: as long as German words two fifths longer. */
function lengthen(): void {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const longer = (word: string): string => word + word.slice(0, Math.ceil(word.length * 0.2)).toLowerCase();
  for (let text = walk.nextNode(); text !== null; text = walk.nextNode()) {
    // An example of code has no language, and what is only spoken no room.
    if (text.parentElement?.closest('pre, code, script, style, .only-spoken')) continue;
    text.nodeValue = (text.nodeValue ?? '').replace(/\p{L}{3,}/gu, longer);
  }
}

async function look(page: Page, name: string, width: number): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  if (pictures) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${name}-${width}.png` });
  }
  const found = await page.evaluate(faults);
  // What an admin page says of the server is in the server's own language, and full of names.
  if (name !== 'admin') found.push(...(await page.evaluate(plainTexts, names)));
  await page.evaluate(lengthen);
  found.push(...(await page.evaluate(faults)).map((one) => `with longer words: ${one}`));
  return found.map((one) => `${name}: ${one}`);
}

test('the check finds texts that come from no catalog', async () => {
  ada = await sample.site.visit();
  await ada.page.setContent('<p>Hello, Bob</p> <p>Héllóhé, Bob</p> <img alt="Harbour"> <img alt="A boat">');
  const found = await ada.page.evaluate(plainTexts, names);
  expect(found).toEqual(['“Hello,” is in no catalog', '“A boat” is in no catalog']);
});

describe.each([
  [1280, 800],
  [390, 844],
])('%i wide', (width, height) => {
  // A phone is touched: what is hit by a finger is larger.
  const hasTouch = width < 400;
  const options = { viewport: { width, height }, hasTouch, reducedMotion: 'reduce' } as const;
  test('the screens of the app', async () => {
    const storageState = await sample.ada.page.context().storageState();
    ada = await sample.site.visit({ ...options, storageState });
    const found: string[] = [];
    for (const [name, path] of Object.entries(screens)) {
      await ada.page.goto(path.replace(':id', sample.projectId).replace(':bob', bobId).replace(':crew', crewId));
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
