// A server that can't send email promises none: each screen offers what works instead, and what an administrator does on the server.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pictureLooks } from './looks.ts';
import { createProject, fillSignIn, fillSignUp, password, type Site, startSite, type Visitor } from './pages.ts';
import { eachStory } from './stories.ts';
import { inside, type Key, saying, t } from './words.ts';

let site: Site;
let guest: Visitor;

const begin = async (opened: Site): Promise<readonly Visitor[]> => {
  site = opened;
  guest = await site.visit();
  return [guest];
};

const promises = [
  'signIn.doMagic',
  'signIn.doForgot',
  'signIn.resend',
  'signIn.sent.title',
  'signIn.sent.confirm',
  'signIn.sent.magic',
  'signIn.sent.forgot',
  'signIn.errors.mailSoon',
  'account.emailSent',
  'account.nonce',
  'people.invite.mailed',
  'people.invitation.sentAgain',
  'people.invitation.again',
  'notificationSettings.hour',
  'notificationSettings.zoneHint',
  'admin.mailed',
  'admin.project.mailed',
  'admin.mail.test',
] satisfies readonly Key[];
const promise = new RegExp(promises.map((key) => `[^\\n]*${inside(key)}[^\\n]*`).join('|'), 'g');

/** Lines of a screen that promise email. */
async function promisesOf(page: Page): Promise<readonly string[]> {
  const said = await page.locator('body').innerText();
  return said.match(promise) ?? [];
}

const admin = () => site.app.client({ key: site.app.serviceKey }).auth.admin;

async function accountOf(email: string, name = 'Ada Lovelace'): Promise<string> {
  const { data, error } = await admin().createUser({ email, password, email_confirm: true, user_metadata: { name } });
  if (error) throw error;
  return data.user.id;
}

async function signIn(email: string): Promise<Page> {
  await guest.page.goto('/sign-in');
  await fillSignIn(guest.page, email);
  await guest.page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  return guest.page;
}

