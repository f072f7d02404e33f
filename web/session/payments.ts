// The two payment doors: a checkout for a price, and the provider's own pages for what one has.

import { Refusal } from '../sync/door.ts';

async function post(path: string, body: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch((reason: Error) => {
    throw new Refusal(reason.message, '', 0);
  });
  const pages = (await response.json().catch(() => ({}))) as { url?: string; error?: string };
  if (!response.ok || pages.url === undefined)
    // What the provider refuses comes with its own words, which are what one wants to know, whatever their language.
    throw new Refusal(
      pages.error ?? `HTTP ${response.status}`,
      pages.error !== undefined && response.status === 500 ? 'provider' : '',
      response.status,
    );
  return pages.url;
}

/** Where to pay. Back from there, the address tells what was bought: once (`paid`) or for as long as it lasts (`subscribed`). */
export function createCheckout(priceId: string, mode: 'payment' | 'subscription', backTo: string): Promise<string> {
  return post('/api/billing/create-checkout', {
    priceId,
    mode,
    successUrl: `${backTo}?${mode === 'payment' ? 'paid' : 'subscribed'}={CHECKOUT_SESSION_ID}`,
    cancelUrl: backTo,
  });
}

/** Where to change how one pays, see invoices, cancel. */
export function createPortal(backTo: string): Promise<string> {
  return post('/api/billing/create-portal', { returnUrl: backTo });
}
