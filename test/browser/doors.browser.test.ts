// Every way in, in a real browser, with real mail: confirmation, links, resets, invitations, a second factor, a passkey,
// a provider; and what one changes about one's own way in. Each test has an account and a browser of its own.

import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../helpers/find-free-port.ts';
import { type Issuer, startIssuer } from '../identity/issuer.ts';
import { type MailedApp, startMailedApp } from '../identity/mailed-app.ts';
import { offences } from './accessibility.ts';
import { createProject, fillSignIn, fillSignUp, password, type Site, startSite, type Visitor } from './pages.ts';
import { noteRequests } from './sent-secrets.ts';
import { saying, t } from './words.ts';

let issuer: Issuer;
let site: Site<MailedApp>;
let ada: Visitor;
let adaMail: string;
let count = 0;

beforeAll(async () => {
  issuer = await startIssuer();
  // Passkeys are bound to a name; a browser takes none for a bare number.
  const port = await findFreePort('127.0.0.1');
  site = await startSite(
    {
      PORT: String(port),
      SITE_URL: `http://localhost:${port}`,
      AUTH_LIMIT_MAIL: '0',
      GOOGLE_CLIENT_ID: 'kanbase',
      GOOGLE_CLIENT_SECRET: 'not a secret',
      GOOGLE_ISSUER: issuer.url,
    },
    startMailedApp,
  );
}, 120_000);
beforeEach(async () => {
  ada = await site.visit();
  adaMail = `ada.${++count}@example.test`;
});
afterEach(async () => {
  const { troubles } = ada;
  await ada.close();
  expect(troubles).toEqual([]);
});
afterAll(async () => {
  await site?.close();
  await issuer?.close();
});

const home = (page: Page) => page.getByRole('heading', { name: t('common.nav.projects'), level: 1 });

/** The next link sent to someone; notices, which have none, are passed over. */
async function linkTo(to: string): Promise<string> {
  for (;;) {
    const { link } = await site.app.post.next(to);
    if (link !== '') return link;
  }
}

/** Opens it as its reader does: the page, then its button. */
async function follow(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button').click();
}

const followMail = async (page: Page, to: string): Promise<void> => follow(page, await linkTo(to));

/** Ada has an account, confirmed, and is signed in. */
async function signIn(): Promise<Page> {
  const { page } = ada;
  const made = await site.app
    .client({ key: site.app.serviceKey })
    .auth.admin.createUser({ email: adaMail, password, email_confirm: true, user_metadata: { name: 'Ada Lovelace' } });
  if (made.error !== null) throw made.error;
  await page.goto('/sign-in');
  await fillSignIn(page, adaMail);
  await home(page).waitFor();
  return page;
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/app/account');
  await page.getByRole('button', { name: t('account.signOut') }).click();
  await page.getByRole('heading', { name: t('common.signIn') }).waitFor();
}

