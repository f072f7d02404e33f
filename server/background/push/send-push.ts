// One push message to one browser: encrypted for it, signed by us, and only to push services that are listed, since the address came
// from a browser and could lead anywhere.

import webPush from 'web-push';
import type { PushKeys } from './push-keys.ts';

interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

type Sent = 'sent' | 'gone' | 'refused' | 'failed';

const timeoutMs = 15_000;
const day = 86_400;

export interface Sender {
  readonly keys: PushKeys;
  /** Who to write to about us: https: or mailto:. */
  readonly subject: string;
  readonly services: readonly string[];
}

export function isListed(endpoint: string, services: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, hostname, username } = new URL(endpoint);
  if (username !== '') return false;
  // Plain HTTP only to a host that is listed with its port, as a test's own.
  if (services.includes(host) && host !== hostname) return protocol === 'http:' || protocol === 'https:';
  return protocol === 'https:' && services.some((name) => hostname === name || hostname.endsWith(`.${name}`));
}

/** Null where the keys are none that can be encrypted for: whatever made them up, it is no browser that hears anything. */
function detailsOf(to: Subscription, message: string, { subject, keys }: Sender): webPush.RequestDetails | null {
  try {
    return webPush.generateRequestDetails(
      { endpoint: to.endpoint, keys: { p256dh: to.p256dh, auth: to.auth } },
      message,
      { vapidDetails: { subject, ...keys }, TTL: day, contentEncoding: 'aes128gcm', urgency: 'normal' },
    );
  } catch {
    return null;
  }
}

/** `gone`: the browser has unsubscribed, or never was. `failed`: try again later. */
export async function sendPush(to: Subscription, message: string, sender: Sender): Promise<Sent> {
  if (!isListed(to.endpoint, sender.services)) return 'gone';
  const details = detailsOf(to, message, sender);
  if (details === null) return 'gone';
  const { body, headers, method } = details;
  let status: number;
  try {
    const response = await fetch(to.endpoint, {
      method,
      headers: Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => name.toLowerCase() !== 'content-length')
          .map(([name, value]) => [name, String(value)]),
      ),
      body: new Uint8Array(body ?? []),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    await response.body?.cancel();
  } catch {
    return 'failed';
  }
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status === 429 || status >= 500 ? 'failed' : 'refused';
}
