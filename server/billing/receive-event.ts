// One delivery of a payment event: verified over the bytes as they came, then recorded once, effect and all,
// in one statement. Nothing of the body is trusted, or even parsed, before its signature is.

import type Stripe from 'stripe';
import { livemodeOf, type ProviderMode } from '../config/provider-mode.ts';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import type { Database } from '../database/types.ts';
import { billingError, notConfigured } from './errors.ts';
import { effectOf } from './read-event.ts';

export interface Delivery {
  readonly body: Buffer;
  readonly signature: string;
}

/** What can be told before the body is taken. */
export function checkSigned(
  signature: string | string[] | undefined,
  secret: string | null,
): { readonly signature: string; readonly secret: string } {
  if (typeof signature !== 'string' || signature === '')
    throw billingError('KB711', 'The signature is missing: no Stripe-Signature header was sent');
  if (secret === null) throw notConfigured();
  return { signature, secret };
}

export async function verifyEvent(delivery: Delivery, secret: string, mode: ProviderMode): Promise<Stripe.Event> {
  if (delivery.body.length === 0) throw billingError('KB711', 'The signature cannot be checked: the body is empty');
  const { default: Client } = await import('stripe');
  let event: Stripe.Event;
  try {
    event = await Client.webhooks.constructEventAsync(delivery.body, delivery.signature, secret);
  } catch (cause) {
    if (cause instanceof Client.errors.StripeSignatureVerificationError)
      throw billingError('KB711', `The signature is not valid: ${firstSentence(cause.message)}`, { cause });
    throw billingError('KB712', 'The body is signed, but it is no event of this kind of endpoint', { cause });
  }
  if (
    typeof event?.id !== 'string' ||
    typeof event.type !== 'string' ||
    typeof event.created !== 'number' ||
    !event.data?.object
  )
    throw billingError('KB712', 'The body is signed, but it is no event');
  const live = livemodeOf(mode);
  if (live !== null && typeof event.livemode === 'boolean' && event.livemode !== live)
    throw billingError(
      'KB713',
      event.livemode
        ? 'This is a live event, but the service runs with a test key: nothing was changed'
        : 'This is a test event, but the service runs with a live key: nothing was changed',
    );
  return event;
}

/** False when the event was known already. */
export async function recordEvent(database: Database, event: Stripe.Event): Promise<boolean> {
  const effect = effectOf(event);
  const remembered = {
    id: event.id,
    kind: event.type,
    livemode: event.livemode ?? null,
    happened_at: new Date(event.created * 1000).toISOString(),
    is_handled: effect !== null,
    payload: event,
  };
  const [row] = await database.objectsAs<{ is_new: boolean }>(
    roomRoles.billing,
    statement(sql`select billing.record_event(${remembered}::jsonb, ${effect ?? {}}::jsonb) as is_new`),
  );
  return row?.is_new ?? false;
}

function firstSentence(text: string): string {
  return text.split(/[.?\n]/, 1)[0]?.trim() ?? text;
}
