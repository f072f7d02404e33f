// Each translation on every screen, at a desk and on a phone: no English text is left, and no text is cut off.

import { mkdirSync } from 'node:fs';
import type { JSHandle, Page, Request } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { partsOf, readPart } from '../../scripts/strings.mjs';
import { languages } from '../../web/strings/language.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { doors, faults, screens } from './layout.ts';
import { addCrew, openSampleProject, type Visitor } from './pages.ts';

/** A folder for pictures of every screen, English ones as well, to look at them. */
const pictures = process.env.KANBASE_PICTURES;
const schemes = pictures ? (['light', 'dark'] as const) : (['light'] as const);

let visitor: Visitor;
let bobId: string;
let crewId: string;
const sample = forSuite(
  () => openSampleProject(['Kran streichen', 'Schiffe zählen', 'Kai fegen']),
  (sample) => sample.site.close(),
);
beforeAll(async () => {
  const { rows, site } = sample;
  await rows('update workflow_columns set name = upper(kind::text) where project_id = $1');
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
  crewId = await addCrew(sample, bobId);
  await site.app.sql('select private.set_operator($1, true)', [sample.adaMail]);
});
afterEach(async () => {
  const { troubles } = visitor;
  await visitor.close();
  expect(troubles).toEqual([]);
});

const catalogOf = (language: string): Map<string, string> =>
  new Map(partsOf(language).flatMap((part) => [...readPart(language, part)]));
const english = catalogOf('en');

type Texts = JSHandle<{ readonly foreign: ReadonlySet<string>; readonly own: ReadonlySet<string> }>;

/** English texts without arguments that read otherwise in the language. */
function foreignTexts(language: string): string[] {
  const own = new Set([...catalogOf(language).values()].map((text) => text.toLowerCase()));
  return [...new Set(english.values())].filter(
    (text) => /\p{L}{2}/u.test(text) && !/[{|<]/.test(text) && !own.has(text.toLowerCase()),
  );
}

/** Goes where a link of the app would lead, without a load. Then nothing has been asked for as long as `networkidle` waits. */
async function follow(page: Page, path: string): Promise<void> {
  const open = new Set<Request>();
  let timer: NodeJS.Timeout | undefined;
  let rest = (): void => undefined;
  const idle = new Promise<void>((resolve) => {
    rest = () => {
      clearTimeout(timer);
      if (open.size === 0) timer = setTimeout(resolve, 500);
    };
  });
  const begin = (request: Request): void => {
    clearTimeout(timer);
    open.add(request);
  };
  const end = (request: Request): void => {
    if (open.delete(request)) rest();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await page.evaluate((to) => history.pushState(null, '', to), path);
  rest();
  await idle;
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** Texts of the page that are among these; runs in the browser. */
function textsAmong({ foreign: among }: { readonly foreign: ReadonlySet<string> }): string[] {
  const found = new Set<string>();
  const add = (text: string | null): void => {
    const bare = (text ?? '').trim();
    if (among.has(bare)) found.add(`English “${bare}”`);
  };
  add(document.title);
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('pre, code, script, style, [lang]:not(html)')) continue;
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'placeholder', 'title'])
      add(one.getAttribute(name));
    for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) add(node.nodeValue);
  }
  return [...found];
}

/** Texts of the app that end in an ellipsis, words broken in the middle, and placeholders without room; runs in the browser. */
function cutTexts({ own }: { readonly own: ReadonlySet<string> }): string[] {
  const found = new Set<string>();
  const isOnlySpoken = (one: Element | null): boolean =>
    one !== null && (getComputedStyle(one).clipPath !== 'none' || isOnlySpoken(one.parentElement));
  const isOnLines = (node: Node, from: number, to: number): boolean => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  };
  const canvas = document.createElement('canvas').getContext('2d');
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    if (
      one.closest('pre, code, svg, option, [inert], .only-spoken, .skip') ||
      !one.checkVisibility({ visibilityProperty: true })
    )
      continue;
    if (one instanceof HTMLInputElement && own.has(one.placeholder) && canvas !== null) {
      const style = getComputedStyle(one);
      canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const room = one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (one.clientWidth > 1 && canvas.measureText(one.placeholder).width > room + 1)
        found.add(`“${one.placeholder}” is cut off`);
    }
    for (const node of one.childNodes) {
      const text = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '';
      if (text === '') continue;
      const isCut = one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow === 'ellipsis';
      if (isCut && own.has(text.trim()) && !isOnlySpoken(one)) found.add(`“${text.trim()}” is cut off`);
      // In a text of one line no word is broken.
      if (isOnLines(node, 0, text.length))
        for (const word of text.matchAll(/\p{L}{4,}/gu))
          if (isOnLines(node, word.index, word.index + word[0].length)) found.add(`“${word[0]}” is broken`);
    }
  }
  return [...found];
}

