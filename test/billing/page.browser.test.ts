// Billing page and prices on the landing page in a real browser: a person sees a price, buys, returns, and sees the purchase and its later changes,
// as signed events report them.

import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { offences } from '../browser/accessibility.ts';
import { startSite, type Visitor } from '../browser/pages.ts';
import { either, holding, inside, saying, t } from '../browser/words.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { charge, deliver, invoice, paymentEvent, subscription } from '../helpers/payment-events.ts';
import { startStripeServer } from '../helpers/stripe-server.ts';

let ada: Visitor;
let page: Page;
let email: string;
let clock = 0;

const stripe = forSuite(startStripeServer);
const site = forSuite(() =>
  startSite({
    BILLING_SECRET_KEY: stripe.secretKey,
    BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
    BILLING_API_URL: stripe.url,
  }),
);
beforeAll(async () => {
  await site.app.sql(`insert into billing.plans (price_id, name, mode, amount, currency, "interval", interval_count, limits, position) values
    ('free', 'Free', 'subscription', 0, null, null, 1, '{"projects": 2}', 0),
    ('price_team', 'Team', 'subscription', 900, 'eur', 'month', 1, '{"projects": 50, "members_per_project": 20}', 1),
    ('price_quarter', 'Team, by the quarter', 'subscription', 2450, 'eur', 'month', 3, '{"projects": 50}', 2),
    ('price_lifetime', 'Lifetime', 'payment', 19900, 'eur', null, 1, '{}', 3)`);
  ada = await site.visit();
  page = ada.page;
  ({ email } = await ada.settle('Ada Lovelace'));
  await page.route(/^https:\/\/(checkout|billing)\.stripe\.test\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>The pages of the payment provider</h1>' }),
  );
});
beforeEach(() => stripe.calm());

/** Signed, as the provider sends it, and later than the one before. */
async function tell(type: string, object: Record<string, unknown>): Promise<void> {
  clock += 1;
  const response = await deliver(site.app.url, paymentEvent(type, object, { after: clock }));
  expect(response.status).toBe(200);
}

