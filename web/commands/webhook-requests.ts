// Requests about webhooks of a project: made, listed, changed, tested and sent again by its owners. Only the server knows their secrets.

import type { WebhookEvent, WebhookShape } from '../../contract/webhooks.ts';
import { dataOf, Refusal } from '../sync/door.ts';
import type { SavedViewRow } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';

export interface WebhookSettings {
  readonly name: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly shape: WebhookShape;
  readonly filter: SavedViewRow['filter'];
  readonly includes_restricted: boolean;
}

export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly is_active: boolean;
  readonly off_because: 'gone' | 'failing' | 'filter' | 'secret' | 'operator' | 'maker' | null;
  readonly failing_since: string | null;
  readonly public_key: string;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly event: string;
  readonly state: 'queued' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly attempted_at: string | null;
  readonly created_at: string;
  readonly status: number | null;
  readonly duration_ms: number | null;
  readonly request: string | null;
  readonly response: string | null;
  readonly error: string | null;
}

const columns =
  'id, name, url, events, shape, filter, includes_restricted, is_active, off_because, failing_since, public_key';
const facts = 'id, event, state, attempts, attempted_at, created_at, status, duration_ms, request, response, error';

/** The secret of a webhook is told once. */
async function askForSecret(sync: Sync, path: string, body: unknown): Promise<string> {
  const { data } = await sync.door.auth.getSession();
  const answer = await fetch(`/api/webhooks${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer === null) throw new Refusal('', '', 0);
  const said = (await answer.json().catch(() => ({}))) as { secret?: string; message?: string; code?: string };
  if (!answer.ok) throw new Refusal(said.message ?? '', said.code ?? '', answer.status);
  return said.secret ?? '';
}

export function createWebhook(sync: Sync, projectId: string, settings: WebhookSettings): Promise<string> {
  return askForSecret(sync, '', { project_id: projectId, ...settings });
}

export function rotateWebhook(sync: Sync, id: string): Promise<string> {
  return askForSecret(sync, `/${id}/secret`, {});
}

export async function listWebhooks(sync: Sync, projectId: string): Promise<readonly Webhook[]> {
  return dataOf(
    await sync.door.from('webhooks').select(columns).eq('project_id', projectId).order('created_at'),
  ) as unknown as readonly Webhook[];
}

export async function changeWebhook(
  sync: Sync,
  id: string,
  change: Partial<WebhookSettings & { readonly is_active: boolean }>,
): Promise<void> {
  dataOf(
    await sync.door
      .from('webhooks')
      .update(change as never)
      .eq('id', id)
      .select('id'),
  );
}

export async function removeWebhook(sync: Sync, id: string): Promise<void> {
  dataOf(await sync.door.from('webhooks').delete().eq('id', id).select('id'));
}

/** Of one that was removed in the last week. */
export async function restoreWebhook(sync: Sync, id: string): Promise<void> {
  dataOf(await sync.door.rpc('restore_webhook' as never, { webhook_id: id } as never));
}

/** The latest fifty. */
export async function listDeliveries(sync: Sync, webhookId: string): Promise<readonly WebhookDelivery[]> {
  return dataOf(
    await sync.door
      .from('webhook_deliveries')
      .select(facts)
      .eq('webhook_id', webhookId)
      .order('created_at', { ascending: false })
      .limit(50),
  ) as unknown as readonly WebhookDelivery[];
}

export async function readPayload(sync: Sync, deliveryId: string): Promise<unknown> {
  return dataOf(await sync.door.rpc('webhook_payload' as never, { delivery_id: deliveryId } as never));
}

export async function testWebhook(sync: Sync, id: string): Promise<void> {
  dataOf(await sync.door.rpc('test_webhook' as never, { webhook_id: id } as never));
}

/** One, or all that failed in the last so many hours; how many. */
export async function redeliver(
  sync: Sync,
  id: string,
  what: { readonly delivery: string } | { readonly hours: number },
): Promise<number> {
  const args =
    'delivery' in what
      ? { delivery_id: what.delivery }
      : { since: new Date(Date.now() - what.hours * 3_600_000).toISOString() };
  return Number(dataOf(await sync.door.rpc('redeliver_webhook' as never, { webhook_id: id, ...args } as never)));
}
