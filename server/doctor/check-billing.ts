// The payment provider's key: which kind it is, and whether this database knows another kind. Test and live purchases are
// kept apart, so a key of the wrong kind makes everything that was bought seem gone.

import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { livemodeOf, providerMode } from '../config/provider-mode.ts';
import { type Finding, good, thought } from './finding.ts';

export function checkKey({ billing }: Config): Finding[] {
  const mode = providerMode(billing);
  if (mode === 'off') return [good('health.billing.off')];
  const found: Finding[] = [];
  if (mode === 'unknown') found.push(thought('health.billing.unknownKey', 'health.billing.setKey'));
  if (billing.webhookSecret === null)
    found.push(thought('health.billing.noWebhook', 'health.billing.setWebhook', { mode }));
  return found.length > 0 ? found : [good('health.billing.good', { mode })];
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
  const [now, before] = live ? (['live', 'test'] as const) : (['test', 'live'] as const);
  return [thought('health.billing.otherKey', 'health.billing.choose', { now, before })];
}
