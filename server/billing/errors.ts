// Errors of the billing doors. Their texts are part of the interface.

import { declareErrors, errorsOf } from '../errors.ts';

export const billingErrors = declareErrors({
  KB701: {
    status: 400,
    when: 'create-checkout without priceId.',
    next: 'Send the provider’s price id.',
  },
  KB702: { status: 400, when: 'create-checkout without successUrl or cancelUrl.', next: 'Send both addresses.' },
  KB703: {
    status: 400,
    when: 'create-checkout without a valid mode.',
    next: "Send 'payment' or 'subscription'.",
  },
  KB704: {
    status: 400,
    when: 'A field has a wrong type, or is no http(s) address.',
    next: 'Correct what the message names.',
  },
  KB705: {
    status: 400,
    when: 'A return address is neither on the site nor in BILLING_REDIRECTS.',
    next: 'Use one of the site, or add its origin.',
  },
  KB706: { status: 401, when: 'create-portal without a signed-in user.', next: 'Sign in and try again.' },
  KB707: { status: 400, when: 'create-portal without returnUrl.', next: 'Send it.' },
  KB708: { status: 400, when: 'create-portal by someone who never bought anything.', next: 'Make a purchase first.' },
  KB709: {
    status: 500,
    when: 'No key of the payment provider is set.',
    next: 'Set BILLING_SECRET_KEY, and BILLING_WEBHOOK_SECRET for events.',
  },
  KB710: {
    status: 500,
    when: 'The payment provider refused, failed or was silent.',
    next: 'The message says which; an outage passes.',
  },
  KB711: {
    status: 400,
    when: 'A payment event is unsigned, wrongly signed or too old.',
    next: 'Compare BILLING_WEBHOOK_SECRET with the provider’s, and the clocks.',
  },
  KB712: { status: 400, when: 'A signed payment event is no event.', next: 'Check what sends it.' },
  KB713: {
    status: 400,
    when: 'A test event with a live key, or the reverse.',
    next: 'Use key and secret of one mode.',
  },
  KB714: {
    status: 429,
    when: 'Too many checkouts or portal requests of one caller.',
    next: 'Wait for Retry-After.',
  },
});

export const billingError = errorsOf(billingErrors);

export const notConfigured = () => billingError('KB709', 'Billing is not configured');