describe('with mail', () => {
  test('an account is confirmed by its mail; before that signing in says so and sends another', async () => {
    const { page } = ada;
    await page.goto('/app/my-tasks');
    await page.getByRole('link', { name: t('signIn.toUp') }).click();
    await fillSignUp(page, 'Ada Lovelace', adaMail);
    await page.getByText(t('signIn.sent.confirm', { email: adaMail })).waitFor();
    await site.app.post.next(adaMail);

    await page.getByRole('link', { name: t('common.signIn'), exact: true }).click();
    await fillSignIn(page, adaMail);
    await page.getByRole('alert').getByText(t('signIn.errors.unconfirmed')).waitFor();
    await page.getByRole('button', { name: t('signIn.resend') }).click();
    await page.getByText(t('signIn.sent.confirm', { email: adaMail })).waitFor();
    await followMail(page, adaMail);
    // Where she wanted to go in the first place.
    await page.waitForURL(/\/app\/my-tasks$/);
    await page.getByRole('heading', { name: t('common.nav.myTasks') }).waitFor();
  });

  test('a sign-in link works once, and brings back to the page that asked', async () => {
    const page = await signIn();
    await signOut(page);
    await page.goto('/app/dashboard');
    await page.getByRole('button', { name: t('signIn.doMagic') }).click();
    await page.getByRole('alert').getByText(t('signIn.errors.emailMissing')).waitFor();
    await page.getByLabel(t('signIn.email')).fill(adaMail);
    await page.getByRole('button', { name: t('signIn.doMagic') }).click();
    await page.getByText(t('signIn.sent.magic', { email: adaMail })).waitFor();
    const link = await linkTo(adaMail);
    await follow(page, link);
    await page.waitForURL(/\/app\/dashboard$/);
    await signOut(page);
    await follow(page, link);
    await page.getByText(t('signIn.troubles.link_used')).waitFor();
  });

  test('a forgotten password is replaced by way of a mail', async () => {
    const page = await signIn();
    await signOut(page);
    await page.getByRole('link', { name: t('signIn.forgot') }).click();
    await page.getByRole('button', { name: t('signIn.doForgot') }).click();
    await page.getByRole('alert').getByText(t('signIn.errors.emailMissing')).waitFor();
    await page.getByLabel(t('signIn.email')).fill(adaMail);
    await page.getByRole('button', { name: t('signIn.doForgot') }).click();
    await page.getByText(t('signIn.sent.forgot', { email: adaMail })).waitFor();
    await followMail(page, adaMail);
    await page.getByRole('heading', { name: t('signIn.titleReset') }).waitFor();
    await page.getByLabel(t('common.newPassword')).fill('abc');
    await page.getByRole('button', { name: t('signIn.doReset') }).click();
    await page
      .getByRole('alert')
      .getByText(t('signIn.errors.passwordShort', { n: 6 }))
      .waitFor();
    await page.getByLabel(t('common.newPassword')).fill('a new way in');
    await page.getByRole('button', { name: t('signIn.doReset') }).click();
    await home(page).waitFor();
    await signOut(page);
    await fillSignIn(page, adaMail, password);
    await page.getByText(t('signIn.errors.credentials')).waitFor();
    await fillSignIn(page, adaMail, 'a new way in');
    await home(page).waitFor();
  });

  test('an invitation brings in a new person after the confirmation, and one with an account at once', async () => {
    const page = await signIn();
    const projectId = await createProject(page, 'Harbour');
    const invite = async (email: string): Promise<string> => {
      await page.getByRole('button', { name: t('projects.invite') }).click();
      const dialog = page.getByRole('dialog', { name: t('people.invite.title', { project: 'Harbour' }) });
      await dialog.getByLabel(t('people.invite.emails')).fill(email);
      await dialog.getByRole('button', { name: t('people.invite.send', { n: 1 }), exact: true }).click();
      await dialog.getByText(t('people.invite.mailed')).waitFor();
      await page.keyboard.press('Escape');
      const { text } = await site.app.post.next(email);
      return /https?:\/\/\S+\/invitation#\S+/.exec(text)?.[0] ?? '';
    };

    const link = await invite('bob@example.test');
    const bob = await site.visit();
    await bob.page.goto(link);
    await bob.page.getByRole('link', { name: t('signIn.doUp') }).click();
    await bob.page.getByText(t('signIn.invitation.who', { who: 'Ada Lovelace', project: 'Harbour' })).waitFor();
    await fillSignUp(bob.page, 'Bob', 'bob@example.test');
    await bob.page.getByText(t('signIn.sent.confirm', { email: 'bob@example.test' })).waitFor();
    await followMail(bob.page, 'bob@example.test');
    await bob.page.getByText(t('signIn.invitation.asYou', { email: 'bob@example.test' })).waitFor();
    await bob.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await bob.page.waitForURL(new RegExp(`/app/projects/${projectId}/board`));
    await bob.page.getByRole('heading', { name: 'Harbour' }).waitFor();

    // A used link says so when it is opened again; so does someone else's link.
    const eve = await site.visit();
    await site.app.createUser({ name: 'Eve', email: 'eve@example.test' });
    await site.app.sql(
      "update auth.users set encrypted_password = a.encrypted_password from auth.users a where auth.users.email = 'eve@example.test' and a.email = $1",
      [adaMail],
    );
    const theirs = await invite('eve@example.test');
    await eve.page.goto(link);
    await eve.page.getByText(t('signIn.invitation.gone')).waitFor();
    await bob.page.goto(theirs);
    await bob.page
      .getByText(t('signIn.invitation.forOther', { invited: 'eve@example.test', email: 'bob@example.test' }))
      .waitFor();
    expect(await bob.page.getByRole('button', { name: t('signIn.invitation.accept') }).count()).toBe(0);
    await eve.page.goto(theirs);
    await eve.page.getByRole('link', { name: t('common.signIn'), exact: true }).click();
    await fillSignIn(eve.page, 'eve@example.test');
    await eve.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await eve.page.waitForURL(new RegExp(`/app/projects/${projectId}/board`));
    expect([...bob.troubles, ...eve.troubles]).toEqual([]);
    await Promise.all([bob.close(), eve.close()]);
  });

  test('a new address has to be confirmed at both ends', async () => {
    const page = await signIn();
    const next = `king.${adaMail}`;
    await page.goto('/app/account');
    await page.getByLabel(t('account.newEmail')).fill('ada@');
    await page.getByRole('button', { name: t('account.changeEmail') }).click();
    await page.getByRole('alert').getByText(t('signIn.errors.emailWrong')).waitFor();
    await page.getByLabel(t('account.newEmail')).fill(next);
    await page.getByRole('button', { name: t('account.changeEmail') }).click();
    await page.getByText(t('account.emailSent', { email: next })).waitFor();
    await followMail(page, adaMail);
    await page.getByText(t('account.emailHalf')).waitFor();
    await followMail(page, next);
    await page.getByRole('heading', { name: t('common.nav.account'), exact: true }).waitFor();
    await page
      .getByRole('region', { name: t('common.emailAddress') })
      .getByText(next)
      .waitFor();
  });
});

