// Budget of the first visit: all script a browser fetches until the first screen of the app stands, gzipped.

import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { openBrowser } from '../helpers/open-browser.ts';
import { startSite } from './pages.ts';
import { t } from './words.ts';

const budget = 200 * 1024;

/** Has fetched nothing yet. */
let unused: Browser;
const site = forSuite(startSite);
beforeEach(async () => {
  unused = await openBrowser();
});
afterEach(async () => {
  await unused.close();
});

test('the app shell loads within 200 kB of gzipped script', async () => {
  const first = await site.visit();
  await first.signUp('Ada');
  const cookies = await first.page.context().cookies();
  await first.close();

  const visitor = await site.visit({}, unused);
  const { page } = visitor;
  await page.context().addCookies(cookies);
  const scripts: Promise<readonly [string, number]>[] = [];
  page.on('response', (response) => {
    // What follows changes is fetched a second after the start, also where the first screen takes longer.
    const follows = response.url().includes('/live-parts-');
    if (response.request().resourceType() === 'script' && !follows)
      scripts.push(response.body().then((body) => [response.url(), gzipSync(body).length] as const));
  });
  await page.goto('/app');
  await page.getByRole('heading', { name: t('projects.empty') }).waitFor();
  // What comes after it is fetched while nobody waits: the search, for one.
  const sizes = await Promise.all(scripts.slice());
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(`app shell: ${(total / 1024).toFixed(1)} kB of gzipped script in ${sizes.length} files`);
  expect(sizes.length).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(budget);
  await visitor.close();
});

test('the landing page needs hardly any script', async () => {
  const visitor = await site.visit({}, unused);
  let total = 0;
  const bodies: Promise<Buffer>[] = [];
  visitor.page.on('response', (response) => {
    if (response.request().resourceType() === 'script') bodies.push(response.body());
  });
  await visitor.page.goto('/', { waitUntil: 'networkidle' });
  for (const body of await Promise.all(bodies)) total += gzipSync(body).length;
  expect(total).toBeLessThanOrEqual(8 * 1024);
  await visitor.close();
});