describe('without the inbox of developers', () => {
  // Addresses have to be confirmed, and nothing can confirm them but the administrator.
  eachStory(begin, () => startSite({ PRODUCTION: 'true', AUTH_AUTOCONFIRM: 'false' }));

  test('a forgotten password leads to what works, without a message that never comes', async () => {
    const { page } = guest;
    const id = await accountOf('ada.forgot@example.test');
    await page.goto('/sign-in');
    await page.getByRole('button', { name: t('common.signIn'), exact: true }).waitFor();
    // Browsers refuse passkeys at an IP address, which this is.
    expect(await page.getByRole('button', { name: t('signIn.doPasskey') }).count()).toBe(0);
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'sign-in');
    await page.getByRole('link', { name: t('signIn.forgot') }).click();
    await page.getByText(t('signIn.noMail.title')).waitFor();
    await page.getByText(t('signIn.noMail.words')).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'forgot');
    // A link that was used leads there too.
    await page.goto('/reset');
    await page.getByRole('link', { name: t('signIn.titleForgot') }).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    expect((await admin().updateUserById(id, { password: 'set on the server' })).error).toBeNull();
    await page.goto('/sign-in');
    await fillSignIn(page, 'ada.forgot@example.test', 'set on the server');
    await page.getByRole('heading', { name: t('common.nav.projects'), level: 1 }).waitFor();
  });

  test('an address that has to be confirmed is confirmed by the administrator', async () => {
    const { page } = guest;
    const email = 'grace.unconfirmed@example.test';
    await page.goto('/sign-up');
    await fillSignUp(page, 'Grace', email);
    await page.getByText(t('signIn.noMail.confirm')).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'signed-up');
    await page.goto('/sign-in');
    await fillSignIn(page, email);
    await page.getByText(t('signIn.noMail.confirm')).waitFor();
    expect(await page.getByRole('button', { name: t('signIn.resend') }).count()).toBe(0);
    await pictureLooks(guest.page, 'unconfirmed');
    const [{ id } = { id: '' }] = await site.app.sql<{ id: string }>('select id from auth.users where email = $1', [
      email,
    ]);
    expect((await admin().updateUserById(id, { email_confirm: true })).error).toBeNull();
    await signIn(email);
  });

  test('the account offers no change of address, and says that no emails are sent', async () => {
    await accountOf('ada.account@example.test');
    const page = await signIn('ada.account@example.test');
    await page.goto('/app/account');
    const notices = page.getByRole('region', { name: t('common.news'), exact: true });
    await notices.getByText(t('notificationSettings.noMail')).waitFor();
    await notices.getByText(t('notificationSettings.zoneHintNoMail')).waitFor();
    expect(await notices.getByLabel(saying('signIn.email')).count()).toBe(0);
    await page.getByText(t('account.emailNoMail')).waitFor();
    expect(await page.getByRole('button', { name: t('account.changeEmail') }).count()).toBe(0);
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'account');
    await notices.scrollIntoViewIfNeeded();
    await pictureLooks(guest.page, 'notifications');
  });

  test('an invitation shows its link to copy, and a renewed one its new link', async () => {
    await accountOf('ada.invites@example.test');
    const page = await signIn('ada.invites@example.test');
    const projectId = await createProject(page, 'Harbour');
    await page.goto(`/app/projects/${projectId}/people`);
    await page
      .getByRole('button', { name: t('projects.invite') })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
    await dialog.getByLabel(t('people.invite.emails')).fill('bob@example.test');
    await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }), exact: true }).click();
    await dialog.getByText(t('people.invite.notMailed')).waitFor();
    await dialog.getByRole('button', { name: t('people.invitation.copy', { email: 'bob@example.test' }) }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'invited');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: t('people.invitation.renew', { email: 'bob@example.test' }) }).click();
    await page.getByText(t('people.invitation.renewed', { email: 'bob@example.test' })).waitFor();
    expect(await page.getByLabel(t('people.invitation.linkOf', { email: 'bob@example.test' })).inputValue()).not.toBe(
      link,
    );
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'renewed');
  });

  test('the admin pages create accounts by a link and offer no test email', async () => {
    await accountOf('olga@example.test', 'Olga');
    await site.app.sql('select private.set_operator($1, true)', ['olga@example.test']);
    const owner = await site.app.createUser({ name: 'Owner' });
    await owner.client.rpc('create_project_with_defaults', { name: 'Orchard' });
    const page = await signIn('olga@example.test');
    await page.goto('/admin/accounts');
    await page.getByRole('button', { name: t('admin.create') }).click();
    const dialog = page.getByRole('dialog', { name: t('admin.create') });
    expect(await dialog.getByLabel(t('admin.how')).count()).toBe(0);
    await dialog.getByLabel(t('signIn.email')).fill('new@example.test');
    await pictureLooks(guest.page, 'new-account');
    await dialog.getByRole('button', { name: t('signIn.doUp') }).click();
    await dialog.getByLabel(t('admin.link'), { exact: true }).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await page.goto('/admin/mail');
    await page.getByText(t('admin.mail.noServer')).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'mail');
    await page.goto('/admin/state');
    await page
      .getByRole('region', { name: t('admin.change.title') })
      .getByLabel(t('admin.change.names.SMTP_URL'))
      .waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await page.goto('/admin/projects');
    await page.getByRole('button', { name: /^Orchard/ }).click();
    await page.getByRole('button', { name: t('admin.project.enter') }).click();
    await page.getByText(t('admin.project.enterWords')).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'enter');
  });

  test('the landing page asks for no address', async () => {
    const { page } = guest;
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.locator('#news').isVisible()).toBe(false);
  });
});

describe('with the inbox of developers', () => {
  eachStory(begin);

  test('a forgotten password says before and after that the link is in that inbox', async () => {
    const { page } = guest;
    await page.goto('/sign-in');
    await page.getByRole('button', { name: t('common.signIn'), exact: true }).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await page.getByRole('link', { name: t('signIn.forgot') }).click();
    await page.getByText(t('signIn.noMail.inDevInbox')).waitFor();
    await page.getByLabel(t('signIn.email')).fill('ada@example.test');
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'forgot-kept');
    await page.getByRole('button', { name: t('signIn.noMail.make') }).click();
    await page.getByText(t('signIn.noMail.inDevInboxTitle')).waitFor();
    await page.getByRole('link', { name: t('signIn.noMail.open') }).waitFor();
    expect(await promisesOf(page)).toEqual([]);
    await pictureLooks(guest.page, 'forgot-kept-done');
  });

  test('a new address waits in that inbox', async () => {
    const { page } = guest;
    await guest.settle('Ada Lovelace');
    await page.goto('/app/account');
    await page.getByLabel(t('account.newEmail')).fill('ada.new@example.test');
    await page.getByRole('button', { name: t('account.changeEmail') }).click();
    await page.getByText(t('signIn.noMail.inDevInbox')).waitFor();
    expect(await promisesOf(page)).toEqual([]);
  });
});
