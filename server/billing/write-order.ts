// A checkout request in the provider's words. The user's id travels in three places, because the events that come
// back each carry another one of them: the checkout itself, the subscription, the payment.

import type Stripe from 'stripe';
import type { SignedIn } from '../session/cookie-session.ts';
import type { CheckoutRequest } from './check-request.ts';

export function writeOrder(
  wanted: CheckoutRequest,
  user: SignedIn | null,
  customer: string | null,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { price_id: wanted.priceId, ...(user === null ? {} : { user_id: user.id }) };
  return {
    mode: wanted.mode,
    line_items: [{ price: wanted.priceId, quantity: 1 }],
    success_url: wanted.successUrl,
    cancel_url: wanted.cancelUrl,
    allow_promotion_codes: true,
    tax_id_collection: { enabled: true },
    metadata,
    ...(user === null ? {} : { client_reference_id: user.id }),
    ...whoPays(wanted, user, customer),
    ...(wanted.mode === 'subscription' ? { subscription_data: { metadata } } : { payment_intent_data: { metadata } }),
  };
}

function whoPays(wanted: CheckoutRequest, user: SignedIn | null, customer: string | null) {
  // A known customer's name and address are kept current; collecting tax ids asks for it.
  if (customer !== null) return { customer, customer_update: { name: 'auto', address: 'auto' } } as const;
  return {
    ...(user?.email ? { customer_email: user.email } : {}),
    // A subscription always makes a customer, a single payment only when told to; without one there is no portal.
    ...(wanted.mode === 'payment' ? ({ customer_creation: 'always' } as const) : {}),
  };
}
