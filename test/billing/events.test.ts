// Payment events are posted to their public URL, signed as the provider signs them: valid ones take effect once, in any
// order; invalid ones change nothing; a failure leaves nothing half done.

import { describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { checkout, deliver, invoice, paymentEvent, subscription } from '../helpers/payment-events.ts';
import { signDelivery } from '../helpers/stripe-server.ts';

let number = 0;
const fresh = () => {
  number += 1;
  return { customer: `cus_${number}`, sub: `sub_${number}`, inv: `in_${number}` };
};

const app = forSuite(() =>
  startApp({
    settings: { BILLING_SECRET_KEY: 'sk_test_kanbase', BILLING_WEBHOOK_SECRET: 'whsec_kanbase' },
  }),
);

const eventsNamed = (id: string) => app.sql('select * from billing.events where id = $1', [id]);
const myBilling = async (userId: string) => {
  const [row] = await app.asUser<{ my_billing: Record<string, unknown> }>(userId, 'select public.my_billing()');
  return row?.my_billing ?? {};
};

describe('signatures of events', () => {
  const event = paymentEvent('product.created', { id: 'prod_1', object: 'product' }, { id: 'evt_doors' });

  for (const path of ['/api/webhook/billing', '/api/billing/webhook'])
    it(`a signed event is taken at ${path}`, async () => {
      const response = await deliver(app.url, event, { path });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ received: true });
      expect(await eventsNamed('evt_doors')).toHaveLength(1);
    });

  const now = Math.floor(Date.now() / 1000);
  const body = JSON.stringify(paymentEvent('product.created', { id: 'prod_2' }, { id: 'evt_refused' }));
  const refused: Array<[string, Parameters<typeof deliver>[2], string?]> = [
    ['no signature', { signature: null }],
    ['an empty signature', { signature: '' }],
    ['a signature that is none', { signature: 'good morning' }],
    ['a wrong secret', { secret: 'whsec_other' }],
    ['a stale one, validly signed', { at: now - 3600 }],
    [
      'a fresh time over an old signature',
      { signature: signDelivery(body, 'whsec_kanbase', now - 3600).replace(/t=\d+/, `t=${now}`) },
    ],
    ['an older scheme', { signature: signDelivery(body, 'whsec_kanbase').replace('v1=', 'v0=') }],
  ];
  for (const [name, options] of refused)
    it(`${name} is answered 400 and nothing is kept`, async () => {
      const response = await deliver(app.url, body, options);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringMatching(/signature/) });
      expect(await eventsNamed('evt_refused')).toEqual([]);
    });

  it('a changed byte breaks the signature, and so does reformatting', async () => {
    const signature = signDelivery(body, 'whsec_kanbase');
    for (const tampered of [body.replace('prod_2', 'prod_3'), JSON.stringify(JSON.parse(body), null, 2)])
      expect((await deliver(app.url, tampered, { signature })).status).toBe(400);
    expect(await eventsNamed('evt_refused')).toEqual([]);
  });

  it('signed words that are no event are 400', async () => {
    for (const text of ['hello', '[]', '{}', 'null', '{"id":"evt_x"}'])
      expect((await deliver(app.url, text)).status, text).toBe(400);
  });

  it('a live event at a service with a test key is refused loudly', async () => {
    const response = await deliver(app.url, paymentEvent('customer.created', { id: 'cus_live' }, { livemode: true }));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining('live event') });
  });

  it('without a signing secret nothing can be verified: 500', async () => {
    const other = await startApp();
    try {
      expect((await deliver(other.url, event, { signature: null })).status).toBe(400);
      const response = await deliver(other.url, event);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'Billing is not configured' });
    } finally {
      await other.close();
    }
  });
});

