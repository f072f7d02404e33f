// Who may knock, and how often: limits for each address and account, the person behind a token, the service key.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { networkOf, plainAddress } from '../limits/network-of.ts';
import { type Claims, SessionFault } from '../session/types.ts';
import { refuse } from './errors.ts';
import { headerValue, isUuid } from './read-body.ts';
import type { Room } from './room.ts';
import { hasSecondFactor, type User, type Visitor } from './session-tokens.ts';

const fiveMinutes = 300;

/** What is counted, for whom, and the words for too often. */
const counted = {
  signUp: { limit: 'signUpLimit', windowSeconds: fiveMinutes },
  signIn: { limit: 'signInLimit', windowSeconds: fiveMinutes },
  failure: { limit: 'failureLimit', windowSeconds: fiveMinutes },
  refresh: { limit: 'refreshLimit', windowSeconds: fiveMinutes, perNode: true },
  verify: { limit: 'verifyLimit', windowSeconds: fiveMinutes },
  anonymous: { limit: 'anonymousLimit', windowSeconds: 3600 },
  mail: { limit: 'mailLimit', windowSeconds: 3600 },
  factor: { limit: 'factorLimit', windowSeconds: 60 },
} as const;

export type Counted = keyof typeof counted;

export function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: plainAddress(request.ip),
    agent: (headerValue(request, 'user-agent') ?? '').slice(0, 512),
  };
}

/** Counts a request of this address. `account` narrows the count to one account, so that it cannot shut out others. */
export function countVisit(room: Room, request: FastifyRequest, what: Counted, account?: string): Promise<void> {
  return knock(room, request, 'take', what, account);
}

/** Refuses whoever has used up what they have, and counts nothing. */
export function refuseSpent(room: Room, request: FastifyRequest, what: Counted, account: string): Promise<void> {
  return knock(room, request, 'look', what, account);
}

/** Behind a proxy that is not in TRUST_PROXY, loopback is everybody. */
export function isCounted(room: Room, request: FastifyRequest): boolean {
  return room.settings.limitLoopback || !isLoopback(visitorOf(request).address);
}

async function knock(
  room: Room,
  request: FastifyRequest,
  how: 'take' | 'look',
  what: Counted,
  account?: string,
): Promise<void> {
  const { limit, ...window } = counted[what];
  const points = room.settings[limit];
  const { address } = visitorOf(request);
  if (points === 0 || !isCounted(room, request)) return;
  const key = account === undefined ? networkOf(address) : `${networkOf(address)} ${account}`;
  const { allowed, retryAfterSeconds } = await room.limits[how]({ name: `identity.${what}`, points, ...window }, key);
  if (!allowed)
    throw what === 'mail'
      ? refuse('over_email_send_rate_limit', 'email rate limit exceeded', wait(retryAfterSeconds))
      : refuse('over_request_rate_limit', 'Request rate limit reached', wait(retryAfterSeconds));
}

/** Counts by what is known of the caller beside the address: their session, or the place they come from. */
export async function countKnown(room: Room, what: Counted, key: string): Promise<void> {
  const { limit, windowSeconds } = counted[what];
  const points = room.settings[limit];
  if (points === 0) return;
  const { allowed, retryAfterSeconds } = await room.limits.take(
    { name: `identity.${what}`, points, windowSeconds },
    key,
  );
  if (!allowed) throw refuse('over_request_rate_limit', 'Request rate limit reached', wait(retryAfterSeconds));
}

/** One mail of a kind in a while, counted by address and not by account: who has none gets the same answer. */
export async function spaceOutMail(room: Room, kind: string, email: string): Promise<void> {
  const seconds = room.settings.mailInterval;
  if (seconds === 0) return;
  const { allowed, retryAfterSeconds } = await room.limits.take(
    { name: `identity.mail.${kind}`, points: 1, windowSeconds: seconds },
    email,
  );
  if (!allowed)
    throw refuse(
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
      wait(retryAfterSeconds),
    );
}

