// Checkout and portal, every row of the interface's table and every order of its checks, with the real SDK talking to
// a stand-in for the provider.

import { afterEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { type CookieBrowser, cookieBrowser } from '../helpers/cookie-browser.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { checkout, deliver, paymentEvent } from '../helpers/payment-events.ts';
import { startStripeServer } from '../helpers/stripe-server.ts';

let number = 0;

const stripe = forSuite(startStripeServer);
const app = forSuite(() =>
  startApp({
    settings: {
      BILLING_SECRET_KEY: stripe.secretKey,
      BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
      BILLING_API_URL: stripe.url,
      BILLING_TIMEOUT_MS: '2500',
      AUTH_AUTOCONFIRM: 'true',
      SITE_URL: 'http://localhost:3000',
    },
  }),
);
const off = forSuite(() => startApp({ settings: { AUTH_AUTOCONFIRM: 'true', SITE_URL: 'http://localhost:3000' } }));
afterEach(() => stripe.calm());

const urls = {
  successUrl: 'http://localhost:3000/app?paid={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:3000/pricing',
};
const order = { priceId: 'price_team', ...urls, mode: 'subscription' };
const modeText =
  "Mode is required (either 'payment' for one-time payments or 'subscription' for recurring subscription)";

type Poster = { fetch(path: string, init?: RequestInit): Promise<Response> };
const anyone = (at: TestApp): Poster => ({ fetch: (path, init) => fetch(`${at.url}${path}`, init) });

async function post(who: Poster, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await who.fetch(`/api/billing/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown, response };
}

async function signedIn(at: TestApp, name?: string): Promise<CookieBrowser & { id: string; email: string }> {
  const browser = cookieBrowser(at.url, at.anonKey, name);
  number += 1;
  const email = `buyer${number}@example.test`;
  const { data, error } = await browser.client.auth.signUp({ email, password: 'correct horse' });
  if (error || !data.user) throw error ?? new Error('no user');
  return { ...browser, id: data.user.id, email };
}

async function bought(user: { id: string }, customer: string): Promise<void> {
  stripe.customers.set(customer, { id: customer, object: 'customer' });
  await deliver(app.url, paymentEvent('checkout.session.completed', checkout({ user: user.id, customer })));
}

describe('create-checkout', () => {
  const refused: Array<[name: string, body: unknown, error: string]> = [
    ['an empty body', '', 'Price ID is required'],
    ['nothing', {}, 'Price ID is required'],
    ['only a price', { priceId: 'price_team' }, 'Success and cancel URLs are required'],
    ['no price, all else', { ...order, priceId: undefined }, 'Price ID is required'],
    ['an empty price', { ...order, priceId: ' ' }, 'Price ID is required'],
    ['no success address', { ...order, successUrl: undefined }, 'Success and cancel URLs are required'],
    ['no cancel address', { ...order, cancelUrl: '' }, 'Success and cancel URLs are required'],
    ['no mode', { ...order, mode: undefined }, modeText],
    ['no price and no mode', { ...urls }, 'Price ID is required'],
    ['no addresses and no mode', { priceId: 'price_team', mode: null }, 'Success and cancel URLs are required'],
    ['a bad address and no mode', { ...order, successUrl: 'nowhere', mode: undefined }, modeText],
    ['another mode', { ...order, mode: 'setup' }, modeText],
    ['a mode that is no text', { ...order, mode: ['payment'] }, modeText],
    ['a price that is no text', { ...order, priceId: { id: 'price_team' } }, 'Price ID must be a string'],
    [
      'an address that is none',
      { ...order, successUrl: 'nowhere' },
      'Success URL must be a valid address, such as http://localhost:3000/app',
    ],
    [
      'a path',
      { ...order, cancelUrl: '/pricing' },
      'Cancel URL must be a valid address, such as http://localhost:3000/app',
    ],
    [
      'an address with a space in it',
      { ...order, successUrl: 'https://localhost:3000/a b' },
      'Success URL must be a valid address, such as http://localhost:3000/app',
    ],
    [
      'an address without its slashes',
      { ...order, successUrl: 'https:localhost:3000' },
      'Success URL must be a valid address, such as http://localhost:3000/app',
    ],
    ['a script', { ...order, successUrl: 'javascript:alert(1)' }, 'Success URL must start with http:// or https://'],
    ['an address that is no text', { ...order, cancelUrl: 7 }, 'Cancel URL must be a string'],
    ['a price of any length', { ...order, priceId: 'p'.repeat(300) }, 'Price ID is too long: at most 255 characters'],
    ['half of a character', { ...order, priceId: '\ud800' }, 'Price ID has half of a character in it'],
    [
      'an address of any length',
      { ...order, cancelUrl: `http://localhost:3000/${'a'.repeat(2048)}` },
      'Cancel URL is too long: at most 2048 characters',
    ],
    ['a list', [order], 'The body must be a JSON object'],
    ['half a body', '{"priceId":', 'The body is not valid JSON'],
  ];
  for (const [name, body, error] of refused)
    it(`${name} is 400, configured or not`, async () => {
      for (const at of [app, off]) {
        const { status, body: result } = await post(anyone(at), 'create-checkout', body);
        expect([status, result]).toEqual([400, { error }]);
      }
      expect(stripe.seen).toEqual([]);
    });

  it('a form is 415 and a huge body 413, as { error }', async () => {
    const form = await post(anyone(app), 'create-checkout', 'priceId=1', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, form.body]).toEqual([415, { error: 'The body must be sent as application/json' }]);
    const huge = await post(anyone(app), 'create-checkout', { ...order, more: 'x'.repeat(100_000) });
    expect([huge.status, huge.body]).toEqual([413, { error: 'The request body is too large' }]);
  });

  it('not configured is 500 after the checks', async () => {
    const { status, body } = await post(anyone(off), 'create-checkout', order);
    expect([status, body]).toEqual([500, { error: 'Billing is not configured' }]);
  });

  it('anonymous: a hosted address, tied to nobody', async () => {
    const { status, body } = await post(anyone(app), 'create-checkout', order);
    expect([status, body]).toEqual([200, { url: expect.stringMatching(/^https:\/\/checkout\.stripe\.test\//) }]);
    expect(stripe.seen).toHaveLength(1);
    expect(stripe.seen[0]?.form).toEqual({
      mode: 'subscription',
      line_items: { 0: { price: 'price_team', quantity: '1' } },
      success_url: urls.successUrl,
      cancel_url: urls.cancelUrl,
      allow_promotion_codes: 'true',
      tax_id_collection: { enabled: 'true' },
      metadata: { price_id: 'price_team' },
      subscription_data: { metadata: { price_id: 'price_team' } },
    });
    expect(stripe.seen[0]?.idempotencyKey).toMatch(/^kanbase-/);
  });

  it('a single payment makes a customer, so that there is a portal afterwards', async () => {
    const { status } = await post(anyone(app), 'create-checkout', {
      ...order,
      priceId: 'price_lifetime',
      mode: 'payment',
    });
    expect(status).toBe(200);
    expect(stripe.seen[0]?.form).toMatchObject({ mode: 'payment', customer_creation: 'always' });
  });

  it('signed in: tied to the user by id and address', async () => {
    const user = await signedIn(app);
    const { status } = await post(user, 'create-checkout', order);
    expect(status).toBe(200);
    expect(stripe.seen[0]?.form).toMatchObject({
      client_reference_id: user.id,
      customer_email: user.email,
      subscription_data: { metadata: { user_id: user.id } },
    });
    expect(stripe.seen[0]?.form.customer).toBeUndefined();
  });

  it('signed in and known: tied to the customer', async () => {
    const user = await signedIn(app);
    await bought(user, `cus_known_${number}`);
    for (const body of [order, { ...order, priceId: 'price_lifetime', mode: 'payment' }]) {
      const { status, body: result } = await post(user, 'create-checkout', body);
      expect([status, result]).toEqual([200, { url: expect.any(String) }]);
    }
    for (const { form } of stripe.seen) {
      expect(form).toMatchObject({ customer: `cus_known_${number}`, client_reference_id: user.id });
      expect(form.customer_email).toBeUndefined();
    }
  });

  it("the provider's refusal is 500 with its message, and is not repeated", async () => {
    const { status, body } = await post(anyone(app), 'create-checkout', { ...order, priceId: 'price_unknown' });
    expect([status, body]).toEqual([500, { error: "No such price: 'price_unknown'" }]);
    expect(stripe.seen).toHaveLength(1);
  });

  it('a stumble of the provider is repeated with the same key', async () => {
    stripe.misbehave({ status: 500, message: 'stumbled' }, 1);
    const { status } = await post(anyone(app), 'create-checkout', order);
    expect(status).toBe(200);
    expect(stripe.seen).toHaveLength(2);
    expect(new Set(stripe.seen.map((one) => one.idempotencyKey)).size).toBe(1);
  });

  it('a connection that breaks is repeated', async () => {
    stripe.misbehave('hang up', 1);
    expect((await post(anyone(app), 'create-checkout', order)).status).toBe(200);
  });

  it('a client that repeats itself with its own key gets the same session', async () => {
    const again = { 'idempotency-key': 'click-1' };
    const first = await post(anyone(app), 'create-checkout', order, again);
    const second = await post(anyone(app), 'create-checkout', order, again);
    expect(second.body).toEqual(first.body);
    const other = await post(
      anyone(app),
      'create-checkout',
      { ...order, cancelUrl: 'http://localhost:3000/else' },
      again,
    );
    expect(other.status).toBe(200);
    expect(other.body).not.toEqual(first.body);
    // The key is the client's own: someone else with the same one gets a session of theirs.
    const buyer = await signedIn(app);
    const theirs = await post(buyer, 'create-checkout', order, again);
    expect(theirs.status).toBe(200);
    expect(theirs.body).not.toEqual(first.body);
  });

  it('sixty a minute from one address, then 429', async () => {
    const busy = await startApp({
      settings: {
        BILLING_SECRET_KEY: stripe.secretKey,
        BILLING_API_URL: stripe.url,
        SITE_URL: 'http://localhost:3000',
      },
    });
    const answers = await Promise.all(Array.from({ length: 90 }, () => post(anyone(busy), 'create-checkout', order)));
    await busy.close();
    // One a second comes back while they are asked.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(60);
    const late = answers.find(({ status }) => status !== 200);
    expect([late?.status, late?.body]).toEqual([
      429,
      {
        error: expect.stringMatching(/^Too many checkouts were started from here\. Try again in \d+ seconds?\.$/),
      },
    ]);
    expect(Number(late?.response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('an outage is 500 and holds no connection meanwhile', async () => {
    stripe.misbehave('hang', 100);
    const waiting = Array.from({ length: 8 }, () => post(anyone(app), 'create-checkout', order)); // twice the pool
    await app.request('/health');
    expect(app.database.stats().waiting).toBe(0);
    expect(await app.sql('select 1 as one')).toEqual([{ one: 1 }]);
    await app.database.ping();
    for (const { status, body } of await Promise.all(waiting)) {
      expect(status).toBe(500);
      expect(body).toEqual({
        error: 'The payment provider did not answer in time. Nothing was charged; try again in a moment.',
      });
    }
  });

  it('a wrong key is 500 with the words of the provider', async () => {
    const wrong = await startApp({
      settings: { BILLING_SECRET_KEY: 'sk_test_wrong_key', BILLING_API_URL: stripe.url },
    });
    try {
      const { status, body } = await post(anyone(wrong), 'create-checkout', order);
      expect([status, body]).toEqual([500, { error: expect.stringContaining('Invalid API Key provided') }]);
      expect(JSON.stringify(body)).not.toContain('sk_test_wrong_key');
    } finally {
      await wrong.close();
    }
  });

  const anywhere = 'https://example.com/done';
  const onSite = 'https://kanbase.example.test/app';
  const rules: Array<[name: string, settings: Record<string, string>, fine: string[], refused: string[]]> = [
    ["on a machine of one's own they lead anywhere", { SITE_URL: 'http://localhost:3000' }, [anywhere, onSite], []],
    ['on a public site they stay there', { SITE_URL: 'https://kanbase.example.test' }, [onSite], [anywhere]],
    [
      'they may be let go anywhere',
      { SITE_URL: 'https://kanbase.example.test', BILLING_REDIRECTS: 'any' },
      [anywhere, onSite, 'http://192.0.2.7:8080/'],
      [],
    ],
    [
      'they may be kept on the site and a list',
      { SITE_URL: 'https://kanbase.example.test', BILLING_REDIRECTS: 'site, https://shop.example.test/' },
      [onSite, 'https://shop.example.test/thanks'],
      [
        anywhere,
        'http://kanbase.example.test/',
        'https://kanbase.example.test:8443/',
        'https://kanbase.example.test.evil.test/',
        'https://kanbase.example.test@evil.test/',
      ],
    ],
    [
      'they may be kept on this machine',
      { SITE_URL: 'http://localhost:3000', BILLING_REDIRECTS: 'site' },
      ['http://localhost:3000/'],
      [anywhere],
    ],
  ];
  for (const [name, settings, fine, elsewhere] of rules)
    it(`return addresses: ${name}`, async () => {
      const one = await startApp({
        settings: { BILLING_SECRET_KEY: stripe.secretKey, BILLING_API_URL: stripe.url, ...settings },
      });
      const to = (successUrl: string) =>
        post(anyone(one), 'create-checkout', { ...order, successUrl, cancelUrl: successUrl });
      try {
        for (const address of fine) expect(await to(address), address).toMatchObject({ status: 200 });
        for (const address of elsewhere)
          expect(await to(address), address).toMatchObject({
            status: 400,
            body: { error: `Success URL must lie on ${settings.SITE_URL}, or on what BILLING_REDIRECTS lists` },
          });
      } finally {
        await one.close();
      }
    });
});

describe('create-portal', () => {
  const returnUrl = 'http://localhost:3000/app/billing';

  it('checks sign-in first, whatever the body', async () => {
    for (const at of [app, off])
      for (const body of [{}, { returnUrl }, '', '{"returnUrl":', '[]']) {
        const { status, body: result } = await post(anyone(at), 'create-portal', body);
        expect([status, result], JSON.stringify(body)).toEqual([401, { error: 'Not signed in' }]);
      }
  });

  it('then the return address, then the customer', async () => {
    for (const at of [app, off]) {
      const user = await signedIn(at);
      for (const body of [{}, { returnUrl: '' }, { returnUrl: null }, ''])
        expect(await post(user, 'create-portal', body)).toMatchObject({
          status: 400,
          body: { error: 'Return URL is required' },
        });
      expect(await post(user, 'create-portal', { returnUrl: 'nowhere' })).toMatchObject({
        status: 400,
        body: { error: 'Return URL must be a valid address, such as http://localhost:3000/app' },
      });
      expect(await post(user, 'create-portal', { returnUrl })).toMatchObject({
        status: 400,
        body: { error: "You don't have a billing account yet. Make a purchase first." },
      });
    }
    expect(stripe.seen).toEqual([]);
  });

  it('gives whoever bought something their portal', async () => {
    const user = await signedIn(app);
    await bought(user, `cus_portal_${number}`);
    const { status, body } = await post(user, 'create-portal', { returnUrl });
    expect([status, body]).toEqual([200, { url: expect.stringMatching(/^https:\/\/billing\.stripe\.test\//) }]);
    expect(stripe.seen.map((one) => one.form)).toEqual([{ customer: `cus_portal_${number}`, return_url: returnUrl }]);
    const other = await signedIn(app);
    expect((await post(other, 'create-portal', { returnUrl })).status).toBe(400);
  });

  it('sixty a minute of one account, then 429', async () => {
    const user = await signedIn(app);
    const answers = await Promise.all(Array.from({ length: 90 }, () => post(user, 'create-portal', { returnUrl })));
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(60);
    const late = answers.find(({ status }) => status !== 400);
    expect([late?.status, late?.body]).toEqual([
      429,
      { error: expect.stringMatching(/^You asked for the billing portal too often\. Try again in \d+ seconds?\.$/) },
    ]);
  });

  it('not configured is 500 once every check has passed', async () => {
    const user = await signedIn(off);
    await off.sql(`insert into billing.customers (id, user_id, livemode) values ('cus_before', $1, false)`, [user.id]);
    expect(await post(user, 'create-portal', { returnUrl })).toMatchObject({
      status: 500,
      body: { error: 'Billing is not configured' },
    });
  });

  it("a provider's failure is 500 with its message", async () => {
    const user = await signedIn(app);
    await bought(user, `cus_down_${number}`);
    stripe.misbehave({ status: 503, message: 'We are down for maintenance' }, 5);
    expect(await post(user, 'create-portal', { returnUrl })).toMatchObject({
      status: 500,
      body: { error: 'We are down for maintenance' },
    });
  });
});

describe('proof of being signed in', () => {
  const portal = (who: Poster, headers: Record<string, string> = {}) => post(who, 'create-portal', {}, headers);

  it('the session cookie, by our name and by the one a client derives', async () => {
    for (const name of ['sb-kanbase-auth-token', undefined, 'sb-myproject-auth-token']) {
      const user = await signedIn(app, name);
      expect((await portal(user)).status, String(name)).toBe(400);
    }
  });

  it('a bearer token of a user, but no key', async () => {
    const user = await signedIn(app);
    const { data } = await user.client.auth.getSession();
    expect((await portal(anyone(app), { authorization: `Bearer ${data.session?.access_token}` })).status).toBe(400);
    for (const token of [app.anonKey, app.serviceKey, 'nonsense', `${data.session?.access_token}x`])
      expect((await portal(anyone(app), { authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('no other header, field or cookie', async () => {
    const user = await signedIn(app);
    const claims: Array<Record<string, string>> = [
      { 'x-user-id': user.id },
      { cookie: `user=${user.id}; session=${user.id}` },
      { cookie: `sb-kanbase-auth-token=${encodeURIComponent(JSON.stringify({ user: { id: user.id } }))}` },
      { cookie: 'sb-kanbase-auth-token=base64-bm9uc2Vuc2U' },
      { cookie: `sb-kanbase-auth-token=${'x'.repeat(5000)}` },
    ];
    for (const headers of claims)
      expect((await portal(anyone(app), headers)).status, JSON.stringify(headers).slice(0, 80)).toBe(401);
    expect(
      (await post(anyone(app), 'create-portal', { user_id: user.id, returnUrl: 'http://localhost:3000/' })).status,
    ).toBe(401);
  });

  it('not on the word of another site', async () => {
    const user = await signedIn(app);
    const elsewhere: Array<Record<string, string>> = [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of elsewhere) expect((await portal(user, headers)).status, JSON.stringify(headers)).toBe(401);
    expect((await portal(user, { origin: app.url, 'sec-fetch-site': 'same-origin' })).status).toBe(400);
    expect((await portal(user, { origin: 'http://localhost:3000' })).status).toBe(400);
  });

  it('the session of another service on this host is left alone, ours is put away once it is worth nothing', async () => {
    const worthless = `base64-${Buffer.from('{"access_token":"x","refresh_token":"y","expires_at":1}').toString('base64url')}`;
    const other = await portal(anyone(app), { cookie: `sb-otherproject-auth-token=${worthless}` });
    expect([other.status, other.response.headers.getSetCookie()]).toEqual([401, []]);
    const ours = await portal(anyone(app), { cookie: `sb-kanbase-auth-token=${worthless}` });
    expect([ours.status, ours.response.headers.getSetCookie()]).toEqual([
      401,
      ['sb-kanbase-auth-token=; Max-Age=0; Path=/; SameSite=Lax'],
    ]);
  });

  it('no longer after signing out', async () => {
    const user = await signedIn(app);
    const kept = new Map(user.jar);
    await user.client.auth.signOut();
    expect(sessionIn(user.jar)).toEqual([]);
    for (const [cookie, value] of kept) user.jar.set(cookie, value);
    expect((await portal(user)).status).toBe(401);
  });

  it('with an expired token in the cookie: it is renewed, and the new cookies are set', async () => {
    const user = await signedIn(app, 'sb-kanbase-auth-token');
    const before = readJar(user.jar);
    writeJar(user.jar, { ...before, expires_at: Math.floor(Date.now() / 1000) - 10 });
    const { status, response } = await portal(user);
    expect(status).toBe(400);
    const set = response.headers.getSetCookie();
    expect(set.length).toBeGreaterThan(0);
    for (const line of set) expect(line).toMatch(/; Max-Age=\d+; Path=\/; SameSite=Lax$/);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const after = readJar(user.jar);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    expect(after.expires_at).toBeGreaterThan(Date.now() / 1000);
    expect((await portal(user)).status).toBe(400);
  });
});

interface JarSession {
  refresh_token: string;
  expires_at: number;
}

function sessionIn(jar: Map<string, string>): Array<[string, string]> {
  return [...jar].filter(([cookie]) => /-auth-token(\.\d+)?$/.test(cookie)).sort(([a], [b]) => a.localeCompare(b));
}

function readJar(jar: Map<string, string>): JarSession {
  const text = sessionIn(jar)
    .map(([, value]) => value)
    .join('');
  return JSON.parse(Buffer.from(text.replace(/^base64-/, ''), 'base64url').toString('utf8')) as JarSession;
}

function writeJar(jar: Map<string, string>, session: JarSession): void {
  const text = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`;
  jar.clear();
  if (text.length <= 3180) jar.set('sb-kanbase-auth-token', text);
  else text.match(/.{1,3180}/g)?.forEach((chunk, index) => void jar.set(`sb-kanbase-auth-token.${index}`, chunk));
}
