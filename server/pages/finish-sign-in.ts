// GET /auth/callback: the browser comes back from an outside provider or from a mail, with a code that only it can
// exchange, because it holds the verifier in a cookie. Whatever goes wrong ends on the sign-in page, as a code from a
// fixed list; the page has the words. Nothing of what a provider, or a stranger, wrote into the address goes along.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOBODY, query, response, text } from '../http/open-api.ts';
import { readQuery } from '../http/read-parameters.ts';
import { openCookieClient, pendingCookieName, type SessionServices } from '../session/cookie-session.ts';
import { defaultNext, readNextPath } from './next-path.ts';

export const finish = {
  operationId: 'finishSignIn',
  tags: ['Landing'],
  summary: 'The end of a sign-in elsewhere',
  description: 'Exchanges the code for a session, sets the session cookies and goes on to `next`.',
  security: NOBODY,
  parameters: [
    query('code', 'The code to exchange'),
    query('next', 'A path of this service', { schema: text(undefined, { default: '/app' }) }),
    query('sb_flow_id', 'Which of several sign-ins of a browser it ends'),
    query('message', 'Without a code: one of two addresses has agreed'),
    query('error', 'Why there is no code'),
    query('error_code', 'The same, by code'),
  ],
  responses: { 302: response('On to `next`') },
};

export async function finishSignIn(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = readQuery(request, finish);
  const next = readNextPath(sent.next);
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });

  if (sent.error !== undefined || sent.error_code !== undefined)
    return backToSignIn(reply, next, troubleOf(sent.error_code, sent.error) ?? 'provider');
  // One of the two addresses of a change has agreed; nobody is signed in by that.
  if (sent.code === undefined && sent.message !== undefined)
    return reply.redirect(`${next}${next.includes('?') ? '&' : '?'}notice=half_way`, 302);
  if (!sent.code) return backToSignIn(reply, next, 'incomplete');

  const client = await openCookieClient(services, request, reply, pendingCookieName(request));
  const flowId = sent.sb_flow_id;
  try {
    const { error } = await client.auth.exchangeCodeForSession(
      sent.code,
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

/** What `/sign-in?error=` may say; `signIn.troubles` in `web/strings/` has the words for each. */
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
