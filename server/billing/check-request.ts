// Checks what the schemas of the billing routes leave open: whether the addresses of a request are good ones, on places that
// are welcome.

import type { Config } from '../config/config.ts';
import type { BodyOf } from '../http/check-body.ts';
import { isLoopbackHost } from '../loopback.ts';
import type { createCheckout } from './described.ts';
import { billingError } from './errors.ts';

export type CheckoutRequest = BodyOf<typeof createCheckout>;

/** Which return addresses are welcome. */
export interface RedirectRule {
  readonly siteUrl: string;
  readonly redirects: Config['billing']['redirects'];
}

export function checkCheckout(asked: CheckoutRequest, rule: RedirectRule): CheckoutRequest {
  if (!asked.priceId.isWellFormed()) throw billingError('KB704', 'Price ID has half of a character in it');
  return {
    priceId: asked.priceId.trim(),
    successUrl: checkAddress('Success URL', asked.successUrl, rule),
    cancelUrl: checkAddress('Cancel URL', asked.cancelUrl, rule),
    mode: asked.mode,
  };
}

/** The address is handed on as it was sent: `{CHECKOUT_SESSION_ID}` in it is the provider's to fill in. */
export function checkAddress(name: string, sent: string, rule: RedirectRule): string {
  const address = sent.trim();
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw billingError('KB704', `${name} must be a valid address, such as ${rule.siteUrl}/app`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw billingError('KB704', `${name} must start with http:// or https://`);
  // Browsers would put these right, each in its own way; the provider refuses them.
  if (!/^https?:\/\/[^\s\p{Cc}\p{Cs}\\]+$/iu.test(address))
    throw billingError('KB704', `${name} must be a valid address, such as ${rule.siteUrl}/app`);
  if (!isWelcome(url, rule))
    throw billingError(
      'KB705',
      `${name} must lie on ${new URL(rule.siteUrl).origin}, or on what BILLING_REDIRECTS lists`,
    );
  return address;
}

/** Anyone may start a checkout, so a site that the public knows does not lend its name to ways elsewhere unless told to. */
function isWelcome(url: URL, { siteUrl, redirects }: RedirectRule): boolean {
  const site = new URL(siteUrl);
  if (redirects.includes('any') || (redirects.length === 0 && isLoopbackHost(site.hostname))) return true;
  return [siteUrl, ...redirects].some((one) => URL.canParse(one) && new URL(one).origin === url.origin);
}
