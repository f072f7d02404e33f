// How many wrong guesses an account bears in a day, wherever they come from: what a few tries from each of a thousand
// addresses run into. Its owner's devices and networks have a ration of their own each, everybody else shares one, so
// that whoever uses one up keeps nobody out who has been here before.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Fragment, sql } from '../database/sql.ts';
import { networkOf } from '../limits/network-of.ts';
import { refuse } from './errors.ts';
import { isLoopback, visitorOf, wait } from './guards.ts';
import { headerValue } from './read-body.ts';
import type { Room } from './room.ts';
import { isPending, type Opened } from './session-tokens.ts';

const aDay = 86_400;
const rememberedSeconds = 365 * aDay;

/** For a query on auth.users: whether somebody who proved all the account asks for is signed in from the caller's network. */
export function comesFromKnownNetwork(request: FastifyRequest): Fragment {
  return sql`exists (
    select from auth.sessions s
    where s.user_id = users.id and s.ip <<= ${networkOf(visitorOf(request).address)}::inet and (s.aal = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = users.id and f.status = 'verified'
    ))
  )`;
}

/** Whose ration a guess counts against: this device's, this network's, or that of all strangers. */
export function placeOf(
  room: Room,
  request: FastifyRequest,
  account: { readonly id: string; readonly familiar: boolean } | undefined,
  stranger: string,
): string {
  if (account === undefined) return stranger;
  const device = deviceIn(room, request, account.id);
  if (device !== null) return `device ${device}`;
  const { address } = visitorOf(request);
  // Behind a proxy that is not trusted, loopback is everybody.
  return account.familiar && !isLoopback(address) ? `${account.id} ${networkOf(address)}` : stranger;
}

/**
 * Takes one guess before it is judged, so that a thousand at once are a thousand. Resolves with how to give it back
 * when the guess was right.
 */
export async function takeRation(room: Room, place: string): Promise<() => Promise<void>> {
  const points = room.settings.rationLimit;
  if (points === 0) return async () => undefined;
  const limit = { name: 'identity.ration', points, windowSeconds: aDay };
  const { allowed, retryAfterSeconds } = await room.limits.take(limit, place);
  if (!allowed)
    throw refuse(
      'over_request_rate_limit',
      'Too many wrong guesses for this account. Sign in by mail or on a device that was signed in before, or wait.',
      wait(retryAfterSeconds),
    );
  return () => room.limits.give(limit, place);
}

/** A browser that has shown all the account asks for is known by a cookie from then on, also after signing out. */
export function rememberDevice(room: Room, request: FastifyRequest, reply: FastifyReply, opened: Opened): void {
  const { user } = opened;
  if (isPending(opened) || deviceIn(room, request, user.id) !== null) return;
  const id = randomBytes(16).toString('base64url');
  const secure = room.siteUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${cookieName(user.id)}=${id}.${sealOf(room, id, user.id)}; Path=/auth/v1; Max-Age=${rememberedSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

function deviceIn(room: Room, request: FastifyRequest, userId: string): string | null {
  const cookies = headerValue(request, 'cookie');
  const found =
    cookies === undefined
      ? null
      : new RegExp(`(?:^|; *)${cookieName(userId)}=([\\w-]{22})\\.([\\w-]{43})`).exec(cookies);
  const [, id, seal] = found ?? [];
  if (id === undefined || seal === undefined) return null;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(room, id, userId))) ? id : null;
}

function cookieName(userId: string): string {
  return `kanbase-device-${userId.slice(-12)}`;
}

function sealOf(room: Room, id: string, userId: string): string {
  return createHmac('sha256', room.keys.device).update(`${id} ${userId}`).digest('base64url');
}
