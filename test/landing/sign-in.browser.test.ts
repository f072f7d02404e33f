// In a real browser, from the landing page through an OpenID issuer that stands for Google to the app and the billing
// portal. The pages here are as small as pages can be, so that what is tested is the server: its redirects, its cookies,
// its headers; they use the official browser client, as ours do.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { openBrowser } from '../helpers/open-browser.ts';
import { checkout, deliver, paymentEvent } from '../helpers/payment-events.ts';
import { type StripeServer, startStripeServer } from '../helpers/stripe-server.ts';

const script = `
  import { createBrowserClient } from '@supabase/ssr';
  const settings = JSON.parse(document.querySelector('meta[name=kanbase-settings]').content);
  const client = createBrowserClient(location.origin, settings.anonKey, { cookieOptions: { name: 'sb-kanbase-auth-token' } });
  const next = new URLSearchParams(location.search).get('next') ?? '/app';
  document.querySelector('#google')?.addEventListener('click', () =>
    client.auth.signInWithOAuth({ provider: 'google', options: { redirectTo: location.origin + '/auth/callback?next=' + encodeURIComponent(next) } }));
  document.querySelector('#error')?.append(new URLSearchParams(location.search).get('error') ?? '');
  document.querySelector('#out')?.addEventListener('click', async () => { await client.auth.signOut(); location.assign('/'); });
  document.querySelector('#portal')?.addEventListener('click', async () => {
    const answer = await fetch('/api/billing/create-portal', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ returnUrl: location.href }) });
    document.querySelector('#said').textContent = answer.status + ' ' + await answer.text();
  });
  const { data } = await client.auth.getUser();
  document.querySelector('#who')?.append(data.user?.email ?? 'nobody');
  document.documentElement.dataset.ready = 'yes';
`;

const pages: Record<string, string> = {
  index: '<a id="start" href="/sign-in">Sign in</a>',
  'sign-in': '<p id="error"></p><button id="google">Google</button>',
  app: '<p id="who"></p><button id="portal">Billing</button><p id="said"></p><button id="out">Sign out</button>',
  '404': '<p>Not here</p>',
};

