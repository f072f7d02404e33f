// Identity providers on the admin pages: added with a token that is shown once and works at the SCIM API, given another, revoked, removed.

import { expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import type { Site, Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { t } from './words.ts';

let site: Site;
let olga: Visitor;
const pictures = process.env.ADMIN_PICTURES;

eachStory(async (opened) => {
  site = opened;
  olga = await site.visit();
  return [olga];
});

/** The page and its dialogs wide and narrow, light and dark. */
async function look(name: string): Promise<void> {
  const { page } = olga;
  const size = page.viewportSize();
  for (const [where, width, height] of [
    ['wide', 1280, 800],
    ['narrow', 390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${where}-${scheme}.png` });
      expect(await offences(page, 'colours'), `${name} ${where} ${scheme}`).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (size !== null) await page.setViewportSize(size);
}

const asProvider = async (token: string): Promise<number> =>
  (await fetch(`${site.app.url}/scim/v2/Users`, { headers: { authorization: `Bearer ${token}` } })).status;

test('a provider is added, connects, gets another token, loses the first, and is removed', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  await page.goto('/admin/provisioning');
  await page.getByText(t('admin.scim.none')).waitFor();
  await look('provisioning-empty');

  await page.getByRole('button', { name: t('admin.scim.create') }).click();
  const dialog = page.getByRole('dialog', { name: t('admin.scim.create') });
  await dialog.getByRole('button', { name: t('admin.scim.create') }).click();
  await dialog.getByText(t('admin.scim.nameMissing')).waitFor();
  await dialog.getByLabel(t('common.name')).fill('Entra ID');
  await page.keyboard.press('Enter');
  await dialog.getByText(t('admin.scim.made', { name: 'Entra ID' })).waitFor();
  const token = await dialog.getByLabel(t('admin.scim.token'), { exact: true }).inputValue();
  expect(await dialog.getByLabel(t('admin.scim.address')).inputValue()).toMatch(/\/scim\/v2$/);
  expect(await asProvider(token)).toBe(200);
  await look('provisioning-token');
  expect(await offences(page)).toEqual([]);
  await dialog
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await dialog.waitFor({ state: 'hidden' });

  const tokens = page.getByRole('list', { name: t('admin.scim.tokens', { name: 'Entra ID' }) }).getByRole('listitem');
  await page.getByRole('button', { name: t('admin.scim.newTokenFor', { name: 'Entra ID' }) }).click();
  const another = page.getByRole('dialog', { name: t('admin.scim.newTokenFor', { name: 'Entra ID' }) });
  await another.getByRole('button', { name: t('admin.scim.newToken') }).click();
  const second = await another.getByLabel(t('admin.scim.token'), { exact: true }).inputValue();
  await another
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
  await expect.poll(() => tokens.count()).toBe(2);
  // Told once: no more of it is on the page.
  expect(await page.content()).not.toContain(token);
  await look('provisioning');
  expect(await offences(page)).toEqual([]);

  const first = t('admin.scim.revokeOne', { prefix: `${token.slice(0, 12)}…` });
  await page.getByRole('button', { name: first }).click();
  const asks = page.getByRole('dialog', { name: first });
  await look('provisioning-revoke');
  await asks.getByRole('button', { name: t('admin.scim.revoke') }).click();
  await expect.poll(() => tokens.count()).toBe(1);
  expect([await asProvider(token), await asProvider(second)]).toEqual([401, 200]);

  const removal = t('admin.scim.removeOne', { name: 'Entra ID' });
  await page.getByRole('button', { name: removal }).click();
  await page
    .getByRole('dialog', { name: removal })
    .getByRole('button', { name: t('admin.scim.remove') })
    .click();
  await page.getByText(t('admin.scim.none')).waitFor();
  expect(await asProvider(second)).toBe(401);

  await page.getByRole('button', { name: t('admin.part.log'), exact: true }).click();
  for (const did of [
    'scim_provider_created',
    'scim_token_created',
    'scim_token_revoked',
    'scim_provider_removed',
  ] as const)
    await page.getByText(t(`admin.did.${did}`, { subject: 'Entra ID' })).waitFor();
});

test('custom providers of sign-in are listed, and offered on the sign-in page by their name', async () => {
  const { page } = olga;
  const { email } = await olga.settle('Olga Operator');
  await site.app.sql('select private.set_operator($1, true)', [email]);
  const { createProvider } = site.app.client({ key: site.app.serviceKey }).auth.admin.customProviders;
  const made = await createProvider({
    provider_type: 'oauth2',
    identifier: 'custom:acme',
    name: 'Acme Single Sign-On',
    client_id: 'kanbase',
    client_secret: 'secret',
    authorization_url: 'https://sso.acme.example/authorize',
    token_url: 'https://sso.acme.example/token',
    userinfo_url: 'https://sso.acme.example/me',
  });
  expect(made.error).toBeNull();
  await page.goto('/admin/provisioning');
  const section = page.getByRole('region', { name: t('admin.scim.signIn') });
  await section.getByText('Acme Single Sign-On').waitFor();
  await section.getByText('custom:acme · sso.acme.example').waitFor();
  await look('sign-in-providers');

  // What pages are told of the server is a few seconds old at most.
  const told = async () => (await (await fetch(`${site.app.url}/api/settings`)).json()).providers;
  await expect.poll(told, { timeout: 15_000 }).toContain('custom:acme');
  await page.context().clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: t('signIn.with', { provider: 'Acme Single Sign-On' }) }).waitFor();
  await look('sign-in-custom');
});