describe('effects of events', () => {
  it('a completed checkout links the customer to the user', async () => {
    const user = await app.createUser({ name: 'Buyer' });
    const { customer } = fresh();
    expect(await myBilling(user.id)).toMatchObject({ customer: false, plan: null, status: null });
    const response = await deliver(
      app.url,
      paymentEvent('checkout.session.completed', checkout({ user: user.id, customer })),
    );
    expect(response.status).toBe(200);
    expect(await myBilling(user.id)).toMatchObject({ customer: true });
    expect(await app.sql('select user_id, email from billing.customers where id = $1', [customer])).toEqual([
      { user_id: user.id, email: 'payer@example.test' },
    ]);
  });

  it('a customer stays with the user they were first linked to', async () => {
    const first = await app.createUser();
    const second = await app.createUser();
    const { customer } = fresh();
    for (const user of [first, second])
      await deliver(app.url, paymentEvent('checkout.session.completed', checkout({ user: user.id, customer })));
    expect((await myBilling(first.id)).customer).toBe(true);
    expect((await myBilling(second.id)).customer).toBe(false);
  });

  it('a one-time purchase is recorded, a slow payment only once it is paid', async () => {
    const user = await app.createUser();
    const { customer } = fresh();
    const slow = checkout({ id: `cs_slow_${customer}`, user: user.id, customer, mode: 'payment', paid: false });
    await deliver(app.url, paymentEvent('checkout.session.completed', slow));
    expect((await myBilling(user.id)).purchases).toMatchObject([
      { price_id: 'price_lifetime', amount: 19900, status: 'pending' },
    ]);
    await deliver(
      app.url,
      paymentEvent('checkout.session.async_payment_succeeded', { ...slow, payment_status: 'paid' }, { after: 9 }),
    );
    expect((await myBilling(user.id)).purchases).toMatchObject([{ status: 'paid' }]);
    await deliver(app.url, paymentEvent('checkout.session.completed', slow, { after: 1 }));
    expect((await myBilling(user.id)).purchases).toMatchObject([{ status: 'paid' }]);
  });

  it('an anonymous purchase is recorded and belongs to nobody', async () => {
    const { customer } = fresh();
    const id = `cs_anonymous_${customer}`;
    await deliver(app.url, paymentEvent('checkout.session.completed', checkout({ id, customer, mode: 'payment' })));
    expect(await app.sql('select user_id, customer_id, status from billing.purchases where id = $1', [id])).toEqual([
      { user_id: null, customer_id: customer, status: 'paid' },
    ]);
  });

  it('a purchase by an account that is gone is kept without it', async () => {
    const { customer } = fresh();
    const gone = '00000000-0000-4000-8000-000000000000';
    const response = await deliver(
      app.url,
      paymentEvent('checkout.session.completed', checkout({ user: gone, customer })),
    );
    expect(response.status).toBe(200);
    expect(await app.sql('select user_id from billing.customers where id = $1', [customer])).toEqual([
      { user_id: null },
    ]);
  });

  it('a reference that is no user id links nobody and breaks nothing', async () => {
    const { customer } = fresh();
    const response = await deliver(
      app.url,
      paymentEvent('checkout.session.completed', checkout({ user: "'; drop table", customer })),
    );
    expect(response.status).toBe(200);
  });

  it('a subscription lives: trial, active, to be cancelled, cancelled', async () => {
    const user = await app.createUser();
    const { customer, sub } = fresh();
    const at = (status: string, more: Record<string, unknown> = {}) =>
      subscription({ id: sub, customer, status, user: user.id, more });
    await deliver(app.url, paymentEvent('customer.subscription.created', at('trialing', { trial_end: 1_900_000_000 })));
    expect(await myBilling(user.id)).toMatchObject({
      status: 'trialing',
      trial_ends_at: expect.any(String),
      renews_at: expect.any(String),
    });
    await deliver(
      app.url,
      paymentEvent('customer.subscription.updated', at('active'), { after: 1, before: { status: 'trialing' } }),
    );
    expect(await myBilling(user.id)).toMatchObject({
      status: 'active',
      renews_at: expect.any(String),
      ends_at: null,
      trial_ends_at: null,
    });
    await deliver(
      app.url,
      paymentEvent('customer.subscription.updated', at('active', { cancel_at_period_end: true }), { after: 2 }),
    );
    expect(await myBilling(user.id)).toMatchObject({ status: 'active', renews_at: null, ends_at: expect.any(String) });
    await deliver(
      app.url,
      paymentEvent('customer.subscription.deleted', at('canceled', { ended_at: 1_800_000_000 }), { after: 3 }),
    );
    expect(await myBilling(user.id)).toMatchObject({
      status: 'canceled',
      renews_at: null,
      ends_at: expect.any(String),
      customer: true,
    });
  });

  it('a failed invoice shows, a paid one ends it, whichever comes first', async () => {
    const user = await app.createUser();
    const { customer, sub, inv } = fresh();
    await deliver(
      app.url,
      paymentEvent(
        'customer.subscription.created',
        subscription({ id: sub, customer, status: 'past_due', user: user.id }),
      ),
    );
    await deliver(
      app.url,
      paymentEvent('invoice.payment_failed', invoice({ id: inv, customer, subscription: sub, failed: true }), {
        after: 1,
      }),
    );
    expect((await myBilling(user.id)).payment_failed).toBe(true);
    await deliver(
      app.url,
      paymentEvent('invoice.paid', invoice({ id: inv, customer, subscription: sub }), { after: 5 }),
    );
    expect((await myBilling(user.id)).payment_failed).toBe(false);
    await deliver(
      app.url,
      paymentEvent('invoice.payment_failed', invoice({ id: inv, customer, subscription: sub, failed: true }), {
        after: 9,
      }),
    );
    expect((await myBilling(user.id)).payment_failed).toBe(false);
  });

  it('a customer changes address, then is deleted and stays so', async () => {
    const user = await app.createUser();
    const { customer } = fresh();
    await deliver(app.url, paymentEvent('checkout.session.completed', checkout({ user: user.id, customer })));
    await deliver(
      app.url,
      paymentEvent('customer.updated', { id: customer, object: 'customer', email: 'new@example.test' }, { after: 5 }),
    );
    await deliver(
      app.url,
      paymentEvent('customer.updated', { id: customer, object: 'customer', email: 'old@example.test' }, { after: 3 }),
    );
    expect(await app.sql('select email from billing.customers where id = $1', [customer])).toEqual([
      { email: 'new@example.test' },
    ]);
    await deliver(
      app.url,
      paymentEvent('customer.deleted', { id: customer, object: 'customer', deleted: true }, { after: 9 }),
    );
    await deliver(
      app.url,
      paymentEvent('customer.updated', { id: customer, object: 'customer', email: 'back@example.test' }, { after: 8 }),
    );
    expect((await myBilling(user.id)).customer).toBe(false);
  });

  it('an unknown kind is kept and answered 200', async () => {
    const event = paymentEvent('radar.early_fraud_warning.created', { id: 'issfr_1' });
    expect((await deliver(app.url, event)).status).toBe(200);
    expect(await eventsNamed(event.id)).toMatchObject([
      { kind: 'radar.early_fraud_warning.created', is_handled: false },
    ]);
  });

  it('shapes of older API versions are understood', async () => {
    const user = await app.createUser();
    const { customer, sub, inv } = fresh();
    const old = subscription({
      id: sub,
      customer,
      user: user.id,
      more: { current_period_end: 1_900_000_000, items: { data: [{ price: { id: 'price_old' } }] } },
    });
    await deliver(app.url, paymentEvent('customer.subscription.created', old));
    await deliver(
      app.url,
      paymentEvent('invoice.payment_failed', { id: inv, customer, subscription: sub, amount_due: 1, currency: 'usd' }),
    );
    expect(await myBilling(user.id)).toMatchObject({
      price_id: 'price_old',
      renews_at: '2030-03-17T17:46:40+00:00',
      payment_failed: true,
    });
  });
});

