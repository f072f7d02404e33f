// The payment provider's key: which kind it is, and whether this database knows another kind. Test and live purchases are
// kept apart, so a key of the wrong kind makes everything that was bought seem gone.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { livemodeOf, providerMode } from '../config/provider-mode.ts';
import { type Finding, good, thought } from './finding.ts';

export function checkKey({ billing }: Config): Finding[] {
  const mode = providerMode(billing);
  if (mode === 'off') return [good('billing is off')];
  const found: Finding[] = [];
  if (mode === 'unknown')
    found.push(
      thought(
        'billing is on, with a key that says neither test nor live',
        'Set BILLING_SECRET_KEY to a key of the payment provider: sk_test_…, sk_live_… or the same with rk_. Other keys cannot keep test and live purchases apart.',
      ),
    );
  if (billing.webhookSecret === null)
    found.push(
      thought(
        `billing is on (${mode}), but BILLING_WEBHOOK_SECRET is not set`,
        'Set it to the signing secret of the endpoint at the payment provider: without it no event is believed.',
      ),
    );
  return found.length > 0 ? found : [good(`billing is on (${mode} keys)`)];
}

/** What the server last ran with, as it wrote down itself. */
export async function checkKnownMode(client: pg.Client, { billing }: Config): Promise<Finding[]> {
  const live = livemodeOf(providerMode(billing));
  if (live === null) return [];
  const { rows: tables } = await client.query(`select where to_regclass('billing.provider') is not null`);
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ livemode: boolean | null }>('select livemode from billing.provider');
  const known = rows[0]?.livemode ?? null;
  if (known === null || known === live) return [];
  const [now, before] = live ? ['live', 'test'] : ['test', 'live'];
  return [
    thought(
      `billing has a ${now} key, and this database last ran with a ${before} key`,
      `What was bought with ${before} keys is kept, but does not count with a ${now} key. Set BILLING_SECRET_KEY and BILLING_WEBHOOK_SECRET of the kind you mean.`,
    ),
  ];
}
