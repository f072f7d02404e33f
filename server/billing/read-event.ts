// Translates an event of the payment provider into plain data, which `billing.record_event` applies to our rows. Understands several API
// versions, because an endpoint at the provider keeps the version it was created with.

import type Stripe from 'stripe';

/** Keys are our column names; SQL reads them as they stand. */
export interface Effect {
  readonly user_id?: string | undefined;
  readonly customer?: { id: string; email?: string | null; deleted_at?: string };
  readonly subscription?: {
    id: string;
    customer_id: string;
    status: string;
    price_id: string | null;
    quantity: number | null;
    current_period_end: string | null;
    cancel_at: string | null;
    cancel_at_period_end: boolean;
    canceled_at: string | null;
    ended_at: string | null;
    trial_end: string | null;
    started_at: string | null;
    told_rank: 1 | 2 | 3;
    told_state: unknown;
    told_before: unknown;
  };
  readonly purchase?: {
    id: string;
    customer_id: string | null;
    price_id: string | null;
    payment_id: string | null;
    amount: number | null;
    currency: string | null;
    status: 'pending' | 'paid' | 'failed';
  };
  readonly invoice?: {
    id: string;
    customer_id: string | null;
    subscription_id: string | null;
    status: 'paid' | 'failed';
    amount: number | null;
    currency: string | null;
    hosted_url: string | null;
  };
  readonly reversal?: {
    id: string;
    payment_id: string;
    kind: 'refund' | 'dispute';
    status: 'partial' | 'full' | 'failed' | 'inquiry' | 'open' | 'won' | 'lost';
    told_rank: 1 | 2 | 3;
  };
}

