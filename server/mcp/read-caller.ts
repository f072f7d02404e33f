// The caller of /mcp: a token of a person or service account, good for this resource, and a form of it that the other doors take.

import type { Services } from '../services.ts';
import { checkResource } from '../session/check-resource.ts';
import { narrowableRole } from '../session/narrowing.ts';
import { type Session, SessionFault } from '../session/types.ts';

/** For tokens that say no end of their own. */
const longestSeconds = 10 * 365 * 86_400;
/** By session, as long as the session is known. */
const exchanged = new WeakMap<Session, string>();

export interface McpSession {
  readonly session: Session;
  readonly token: string;
}

/** Throws SessionFault. */
export async function readCaller(
  { sessions }: Pick<Services, 'sessions'>,
  authorization: string | undefined,
): Promise<McpSession> {
  const sent = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (sent === undefined) throw new SessionFault('missing', 'No token was sent', 'authorization');
  const session = await sessions.verify(sent);
  checkResource(session, '/mcp');
  const { sub, role, mfa_pending: isPending } = session.claims;
  if (isPending === true)
    throw new SessionFault(
      'bad_claims',
      'Two-factor verification required. Sign in again and enter your code.',
      'authorization',
    );
  if (sub === undefined || role !== narrowableRole)
    throw new SessionFault('bad_claims', 'This token doesn’t belong to a person or service account', 'authorization');
  return { session, token: await tokenFor(sessions, session, sent) };
}

/** A token bound to /mcp opens no other door: the same claims without that bond, for our own calls. It never leaves the process. */
async function tokenFor(sessions: Services['sessions'], session: Session, sent: string): Promise<string> {
  const { aud, exp, iat: _, ...claims } = session.claims;
  if (session.keyHash !== undefined || !Array.isArray(aud)) return sent;
  const known = exchanged.get(session);
  if (known !== undefined) return known;
  // A stream of changes ends with it, so it ends with the token that was sent and no sooner.
  const token = await sessions.sign({ ...claims, aud: 'authenticated' }, longestSeconds, exp);
  exchanged.set(session, token);
  return token;
}
