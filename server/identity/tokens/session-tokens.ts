// Builds the token response for a session and its account: access token, refresh token and user.

import { ident, sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isObject } from '../requests/read-body.ts';
import type { ClientInfo, Db, OpenedSession, User } from '../types.ts';
import { writeRefreshToken } from './refresh-token.ts';

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly user: User;
  readonly provider_token?: string;
  readonly provider_refresh_token?: string;
  readonly weak_password?: { readonly message: string; readonly reasons: readonly string[] };
}

/** Signs an account in. `method` is the amr entry: password, otp, oauth, anonymous, passkey … */
export async function openSession(
  context: IdentityContext,
  db: Db,
  userId: string,
  method: string,
  clientInfo: ClientInfo,
  audit: Record<string, unknown> = {},
): Promise<OpenedSession> {
  const lifetime = context.settings.sessionLifetime;
  const notAfter = lifetime > 0 ? new Date(Date.now() + lifetime * 1000) : null;
  const [row] = await db.query<{ opened: OpenedSession | null }>(
    sql`select auth.open_session(${userId}, ${method}, ${notAfter}, ${clientInfo.agent}, ${clientInfo.address}, ${audit}) as opened`,
  );
  if (!row?.opened) throw refuse('user_not_found', 'User not found');
  return row.opened;
}

/** Signs the tokens. To be called once the transaction that opened the session has ended. */
export async function tokensOf(
  context: IdentityContext,
  opened: OpenedSession,
  method = 'token_refresh',
): Promise<TokenResponse> {
  const { user, session } = opened;
  const lifetime = context.settings.tokenLifetime;
  const now = Math.floor(Date.now() / 1000);
  const claims = await addHookClaims(context, method, {
    iat: now,
    exp: now + lifetime,
    iss: `${context.apiUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud,
    email: user.email,
    phone: user.phone,
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: user.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    // Read by the policies of the domain (private.me): with the password alone there is nothing to see yet.
    ...(isPending(opened) ? { mfa_pending: true } : {}),
  });
  const expiresAt = Math.floor(Date.now() / 1000) + lifetime;
  return {
    access_token: await context.sessions.sign(claims, lifetime),
    token_type: 'bearer',
    expires_in: lifetime,
    expires_at: expiresAt,
    refresh_token: writeRefreshToken({ sessionId: session.id, counter: session.counter }, context.keys.refresh),
    user,
  };
}

/** While one is verified, a session that has not used it may do little more than answer its challenges. */
export function hasSecondFactor(user: User): boolean {
  return user.factors?.some((factor) => factor.status === 'verified') ?? false;
}

export function isPending({ user, session }: OpenedSession): boolean {
  return session.aal !== 'aal2' && hasSecondFactor(user);
}

/** `{error: {http_code, message}}` is how a hook of Supabase's keeps somebody out. */
function errorOfHook({ http_code, message }: Record<string, unknown>): Error {
  const status = typeof http_code === 'number' && http_code >= 400 && http_code < 600 ? Math.floor(http_code) : 500;
  const words = typeof message === 'string' && message !== '' ? message : 'The claims hook refused';
  return refuse('hook_failed', words, { status });
}

/** Claims that say who and for whom stay ours, whatever the hook returns. */
const ourOwn = [
  'iss',
  'sub',
  'aud',
  'session_id',
  'aal',
  'amr',
  'mfa_pending',
  'client_id',
  'scope',
  'projects',
  'act',
] as const;

export async function addHookClaims(
  context: IdentityContext,
  method: string,
  claims: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const hook = context.settings.claimsHook;
  if (hook === null) return claims;
  const event = { user_id: claims.sub, claims, authentication_method: method };
  let result: Record<string, unknown> | null | undefined;
  try {
    const [row] = await context.query<{ result: Record<string, unknown> | null }>(
      sql`select ${ident(...hook.split('.'))}(${event}::jsonb) as result`,
    );
    result = row?.result;
  } catch (error) {
    context.log.error({ err: error, hook }, 'the claims hook failed');
    throw refuse('hook_failed', 'The claims hook failed', { cause: error });
  }
  if (isObject(result?.error)) throw errorOfHook(result.error);
  const added = result?.claims;
  if (typeof added !== 'object' || added === null || Array.isArray(added))
    throw refuse('hook_failed', 'The claims hook returned no claims');
  const merged: Record<string, unknown> = { ...(added as Record<string, unknown>) };
  for (const name of ourOwn)
    if (claims[name] === undefined) delete merged[name];
    else merged[name] = claims[name];
  return merged;
}
