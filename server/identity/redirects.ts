// Where a sign-in may return to: the site itself and what AUTH_REDIRECT_URLS lists. Anything else falls back to the
// site, silently, as GoTrue does.

import type { FastifyRequest } from 'fastify';
import { headerValue, queryValue } from './read-body.ts';

export interface RedirectRules {
  readonly siteUrl: string;
  readonly redirectUrls: readonly string[];
}

/** The first acceptable of: the query's redirect_to, the header of that name, the referring page; else the site. */
export function redirectOf(rules: RedirectRules, request: FastifyRequest): string {
  const asked = queryValue(request, 'redirect_to') || headerValue(request, 'redirect_to') || '';
  return acceptRedirect(rules, asked) ?? acceptRedirect(rules, headerValue(request, 'referer') ?? '') ?? rules.siteUrl;
}

/** The address as a browser would read it, or null when it is not one of ours. */
export function acceptRedirect(rules: RedirectRules, candidate: string): string | null {
  // Browsers drop tabs and newlines and turn backslashes round; an address that needs that is not taken.
  if (candidate === '' || candidate.length > 4096 || /[\s\\]/.test(candidate) || hasControl(candidate)) return null;
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(candidate)) return null;
  let url: URL;
  try {
    url = new URL(candidate);
  } catch {
    return null;
  }
  if (url.username !== '' || url.password !== '') return null;
  if (/^(javascript|data|vbscript|blob|file):$/.test(url.protocol)) return null;
  const site = new URL(rules.siteUrl);
  const web = url.protocol === 'http:' || url.protocol === 'https:';
  const ours =
    (web && url.origin === site.origin) ||
    // On a developer's machine the page and the service often have different ports.
    (web && isLocal(site.hostname) && isLocal(url.hostname)) ||
    rules.redirectUrls.some((pattern) => matches(pattern, url));
  if (!ours) return null;
  // A bare host stays as it was given.
  return url.href === `${candidate}/` ? candidate : url.href;
}

/** Scheme, host and path are compared apart, so that a wildcard in one cannot swallow another. */
function matches(pattern: string, url: URL): boolean {
  const parts = /^([a-z][a-z0-9+.-]*:)\/\/([^/]*)(\/[^#]*)?$/i.exec(pattern);
  if (!parts) return false;
  const [, scheme = '', host = '', path = '/'] = parts;
  if (scheme.toLowerCase() !== url.protocol || !glob(host.toLowerCase()).test(url.host)) return false;
  const asked = path.includes('?') ? url.pathname + url.search : url.pathname;
  return glob(path).test(asked === '' ? '/' : asked);
}

/** `**` is anything, `*` anything between dots and slashes. */
function glob(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((piece) => (piece === '**' ? '.*' : piece === '*' ? '[^./]*' : piece.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** Adds what a client reads from the address it comes back to: in the fragment, or in the query too for PKCE. */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string>>,
  place: 'fragment' | 'query' | 'both',
): string {
  const url = new URL(address);
  const encoded = new URLSearchParams(parameters).toString();
  if (place !== 'fragment') for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (place !== 'query') url.hash = encoded;
  return url.href;
}
