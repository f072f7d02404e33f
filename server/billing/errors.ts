// Errors of the billing doors. Their texts are part of the interface.

import { CatalogError, declareErrors, type ErrorWords } from '../errors.ts';

export const billingErrors = declareErrors({
  KB701: {
    status: 400,
    when: 'create-checkout without priceId.',
    next: 'Send the price id from the payment provider.',
  },
  KB702: { status: 400, when: 'create-checkout without successUrl or cancelUrl.', next: 'Send both addresses.' },
  KB703: {
    status: 400,
    when: 'create-checkout without mode, or with one that does not exist.',
    next: "Send 'payment' or 'subscription'.",
  },
  KB704: {
    status: 400,
    when: 'A field of a billing request has a wrong type, or an address is no http(s) address.',
    next: 'Correct the field the message names.',
  },
  KB705: {
    status: 400,
    when: 'A return address belongs neither to the site nor to an origin in BILLING_REDIRECTS.',
    next: 'Use an address of the site, or add its origin to BILLING_REDIRECTS.',
  },
  KB706: { status: 401, when: 'create-portal without a signed-in user.', next: 'Sign in and try again.' },
  KB707: { status: 400, when: 'create-portal without returnUrl.', next: 'Send the address to come back to.' },
  KB708: { status: 400, when: 'create-portal by someone who never bought anything.', next: 'Make a purchase first.' },
  KB709: {
    status: 500,
    when: 'Billing is asked for, but no key of the payment provider is set.',
    next: 'Set BILLING_SECRET_KEY, and BILLING_WEBHOOK_SECRET for events.',
  },
  KB710: {
    status: 500,
    when: 'The payment provider refused, failed or did not answer in time.',
    next: 'Read the message; an outage passes, a refusal names its cause.',
  },
  KB711: {
    status: 400,
    when: 'A payment event is unsigned, wrongly signed or too old.',
    next: 'Compare BILLING_WEBHOOK_SECRET with the endpoint at the provider, and the clocks.',
  },
  KB712: { status: 400, when: 'A signed payment event is not an event.', next: 'Look at what sends to this address.' },
  KB713: {
    status: 400,
    when: 'A test event reaches a service with a live key, or the other way round.',
    next: 'Use key and signing secret of the same mode.',
  },
  KB714: {
    status: 429,
    when: 'One caller starts too many checkouts, or asks for the portal too often.',
    next: 'Wait as long as Retry-After says.',
  },
});

export function billingError(code: keyof typeof billingErrors, words: ErrorWords | string): CatalogError {
  return new CatalogError(code, billingErrors[code].status, typeof words === 'string' ? { message: words } : words);
}

export const notConfigured = () => billingError('KB709', 'Billing is not configured');
