// The account, used as its owner does: name and theme, password, a second factor.
// Each test has a project and a browser of its own.

import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';

let ada: Visitor;

eachStory(async (site) => {
  ({ ada } = await settleHarbour(site));
  return [ada];
});

test('a new name shows everywhere, and a theme is kept', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel('Display name').fill('Ada King');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByRole('button', { name: 'Ada King' }).waitFor();
  await page.getByText('Dark', { exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
});

test('a password that is too short is shown beside the field, a good one is taken', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel('New password').fill('abc');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page
    .getByRole('alert')
    .getByText(/at least 6 characters/i)
    .waitFor();
  await page.getByLabel('New password').fill('a much better battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed.').waitFor();
});

test('a second factor is set up with the code of an authenticator', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(/^Code from/).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Two-factor authentication is on.').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Two-factor authentication is off.').waitFor();
});
