// From the fields of a billing request to something checked. Presence comes first, in the order the interface gives
// (price, addresses, mode); whether what is there is any good comes after that.

import type { Config } from '../config/config.ts';
import { isLoopbackHost } from '../loopback.ts';
import { billingError } from './errors.ts';

export interface CheckoutRequest {
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly mode: 'payment' | 'subscription';
}

export interface PortalRequest {
  readonly returnUrl: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Which return addresses are welcome. */
export interface RedirectRule {
  readonly siteUrl: string;
  readonly redirects: Config['billing']['redirects'];
}

const modeText =
  "Mode is required (either 'payment' for one-time payments or 'subscription' for recurring subscription)";

export function readCheckoutRequest(fields: Fields, rule: RedirectRule): CheckoutRequest {
  const { priceId, successUrl, cancelUrl, mode } = fields;
  if (isMissing(priceId)) throw billingError('KB701', 'Price ID is required');
  if (isMissing(successUrl) || isMissing(cancelUrl))
    throw billingError('KB702', 'Success and cancel URLs are required');
  if (isMissing(mode)) throw billingError('KB703', modeText);

  if (typeof priceId !== 'string') throw billingError('KB704', 'Price ID must be a text');
  if (priceId.length > 255) throw billingError('KB704', 'Price ID is too long: at most 255 characters');
  if (!priceId.isWellFormed()) throw billingError('KB704', 'Price ID has half of a character in it');
  const request = {
    priceId: priceId.trim(),
    successUrl: readAddress('Success URL', successUrl, rule),
    cancelUrl: readAddress('Cancel URL', cancelUrl, rule),
  };
  if (mode !== 'payment' && mode !== 'subscription') throw billingError('KB703', modeText);
  return { ...request, mode };
}

export function readPortalRequest(fields: Fields, rule: RedirectRule): PortalRequest {
  const { returnUrl } = fields;
  if (isMissing(returnUrl)) throw billingError('KB707', 'Return URL is required');
  return { returnUrl: readAddress('Return URL', returnUrl, rule) };
}

function isMissing(value: unknown): boolean {
  return !value || (typeof value === 'string' && value.trim() === '');
}

/** The address is handed on as it was sent: `{CHECKOUT_SESSION_ID}` in it is the provider's to fill in. */
function readAddress(name: string, value: unknown, rule: RedirectRule): string {
  if (typeof value !== 'string') throw billingError('KB704', `${name} must be a text`);
  const address = value.trim();
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
  if (address.length > 2048) throw billingError('KB704', `${name} is too long: at most 2048 characters`);
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
