// Limits wrong guesses per account and day, from all addresses together: a few tries from each of a thousand addresses meet it. The owner's
// devices and networks have a limit of their own each and all others share one, so that an attacker locks out nobody who has signed in
// before.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Fragment, sql } from '../../database/sql.ts';
import { networkOf } from '../../limits/network-of.ts';
import { type IdentityCode, refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isPending } from '../tokens/session-tokens.ts';
import type { OpenedSession } from '../types.ts';
import { clientInfoOf } from './client-info.ts';
import { wait } from './rate-limits.ts';
import { headerValue } from './read-body.ts';

const aDay = 86_400;
const devicePrefix = 'kanbase-device-';
const rememberedSeconds = 365 * aDay;
const tooManyGuesses =
  'Too many wrong guesses for this account. Sign in by mail, with its link, or on a device that was signed in before, or wait.';

/** For a query on auth.users: whether somebody who proved all the account asks for is signed in from this network. */
export function comesFromKnownNetwork(request: FastifyRequest): Fragment {
  return sql`exists (
    select from auth.sessions s
    where s.user_id = users.id and s.ip <<= nullif(${networkOf(clientInfoOf(request).address)}, '')::inet and (s.aal = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = users.id and f.status = 'verified'
    ))
  )`;
}

/** Whose limit a guess counts against: this device's, this network's, or the one that everybody else shares. */
export function guessKeyOf(
  context: IdentityContext,
  request: FastifyRequest,
  account: { readonly id: string; readonly familiar: boolean } | undefined,
  stranger: string,
): string {
  if (account === undefined) return stranger;
  const device = knownDevice(context, request, account.id);
  if (device !== null) return device;
  const { address } = clientInfoOf(request);
  return account.familiar && !context.proxies.isShared(request) ? `${account.id} ${networkOf(address)}` : stranger;
}

/** Browsers that were signed in before have limits of their own, also where they share an address with everybody. */
export function knownDevice(context: IdentityContext, request: FastifyRequest, userId: string): string | null {
  const device = deviceIn(context, request, userId);
  return device === null ? null : `device ${device}`;
}

/** Whether a request has a cookie of a known device, whoever's and whatever it is worth. */
export const claimsKnownDevice = (request: FastifyRequest): boolean =>
  headerValue(request, 'cookie')?.includes(devicePrefix) === true;

/** The same for an address; asks the database only where the browser claims to be a known one. */
export async function findKnownDevice(
  context: IdentityContext,
  request: FastifyRequest,
  email: string,
): Promise<string | null> {
  if (!claimsKnownDevice(request)) return null;
  const [account] = await context.query<{ id: string }>(sql`
    select id from auth.users where lower(email) = ${email} and not is_sso_user and deleted_at is null`);
  return account === undefined ? null : knownDevice(context, request, account.id);
}

/** Whose limit a guess at an address counts against, with an account or without. */
export async function guessKeyFor(context: IdentityContext, request: FastifyRequest, email: string): Promise<string> {
  const [account] = await context.query<{ id: string; familiar: boolean }>(sql`
    select id, ${comesFromKnownNetwork(request)} as familiar from auth.users
    where lower(email) = ${email} and not is_sso_user and deleted_at is null`);
  return guessKeyOf(context, request, account, email);
}

interface Refusal {
  readonly code?: IdentityCode;
  readonly words?: string;
}

/**
 * Takes one guess before it is judged, so that a thousand at once are a thousand. Resolves with how to give it back
 * when the guess was right.
 */
export async function takeGuess(
  context: IdentityContext,
  key: string,
  refusal: Refusal = {},
): Promise<() => Promise<void>> {
  const points = context.settings.guessLimit;
  if (points === 0) return async () => undefined;
  const limit = { name: 'identity.guess', points, windowSeconds: aDay };
  const { allowed, retryAfterSeconds } = await context.limits.take(limit, key);
  if (!allowed) {
    const { code = 'over_request_rate_limit', words = tooManyGuesses } = refusal;
    throw refuse(code, words, wait(retryAfterSeconds));
  }
  return () => context.limits.give(limit, key);
}

/** A browser that has shown all the account asks for is known by a cookie from then on, also after signing out. */
export function rememberDevice(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedSession,
): void {
  const { user } = opened;
  if (isPending(opened) || deviceIn(context, request, user.id) !== null) return;
  const id = randomBytes(16).toString('base64url');
  const secure = context.apiUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${cookieName(user.id)}=${id}.${sealOf(context, id, user.id)}; Path=/auth/v1; Max-Age=${rememberedSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

function deviceIn(context: IdentityContext, request: FastifyRequest, userId: string): string | null {
  const cookies = headerValue(request, 'cookie');
  const found =
    cookies === undefined
      ? null
      : new RegExp(`(?:^|; *)${cookieName(userId)}=([\\w-]{22})\\.([\\w-]{43})`).exec(cookies);
  const [, id, seal] = found ?? [];
  if (id === undefined || seal === undefined) return null;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(context, id, userId))) ? id : null;
}

function cookieName(userId: string): string {
  return devicePrefix + userId.slice(-12);
}

function sealOf(context: IdentityContext, id: string, userId: string): string {
  return createHmac('sha256', context.keys.device).update(`${id} ${userId}`).digest('base64url');
}
