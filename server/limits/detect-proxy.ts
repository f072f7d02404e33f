// Tells from a request whether a proxy forwarded it. nginx with nothing but `proxy_pass` sends none of the usual headers: it
// speaks HTTP/1.0, as no browser does, and puts its own name for us into Host, which is not the one that the browser shows.

import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../loopback.ts';

/** Forwarded without being named; forwarded without saying for whom; named and saying so. */
export type ProxySign = 'unnamed' | 'silent' | 'named';

type Request = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'url'>;

/** Headers beside `X-Forwarded-…` that proxies add. */
const forwarding = new Set(['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']);

export function detectProxy(request: Request, trusted: boolean): ProxySign | null {
  const { headers } = request;
  if (trusted && headers['x-forwarded-for'] !== undefined) return 'named';
  for (const name in headers)
    if (name.startsWith('x-forwarded-') || forwarding.has(name)) return trusted ? 'silent' : 'unnamed';
  return isOldHttp(request) || showsOtherHost(request) ? 'silent' : null;
}

/** Health checks, which some load balancers write so, aside. */
function isOldHttp({ headers, httpVersion, url = '/' }: Request): boolean {
  return httpVersion === '1.0' && headers.host !== undefined && !/^\/(health|ready)\b/.test(url);
}

/** A page of ours asks, under an address that is not the one in Host. */
function showsOtherHost({ headers }: Request): boolean {
  const page = headers.origin ?? headers.referer;
  if (page === undefined || headers.host === undefined || !URL.canParse(page)) return false;
  const { host, hostname, protocol } = new URL(page);
  if (host === headers.host || !protocol.startsWith('http')) return false;
  if (headers['sec-fetch-site'] !== undefined) return headers['sec-fetch-site'] === 'same-origin';
  // Without HTTPS browsers do not say so: a page of elsewhere that asks this machine, by a name of this machine.
  return isLoopbackHost(headers.host.replace(/:\d+$/, '')) && !isLoopbackHost(hostname);
}
