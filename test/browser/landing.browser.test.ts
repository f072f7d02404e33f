// The landing page, read by somebody who is not signed in.

import { expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startSite } from './pages.ts';
import { t } from './words.ts';

const site = forSuite(() => startSite({ LANDING_LEADS: 'true' }));

test('the landing page takes an address, and says what is wrong with a bad one', async () => {
  const guest = await site.visit();
  const { page } = guest;
  await page.goto('/');
  await page.getByRole('button', { name: t('pages.landing.keepPosted') }).click();
  await page.getByText(t('landing.emailWrong')).waitFor();
  await page.getByLabel(t('common.emailAddress')).fill('grace@example.com');
  await page.getByRole('button', { name: t('pages.landing.keepPosted') }).click();
  await page.getByText(t('landing.thanks')).waitFor();
  expect(await site.app.sql('select email, source from private.leads')).toEqual([
    { email: 'grace@example.com', source: 'landing' },
  ]);
  expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toBe(`${site.app.url}/social.png`);
  expect(await page.locator('#prices').isVisible()).toBe(false);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});
