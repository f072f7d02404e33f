// The secret of /dev/inbox: the link with it is in the start banner, and nobody reads the inbox without it. A browser that
// opened the link keeps it in a cookie. The same at every start, since it is derived from JWT_SECRET.

import { createHash, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { hasDevInbox } from '../http/has-dev-inbox.ts';
import type { Services } from '../services.ts';

const cookieName = 'kanbase-inbox';
const rememberedSeconds = 30 * 86_400;

export function inboxSecret({ sessions }: Pick<Services, 'sessions'>): string {
  return sessions.deriveKey('inbox of kept mail').toString('base64url');
}

/** After #, so that it is in no log of a proxy and goes to no other site. Null: mail is not kept. */
export function inboxLink(services: Services): string | null {
  return hasDevInbox(services) ? `${services.siteUrl}/dev/inbox#${inboxSecret(services)}` : null;
}

export function hasInboxSecret({ headers }: FastifyRequest, secret: string): boolean {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const sent = bearer ?? parse(headers.cookie ?? '')[cookieName] ?? '';
  const [given, wanted] = [sent, secret].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

export function inboxCookie(secret: string, siteUrl: string): string {
  return serialize(cookieName, secret, {
    path: '/dev/inbox',
    httpOnly: true,
    sameSite: 'strict',
    secure: siteUrl.startsWith('https:'),
    maxAge: rememberedSeconds,
  });
}
