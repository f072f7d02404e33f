// The page of all parts (/ui of `npx vite`) in both themes, densities and every language: each part drawn, nothing cut off, no faults in the
// console, no findings of axe. PARTS_PICTURES=folder keeps a picture of each look.

import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../web/strings/language.ts';
import { drawn } from '../helpers/drawn-parts.ts';
import { keptBrowser } from '../helpers/open-browser.ts';
import { offences } from './accessibility.ts';
import { faults } from './layout.ts';

const pictures = process.env.PARTS_PICTURES;

const expected = [...new Set(drawn.map(({ file }) => file))].sort();

let vite: ViteDevServer;
let address = '';

beforeAll(async () => {
  vite = await createServer({
    configFile: join(process.cwd(), 'vite.config.ts'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', hmr: false, proxy: {}, watch: null },
  });
  await vite.listen();
  address = vite.resolvedUrls?.local[0] ?? '';
});
afterAll(() => vite.close());

interface Look {
  readonly language: string;
  readonly density: string;
}

const looks: readonly Look[] = languages.flatMap((language) =>
  ['roomy', 'compact'].map((density) => ({ language, density })),
);
const themes = ['light', 'dark'] as const;

/** By the window they are seen in. Nothing is kept by the page; what the browser has fetched and compiled of it serves the next one. */
const contexts = new Map<string, BrowserContext>();
afterAll(() => Promise.all([...contexts.values()].map((context) => context.close())));

async function contextOf(window: BrowserContextOptions): Promise<BrowserContext> {
  const key = JSON.stringify(window);
  const known = contexts.get(key);
  if (known) return known;
  const context = await (await keptBrowser()).newContext({ reducedMotion: 'reduce', ...window });
  contexts.set(key, context);
  await context.clock.setFixedTime('2026-11-28T09:00:00Z');
  // The process of its pages goes on as long as one of them is open.
  await (await context.newPage()).goto(`${address}robots.txt`);
  return context;
}

async function withPage(window: BrowserContextOptions, work: (page: Page) => Promise<void>): Promise<void> {
  const page = await (await contextOf(window)).newPage();
  // Vite reads hundreds of sources for the first one.
  page.setDefaultTimeout(90_000);
  try {
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') troubles.push(message.text());
    });
    await work(page);
    expect(troubles).toEqual([]);
  } finally {
    await page.close();
  }
}

async function open(page: Page, look: Look): Promise<void> {
  await page.goto(`${address}ui?${new URLSearchParams({ ...look, theme: 'light' })}`);
  await page.locator('[data-part="pieces/recurrence-mark.tsx"] svg').waitFor();
  await page.locator('[data-part="pieces/task-markdown.tsx"] [data-chip]').waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** Files that have something on the page that can be seen. */
function seen(page: Page): Promise<string[]> {
  return page
    .locator('[data-part]')
    .evaluateAll((all) =>
      all
        .filter((one) =>
          [...one.querySelectorAll(':scope > div *')].some((part) => part.getBoundingClientRect().height > 1),
        )
        .map((one) => one.getAttribute('data-part') ?? ''),
    );
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** A theme is an attribute, and nothing but styles reads it. What was looked at whole in the first one differs in its colours in the other. */
async function inThemes(page: Page, look: (theme: string, what: 'all' | 'colours') => Promise<void>): Promise<void> {
  for (const theme of themes) {
    await page.evaluate((theme) => {
      document.documentElement.dataset.theme = theme;
    }, theme);
    await look(theme, theme === themes[0] ? 'all' : 'colours');
  }
}

describe('in a wide window', () => {
  const size = { viewport: { width: 1440, height: 3000 } };

  test.for(looks)('$language, $density, in both themes', (look) =>
    withPage(size, async (page) => {
      await open(page, look);
      // A grip is drawn where fingers pull.
      expect((await seen(page)).sort()).toEqual(expected.filter((file) => file !== 'ui/overlays/sheet-grip.tsx'));
      await inThemes(page, async (theme, what) => {
        expect(await page.evaluate(faults)).toEqual([]);
        expect(await offences(page, look.density === 'roomy' ? what : 'colours')).toEqual([]);
        await keepPicture(page, `${look.language}-${theme}-${look.density}`);
      });
    }),
  );

  test.for(languages)('overlays: %s, in both themes', (language) =>
    withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await open(page, { language, density: 'roomy' });
      const buttons = page.locator('[data-opens] > div button');
      for (let at = 0; at < (await buttons.count()); at++) {
        await buttons.nth(at).click();
        const over = page.locator('[role=dialog], [role=alertdialog], [role=menu]');
        await over.waitFor();
        await inThemes(page, async (theme, what) => {
          expect(await page.evaluate(faults)).toEqual([]);
          expect(await offences(page, what)).toEqual([]);
          await keepPicture(page, `${language}-${theme}-overlay-${at}`);
        });
        await page.keyboard.press('Escape');
        await over.waitFor({ state: 'detached' });
      }
    }),
  );
});

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  test.for(languages)('%s', (language) =>
    withPage(phone, async (page) => {
      await open(page, { language, density: 'roomy' });
      expect((await seen(page)).sort()).toEqual(expected);
      expect(await page.evaluate(faults)).toEqual([]);
      expect(await offences(page)).toEqual([]);
      await keepPicture(page, `${language}-phone`);
    }),
  );
});

test('no build has the page', () => {
  const { input } = vite.config.build.rolldownOptions;
  expect(Object.keys(input ?? {}).sort()).toEqual(['404', 'app', 'error', 'index']);
});