/** Null for kinds that are kept and change nothing. */
export function effectOf(event: Stripe.Event): Effect | null {
  switch (event.type) {
    case 'checkout.session.completed':
      return checkoutEffect(event.data.object, event.data.object.payment_status === 'unpaid' ? 'pending' : 'paid');
    case 'checkout.session.async_payment_succeeded':
      return checkoutEffect(event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return checkoutEffect(event.data.object, 'failed');
    case 'customer.subscription.created':
      return subscriptionEffect(event, 1);
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      return subscriptionEffect(event, 2);
    case 'customer.subscription.deleted':
      return subscriptionEffect(event, 3);
    case 'invoice.paid':
    case 'invoice.payment_succeeded':
      return invoiceEffect(event.data.object, 'paid');
    case 'invoice.payment_failed':
      return invoiceEffect(event.data.object, 'failed');
    case 'customer.created':
    case 'customer.updated': {
      const { id, email } = event.data.object;
      return { customer: { id, email: email ?? null } };
    }
    case 'customer.deleted':
      return { customer: { id: event.data.object.id, deleted_at: moment(event.created) ?? new Date().toISOString() } };
    case 'charge.refunded': {
      const { payment_intent: payment, refunded } = event.data.object;
      return refundEffect(payment, refunded ? 'full' : 'partial');
    }
    case 'charge.refund.updated':
    case 'refund.updated':
    case 'refund.failed': {
      // The money came back from where it was sent: whatever was refunded before this is not, or not in full.
      const { payment_intent: payment, status } = event.data.object;
      return status === 'failed' || status === 'canceled' ? refundEffect(payment, 'failed') : null;
    }
    case 'charge.dispute.created':
      return disputeEffect(event.data.object, 1);
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return disputeEffect(event.data.object, 2);
    case 'charge.dispute.closed':
      return disputeEffect(event.data.object, 3);
    default:
      return null;
  }
}

function checkoutEffect(session: Stripe.Checkout.Session, status: 'pending' | 'paid' | 'failed'): Effect {
  const customerId = idOf(session.customer);
  const email = session.customer_details?.email ?? session.customer_email ?? undefined;
  return {
    user_id: uuidIn(session.client_reference_id) ?? uuidIn(session.metadata?.user_id),
    ...(customerId === null ? {} : { customer: { id: customerId, ...(email === undefined ? {} : { email }) } }),
    ...(session.mode !== 'payment'
      ? {}
      : {
          purchase: {
            id: session.id,
            customer_id: customerId,
            price_id: session.metadata?.price_id ?? session.line_items?.data[0]?.price?.id ?? null,
            payment_id: idOf(session.payment_intent),
            amount: session.amount_total ?? null,
            currency: session.currency ?? null,
            status,
          },
        }),
  };
}

type SubscriptionEvent =
  | Stripe.CustomerSubscriptionCreatedEvent
  | Stripe.CustomerSubscriptionUpdatedEvent
  | Stripe.CustomerSubscriptionPausedEvent
  | Stripe.CustomerSubscriptionResumedEvent
  | Stripe.CustomerSubscriptionDeletedEvent;

function subscriptionEffect(event: SubscriptionEvent, rank: 1 | 2 | 3): Effect | null {
  const subscription = event.data.object;
  const customerId = idOf(subscription.customer);
  if (customerId === null) return null;
  const item = subscription.items?.data?.[0];
  // Until 2025 the period belonged to the subscription, since then to its items.
  const older = subscription as unknown as { current_period_end?: number; plan?: { id?: string }; quantity?: number };
  return {
    user_id: uuidIn(subscription.metadata?.user_id),
    customer: { id: customerId },
    subscription: {
      id: subscription.id,
      customer_id: customerId,
      status: subscription.status,
      price_id: item?.price?.id ?? older.plan?.id ?? null,
      quantity: item?.quantity ?? older.quantity ?? null,
      current_period_end: moment(item?.current_period_end ?? older.current_period_end),
      cancel_at: moment(subscription.cancel_at),
      cancel_at_period_end: subscription.cancel_at_period_end ?? false,
      canceled_at: moment(subscription.canceled_at),
      ended_at: moment(subscription.ended_at),
      trial_end: moment(subscription.trial_end),
      started_at: moment(subscription.start_date ?? subscription.created),
      told_rank: rank,
      told_state: subscription,
      told_before: 'previous_attributes' in event.data ? (event.data.previous_attributes ?? {}) : {},
    },
  };
}

function invoiceEffect(invoice: Stripe.Invoice, status: 'paid' | 'failed'): Effect {
  const customerId = idOf(invoice.customer);
  const older = invoice as unknown as { subscription?: string | { id: string } | null };
  return {
    ...(customerId === null ? {} : { customer: { id: customerId } }),
    invoice: {
      id: invoice.id,
      customer_id: customerId,
      subscription_id: idOf(invoice.parent?.subscription_details?.subscription ?? older.subscription),
      status,
      amount: (status === 'paid' ? invoice.amount_paid : invoice.amount_due) ?? null,
      currency: invoice.currency ?? null,
      hosted_url: invoice.hosted_invoice_url ?? null,
    },
  };
}

function refundEffect(payment: Reference, status: 'partial' | 'full' | 'failed'): Effect | null {
  const id = idOf(payment);
  const rank = { partial: 1, full: 2, failed: 3 } as const;
  return id === null ? null : { reversal: { id, payment_id: id, kind: 'refund', status, told_rank: rank[status] } };
}

function disputeEffect(dispute: Stripe.Dispute, rank: 1 | 2 | 3): Effect | null {
  const payment = idOf(dispute.payment_intent);
  if (payment === null) return null;
  const status = disputeStatus(dispute.status);
  return { reversal: { id: dispute.id, payment_id: payment, kind: 'dispute', status, told_rank: rank } };
}

/** A bank that merely asks (`warning_…`), or a dispute that was headed off, has taken no money. */
function disputeStatus(status: string): 'inquiry' | 'open' | 'won' | 'lost' {
  if (status === 'won' || status === 'lost') return status;
  return status === 'needs_response' || status === 'under_review' ? 'open' : 'inquiry';
}

type Reference = string | { readonly id: string } | null | undefined;

function idOf(reference: Reference): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}

function moment(seconds: number | null | undefined): string | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : null;
}

function uuidIn(value: string | null | undefined): string | undefined {
  return value && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value.toLowerCase() : undefined;
}
