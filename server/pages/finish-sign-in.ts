// GET /auth/callback: the browser comes back from an outside provider or from a mail, with a code that only it can
// exchange, because it holds the verifier in a cookie. Whatever goes wrong ends on the sign-in page, as a code from a
// fixed list; the page has the words. Nothing of what a provider, or a stranger, wrote into the address goes along.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCookieClient, pendingCookieName, type SessionServices } from '../session/cookie-session.ts';
import { defaultNext, readNextPath } from './next-path.ts';

export async function finishSignIn(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, unknown>>;
  const next = readNextPath(query.next);
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });

  if (typeof query.error === 'string' || typeof query.error_code === 'string')
    return backToSignIn(reply, next, troubleOf(query.error_code, query.error) ?? 'provider');
  // One of the two addresses of a change has agreed; nobody is signed in by that.
  if (query.code === undefined && typeof query.message === 'string')
    return reply.redirect(`${next}${next.includes('?') ? '&' : '?'}notice=half_way`, 302);
  if (typeof query.code !== 'string' || query.code === '') return backToSignIn(reply, next, 'incomplete');

  const client = await openCookieClient(services, request, reply, pendingCookieName(request));
  const flowId = typeof query.sb_flow_id === 'string' ? query.sb_flow_id : undefined;
  try {
    const { error } = await client.auth.exchangeCodeForSession(
      query.code,
      flowId === undefined ? undefined : { flowId },
    );
    if (error === null) return reply.redirect(next, 302);
    request.log.info({ code: error.code, status: error.status, reason: error.message }, 'sign-in was not finished');
    if (error.name === 'AuthPKCECodeVerifierMissingError') return backToSignIn(reply, next, 'other_browser');
    return backToSignIn(reply, next, troubleOf(error.code) ?? 'failed');
  } catch (error) {
    request.log.error({ err: error }, 'sign-in failed');
    return backToSignIn(reply, next, 'server');
  }
}

/** What `/sign-in?error=` may say; `web/strings/sign-in.ts` has the words for each. */
export type SignInTrouble =
  | 'cancelled'
  | 'incomplete'
  | 'other_browser'
  | 'expired'
  | 'link_used'
  | 'signup_closed'
  | 'blocked'
  | 'too_many'
  | 'unverified'
  | 'provider'
  | 'failed'
  | 'server';

/** By the code of the identity door, or of the provider where the door passes that on. */
const troubles: ReadonlyMap<unknown, SignInTrouble> = new Map([
  ['access_denied', 'cancelled'],
  ['flow_state_not_found', 'expired'],
  ['flow_state_expired', 'expired'],
  ['bad_code_verifier', 'other_browser'],
  ['bad_oauth_state', 'expired'],
  ['otp_expired', 'link_used'],
  ['signup_disabled', 'signup_closed'],
  ['user_banned', 'blocked'],
  ['over_request_rate_limit', 'too_many'],
  ['provider_email_needs_verification', 'unverified'],
  ['bad_oauth_callback', 'provider'],
  ['unexpected_failure', 'server'],
  ['server_error', 'provider'],
  ['temporarily_unavailable', 'provider'],
]);

function troubleOf(...codes: readonly unknown[]): SignInTrouble | undefined {
  return codes.map((code) => troubles.get(code)).find((trouble) => trouble !== undefined);
}

function backToSignIn(reply: FastifyReply, next: string, error: SignInTrouble): FastifyReply {
  const query = new URLSearchParams({ error, ...(next === defaultNext ? {} : { next }) });
  return reply.redirect(`/sign-in?${query}`, 302);
}