let google: OAuth2Server;
let stripe: StripeServer;
let app: TestApp;
let browser: Browser;
let directory: string;
let context: BrowserContext;
let page: Page;
let refusal: string | null = null;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kanbase-web-'));
  mkdirSync(join(directory, 'assets'));
  for (const [name, body] of Object.entries(pages))
    writeFileSync(
      join(directory, `${name}.html`),
      `<!doctype html><html><head><meta charset="utf-8"><title>${name}</title><meta name="kanbase-settings" content="{}"><script type="module" src="/assets/page.js"></script></head><body>${body}</body></html>`,
    );
  writeFileSync(join(directory, 'assets', 'page.js'), await bundle(script));

  google = new OAuth2Server();
  await google.issuer.keys.generate('RS256');
  await google.start(0, 'localhost');
  google.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, {
      sub: 'google-ada',
      aud: 'kanbase-test',
      email: 'ada@example.test',
      email_verified: true,
      name: 'Ada',
    });
  });
  google.service.on('beforeAuthorizeRedirect', (redirect: { url: URL }) => {
    if (refusal === null) return;
    redirect.url.searchParams.delete('code');
    redirect.url.searchParams.set('error', refusal);
  });

  stripe = await startStripeServer();
  [app, browser] = await Promise.all([
    startApp({
      settings: {
        WEB_DIR: directory,
        GOOGLE_CLIENT_ID: 'kanbase-test',
        GOOGLE_CLIENT_SECRET: 'not a secret',
        GOOGLE_ISSUER: google.issuer.url ?? '',
        BILLING_SECRET_KEY: stripe.secretKey,
        BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
        BILLING_API_URL: stripe.url,
      },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await google?.stop();
  await stripe?.close();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  refusal = null;
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

const at = (path: string) => app.url + path;
const text = (selector: string) => page.locator(selector).textContent();

async function signIn(from = '/'): Promise<void> {
  await page.goto(at(from));
  if (from === '/') await page.click('#start');
  await page.click('#google');
}

async function askForPortal(): Promise<string> {
  await page.click('#portal');
  await page.locator('#said:not(:empty)').waitFor();
  return (await text('#said')) ?? '';
}

it('landing page → sign in → /app → create-portal', async () => {
  await signIn();
  await page.waitForURL(at('/app'));
  await page.locator('#who:not(:empty)').waitFor();
  expect(await text('#who')).toBe('ada@example.test');

  const cookies = (await context.cookies()).filter(({ name }) => /^sb-kanbase-auth-token(\.\d+)?$/.test(name));
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatchObject({ sameSite: 'Lax', path: '/', secure: false });

  expect(await askForPortal()).toBe(
    `400 ${JSON.stringify({ error: "You don't have a billing account yet. Make a purchase first." })}`,
  );

  const [user] = await app.sql<{ id: string }>(`select id from auth.users where email = 'ada@example.test'`);
  stripe.customers.set('cus_ada', { id: 'cus_ada' });
  await deliver(
    app.url,
    paymentEvent('checkout.session.completed', checkout({ user: user?.id ?? '', customer: 'cus_ada' })),
  );
  await page.reload();
  expect(await askForPortal()).toMatch(/^200 \{"url":"https:\/\/billing\.stripe\.test\//);

  await page.click('#out');
  await page.waitForURL(at('/'));
  await page.goto(at('/app'));
  expect(await askForPortal()).toBe('401 {"error":"Not signed in"}');
});

it('comes back to the page that asked for it', async () => {
  await signIn(`/sign-in?next=${encodeURIComponent('/app/projects/7?view=board')}`);
  await page.waitForURL(at('/app/projects/7?view=board'));
  await page.locator('#who:not(:empty)').waitFor();
  expect(await text('#who')).toBe('ada@example.test');
});

it('a wish to go elsewhere ends in the app', async () => {
  for (const wish of ['//evil.test/', '/\\evil.test/', '/\t/evil.test/', 'https://evil.test/']) {
    await signIn(`/sign-in?next=${encodeURIComponent(wish)}`);
    await page.waitForURL(at('/app'));
  }
});

it('a refusal at the provider ends on the sign-in page in plain words', async () => {
  refusal = 'access_denied';
  await signIn();
  await page.waitForURL(/\/sign-in\?error=/);
  await page.locator('#error:not(:empty)').waitFor();
  expect(await text('#error')).toBe('Sign-in was cancelled. Nothing was changed; try again whenever you like.');
  expect((await context.cookies()).filter(({ name }) => /auth-token(\.\d+)?$/.test(name))).toEqual([]);
});

it('another site cannot spend the session', async () => {
  await signIn();
  await page.waitForURL(at('/app'));
  const elsewhere = app.url.replace('127.0.0.1', 'localhost'); // another site, as far as cookies go
  await page.goto(`${elsewhere}/app`);
  expect(await askForPortal()).toBe('401 {"error":"Not signed in"}');
  const opened = await page.evaluate(
    (url) =>
      fetch(url, {
        method: 'POST',
        mode: 'no-cors',
        credentials: 'include',
        body: '{"returnUrl":"https://evil.test"}',
      }).then(
        () => 'sent',
        () => 'blocked',
      ),
    at('/api/billing/create-portal'),
  );
  expect(opened).toBe('blocked'); // by the page's own policy; were it not, the cookie would stay at home
  expect(stripe.seen.filter(({ form }) => form.return_url === 'https://evil.test')).toEqual([]);
});

/** The page script with the official client in it, as one file. */
async function bundle(source: string): Promise<string> {
  const build = await rolldown({
    input: 'page',
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? join(process.cwd(), 'page.js') : null),
        load: (id) => (id === join(process.cwd(), 'page.js') ? source : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  return output[0].code;
}
