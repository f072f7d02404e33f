// Sign-up page where not everybody may have an account, and the words for people who are refused.

import { afterEach, expect, test } from 'vitest';
import { offences } from './accessibility.ts';
import { fillSignUp, type Site, startSite, type Visitor } from './pages.ts';
import { t } from './words.ts';

let site: Site;
let ada: Visitor;

async function open(settings: Record<string, string>) {
  site = await startSite(settings);
  ada = await site.visit();
  return ada.page;
}
afterEach(async () => {
  expect(ada.troubles).toEqual([]);
  await ada.close();
  await site.close();
});

test('closed: no form, what to do instead, and no way there from the other pages', async () => {
  const page = await open({ AUTH_SIGN_UP: 'off' });
  await page.goto('/sign-up');
  await page.getByText(t('signIn.upClosed')).waitFor();
  expect(await page.getByLabel(t('signIn.name')).count()).toBe(0);
  expect(await offences(page)).toEqual([]);
  await page.goto('/sign-in');
  await page.getByRole('button', { name: t('common.signIn'), exact: true }).waitFor();
  expect(await page.getByRole('link', { name: t('signIn.toUp') }).count()).toBe(0);
  await page.goto('/');
  await page
    .getByRole('link', { name: t('common.signIn') })
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole('link', { name: t('pages.landing.signUp') }).count()).toBe(0);
});

test('by domain: said before anything is typed, and again at the address that is refused', async () => {
  const page = await open({ AUTH_SIGN_UP: 'domains', AUTH_SIGN_UP_DOMAINS: 'good.test,fine.test' });
  await page.goto('/sign-up');
  await page.getByText(t('signIn.upDomains', { domains: 'good.test, fine.test' })).waitFor();
  await fillSignUp(page, 'Mallory', 'mallory@bad.test');
  await expect.poll(() => page.getByText(t('signIn.upDomains', { domains: 'good.test, fine.test' })).count()).toBe(2);
  expect(await page.getByLabel(t('signIn.email')).getAttribute('aria-invalid')).toBe('true');
  expect(await offences(page)).toEqual([]);
  await page.getByLabel(t('signIn.email')).fill('ada@good.test');
  await page.getByRole('button', { name: t('signIn.doUp') }).click();
  await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
});

test('invited: strangers read what to do, whoever has the invitation signs up with it', async () => {
  const page = await open({ AUTH_SIGN_UP: 'invited' });
  await page.goto('/sign-up');
  await page.getByText(t('signIn.upInvited')).waitFor();
  const owner = await site.app.createUser({ name: 'Olga' });
  const { data: project } = await owner.client.rpc('create_project_with_defaults', { name: 'Harbour' });
  const { data: invited } = await owner.client.rpc('invite_member', {
    project_id: project.id,
    email: 'guest@example.test',
    role: 'editor',
  });
  await page.goto(`/sign-up?next=${encodeURIComponent(`/invitation/${invited.token}`)}`);
  await page.getByText('Harbour').waitFor();
  expect(await page.getByText(t('signIn.upInvited')).count()).toBe(0);
  await page.getByLabel(t('signIn.name')).fill('Guest');
  await page.getByLabel(t('common.password'), { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: t('signIn.doUp') }).click();
  await page.getByRole('button', { name: t('signIn.invitation.accept') }).waitFor();
});
