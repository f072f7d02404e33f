// Screens hold in a language with longer words: in German, and in German with every word two fifths longer, on a desk and on a phone,
// nothing runs out of its box, is cut off, lies on something else or leaves the window.

import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { doors, faults, screens } from './layout.ts';
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
