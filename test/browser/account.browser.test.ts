// Account page: name, theme, password, two-factor authentication. Each test has a project and a browser of its own.

import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { settleHarbour, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let ada: Visitor;

eachStory(async (site) => {
  ({ ada } = await settleHarbour(site));
  return [ada];
});

test('a new name shows everywhere, and a theme is kept', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel(t('account.name')).fill('Ada King');
  await page.getByRole('button', { name: t('account.saveProfile') }).click();
  await page.getByRole('button', { name: 'Ada King' }).waitFor();
  await page.getByText(t('common.themes.dark'), { exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { name: t('common.nav.account'), exact: true }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
});

test('a password that is too short is shown beside the field, a good one is taken', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByLabel(t('common.newPassword')).fill('abc');
  await page.getByRole('button', { name: t('account.changePassword') }).click();
  await page
    .getByRole('alert')
    .getByText(t('signIn.passwordHint', { n: 6 }))
    .waitFor();
  await page.getByLabel(t('common.newPassword')).fill('a much better battery');
  await page.getByRole('button', { name: t('account.changePassword') }).click();
  await page.getByText(t('account.passwordDone')).waitFor();
});

test('a second factor is set up with the code of an authenticator', async () => {
  const { page } = ada;
  await page.goto('/app/account');
  await page.getByRole('button', { name: t('account.enrol') }).click();
  await page.getByRole('img', { name: t('account.qr') }).waitFor();
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel(t('signIn.code')).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  await page.getByRole('button', { name: t('account.confirm') }).click();
  await page.getByText(t('account.factorDone')).waitFor();
  await page.getByRole('button', { name: t('account.removeFactor'), exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('account.removeFactor') })
    .click();
  await page.getByText(t('account.factorRemoved')).waitFor();
});
