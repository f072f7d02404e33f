// A server that can't send mail offers what works: no link by mail, a reset by the administrator, no form for addresses.

import { expect, test } from 'vitest';
import { startSite, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';

let guest: Visitor;

eachStory(
  async (site) => {
    guest = await site.visit();
    return [guest];
  },
  // Without the inbox of developers, which keeps what would have been sent.
  () => startSite({ PRODUCTION: 'true' }),
);

test('a forgotten password leads to what works, without a message that never comes', async () => {
  const { page } = guest;
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'E-mail me a sign-in link' }).count()).toBe(0);
  // Browsers refuse passkeys at an IP address, which this is.
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Forgot' }).click();
  await page.getByText("This server can't send email").waitFor();
  await page.getByText('Ask your administrator for a reset link.').waitFor();
});

test('the landing page asks for no address', async () => {
  const { page } = guest;
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('#news').isVisible()).toBe(false);
});
