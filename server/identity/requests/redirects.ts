// Checks the address to return to after a sign-in: the site itself or one listed in AUTH_REDIRECT_URLS. Anything else falls back to the
// site, silently, as GoTrue does.

import type { FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../loopback.ts';
import { redirectTo } from '../description-terms.ts';
import { headerValue, readQuery } from './read-body.ts';

export interface RedirectRules {
  readonly siteUrl: string;
  readonly redirectUrls: readonly string[];
}

/** The first acceptable of: the query's redirect_to, the header of that name, the referring page; else the site. */
export function redirectOf(rules: RedirectRules, request: FastifyRequest): string {
  const asked =
    readQuery(request, { parameters: [redirectTo] }).redirect_to || headerValue(request, 'redirect_to') || '';
  return acceptRedirect(rules, asked) ?? acceptRedirect(rules, headerValue(request, 'referer') ?? '') ?? rules.siteUrl;
}

/** The address as a browser would read it, or null when it is not one of ours. */
export function acceptRedirect(rules: RedirectRules, candidate: string): string | null {
  // Browsers drop tabs and newlines and turn backslashes round; an address that needs that is not taken.
  if (candidate === '' || candidate.length > 4096 || /[\s\\]/.test(candidate) || hasControl(candidate)) return null;
  const address = openAddress(candidate);
  if (address === null || neverAnApp.test(address.scheme)) return null;
  const { scheme, url } = address;
  if (url.username !== '' || url.password !== '') return null;
  if (!isWeb(scheme)) {
    const accepted = closeAddress(address);
    const [bare = ''] = accepted.split('#', 1);
    return rules.redirectUrls.some((pattern) => matchesApp(pattern, scheme, bare)) ? accepted : null;
  }
  if (!/^https?:\/\/[^/]/i.test(candidate)) return null;
  const site = new URL(rules.siteUrl);
  const ours =
    url.origin === site.origin ||
    // On a developer's machine the page and the service often have different ports.
    (isLoopbackHost(site.hostname) && isLoopbackHost(url.hostname)) ||
    rules.redirectUrls.some((pattern) => matchesPage(pattern, url));
  if (!ours) return null;
  // A bare host stays as it was given.
  return url.href === `${candidate}/` ? candidate : url.href;
}

interface Address {
  readonly scheme: string;
  readonly url: URL;
}

/** What a browser runs or reads by itself is no app to go back to. */
const neverAnApp = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source)$/;

/** Android's apps have underscores in their names, which URL does not read in a scheme: it gets one of ours in its place. */
function openAddress(text: string): Address | null {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+._-]*):(.*)$/i.exec(text) ?? [];
  const lower = scheme.toLowerCase();
  try {
    return scheme === '' ? null : { scheme: lower, url: new URL(`${isWeb(lower) ? lower : 'app'}:${rest}`) };
  } catch {
    return null;
  }
}

function closeAddress({ scheme, url }: Address): string {
  return isWeb(scheme) ? url.href : `${scheme}:${url.href.slice('app:'.length)}`;
}

function isWeb(scheme: string): boolean {
  return scheme === 'http' || scheme === 'https';
}

/** An app's own scheme leads to that app whatever follows: the rest is compared as one text, without the fragment. */
function matchesApp(pattern: string, scheme: string, bare: string): boolean {
  const [, named = '', rest = ''] = /^([a-z][a-z0-9+._-]*):(.*)$/i.exec(pattern) ?? [];
  return named.toLowerCase() === scheme && glob(rest).test(bare.slice(scheme.length + 1));
}

/** Scheme, host and path are compared apart, so that a wildcard in one cannot swallow another. */
function matchesPage(pattern: string, url: URL): boolean {
  const parts = /^(https?:)\/\/([^/]*)(\/[^#]*)?$/i.exec(pattern);
  if (!parts) return false;
  const [, scheme = '', host = ''] = parts;
  // `**` crosses slashes: where it ends a pattern without a path, any path is meant.
  const path = parts[3] ?? (host.endsWith('**') ? '/**' : '/');
  if (scheme.toLowerCase() !== url.protocol || !glob(host.toLowerCase()).test(url.host)) return false;
  return glob(path).test(path.includes('?') ? url.pathname + url.search : url.pathname);
}

/** `**` is anything, `*` anything between dots and slashes, `?` one character of that, `[a-z]` and `[!a-z]` one of a kind. */
function glob(pattern: string): RegExp {
  const source = pattern.split(/(\*\*|\*|\?|\[!?[\w-]+\])/).map((piece) => {
    if (piece === '**') return '.*';
    if (piece === '*') return '[^./]*';
    if (piece === '?') return '[^./]';
    if (/^\[!?[\w-]+\]$/.test(piece)) return piece.replace('[!', '[^');
    return piece.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`);
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
  const opened = openAddress(address);
  if (opened === null) throw new TypeError(`Not an address: ${address}`);
  const { url } = opened;
  const encoded = new URLSearchParams(parameters).toString();
  if (place !== 'fragment') for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (place !== 'query') url.hash = encoded;
  return closeAddress(opened);
}
