// A token on a join, or in its place the API key of the socket, as a session; errors in the words that clients know.

import { checkResource } from '../../session/check-resource.ts';
import { type Session, SessionFault, type Sessions } from '../../session/types.ts';
import { RealtimeError } from '../errors.ts';

const missingClaims = 'Fields `role` and `exp` are required in JWT';

type Verifying = Pick<Sessions, 'verify' | 'verifyAgain' | 'noteUse'>;

export const readToken = (sessions: Verifying, token: string): Promise<Session> =>
  readSession(sessions, () => sessions.verify(token), token);

/** Of a token or key that was good before: its session may be over since, and a key reach less. */
export const readAgain = (sessions: Verifying, known: Session): Promise<Session> =>
  readSession(sessions, () => sessions.verifyAgain(known), known.token ?? '');

async function readSession(
  sessions: Verifying,
  verify: () => Session | Promise<Session>,
  token: string,
): Promise<Session> {
  let session: Session;
  try {
    session = await verify();
    checkResource(session, '/realtime/v1');
  } catch (error) {
    if (!(error instanceof SessionFault)) throw error;
    throw errorOf(error, token);
  }
  checkSession(session);
  if (session.caller.keyId !== undefined) sessions.noteUse(session.caller.keyId, '');
  return session;
}

/** What was good when it was sent may not be any more. */
export function checkSession({ token, claims }: Session): void {
  if (token !== null && (typeof claims.role !== 'string' || typeof claims.exp !== 'number'))
    throw new RealtimeError('InvalidJWTToken', missingClaims);
  if (claims.exp !== undefined && claims.exp <= Date.now() / 1000)
    throw new RealtimeError('InvalidJWTToken', expiredWords(claims.exp));
  if (claims.role === 'share_link') throw new RealtimeError('Unauthorized', 'Public links have no live changes');
  if (claims.mfa_pending === true)
    throw new RealtimeError('Unauthorized', 'This account has a second factor, and this session has not used it yet');
}

export function expiredWords(expiresAt: number): string {
  return `Token has expired ${Math.max(0, Math.floor(Date.now() / 1000 - expiresAt))} seconds ago`;
}

/** What is wrong with a token, in the words that clients know. */
export function errorOf(error: SessionFault, token: string): RealtimeError {
  if (error.fault === 'bad_signature')
    return new RealtimeError('JwtSignatureError', 'Failed to validate JWT signature');
  if (error.fault === 'malformed' || error.fault === 'no_bearer')
    return new RealtimeError('MalformedJWT', 'The token provided is not a valid JWT');
  if (error.fault !== 'expired' || error.claims !== null) return new RealtimeError('InvalidJWTToken', error.message);
  const expiresAt = expiryOf(token);
  return new RealtimeError('InvalidJWTToken', expiresAt === null ? error.message : expiredWords(expiresAt));
}

/** Of a token whose signature was found good. */
function expiryOf(token: string): number | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const expiresAt = (claims as { exp?: unknown }).exp;
    return typeof expiresAt === 'number' ? expiresAt : null;
  } catch {
    return null;
  }
}
