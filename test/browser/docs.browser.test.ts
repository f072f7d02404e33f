// The reference below /docs in a browser: search, anchors of when it was one page, and calls under one's own session, which ask before they change
// anything and leave no token behind.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { offences } from './accessibility.ts';
import { pictureLooks } from './looks.ts';
import { settleHarbour, startSite } from './pages.ts';

const sample = forSuite(
  async () => settleHarbour(await startSite()),
  (sample) => sample.site.close(),
);

test('a visitor finds a table by the search, and is asked to sign in before trying', async () => {
  const visitor = await sample.site.visit();
  const { page } = visitor;
  await page.goto('/docs');
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'docs-index');
  await page.keyboard.press('/');
  await page.keyboard.type('task_dep');
  await page
    .locator('#found')
    .getByRole('option', { name: /^task_dependencies/ })
    .waitFor();
  await pictureLooks(page, 'docs-search');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'task_dependencies' }).waitFor();
  await page.locator('.try > summary').click();
  await page.locator('.who a[href="/sign-in"]').waitFor();
  expect(await page.locator('.try button').isDisabled()).toBe(true);
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

test.each([
  ['get_tasks', '/docs/tables/tasks#get_tasks'],
  ['post_rpc_move_task', '/docs/procedures/tasks#post_rpc_move_task'],
  ['group-identity', '/docs/identity'],
])('the former anchor %s leads to %s', async (anchor, address) => {
  const visitor = await sample.site.visit();
  await visitor.page.goto(`/docs#${anchor}`);
  await visitor.page.waitForURL(`**${address}`);
  await visitor.close();
});

test('an anchor that never was leads nowhere, not even by a name that every object has', async () => {
  const visitor = await sample.site.visit();
  const { page } = visitor;
  const opened: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname);
  });
  await page.goto('/docs');
  await page.evaluate('fetchIndex()');
  await page.evaluate('location.hash = "constructor"; followFormerAnchor()');
  await page.evaluate('location.hash = "get_tasks"');
  await page.waitForURL('**/docs/tables/tasks#get_tasks');
  expect(opened).toEqual(['/docs', '/docs/tables/tasks']);
  await visitor.close();
});

test('a search that was cleared before its index came shows nothing', async () => {
  const visitor = await sample.site.visit();
  const { page } = visitor;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/docs/search.json', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/docs');
  await page.locator('#search').pressSequentially('task');
  await page.locator('#search').fill('');
  release();
  // Finds that waited for it go first.
  await page.evaluate('fetchIndex()');
  expect(await page.locator('#found > li').count()).toBe(0);
  await visitor.close();
});

test('a person reads rows and calls a procedure under their own session', async () => {
  const { page } = sample.ada;
  await page.goto('/docs/tables/projects');
  await page.locator('.try > summary').click();
  await page.getByText(/^As Ada/).waitFor();
  await page.locator('[name=column]').selectOption('name');
  await page.locator('[name=value]').fill('Harbour');
  // What it needs for the call is asked for again after a failure.
  await page.route('**/api/settings', (route) => route.abort(), { times: 1 });
  await page.locator('.try button').click();
  await page.getByText(/^No answer/).waitFor();
  const called = page.waitForRequest((request) => request.url().includes('/rest/v1'));
  await page.locator('.try button').click();
  const request = await called;
  await page.getByText('200 OK').waitFor();
  const shown = await page.locator('.answer pre').innerText();
  expect(JSON.parse(shown)).toMatchObject([{ name: 'Harbour' }]);
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'docs-tried');
  const token = (await request.allHeaders()).authorization?.replace('Bearer ', '') ?? 'none';
  expect(token.split('.')).toHaveLength(3);
  // Neither in an address, nor on the page, nor kept.
  expect(request.url()).not.toContain(token);
  expect(await page.content()).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token);
});

test('a call that changes data is asked about first', async () => {
  const { page } = sample.ada;
  await page.goto('/docs/procedures/projects#post_rpc_create_project_with_defaults');
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rpc/')) calls.push(request.url());
  });
  const article = page.locator('#post_rpc_create_project_with_defaults');
  await article.locator('.try > summary').click();
  await article.getByLabel('name', { exact: false }).first().fill('By hand');
  await article.locator('.try button').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^This can change or delete data/).waitFor();
  expect(await offences(page)).toEqual([]);
  await pictureLooks(page, 'docs-asked');
  await dialog.locator('button:not(.go)').click();
  await dialog.waitFor({ state: 'detached' });
  expect(calls).toEqual([]);
  await article.locator('.try button').click();
  await dialog.locator('.go').click();
  await article.getByText('200 OK').waitFor();
  expect(JSON.parse(await article.locator('.answer pre').innerText())).toMatchObject({ name: 'By hand' });
  expect(calls).toHaveLength(1);
});

test('a procedure that only reads is called at once, and words that are no JSON are refused here', async () => {
  const { page } = sample.ada;
  await page.goto('/docs/procedures/figures-and-search');
  const article = page.locator('#post_rpc_search_tasks');
  await article.locator('.try > summary').click();
  await article.getByLabel('query').fill('crane');
  await article.getByLabel('max_rows').fill('many');
  await article.locator('.try button').click();
  await article.getByText('max_rows must be JSON').waitFor();
  await article.getByLabel('max_rows').fill('3');
  await article.locator('.try button').click();
  await article.getByText('200 OK').waitFor();
});

test('on a phone nothing is wider than the screen, and the list of pages is folded', async () => {
  const visitor = await sample.site.visit();
  const { page } = visitor;
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/docs', '/docs/tables/tasks', '/docs/procedures/access-and-links', '/docs/identity']) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
    await page.locator('#contents > summary').waitFor();
    expect(await page.getByRole('link', { name: 'project_members' }).first().isVisible()).toBe(path === '/docs');
    await pictureLooks(page, `phone${path.replaceAll('/', '-')}`);
  }
  await visitor.close();
});
