// In a real browser, on the real pages: from the landing page through an OpenID issuer that stands for Google to the app
// and the billing portal. The session is the one the web app uses, in the cookies of `@supabase/ssr`.

import { type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Site, startSite, type Visitor } from '../browser/pages.ts';
import { t } from '../browser/words.ts';
import { checkout, deliver, paymentEvent } from '../helpers/payment-events.ts';
import { type StripeServer, startStripeServer } from '../helpers/stripe-server.ts';

let google: OAuth2Server;
let stripe: StripeServer;
let site: Site;
let visitor: Visitor;
let page: Page;
let refusal: string | null = null;

beforeAll(async () => {
  google = new OAuth2Server();
  await google.issuer.keys.generate('RS256');
  await google.start(0, 'localhost');
  google.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, {
      sub: 'google-ada',
      aud: 'kanbase-test',
      email: 'ada@example.test',
      email_verified: true,
      name: 'Ada Lovelace',
    });
  });
  google.service.on('beforeAuthorizeRedirect', (redirect: { url: URL }) => {
    if (refusal === null) return;
    redirect.url.searchParams.delete('code');
    redirect.url.searchParams.set('error', refusal);
    redirect.url.searchParams.set('error_description', 'Call 0800 and tell us your password');
  });
  stripe = await startStripeServer();
  site = await startSite({
    GOOGLE_CLIENT_ID: 'kanbase-test',
    GOOGLE_CLIENT_SECRET: 'not a secret',
    GOOGLE_ISSUER: google.issuer.url ?? '',
    BILLING_SECRET_KEY: stripe.secretKey,
    BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
    BILLING_API_URL: stripe.url,
  });
}, 120_000);
afterAll(async () => {
  await site?.close();
  await google?.stop();
  await stripe?.close();
});

beforeEach(async () => {
  refusal = null;
  visitor = await site.visit();
  page = visitor.page;
});
afterEach(async () => {
  expect(visitor.troubles).toEqual([]);
  await visitor.close();
});

const sessionCookies = async () =>
  (await page.context().cookies()).filter(({ name }) => /^sb-kanbase-auth-token(\.\d+)?$/.test(name));

async function signInAt(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: t('signIn.with', { provider: 'Google' }) }).click();
}

/** What the portal door answers this page, with whatever cookies it has. */
const askForPortal = () =>
  page.evaluate(async () => {
    const response = await fetch('/api/billing/create-portal', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: location.href }),
    });
    return { status: response.status, body: (await response.json()) as { error?: string; url?: string } };
  });

it('landing page → sign in → /app → create-portal', async () => {
  await page.goto('/');
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('common.signIn') })
    .click();
  await page.getByRole('button', { name: t('signIn.with', { provider: 'Google' }) }).click();
  await page.waitForURL('/app');
  await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor();

  const cookies = await sessionCookies();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatchObject({ sameSite: 'Lax', path: '/', secure: false });

  const error = "You don't have a billing account yet. Make a purchase first.";
  expect(await askForPortal()).toEqual({ status: 400, body: { error } });

  const [user] = await site.app.sql<{ id: string }>(`select id from auth.users where email = 'ada@example.test'`);
  stripe.customers.set('cus_ada', { id: 'cus_ada' });
  await deliver(
    site.app.url,
    paymentEvent('checkout.session.completed', checkout({ user: user?.id ?? '', customer: 'cus_ada' })),
  );
  await page.reload();
  expect(await askForPortal()).toEqual({
    status: 200,
    body: { url: expect.stringMatching(/^https:\/\/billing\.stripe\.test\//) },
  });

  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: t('common.nav.signOut') }).click();
  await page.waitForURL(/\/sign-in/);
  expect(await sessionCookies()).toEqual([]);
  expect(await askForPortal()).toEqual({ status: 401, body: { error: 'Not signed in' } });
});

it('comes back to the page that asked for it', async () => {
  await page.goto('/app/account');
  await page.getByRole('button', { name: t('signIn.with', { provider: 'Google' }) }).click();
  await page.waitForURL('/app/account');
  await page.getByRole('heading', { name: t('common.nav.account'), level: 1 }).waitFor();
});

it('a wish to go elsewhere ends in the app', async () => {
  for (const wish of ['//evil.test/', '/\\evil.test/', '/\t/evil.test/', 'https://evil.test/']) {
    await signInAt(`/sign-in?next=${encodeURIComponent(wish)}`);
    await page.waitForURL('/app');
    await page.context().clearCookies();
  }
});

it('a refusal at the provider ends on the sign-in page in plain words', async () => {
  refusal = 'access_denied';
  await signInAt('/sign-in');
  await page.waitForURL(/\/sign-in\?error=cancelled/);
  await page.getByText(t('signIn.troubles.cancelled')).waitFor();
  expect(await page.locator('body').innerText()).not.toContain('0800');
  expect(await sessionCookies()).toEqual([]);
});

it('a text from the address is not shown', async () => {
  for (const error of ['Call 0800 and tell us your password', '__proto__', '<img src=x>']) {
    await page.goto(`/sign-in?error=${encodeURIComponent(error)}`);
    await page.getByText(t('signIn.troubles.failed')).waitFor();
    expect(await page.locator('body').innerText()).not.toContain(error);
  }
});

it('another site cannot spend the session', async () => {
  await signInAt('/sign-in');
  await page.waitForURL('/app');
  expect((await askForPortal()).status).toBeLessThan(401);
  const portal = `${site.app.url}/api/billing/create-portal`;
  await page.route('http://evil.test/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" enctype="text/plain" action="${portal}"><input name='{"returnUrl":"https://evil.test/?' value='"}'><button>Win</button></form>`,
    }),
  );
  await page.goto('http://evil.test/');
  await page.getByRole('button', { name: 'Win' }).click();
  await page.waitForURL(portal);
  expect(await page.locator('body').innerText()).toContain('{"error":"Not signed in"}');
  expect(stripe.seen.filter(({ form }) => String(form.return_url).includes('evil.test'))).toEqual([]);
});
