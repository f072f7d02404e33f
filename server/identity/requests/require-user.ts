// Whom a request speaks for: the account behind its token, or the service key.

import type { FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { isNarrowed } from '../../session/narrowing.ts';
import { readCredentials } from '../../session/read-credentials.ts';
import { type Claims, SessionFault } from '../../session/types.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { hasSecondFactor } from '../tokens/session-tokens.ts';
import type { User } from '../types.ts';
import { isUuid } from './read-body.ts';

export interface CurrentUser {
  readonly user: User;
  readonly sessionId: string | null;
  /** Whether a second factor was used: the token says so, and its session still does. The factor may be gone since. */
  readonly usedFactor: boolean;
}

/** Both headers, a token of the person's own that is good, an account and a session that are still there. */
export async function requireUser(context: IdentityContext, request: FastifyRequest): Promise<CurrentUser> {
  const { claims, userId, sessionId } = await readToken(context, request);
  if (isNarrowed(claims)) throw refuse('insufficient_scope', 'A key or app cannot change accounts or sessions');
  const [row] = await context.query<{ outcome: string; caller: User; aal: string | null }>(sql`
    select outcome, caller, (
      select s.aal from auth.sessions s where s.id = ${sessionId}::uuid and s.user_id = ${userId}::uuid
    ) as aal
    from auth.find_caller(${userId}, ${sessionId})`);
  if (!row) throw refuse('user_not_found', 'User from sub claim in JWT does not exist', { status: 401 });
  checkOutcome(row.outcome);
  const usedFactor = claims.aal === 'aal2' && (sessionId === null || row.aal === 'aal2');
  return { user: row.caller, sessionId, usedFactor };
}

export interface TokenOwner {
  readonly claims: Claims;
  readonly userId: string;
  readonly sessionId: string | null;
}

export async function readToken(context: IdentityContext, request: FastifyRequest): Promise<TokenOwner> {
  const claims = await readClaims(context, request);
  if (typeof claims.sub !== 'string' || claims.sub === '') throw refuse('bad_jwt', 'invalid claim: missing sub claim');
  if (!isUuid(claims.sub)) throw refuse('bad_jwt', 'invalid claim: sub claim must be a UUID');
  if (claims.client_id !== undefined)
    throw refuse('insufficient_scope', 'A program acts for this person: the account itself is not open to it');
  const sessionId = claims.session_id ?? null;
  if (sessionId !== null && (typeof sessionId !== 'string' || !isUuid(sessionId)))
    throw refuse('bad_jwt', 'invalid claim: session_id claim must be a UUID');
  return { claims, userId: claims.sub, sessionId };
}

async function readClaims(context: IdentityContext, request: FastifyRequest): Promise<Claims> {
  try {
    const { claims } = await context.sessions.fromHeaders(readCredentials(request.headers, request.url));
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
export function owesFactor({ user, usedFactor }: CurrentUser): boolean {
  return hasSecondFactor(user) && !usedFactor;
}

/** For what a password alone must not reach. */
export function requireSecondFactor(caller: CurrentUser, message: string, status = 401): void {
  if (owesFactor(caller)) throw refuse('insufficient_aal', message, { status });
}

/** What belongs to one session only. */
export async function requireSession(
  context: IdentityContext,
  request: FastifyRequest,
): Promise<CurrentUser & { sessionId: string }> {
  const caller = await requireUser(context, request);
  if (caller.sessionId === null) throw refuse('bad_jwt', 'invalid claim: missing session_id claim');
  return { ...caller, sessionId: caller.sessionId };
}

/** The service key: as bearer token, or alone as API key. */
export async function requireAdmin(context: IdentityContext, request: FastifyRequest): Promise<void> {
  const { apikey, authorization } = readCredentials(request.headers, request.url);
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const token = authorization === undefined ? apikey : bearer;
  const session = token === undefined ? null : await context.sessions.verify(token);
  if (session?.caller.role === 'service_role') return;
  throw bearer === undefined
    ? refuse('no_authorization', 'This endpoint requires a Bearer token')
    : refuse('not_admin', 'User not allowed');
}

/** An API key is not needed where nobody is known yet, but a wrong one is a wrong set-up and is refused. */
export async function checkApiKey(context: IdentityContext, request: FastifyRequest): Promise<void> {
  const { apikey } = readCredentials(request.headers, request.url);
  if (apikey !== undefined) await context.sessions.verify(apikey, 'apikey');
}
