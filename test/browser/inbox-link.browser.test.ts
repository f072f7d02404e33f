// Development inbox (/dev/inbox) in a browser: closed without the link of the start banner, open with it and afterwards.

import { expect, test } from 'vitest';
import { inboxLink } from '../../server/mail/inbox-secret.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { startSite } from './pages.ts';
import { noteRequests } from './sent-secrets.ts';
import { t } from './words.ts';

const site = forSuite(startSite);

test('the link of the banner opens it over the closed page, and its secret is in no address', async () => {
  const link = new URL(inboxLink(site.app.services) ?? '');
  await site.app.client().auth.resetPasswordForEmail('nobody@example.test');
  const owner = await site.app.createUser({ name: 'Olga' });
  expect((await site.app.client().auth.resetPasswordForEmail(owner.email)).error).toBeNull();
  const { page, close } = await site.visit();
  const requests = noteRequests(page);
  await page.goto('/dev/inbox');
  await page.getByText(t('link.inbox.closed')).waitFor();
  expect(await page.getByText(owner.email).count()).toBe(0);
  await page.goto(link.pathname + link.hash);
  await page.getByText(owner.email).waitFor();
  expect(page.url()).not.toContain(link.hash);
  await page.goto('/dev/inbox');
  await page.getByText(owner.email).waitFor();
  const lines = await requests(link.hash.slice(1));
  // Once to open it, and then in the cookie of this path.
  expect(lines.map((line) => line.split(' {', 1)[0]).filter((line) => line?.includes(link.hash.slice(1)))).toEqual([]);
  for (const line of lines)
    expect(JSON.parse(line.slice(line.indexOf('{'))).referer ?? '').not.toContain(link.hash.slice(1));
  await close();
});
