// Events as the payment provider sends them, short enough to read in a test.

import { randomUUID } from 'node:crypto';
import { signDelivery } from './stripe-server.ts';

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly [more: string]: unknown;
}

const start = Math.floor(Date.now() / 1000) - 60;

export function paymentEvent(
  type: string,
  object: Record<string, unknown>,
  { id = `evt_${randomUUID().replaceAll('-', '')}`, after = 0, before, livemode = false }: EventOptions = {},
): PaymentEvent {
  return {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: start + after,
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object, ...(before === undefined ? {} : { previous_attributes: before }) },
  };
}

interface EventOptions {
  readonly id?: string;
  /** Seconds after the beginning of the test's time. */
  readonly after?: number;
  readonly before?: Record<string, unknown>;
  readonly livemode?: boolean;
}

export function checkout(options: {
  id?: string;
  user?: string | null;
  customer?: string | null;
  mode?: 'payment' | 'subscription';
  price?: string;
  paid?: boolean;
  email?: string;
  payment?: string;
}): Record<string, unknown> {
  const mode = options.mode ?? 'subscription';
  return {
    id: options.id ?? `cs_test_${randomUUID().slice(0, 8)}`,
    object: 'checkout.session',
    mode,
    status: 'complete',
    payment_status: options.paid === false ? 'unpaid' : 'paid',
    client_reference_id: options.user ?? null,
    customer: options.customer ?? null,
    customer_details: { email: options.email ?? 'payer@example.test' },
    customer_email: null,
    amount_total: mode === 'payment' ? 19900 : 900,
    currency: 'eur',
    metadata: { price_id: options.price ?? (mode === 'payment' ? 'price_lifetime' : 'price_team') },
    payment_intent: mode === 'payment' ? (options.payment ?? `pi_${randomUUID().slice(0, 8)}`) : null,
    subscription: null,
  };
}

export function subscription(options: {
  id: string;
  customer: string;
  status?: string;
  price?: string;
  user?: string;
  more?: Record<string, unknown>;
}): Record<string, unknown> {
  return {
    id: options.id,
    object: 'subscription',
    customer: options.customer,
    status: options.status ?? 'active',
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    trial_end: null,
    start_date: start,
    created: start,
    metadata: options.user === undefined ? {} : { user_id: options.user },
    items: {
      object: 'list',
      data: [
        {
          id: `si_${options.id}`,
          price: { id: options.price ?? 'price_team' },
          quantity: 1,
          current_period_end: start + 30 * 86_400,
        },
      ],
    },
    ...options.more,
  };
}

export function invoice(options: {
  id: string;
  customer: string;
  subscription: string;
  failed?: boolean;
}): Record<string, unknown> {
  return {
    id: options.id,
    object: 'invoice',
    customer: options.customer,
    amount_due: 900,
    amount_paid: options.failed ? 0 : 900,
    currency: 'eur',
    status: options.failed ? 'open' : 'paid',
    hosted_invoice_url: `https://invoice.stripe.test/i/${options.id}`,
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: options.subscription, metadata: {} },
    },
  };
}

/** The charge as `charge.refunded` carries it: with all that has been refunded of it so far. */
export function charge(payment: string, refunded: number): Record<string, unknown> {
  return {
    id: `ch_${payment}`,
    object: 'charge',
    amount: 19900,
    amount_captured: 19900,
    amount_refunded: refunded,
    refunded: refunded === 19900,
    currency: 'eur',
    payment_intent: payment,
    status: 'succeeded',
  };
}

export function refund(payment: string, status: string): Record<string, unknown> {
  return {
    id: `re_${payment}`,
    object: 'refund',
    amount: 19900,
    charge: `ch_${payment}`,
    payment_intent: payment,
    status,
  };
}

export function dispute(payment: string, status: string): Record<string, unknown> {
  return {
    id: `dp_${payment}`,
    object: 'dispute',
    amount: 19900,
    charge: `ch_${payment}`,
    payment_intent: payment,
    status,
  };
}

/** Delivers an event the way the provider does. */
export function deliver(
  url: string,
  event: PaymentEvent | string,
  { secret = 'whsec_kanbase', at, path = '/api/webhook/billing', signature }: DeliveryOptions = {},
): Promise<Response> {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2);
  const header = signature === undefined ? signDelivery(body, secret, at) : signature;
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(header === null ? {} : { 'stripe-signature': header }),
    },
    body,
  });
}

interface DeliveryOptions {
  readonly secret?: string;
  readonly at?: number;
  readonly path?: string;
  readonly signature?: string | null;
}