describe('other ways', () => {
  test('a provider that is configured has its button', async () => {
    const guest = await site.visit();
    issuer.claims = {
      sub: 'google-grace',
      aud: 'kanbase',
      email: 'grace@example.test',
      email_verified: true,
      name: 'Grace Hopper',
    };
    await guest.page.goto('/app/my-tasks');
    await guest.page.getByRole('button', { name: t('signIn.with', { provider: 'Google' }) }).click();
    await guest.page.waitForURL(/\/app\/my-tasks$/);
    await guest.page.getByRole('button', { name: 'Grace Hopper' }).waitFor();
    expect(guest.troubles).toEqual([]);
    await guest.close();
  });

  test('an invitation is accepted by way of a provider, and its secret is in no address', async () => {
    const owner = await site.app.createUser({ name: 'Olga' });
    const { data: project } = await owner.client.rpc('create_project_with_defaults', { name: 'Orchard' });
    const { data: invited } = await owner.client.rpc('invite_member', {
      project_id: project.id,
      email: 'gerd@example.test',
      role: 'editor',
    });
    issuer.claims = {
      sub: 'google-gerd',
      aud: 'kanbase',
      email: 'gerd@example.test',
      email_verified: true,
      name: 'Gerd',
    };
    const guest = await site.visit();
    const requestsWith = noteRequests(guest.page);
    await guest.page.goto(`/invitation#${invited.token}`);
    await guest.page.getByRole('link', { name: t('signIn.doUp') }).click();
    await guest.page.getByText(t('signIn.invitation.who', { who: 'Olga', project: 'Orchard' })).waitFor();
    await guest.page.getByRole('button', { name: t('signIn.with', { provider: 'Google' }) }).click();
    await guest.page.getByRole('button', { name: t('signIn.invitation.accept') }).click();
    await guest.page.waitForURL(new RegExp(`/app/projects/${project.id}/board`));
    expect(await requestsWith(invited.token)).toEqual([]);
    expect(guest.troubles).toEqual([]);
    await guest.close();
  });

  test('a passkey is made in the account and opens the door by itself', async () => {
    const page = await signIn();
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/app/account');
    await page.getByRole('button', { name: t('account.addPasskey') }).click();
    await page.getByText(t('account.passkeyDone')).waitFor();
    await page.getByRole('button', { name: saying('account.passkeyRename', { name: 'Chrome on ' }) }).click();
    await page.getByLabel(t('account.passkeyNewName')).fill('Work laptop');
    await page.getByLabel(t('account.passkeyNewName')).press('Enter');
    await page.getByText('Work laptop').waitFor();
    await signOut(page);
    await page.goto('/app/dashboard');
    await page.getByRole('button', { name: t('signIn.doPasskey') }).click();
    await page.waitForURL(/\/app\/dashboard$/);
    await page.goto('/app/account');
    await page.getByRole('button', { name: t('account.removePasskey', { name: 'Work laptop' }) }).click();
    await page.getByText(t('account.passkeyGone')).waitFor();
    await signOut(page);
    await page.getByRole('button', { name: t('signIn.doPasskey') }).click();
    await page.getByRole('alert').waitFor();
    await devices.send('WebAuthn.disable');
    await fillSignIn(page, adaMail);
    await home(page).waitFor();
  });

  test('a second factor is asked for before any screen is shown, whatever address is opened', async () => {
    const page = await signIn();
    await page.goto('/app/account');
    await page.getByRole('button', { name: t('account.enrol') }).click();
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    // A step may pass before one is looked at: a code of this one or the next is good then, too.
    const code = (stepsAway: number): string =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAway * 30_000 });
    await page.getByLabel(saying('signIn.code')).fill(code(0));
    await page.getByRole('button', { name: t('account.confirm') }).click();
    await page.getByText(t('account.factorDone')).waitFor();
    await signOut(page);

    await page.goto('/app/my-tasks');
    await fillSignIn(page, adaMail);
    await page.getByRole('heading', { name: t('common.twoFactor') }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await offences(page)).toEqual([]);
    }
    // Signed in, but not in: no address of the app opens.
    for (const address of ['/app', '/app/account', '/reset']) {
      await page.goto(address);
      await page.getByRole('heading', { name: t('common.twoFactor') }).waitFor();
    }
    await page.goto('/app/my-tasks');
    await page.getByLabel(saying('signIn.code')).fill('000000');
    await page.getByRole('button', { name: t('common.continue') }).click();
    await page.getByRole('alert').getByText(t('signIn.errors.codeWrong')).waitFor();
    await page.getByLabel(saying('signIn.code')).fill(code(1));
    await page.getByRole('button', { name: t('common.continue') }).click();
    await page.waitForURL(/\/app\/my-tasks$/);
    await page.getByRole('heading', { name: t('common.nav.myTasks') }).waitFor();
  });

  test('signing out everywhere else ends the other sessions and keeps this one', async () => {
    const page = await signIn();
    const phone = await site.visit();
    await phone.page.context().addCookies(await page.context().cookies());
    const laptop = await site.visit();
    await laptop.page.goto('/sign-in');
    await fillSignIn(laptop.page, adaMail);
    await home(laptop.page).waitFor();
    await page.goto('/app/account');
    await page.getByRole('button', { name: t('account.signOutOthers') }).click();
    await page.getByText(t('account.othersOut')).waitFor();
    await expect
      .poll(() =>
        site.app.sql(
          'select count(*)::int as n from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
          [adaMail],
        ),
      )
      .toEqual([{ n: 1 }]);
    await page.reload();
    await page.getByRole('heading', { name: t('common.nav.account'), exact: true }).waitFor();
    await Promise.all([phone.close(), laptop.close()]);
  });
});

test('an account that an operator made: the link of its mail leads to choosing a password', async () => {
  const { page } = ada;
  const admin = site.app.client({ key: site.app.serviceKey }).auth.admin;
  const made = await admin.inviteUserByEmail(adaMail, { redirectTo: `${site.app.services.siteUrl}/reset` });
  expect(made.error).toBeNull();
  await followMail(page, adaMail);
  await page.getByLabel(t('common.newPassword')).fill(password);
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('button', { name: t('signIn.doReset') }).click();
  await home(page).waitFor();
});
