// Test and live keys are never mixed in silence: a start with the other kind says so, so does `kanbase doctor`, and what
// was bought with one kind counts with that kind alone.

import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { doctor } from '../../server/commands/doctor.ts';
import type { Config } from '../../server/config/config.ts';
import { openServices } from '../../server/open-services.ts';
import { inside, t } from '../browser/words.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { checkout, deliver, paymentEvent } from '../helpers/payment-events.ts';

let user: { id: string };

const app = forSuite(() =>
  startApp({
    settings: { BILLING_SECRET_KEY: 'sk_test_kanbase', BILLING_WEBHOOK_SECRET: 'whsec_kanbase' },
  }),
);
beforeAll(async () => {
  user = await app.createUser();
});

const withKey = (secretKey: string): Config => ({
  ...app.services.config,
  billing: { ...app.services.config.billing, secretKey },
});

/** Starts on the same database with this key, does something there, and stops; resolves with what was logged. */
async function startedWith(secretKey: string, work: (url: string) => Promise<void> = async () => undefined) {
  const lines: { level: number; msg: string; mode?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const opened = await openServices(withKey(secretKey), { url: app.databaseUrl, directUrl: app.ownerUrl }, log);
  try {
    await work(await opened.app.listen({ port: 0, host: '127.0.0.1' }));
  } finally {
    await opened.close();
  }
  return lines.filter(({ msg }) => msg.startsWith('billing'));
}

async function doctorReport(secretKey: string): Promise<string> {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  await doctor.run({ config: withKey(secretKey), sources: new Map(), flags: new Map(), word: null, say });
  return lines.join('\n');
}

const hasBought = async () => {
  const [row] = await app.asUser<{ customer: boolean }>(
    user.id,
    `select (public.my_billing() ->> 'customer')::boolean as customer`,
  );
  return row?.customer;
};

it('a start with the kind as before says which it is, and no more', async () => {
  await deliver(
    app.url,
    paymentEvent('checkout.session.completed', checkout({ user: user.id, customer: 'cus_mode', mode: 'payment' })),
  );
  expect(await startedWith('rk_test_restricted')).toMatchObject([{ level: 30, mode: 'test' }]);
  expect(await doctorReport('sk_test_kanbase')).toContain(`ok    ${t('health.billing.good', { mode: 'test' })}`);
  expect(await hasBought()).toBe(true);
});

it('a key of the other kind is reported by the doctor before the start, and warned of at the start', async () => {
  const before = await doctorReport('sk_live_kanbase');
  expect(before).toContain(`ok    ${t('health.billing.good', { mode: 'live' })}`);
  expect(before).toMatch(
    new RegExp(
      `note {2}${inside('health.billing.otherKey', { now: 'live', before: 'test' })}\n.*${inside('health.billing.choose', { now: 'live', before: 'test' })}`,
    ),
  );

  const lines = await startedWith('sk_live_kanbase', async (url) => {
    expect(await hasBought()).toBe(false);
    const refused = await deliver(url, paymentEvent('customer.created', { id: 'cus_other' }));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: 'This is a test event, but the service runs with a live key: nothing was changed' },
    ]);
    const live = await deliver(url, paymentEvent('customer.created', { id: 'cus_live' }, { livemode: true }));
    expect(live.status).toBe(200);
  });
  expect(lines).toMatchObject([
    { level: 30, mode: 'live' },
    { level: 40, mode: 'live', msg: expect.stringContaining('another mode') },
  ]);
  expect(await doctorReport('sk_live_kanbase')).not.toContain(
    t('health.billing.otherKey', { now: 'live', before: 'test' }),
  );
  expect(await doctorReport('sk_test_kanbase')).toContain(
    t('health.billing.otherKey', { now: 'test', before: 'live' }),
  );

  expect((await startedWith('sk_test_kanbase')).map(({ level }) => level)).toEqual([30, 40]);
  expect(await hasBought()).toBe(true);
});

it('events of half a year ago are forgotten at a start, later ones are kept', async () => {
  await app.sql(`insert into billing.events (id, kind, happened_at, received_at, is_handled, payload) values
    ('evt_old', 'customer.created', now(), now() - interval '181 days', false, '{}'),
    ('evt_late', 'customer.created', now(), now() - interval '179 days', false, '{}')`);
  await startedWith('sk_test_kanbase');
  expect(await app.sql(`select id from billing.events where id in ('evt_old', 'evt_late')`)).toEqual([
    { id: 'evt_late' },
  ]);
});

it('a key that says neither is reported', async () => {
  expect(await doctorReport('sk_other')).toContain(`note  ${t('health.billing.unknownKey')}\n`);
});

it('the keys themselves are never shown', async () => {
  const lines = await startedWith('sk_live_kanbase_4711');
  expect(JSON.stringify(lines) + (await doctorReport('sk_live_kanbase_4711'))).not.toContain('4711');
});