/** Goes to the checkout of a price; resolves with its session. */
async function choose(label: string): Promise<Record<string, unknown>> {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.waitForURL(/^https:\/\/checkout\.stripe\.test\//);
  const session = stripe.sessions.get(page.url().split('/').at(-1) ?? '');
  if (session === undefined) throw new Error('the checkout is not one of the provider');
  return session;
}

const returnFrom = (session: Record<string, unknown>) =>
  page.goto(String(session.success_url).replace('{CHECKOUT_SESSION_ID}', String(session.id)));
const mine = () => page.getByRole('region', { name: t('billing.plan') });
const offer = (name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

it('the landing page names the prices, and leads to the billing page', async () => {
  const guest = await site.visit();
  await guest.page.goto('/');
  const prices = guest.page.locator('#prices li');
  await prices.first().waitFor();
  expect(await prices.locator('.price-amount').allInnerTexts()).toEqual([
    `€9 ${t('price.per', { unit: 'month', count: 1 })}`,
    `€24.50 ${t('price.per', { unit: 'month', count: 3 })}`,
    `€199 ${t('price.once')}`,
  ]);
  await guest.page.getByRole('link', { name: t('landing.choose', { name: 'Lifetime' }) }).click();
  await guest.page.waitForURL(`/sign-in?next=${encodeURIComponent('/app/billing')}`);
  expect(guest.troubles).toEqual([]);
  await guest.close();
});

describe('a subscription', () => {
  let bought: Record<string, unknown>;

  it('is chosen by its price, at the provider, tied to the account', async () => {
    await page.goto('/app/billing');
    await mine()
      .getByText(t('billing.freePlan', { name: 'Free' }))
      .waitFor();
    await mine()
      .getByText(t('billing.limit.projects', { n: 2 }))
      .waitFor();
    expect(await page.getByRole('button', { name: t('billing.manage') }).count()).toBe(0);
    await offer('Team')
      .getByText(`€9 ${t('price.per', { unit: 'month', count: 1 })}`)
      .waitFor();
    bought = await choose(t('common.pair', { name: t('billing.choose'), value: 'Team' }));
    expect(stripe.seen[0]?.form).toMatchObject({
      mode: 'subscription',
      line_items: { 0: { price: 'price_team' } },
      customer_email: email,
      client_reference_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      cancel_url: `${site.app.url}/app/billing`,
    });
  });

  it('shows by itself once the event has arrived', async () => {
    const paid = stripe.pay(String(bought.id));
    await returnFrom(paid);
    await page.getByText(t('billing.paid')).waitFor();
    expect(
      await page
        .getByRole('button', { name: t('common.pair', { name: t('billing.choose'), value: 'Team' }), exact: true })
        .isDisabled(),
    ).toBe(true);
    await tell('checkout.session.completed', paid);
    bought = subscription({ id: String(paid.subscription), customer: String(paid.customer), status: 'active' });
    await tell('customer.subscription.created', bought);
    await page.getByText(t('billing.arrived')).waitFor();
    await mine().getByText('Team', { exact: true }).waitFor();
    await mine().getByText(t('billing.status.active')).waitFor();
    await mine()
      .getByText(saying('billing.renews', { date: /\d.*/ }))
      .waitFor();
    await mine()
      .getByText(t('billing.limit.members_per_project', { n: 20 }))
      .waitFor();
    await offer('Team').getByText(t('billing.plan')).waitFor();
  });

  it('is managed, and changed, on the pages of the provider: nobody pays for two', async () => {
    for (const name of [
      t('billing.manage'),
      t('common.pair', { name: t('billing.change'), value: 'Team, by the quarter' }),
    ]) {
      await page.goto('/app/billing');
      await page.getByRole('button', { name }).click();
      await page.waitForURL(/^https:\/\/billing\.stripe\.test\//);
      expect(stripe.seen.at(-1)?.form).toEqual({
        customer: String(bought.customer),
        return_url: `${site.app.url}/app/billing`,
      });
    }
  });

  const states: Array<[name: string, change: Record<string, unknown>, words: RegExp[]]> = [
    ['a payment that failed', { status: 'past_due' }, [saying('billing.status.past_due'), saying('billing.overdue')]],
    [
      'an end that is set',
      { status: 'active', cancel_at_period_end: true },
      [saying('billing.status.active'), saying('billing.ends')],
    ],
    [
      'an end',
      { status: 'canceled', ended_at: 1_750_000_000 },
      [
        saying('billing.freePlan', { name: 'Free' }),
        saying('billing.before.canceled', { name: 'Team', date: /.* 2025/ }),
      ],
    ],
  ];
  for (const [name, change, words] of states)
    it(`tells ${name}`, async () => {
      const ended = change.status === 'canceled' ? 'deleted' : 'updated';
      const customer = String(bought.customer);
      if (change.status === 'past_due')
        await tell(
          'invoice.payment_failed',
          invoice({ id: 'in_1', customer, subscription: String(bought.id), failed: true }),
        );
      else await tell('invoice.paid', invoice({ id: 'in_1', customer, subscription: String(bought.id) }));
      await tell(`customer.subscription.${ended}`, { ...bought, ...change });
      await page.goto('/app/billing');
      for (const sentence of words) await mine().getByText(sentence).waitFor();
      expect(await mine().getByText(saying('billing.renews')).count()).toBe(0);
    });
});

describe('a single purchase', () => {
  it('is yours once it is paid, and gone once it is refunded', async () => {
    await page.goto('/app/billing');
    const paid = stripe.pay(String((await choose(t('common.pair', { name: t('billing.buy'), value: 'Lifetime' }))).id));
    await tell('checkout.session.completed', paid);
    await returnFrom(paid);
    await page.getByText(t('billing.arrived')).waitFor();
    await mine().getByText(t('billing.forGood')).waitFor();
    const row = page.getByRole('table').getByRole('row', { name: /^Lifetime/ });
    expect(await row.innerText()).toMatch(new RegExp(`€199\\s+${inside('billing.status.paid')}$`));

    await tell('charge.refunded', charge(String(paid.payment_intent), 19900));
    await page.goto('/app/billing');
    await mine()
      .getByText(t('billing.before.refunded', { name: 'Lifetime' }))
      .waitFor();
    expect(await row.innerText()).toMatch(new RegExp(`${inside('billing.status.refunded')}$`));
  });
});

it('a refusal of the provider is shown, and can be tried again', async () => {
  await page.goto('/app/billing');
  stripe.misbehave({ status: 402, message: 'Your account cannot make live charges yet.' });
  await page.getByRole('button', { name: t('common.pair', { name: t('billing.buy'), value: 'Lifetime' }) }).click();
  await page.getByText(`${t('billing.failed')} Your account cannot make live charges yet.`).waitFor();
  await choose(t('common.pair', { name: t('billing.buy'), value: 'Lifetime' }));
});

it('by day, by night and on a phone, axe finds nothing serious and nothing is wider than the screen', async () => {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/app/billing');
    await mine()
      .getByText(t('billing.before.refunded', { name: 'Lifetime' }))
      .waitFor();
    await page.getByRole('table').waitFor();
    expect(await offences(page, colorScheme === 'dark' ? 'colours' : 'all')).toEqual([]);
    const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await page.evaluate(tooWide)).toBe(0);
  }
});

it('without a key nothing is for sale, and the page says so', async () => {
  const off = await startApp({ settings: { WEB_DIR: site.app.services.config.landing.webDir ?? '' } });
  try {
    const guest = await site.visit({ baseURL: off.url });
    await guest.signUp('Grace');
    await guest.page.goto('/app/billing');
    await guest.page.getByText(t('billing.off')).waitFor();
    expect(
      await guest.page
        .getByRole('button', {
          name: either(holding('billing.buy'), holding('billing.choose'), holding('billing.manage')),
        })
        .count(),
    ).toBe(0);
    await guest.page.goto('/');
    expect(await guest.page.locator('#prices').isVisible()).toBe(false);
    await guest.close();
  } finally {
    await off.close();
  }
});

it('the page reports no errors', () => {
  expect(ada.troubles).toEqual([]);
});
