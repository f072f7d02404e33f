// The session a browser carries in cookies, read and renewed by the official `@supabase/ssr`, so that its browser
// client and this server share one format. The identity door is asked in process whether the session still stands.

import type { CookieOptions } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import { parse, serialize } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { isNarrowed } from './narrowing.ts';
import { isKey } from './personal-keys.ts';
import type { Claims } from './types.ts';

export interface SignedIn {
  readonly id: string;
  readonly email: string | null;
}

export type SessionServices = Pick<Services, 'siteUrl' | 'fetch'> & {
  readonly sessions: Pick<Services['sessions'], 'anonKey'>;
};

/** What our own pages use; a client left at its defaults names the cookie after the host, and is understood too. */
export const sessionCookie = 'sb-kanbase-auth-token';

const knownCookie =
  /^(sb-[A-Za-z0-9_-]+?-auth-token)(?:\.\d+|-(?:flow-[A-Za-z0-9_-]+-|flows-)?code-verifier(?:\.\d+)?)?$/;

/** Who sent this request: by session cookie, or by bearer token for clients that are no browsers. Never by anything else. */
export async function readSignedIn(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  const names = Object.keys(cookiesOf(request));
  if (isOwnPage(services, request)) {
    for (const name of sessionCookieNames(names, (cookie, base) => cookie === base || cookie.startsWith(`${base}.`))) {
      const client = await openCookieClient(services, request, reply, name);
      const { data } = await client.auth.getUser();
      if (!data.user) continue;
      const { session } = (await client.auth.getSession()).data;
      if (isPending(session?.access_token)) return null;
      return { id: data.user.id, email: data.user.email ?? null };
    }
  }
  return readBearer(services, request);
}

/** The client insists on knowing how it would open a socket (Node 20 has none of its own); ours never does. */
class NoSocket {
  constructor() {
    throw new Error('Cookie sessions open no sockets');
  }
}

/** The official server client over this request's cookies; what it changes is set on the reply. */
export async function openCookieClient(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
  name = sessionCookie,
): Promise<SupabaseClient> {
  const { createServerClient } = await import('@supabase/ssr'); // large, and most requests need none of it
  const cookies = new Map(Object.entries(cookiesOf(request)));
  return createServerClient(services.siteUrl, services.sessions.anonKey, {
    global: { fetch: services.fetch, headers: onBehalfOf(request) },
    realtime: { transport: NoSocket as never },
    cookieOptions: { name, path: '/', sameSite: 'lax', secure: isSecure(services, request) },
    cookies: {
      getAll: () => [...cookies].map(([cookie, value]) => ({ name: cookie, value })),
      setAll: (changes, headers) => {
        // Another service on this host may keep its own session under a name like ours; that is not ours to end.
        if (changes.every(({ value }) => value === '') && !isOurs(services, name)) return;
        for (const change of changes) {
          if (change.value === '') cookies.delete(change.name);
          else cookies.set(change.name, change.value);
          putCookie(reply, change.name, setCookie(change.name, change.value, change.options));
        }
        reply.headers(headers);
      },
    },
  });
}

/** The name under which this browser began to sign in: the one that has a verifier waiting. */
export function pendingCookieName(request: FastifyRequest): string {
  const names = Object.keys(cookiesOf(request));
  return sessionCookieNames(names, (cookie) => cookie.includes('code-verifier'))[0] ?? sessionCookie;
}

/** Base names among the cookies, our own first. */
export function sessionCookieNames(
  cookies: readonly string[],
  counts: (cookie: string, base: string) => boolean,
): string[] {
  const bases = new Set<string>();
  for (const cookie of cookies) {
    const base = knownCookie.exec(cookie)?.[1];
    if (base !== undefined && counts(cookie, base)) bases.add(base);
  }
  return [...bases].sort((a, b) => Number(b === sessionCookie) - Number(a === sessionCookie)).slice(0, 3);
}

/** A cookie speaks for its owner only when one of our own pages sent it along. */
function isOwnPage(services: Pick<SessionServices, 'siteUrl'>, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  if (origin === undefined) return site !== 'cross-site';
  if (origin === new URL(services.siteUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.host && site !== 'cross-site';
}

async function readBearer(services: SessionServices, request: FastifyRequest): Promise<SignedIn | null> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || token === services.sessions.anonKey || isKey(token)) return null;
  const response = await services.fetch(`${services.siteUrl}/auth/v1/user`, {
    headers: { ...onBehalfOf(request), apikey: services.sessions.anonKey, authorization: `Bearer ${token}` },
  });
  if (!response.ok) {
    await response.body?.cancel();
    return null;
  }
  const user = (await response.json()) as { id?: unknown; email?: unknown };
  if (typeof user.id !== 'string' || isPending(token)) return null;
  return { id: user.id, email: typeof user.email === 'string' && user.email !== '' ? user.email : null };
}

/** A token the identity door has just approved, of an app, or of someone who has yet to show their second factor: not signed in for us. */
function isPending(token = ''): boolean {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as Claims;
  return claims.mfa_pending === true || isNarrowed(claims);
}

/** Limits and sessions are about the person at the other end, not about this process asking itself. */
function onBehalfOf(request: FastifyRequest): Record<string, string> {
  const agent = request.headers['user-agent'];
  return { 'x-forwarded-for': request.ip, ...(agent === undefined ? {} : { 'user-agent': agent }) };
}

function cookiesOf(request: FastifyRequest): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(parse(request.headers.cookie ?? '')))
    if (value !== undefined) found[name] = value;
  return found;
}

/** The name of our pages, or the one a client at its defaults derives from our address. */
function isOurs({ siteUrl }: Pick<SessionServices, 'siteUrl'>, name: string): boolean {
  return name === sessionCookie || name === `sb-${new URL(siteUrl).hostname.split('.', 1)[0]}-auth-token`;
}

/** One line for each cookie: the last one counts. */
function putCookie(reply: FastifyReply, name: string, line: string): void {
  const known = reply.getHeader('set-cookie') ?? [];
  const others = (Array.isArray(known) ? known : [String(known)]).filter((other) => !other.startsWith(`${name}=`));
  reply.removeHeader('set-cookie').header('set-cookie', [...others, line]);
}

function isSecure(services: Pick<SessionServices, 'siteUrl'>, request: FastifyRequest): boolean {
  return request.protocol === 'https' || services.siteUrl.startsWith('https:');
}

function setCookie(name: string, value: string, options: CookieOptions): string {
  return serialize(name, value, {
    path: options.path ?? '/',
    sameSite: options.sameSite ?? 'lax',
    httpOnly: options.httpOnly ?? false,
    secure: options.secure ?? false,
    ...(options.maxAge === undefined ? {} : { maxAge: options.maxAge }),
  });
}