describe('once, and in any order', () => {
  it('twenty deliveries of one event at once count once', async () => {
    const user = await app.createUser();
    const { customer } = fresh();
    const event = paymentEvent('checkout.session.completed', checkout({ user: user.id, customer, mode: 'payment' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        deliver(app.url, event, { path: index % 2 ? '/api/webhook/billing' : '/api/billing/webhook' }),
      ),
    );
    expect(answers.map((response) => response.status)).toEqual(Array(20).fill(200));
    expect(await eventsNamed(event.id)).toHaveLength(1);
    expect((await myBilling(user.id)).purchases).toHaveLength(1);
  });

  it('every order of a life ends the same, also within one second', async () => {
    const steps = (customer: string, sub: string, user: string) => {
      const at = (status: string, more: Record<string, unknown> = {}) =>
        subscription({ id: sub, customer, status, more });
      return [
        paymentEvent('customer.subscription.created', at('incomplete')),
        paymentEvent('customer.subscription.updated', at('active'), { before: { status: 'incomplete' } }),
        paymentEvent('customer.subscription.updated', at('active', { cancel_at_period_end: true }), {
          before: { cancel_at_period_end: false },
        }),
        paymentEvent('checkout.session.completed', checkout({ user, customer })),
      ];
    };
    for (const order of permutations([0, 1, 2, 3])) {
      const user = await app.createUser();
      const { customer, sub } = fresh();
      const events = steps(customer, sub, user.id);
      for (const index of order) expect((await deliver(app.url, events[index] as never)).status).toBe(200);
      expect(await myBilling(user.id), `order ${order}`).toMatchObject({
        customer: true,
        status: 'active',
        renews_at: null,
        ends_at: expect.any(String),
      });
    }
  });

  it('an end stays an end, whatever arrives after it', async () => {
    const user = await app.createUser();
    const { customer, sub } = fresh();
    await deliver(
      app.url,
      paymentEvent(
        'customer.subscription.deleted',
        subscription({ id: sub, customer, status: 'canceled', user: user.id }),
        { after: 4 },
      ),
    );
    await deliver(
      app.url,
      paymentEvent('customer.subscription.updated', subscription({ id: sub, customer, status: 'active' }), {
        after: 4,
      }),
    );
    await deliver(
      app.url,
      paymentEvent('customer.subscription.created', subscription({ id: sub, customer, status: 'incomplete' }), {
        after: 1,
      }),
    );
    expect(await myBilling(user.id)).toMatchObject({ status: 'canceled' });
  });

  it('events about one subscription at once end with the latest', async () => {
    const user = await app.createUser();
    const { customer, sub } = fresh();
    const events = Array.from({ length: 12 }, (_, index) =>
      paymentEvent(
        'customer.subscription.updated',
        subscription({ id: sub, customer, user: user.id, price: `price_${index}` }),
        { after: index },
      ),
    );
    const answers = await Promise.all(events.toReversed().map((event) => deliver(app.url, event)));
    expect(answers.every((response) => response.status === 200)).toBe(true);
    expect(await myBilling(user.id)).toMatchObject({ price_id: 'price_11' });
  });

  it('a failure is 500, leaves nothing, and the repeat succeeds', async () => {
    const { customer, sub } = fresh();
    const event = paymentEvent('customer.subscription.created', subscription({ id: sub, customer }));
    await app.sql(`alter table billing.subscriptions add constraint broken check (id <> '${sub}')`);
    const failed = await deliver(app.url, event);
    expect(failed.status).toBe(500);
    expect(await failed.json()).toEqual({ error: expect.stringContaining('Something went wrong') });
    expect(await eventsNamed(event.id)).toEqual([]);
    expect(await app.sql('select 1 from billing.customers where id = $1', [customer])).toEqual([]);
    await app.sql('alter table billing.subscriptions drop constraint broken');
    expect((await deliver(app.url, event)).status).toBe(200);
    expect(await app.sql('select status from billing.subscriptions where id = $1', [sub])).toEqual([
      { status: 'active' },
    ]);
  });
});

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