test('the check finds English texts', async () => {
  visitor = await sample.site.visit({ locale: 'en' });
  await visitor.page.goto('/sign-in');
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  const french = await visitor.page.evaluateHandle((texts) => ({ foreign: new Set(texts) }), foreignTexts('fr'));
  expect(await french.evaluate(textsAmong)).toContain('English “Sign in”');
});

describe.each(languages.filter((language) => pictures || language !== 'en'))('in %s', (language) => {
  const own = [...catalogOf(language).values()];
  const foreign = language === 'en' ? [] : foreignTexts(language);

  /** Thousands, which a page is given once. */
  const textsFor = (page: Page): Promise<Texts> =>
    page.evaluateHandle((all) => ({ foreign: new Set(all.foreign), own: new Set(all.own) }), { foreign, own });

  async function look(page: Page, name: string, width: number, texts: Texts): Promise<string[]> {
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    if (pictures) mkdirSync(pictures, { recursive: true });
    for (const colorScheme of pictures ? schemes : []) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${pictures}/${language}-${name}-${width}-${colorScheme}.png` });
    }
    const found = [
      ...(await texts.evaluate(textsAmong)),
      ...(await texts.evaluate(cutTexts)),
      ...(await page.evaluate(faults)),
    ];
    return found.map((one) => `${name}: ${one}`);
  }

  describe.each([
    [1280, 800],
    [390, 844],
  ])('%i wide', (width, height) => {
    const options = {
      viewport: { width, height },
      hasTouch: width < 400,
      reducedMotion: 'reduce',
      locale: language,
    } as const;

    test('the screens of the app', async () => {
      await sample.site.app.sql(
        `update auth.users set raw_user_meta_data = raw_user_meta_data || jsonb_build_object('language', $2::text) where email = $1`,
        [sample.adaMail, language],
      );
      const storageState = await sample.ada.page.context().storageState();
      visitor = await sample.site.visit({ ...options, storageState });
      const { page } = visitor;
      await page
        .context()
        .addCookies([
          { name: 'kanbase-language', value: language, url: sample.site.app.services.siteUrl, sameSite: 'Lax' },
        ]);
      const found: string[] = [];
      // Each screen is loaded anew in long-words.browser.test.ts: here the page of the first one goes on.
      await page.goto('/app');
      await page.getByRole('main').first().waitFor();
      await page.waitForLoadState('networkidle');
      const texts = await textsFor(page);
      const shown = new Set<string>();
      for (const [name, path] of Object.entries(screens)) {
        await follow(page, path.replace(':id', sample.projectId).replace(':bob', bobId).replace(':crew', crewId));
        await page.getByRole('main').first().waitFor();
        found.push(...(await look(page, name, width, texts)));
        shown.add(await page.locator('body').innerText());
      }
      expect(shown.size).toBe(Object.keys(screens).length);
      await follow(page, `/app/projects/${sample.projectId}/board`);
      for (const [name, key] of [
        ['shortcuts', '?'],
        ['search', 'Control+k'],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('dialog').waitFor();
        found.push(...(await look(page, name, width, texts)));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
      expect(found).toEqual([]);
    }, 180_000);

    test('the pages before signing in', async () => {
      visitor = await sample.site.visit(options);
      const found: string[] = [];
      for (const [name, path] of Object.entries(doors)) {
        await visitor.page.goto(path);
        await visitor.page.getByRole('heading', { level: 1 }).waitFor();
        await visitor.page.waitForLoadState('networkidle');
        found.push(...(await look(visitor.page, name, width, await textsFor(visitor.page))));
      }
      expect(found).toEqual([]);
    }, 120_000);
  });
});
