// Tokens of a program: an access token whose claims say which program it is, what it may do and in which projects, a refresh token of the same
// session, and an ID token where it asked who the person is.

import { createHash } from 'node:crypto';
import { narrowableRole } from '../../session/narrowing.ts';
import type { IdentityContext } from '../identity-context.ts';
import { writeRefreshToken } from '../tokens/refresh-token.ts';
import { addHookClaims, isPending } from '../tokens/session-tokens.ts';
import type { OpenedSession, User } from '../types.ts';
import { refuseOAuth } from './errors.ts';
import { clientIdOf, type OAuthClient } from './oauth-client.ts';
import { signIdToken } from './signing-keys.ts';

export interface ProgramSession {
  readonly session: OpenedSession['session'] & {
    readonly scopes: readonly string[];
    readonly projects: readonly string[] | null;
    readonly resources: readonly string[];
    /** In seconds since 1970. */
    readonly not_after: number | null;
  };
  readonly user: User;
  readonly nonce?: string | null;
  readonly authenticated_at?: number | null;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

export function issuerOf(context: Pick<IdentityContext, 'apiUrl'>): string {
  return `${context.apiUrl}/auth/v1`;
}

export function refuseRole(): Error {
  return refuseOAuth('invalid_grant', 'The role of the account cannot be narrowed for a program');
}

/** Of an access token: no longer than its session. */
function lifetimeOf(context: IdentityContext, { session }: ProgramSession): number {
  const left = session.not_after === null ? Infinity : session.not_after - Math.floor(Date.now() / 1000);
  return Math.max(0, Math.min(context.settings.tokenLifetime, left));
}

export async function programTokens(
  context: IdentityContext,
  client: OAuthClient,
  opened: ProgramSession,
): Promise<TokenAnswer> {
  const { session, user } = opened;
  const has = (scope: string): boolean => session.scopes.includes(scope);
  const now = Math.floor(Date.now() / 1000);
  const claims = await addHookClaims(context, 'oauth', {
    iat: now,
    exp: now + lifetimeOf(context, opened),
    iss: issuerOf(context),
    sub: user.id,
    aud: session.resources.length === 0 ? user.aud : [user.aud, ...session.resources],
    role: user.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    client_id: clientIdOf(client),
    scope: session.scopes.join(' '),
    // Names the program in history and comments.
    act: { kind: 'app', sub: clientIdOf(client), name: client.client_name },
    ...(has('email') ? { email: user.email } : {}),
    ...(session.projects === null ? {} : { projects: session.projects }),
    ...(isPending(opened) ? { mfa_pending: true } : {}),
  });
  if (claims.role !== narrowableRole) throw refuseRole();
  const lifetime = lifetimeOf(context, opened);
  const access = await context.sessions.sign(claims, lifetime, session.not_after ?? undefined);
  const mayRefresh = client.grant_types.includes('refresh_token');
  return {
    access_token: access,
    token_type: 'bearer',
    expires_in: lifetime,
    scope: session.scopes.join(' '),
    ...(mayRefresh
      ? { refresh_token: writeRefreshToken({ sessionId: session.id, counter: session.counter }, context.keys.programs) }
      : {}),
    ...(has('openid') ? { id_token: await idToken(context, client, opened, access, lifetime) } : {}),
  };
}

function idToken(
  context: IdentityContext,
  client: OAuthClient,
  { session, user, nonce, authenticated_at: authenticatedAt }: ProgramSession,
  accessToken: string,
  lifetime: number,
): Promise<string> {
  return signIdToken(
    context,
    {
      iss: issuerOf(context),
      aud: clientIdOf(client),
      ...(typeof authenticatedAt === 'number' ? { auth_time: authenticatedAt } : {}),
      ...(nonce ? { nonce } : {}),
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...personClaims(user, session.scopes),
    },
    lifetime,
  );
}

/** Confirmed, and not by a setting alone. */
function isProven({ email_confirmed_at: confirmedAt, identities }: User): boolean {
  const isDoubted = identities.some((one) => one.provider === 'email' && one.identity_data.email_verified === false);
  return confirmedAt !== undefined && !isDoubted;
}

/** Who the person is, as far as the scopes let a program know. */
export function personClaims(user: User, scopes: readonly string[]): Record<string, unknown> {
  const metadata = user.user_metadata;
  const text = (name: string): string | undefined => {
    const value = metadata[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const claims: Record<string, unknown> = { sub: user.id };
  if (scopes.includes('email') && user.email !== '')
    Object.assign(claims, { email: user.email, email_verified: isProven(user) });
  if (scopes.includes('phone') && user.phone !== '') claims.phone_number = `+${user.phone}`;
  if (scopes.includes('profile'))
    Object.assign(claims, {
      name: text('name') ?? text('full_name'),
      picture: text('avatar_url') ?? text('picture'),
      locale: text('language'),
      updated_at: Math.floor(Date.parse(user.updated_at) / 1000),
    });
  return claims;
}
