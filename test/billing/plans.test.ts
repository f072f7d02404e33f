// Plans: limits of a price, which hold only where the operator enforces them.

import { describe, expect, it } from 'vitest';
import type { Command } from '../../server/commands/command.ts';
import { plans } from '../../server/commands/plans.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { checkout, deliver, paymentEvent, subscription } from '../helpers/payment-events.ts';
import { startStripeServer } from '../helpers/stripe-server.ts';

const stripe = forSuite(startStripeServer);
const app = forSuite(() =>
  startApp({
    settings: {
      BILLING_SECRET_KEY: stripe.secretKey,
      BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
      BILLING_API_URL: stripe.url,
    },
  }),
);

/** As the command line calls it; what it says, line by line. */
async function kanbasePlans(
  word: string | null,
  flags: Record<string, string> = {},
  command: Command = plans,
): Promise<string> {
  const lines: string[] = [];
  const call = {
    config: app.services.config,
    sources: new Map(),
    flags: new Map(Object.entries(flags)),
    word,
    say: (line: string) => void lines.push(line),
  };
  await command.run(call);
  return lines.join('\n');
}

const myBilling = async (user: TestUser) => (await user.client.rpc('my_billing')).data;
const newProject = (user: TestUser, name: string) => user.client.rpc('create_project_with_defaults', { name });

describe('kanbase plans', () => {
  it('asks the provider what a price costs, and keeps what was said before', async () => {
    expect(await kanbasePlans(null)).toContain('No plans yet');
    expect(await kanbasePlans('set', { price: 'price_team', limits: '{"projects":3}' })).toBe(
      'added price_team: Team, €9 per month',
    );
    expect(await kanbasePlans('set', { price: 'price_team', name: 'Small team', position: '2' })).toBe(
      'changed price_team: Small team, €9 per month',
    );
    expect(await kanbasePlans('set', { price: 'price_lifetime', position: '1' })).toBe(
      'added price_lifetime: Lifetime, €199',
    );
    expect(JSON.parse(await kanbasePlans(null, { json: '' }))).toEqual([
      {
        price_id: 'price_lifetime',
        name: 'Lifetime',
        mode: 'payment',
        amount: 19900,
        currency: 'eur',
        interval: null,
        interval_count: 1,
        limits: {},
        is_enforced: false,
        is_offered: true,
        position: 1,
      },
      {
        price_id: 'price_team',
        name: 'Small team',
        mode: 'subscription',
        amount: 900,
        currency: 'eur',
        interval: 'month',
        interval_count: 1,
        limits: { projects: 3 },
        is_enforced: false,
        is_offered: true,
        position: 2,
      },
    ]);
  });

  it('says money as the provider counts it, and the whole interval', async () => {
    expect(await kanbasePlans('set', { price: 'price_quarter', hide: '' })).toBe(
      'added price_quarter: Team, by the quarter, HUF\u00a09,990 every 3 months',
    );
    await kanbasePlans('remove', { price: 'price_quarter' });
  });

  it('refuses what makes no sense, in one line', async () => {
    await expect(kanbasePlans('set')).rejects.toThrow('--price is missing');
    await expect(kanbasePlans('set', { price: 'price_team', limits: '[]' })).rejects.toThrow(
      '--limits takes a JSON object',
    );
    await expect(kanbasePlans('set', { price: 'price_team', limits: '{"projects":-1}' })).rejects.toThrow(
      '--limits takes',
    );
    await expect(kanbasePlans('set', { price: 'price_unknown' })).rejects.toThrow("No such price: 'price_unknown'");
    await expect(kanbasePlans('remove', { price: 'price_unknown' })).rejects.toThrow('there is no plan');
  });
});