export function wait(seconds: number): { headers: Record<string, string> } {
  return { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } };
}

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

export interface Caller {
  readonly user: User;
  readonly claims: Claims;
  readonly sessionId: string | null;
}

/** Both headers, a token that is good, an account and a session that are still there. */
export async function requireUser(room: Room, request: FastifyRequest): Promise<Caller> {
  const { claims, userId, sessionId } = await readToken(room, request);
  const [row] = await room.query<{ outcome: string; caller: User }>(
    sql`select outcome, caller from auth.find_caller(${userId}, ${sessionId})`,
  );
  if (!row) throw refuse('user_not_found', 'User from sub claim in JWT does not exist', { status: 401 });
  checkOutcome(row.outcome);
  return { user: row.caller, claims, sessionId };
}

export interface TokenOwner {
  readonly claims: Claims;
  readonly userId: string;
  readonly sessionId: string | null;
}

export async function readToken(room: Room, request: FastifyRequest): Promise<TokenOwner> {
  const claims = await readClaims(room, request);
  if (typeof claims.sub !== 'string' || claims.sub === '') throw refuse('bad_jwt', 'invalid claim: missing sub claim');
  if (!isUuid(claims.sub)) throw refuse('bad_jwt', 'invalid claim: sub claim must be a UUID');
  const sessionId = claims.session_id ?? null;
  if (sessionId !== null && (typeof sessionId !== 'string' || !isUuid(sessionId)))
    throw refuse('bad_jwt', 'invalid claim: session_id claim must be a UUID');
  return { claims, userId: claims.sub, sessionId };
}

async function readClaims(room: Room, request: FastifyRequest): Promise<Claims> {
  try {
    const { claims } = await room.sessions.fromHeaders({
      apikey: headerValue(request, 'apikey'),
      authorization: headerValue(request, 'authorization'),
    });
    return claims;
  } catch (error) {
    // Whether the session has ended or the account is gone, the database says better.
    if (error instanceof SessionFault && error.claims !== null) return error.claims;
    throw error;
  }
}

export function checkOutcome(outcome: string): void {
  if (outcome === 'user_not_found')
    throw refuse('user_not_found', 'User from sub claim in JWT does not exist', { status: 401 });
  if (outcome === 'session_not_found')
    throw refuse('session_not_found', 'Session from session_id claim in JWT does not exist');
}

/** A caller whose account has a second factor that this session has not used. */
export function owesFactor({ user, claims }: Caller): boolean {
  return hasSecondFactor(user) && claims.aal !== 'aal2';
}

/** For what a password alone must not reach. */
export function requireSecondFactor(caller: Caller, message: string, status = 401): void {
  if (owesFactor(caller)) throw refuse('insufficient_aal', message, { status });
}

/** What belongs to one session only. */
export async function requireSession(room: Room, request: FastifyRequest): Promise<Caller & { sessionId: string }> {
  const caller = await requireUser(room, request);
  if (caller.sessionId === null) throw refuse('bad_jwt', 'invalid claim: missing session_id claim');
  return { ...caller, sessionId: caller.sessionId };
}

/** The service key, as bearer token. */
export async function requireAdmin(room: Room, request: FastifyRequest): Promise<void> {
  const bearer = /^bearer +(\S+)$/i.exec(headerValue(request, 'authorization') ?? '')?.[1];
  if (bearer === undefined) throw refuse('no_authorization', 'This endpoint requires a Bearer token');
  const session = await room.sessions.verify(bearer);
  if (session.caller.role !== 'service_role') throw refuse('not_admin', 'User not allowed');
}

/** An API key is not needed where nobody is known yet, but a wrong one is a wrong set-up and is told so. */
export async function checkApiKey(room: Room, request: FastifyRequest): Promise<void> {
  const key = headerValue(request, 'apikey');
  if (key !== undefined && key !== '') await room.sessions.verify(key, 'apikey');
}
