// Refunds and disputes: a single purchase counts until all of it is refunded or a dispute is lost, in whatever order and however often the events
// arrive.

import { describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import {
  charge,
  checkout,
  deliver,
  dispute,
  type PaymentEvent,
  paymentEvent,
  refund,
} from '../helpers/payment-events.ts';

let number = 0;

const app = forSuite(() =>
  startApp({
    settings: { BILLING_SECRET_KEY: 'sk_test_kanbase', BILLING_WEBHOOK_SECRET: 'whsec_kanbase' },
    prepare: `insert into billing.plans (price_id, name, mode, limits, is_enforced)
      values ('price_lifetime', 'Lifetime', 'payment', '{"projects": 100}', true), ('free', 'Free', 'subscription', '{"projects": 1}', true)`,
  }),
);

type Story = (payment: string) => PaymentEvent[];
const refunded = (payment: string, amount: number, after: number) =>
  paymentEvent('charge.refunded', charge(payment, amount), { after });
const disputed = (kind: string, payment: string, status: string, after: number) =>
  paymentEvent(`charge.dispute.${kind}`, dispute(payment, status), { after });

const stories: Array<[name: string, outcome: 'paid' | 'refunded' | 'disputed', story: Story]> = [
  ['a partial refund', 'paid', (payment) => [refunded(payment, 5000, 1)]],
  ['a refund in two parts', 'refunded', (payment) => [refunded(payment, 5000, 1), refunded(payment, 19900, 2)]],
  ['both parts in one second', 'refunded', (payment) => [refunded(payment, 5000, 1), refunded(payment, 19900, 1)]],
  [
    'a refund that fails',
    'paid',
    (payment) => [refunded(payment, 19900, 1), paymentEvent('refund.failed', refund(payment, 'failed'), { after: 1 })],
  ],
  [
    'a refund that fails and is made again',
    'refunded',
    (payment) => [
      refunded(payment, 19900, 1),
      paymentEvent('charge.refund.updated', refund(payment, 'failed'), { after: 2 }),
      refunded(payment, 19900, 3),
    ],
  ],
  [
    'a refund that arrives',
    'refunded',
    (payment) => [
      refunded(payment, 19900, 1),
      paymentEvent('refund.updated', refund(payment, 'succeeded'), { after: 2 }),
    ],
  ],
  ['an inquiry of the bank', 'paid', (payment) => [disputed('created', payment, 'warning_needs_response', 1)]],
  [
    'an open dispute',
    'disputed',
    (payment) => [
      disputed('created', payment, 'needs_response', 1),
      disputed('funds_withdrawn', payment, 'needs_response', 1),
      disputed('updated', payment, 'under_review', 2),
    ],
  ],
  [
    'a dispute that is won',
    'paid',
    (payment) => [
      disputed('created', payment, 'needs_response', 1),
      disputed('closed', payment, 'won', 2),
      disputed('funds_reinstated', payment, 'won', 2),
    ],
  ],
  [
    'a dispute that is lost within a second',
    'refunded',
    (payment) => [disputed('created', payment, 'needs_response', 1), disputed('closed', payment, 'lost', 1)],
  ],
];

describe('refunds in any order, each delivered twice', () => {
  for (const [name, outcome, story] of stories)
    it(`${name} leaves the purchase ${outcome}`, async () => {
      const user = await app.createUser();
      for (const order of permutations(story('').length + 1)) {
        number += 1;
        const payment = `pi_${number}`;
        const [id, customer] = [`cs_${payment}`, `cus_${payment}`];
        const events = [
          paymentEvent(
            'checkout.session.completed',
            checkout({ id, user: user.id, customer, mode: 'payment', payment }),
          ),
          ...story(payment),
        ];
        for (const index of [...order, ...order])
          expect((await deliver(app.url, events[index] as PaymentEvent)).status).toBe(200);
        expect(await purchase(user.id, id), `order ${order}`).toMatchObject({ status: outcome });
      }
    });
});

it('a refunded purchase gives no plan any more and keeps its name', async () => {
  const user = await app.createUser();
  const bought = checkout({ id: 'cs_back', user: user.id, customer: 'cus_back', mode: 'payment', payment: 'pi_back' });
  await deliver(app.url, paymentEvent('checkout.session.completed', bought));
  expect(await billing(user.id)).toMatchObject({ plan: { name: 'Lifetime' }, status: 'paid', price_name: 'Lifetime' });
  await deliver(app.url, refunded('pi_back', 19900, 1));
  expect(await billing(user.id)).toMatchObject({
    customer: true,
    plan: { name: 'Free', limits: { projects: 1 } },
    status: 'refunded',
    price_name: 'Lifetime',
    purchases: [{ id: 'cs_back', status: 'refunded', amount: 19900 }],
  });
  const made = [];
  for (const name of ['One', 'Two']) made.push(await user.client.rpc('create_project_with_defaults', { name }));
  expect(made.map(({ status }) => status)).toEqual([200, 402]);
});

it('a charge without a payment of ours is kept and changes nothing', async () => {
  const event = paymentEvent('charge.refunded', { ...charge('none', 19900), payment_intent: null });
  expect((await deliver(app.url, event)).status).toBe(200);
  expect(await app.sql('select is_handled from billing.events where id = $1', [event.id])).toEqual([
    { is_handled: false },
  ]);
});

interface Billing {
  readonly purchases: readonly { readonly id: string; readonly status: string }[];
}

async function billing(userId: string): Promise<Billing> {
  const [row] = await app.asUser<{ my_billing: Billing }>(userId, 'select public.my_billing()');
  if (row === undefined) throw new Error('no answer');
  return row.my_billing;
}

async function purchase(userId: string, id: string) {
  return (await billing(userId)).purchases.find((one) => one.id === id);
}

function permutations(size: number): number[][] {
  if (size === 0) return [[]];
  return permutations(size - 1).flatMap((rest) =>
    Array.from({ length: size }, (_, at) => [...rest.slice(0, at), size - 1, ...rest.slice(at)]),
  );
}