describe('my_billing', () => {
  it('tells the signed-in what they have, and nobody else', async () => {
    const user = await app.createUser();
    const customer = 'cus_plan_1';
    await deliver(
      app.url,
      paymentEvent('customer.subscription.created', subscription({ id: 'sub_plan_1', customer, user: user.id })),
    );
    expect(await myBilling(user)).toEqual({
      customer: true,
      plan: { price_id: 'price_team', name: 'Small team', limits: { projects: 3 } },
      price_id: 'price_team',
      price_name: 'Small team',
      status: 'active',
      renews_at: expect.any(String),
      ends_at: null,
      trial_ends_at: null,
      payment_failed: false,
      purchases: [],
    });
    const other = await app.createUser();
    expect(await myBilling(other)).toMatchObject({ customer: false, plan: null, status: null, purchases: [] });
    const anonymous = await app.client().rpc('my_billing');
    expect(anonymous.status).toBe(401);
    expect(anonymous.data).toBeNull();
  });

  it('names a one-time purchase', async () => {
    const user = await app.createUser();
    await deliver(
      app.url,
      paymentEvent('checkout.session.completed', checkout({ user: user.id, customer: 'cus_plan_2', mode: 'payment' })),
    );
    expect(await myBilling(user)).toMatchObject({
      plan: { name: 'Lifetime' },
      status: 'paid',
      purchases: [{ name: 'Lifetime', amount: 19900, currency: 'eur', status: 'paid' }],
    });
  });

  it('counts only what was bought with the kind of key in use', async () => {
    const user = await app.createUser();
    await deliver(
      app.url,
      paymentEvent(
        'customer.subscription.created',
        subscription({ id: 'sub_mode', customer: 'cus_mode', user: user.id }),
      ),
    );
    expect(await myBilling(user)).toMatchObject({ customer: true, status: 'active' });
    await app.sql('update billing.provider set livemode = true');
    expect(await myBilling(user)).toMatchObject({ customer: false, status: null, plan: null });
    await app.sql('update billing.provider set livemode = false');
  });

  it('billing rows are out of reach of every key and every door', async () => {
    const user = await app.createUser();
    for (const table of ['customers', 'subscriptions', 'plans', 'events']) {
      expect((await user.client.from(table).select('*')).status).toBe(404);
      const { status } = await app.client({ token: user.token, schema: 'billing' }).from(table).select('*');
      expect(status).toBe(406);
      await expect(app.asUser(user.id, `select * from billing.${table}`)).rejects.toThrow(/permission denied/);
    }
    await expect(app.asUser(user.id, `select private.billing_of('${user.id}')`)).rejects.toThrow(/permission denied/);
    await expect(app.asUser(user.id, `select billing.record_event('{}', '{}')`)).rejects.toThrow(/permission denied/);
  });
});

describe('limits', () => {
  it('are off until they are enforced, then hold, also against a race', async () => {
    const user = await app.createUser();
    await kanbasePlans('set', { price: 'free', limits: '{"projects":2}' });
    for (const name of ['One', 'Two', 'Three']) expect((await newProject(user, name)).error).toBeNull();
    await kanbasePlans('set', { price: 'free', enforce: '' });

    const refused = await newProject(user, 'Four');
    expect(refused.status).toBe(402);
    expect(refused.error).toMatchObject({
      code: 'PT402',
      message: 'Your plan allows 2 projects',
      details: 'projects: 2',
      hint: expect.stringContaining('Archive'),
    });

    const newcomer = await app.createUser();
    const race = await Promise.all(Array.from({ length: 6 }, (_, index) => newProject(newcomer, `Race ${index}`)));
    expect(race.filter((one) => one.error === null)).toHaveLength(2);
    expect(race.filter((one) => one.status === 402)).toHaveLength(4);
  });

  it('come from the plan that was bought, and go with it', async () => {
    const user = await app.createUser();
    await kanbasePlans('set', { price: 'price_team', limits: '{"projects":3,"members_per_project":1}', enforce: '' });
    const bought = subscription({ id: 'sub_limits', customer: 'cus_limits', user: user.id });
    await deliver(app.url, paymentEvent('customer.subscription.created', bought));
    const made = [await newProject(user, 'One'), await newProject(user, 'Two'), await newProject(user, 'Three')];
    expect(made.map((one) => one.status)).toEqual([200, 200, 200]);
    expect((await newProject(user, 'Four')).status).toBe(402);

    const project = made[0]?.data as { id: string };
    const guest = await app.createUser({ name: 'Guest' });
    const added = await user.client
      .from('project_members')
      .insert({ project_id: project.id, user_id: guest.id, role: 'editor' });
    expect(added.error).toMatchObject({
      code: 'PT402',
      message: 'The plan of this project allows 1 member',
      details: 'members_per_project: 1',
    });

    await user.client.from('projects').update({ archived_at: new Date().toISOString() }).eq('id', project.id);
    expect((await newProject(user, 'Four')).status).toBe(200);
    const back = await user.client.from('projects').update({ archived_at: null }).eq('id', project.id);
    expect(back.status).toBe(402);

    await deliver(
      app.url,
      paymentEvent('customer.subscription.deleted', { ...bought, status: 'canceled' }, { after: 5 }),
    );
    await kanbasePlans('set', { price: 'free', relax: '' });
    expect((await newProject(user, 'Five')).status).toBe(200);
  });
});
