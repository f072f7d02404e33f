// The payment provider as the rest of the room sees it: two calls that answer with an address or throw KB710,
// always within the time limit. Repeats with backoff are the official client's; the same idempotency key goes with each.

import type Stripe from 'stripe';
import type { Config } from '../config/config.ts';
import { type ProviderMode, providerMode } from '../config/provider-mode.ts';
import { billingError } from './errors.ts';

export interface Provider {
  readonly mode: ProviderMode;
  createCheckout(order: Stripe.Checkout.SessionCreateParams, idempotencyKey: string): Promise<string>;
  createPortal(customer: string, returnUrl: string, idempotencyKey: string): Promise<string>;
  /** What a price costs, for the list of plans. */
  describePrice(priceId: string): Promise<Stripe.Price>;
}

export function openProvider(settings: Config['billing']): Provider | null {
  if (settings.secretKey === null) return null;
  const secretKey: string = settings.secretKey;
  const api = new URL(settings.apiUrl);
  const protocol = api.protocol === 'http:' ? 'http' : 'https';

  /** A client for one call, whose every try ends when the call's time is up. */
  async function clientUntil(end: AbortSignal): Promise<Stripe> {
    const { default: Client } = await import('stripe'); // large; a service without billing never loads it
    return new Client(secretKey, {
      host: api.hostname,
      port: api.port === '' ? (protocol === 'http' ? 80 : 443) : api.port,
      protocol,
      httpClient: Client.createFetchHttpClient((url: string | URL | Request, init: RequestInit = {}) =>
        fetch(url, { ...init, signal: init.signal ? AbortSignal.any([init.signal, end]) : end }),
      ),
      // Two tries of the longest kind fit into the limit, three when failures come quickly.
      timeout: Math.floor((settings.timeoutMs * 4) / 9),
      maxNetworkRetries: 2,
      telemetry: false,
      appInfo: { name: 'kanbase' },
    });
  }

  async function ask<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
    const end = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new Error('The payment provider did not answer in time. Nothing was charged; try again in a moment.'));
        end.abort();
      }, settings.timeoutMs);
    });
    const result = clientUntil(end.signal).then(question);
    result.catch(() => undefined); // after the limit nobody waits for it
    try {
      return await Promise.race([result, limit]);
    } catch (cause) {
      const message = cause instanceof Error && cause.message !== '' ? cause.message : 'The payment provider failed';
      throw billingError('KB710', message, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    mode: providerMode(settings),
    createCheckout: async (order, idempotencyKey) =>
      addressIn(await ask((stripe) => stripe.checkout.sessions.create(order, { idempotencyKey }))),
    createPortal: async (customer, returnUrl, idempotencyKey) =>
      addressIn(
        await ask((stripe) =>
          stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }, { idempotencyKey }),
        ),
      ),
    describePrice: (priceId) => ask((stripe) => stripe.prices.retrieve(priceId, { expand: ['product'] })),
  };
}

function addressIn(session: { readonly url: string | null }): string {
  if (session.url) return session.url;
  throw billingError('KB710', 'The payment provider answered without an address to send you to');
}
