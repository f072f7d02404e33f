// Tests that every visit of the page tests is like the first one of a browser, whatever an earlier visit left.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startSite } from './pages.ts';

const site = forSuite(startSite);

/** All that a page finds of an earlier one. */
const found = (page: Page) =>
  page.evaluate(async () => ({
    cookies: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    history: history.length,
    size: [innerWidth, innerHeight],
    scheme: matchMedia('(prefers-color-scheme: dark)').matches,
  }));

test('storage, cookies and settings of a visit are gone before the next one', async () => {
  const first = await site.visit();
  await first.page.goto('/sign-in');
  const untouched = await found(first.page);
  await first.page.evaluate(async () => {
    localStorage.setItem('left', 'behind');
    sessionStorage.setItem('left', 'behind');
    await caches.open('left');
    history.pushState(null, '', '/sign-up');
    await new Promise((resolve) => {
      const opening = indexedDB.open('left');
      opening.onsuccess = resolve;
    });
  });
  await first.settle('Ada');
  await first.page.context().addCookies([{ name: 'left', value: 'behind', url: site.app.url }]);
  await first.page.setViewportSize({ width: 500, height: 500 });
  await first.page.emulateMedia({ colorScheme: 'dark' });
  await first.page.route('**/sign-in', (route) => route.abort());
  const context = first.page.context();
  await first.close();

  const second = await site.visit();
  expect(second.page.context()).toBe(context);
  await second.page.goto('/sign-in');
  expect(await found(second.page)).toEqual(untouched);
  expect(await context.cookies()).toEqual([]);
  await second.close();
});

test('visits at the same time share no context, and a faked clock or lost network does not outlast its visit', async () => {
  const [one, two] = await Promise.all([site.visit(), site.visit()]);
  expect(one.page.context()).not.toBe(two.page.context());
  await one.page.clock.setFixedTime('2001-01-01');
  await two.page.context().setOffline(true);
  await Promise.all([one.close(), two.close()]);
  const three = await site.visit();
  await three.page.goto('/sign-in');
  expect(await three.page.evaluate(() => new Date().getFullYear())).toBeGreaterThan(2001);
  await three.close();
});
