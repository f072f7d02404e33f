// GET /auth/callback: the browser comes back from an outside provider or from a mail, with a code that only it can
// exchange, because it holds the verifier in a cookie. Whatever goes wrong ends on the sign-in page, in plain words.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCookieClient, pendingCookieName, type SessionHouse } from '../session/cookie-session.ts';
import { defaultNext, readNextPath } from './next-path.ts';

export async function finishSignIn(
  house: SessionHouse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = request.query as Readonly<Record<string, unknown>>;
  const next = readNextPath(query.next);
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });

  if (typeof query.error === 'string' || typeof query.error_code === 'string')
    return backToSignIn(reply, next, wordsFor(String(query.error_code ?? ''), String(query.error ?? '')));
  if (typeof query.code !== 'string' || query.code === '') return backToSignIn(reply, next, words.incomplete);

  const client = await openCookieClient(house, request, reply, pendingCookieName(request));
  const flowId = typeof query.sb_flow_id === 'string' ? query.sb_flow_id : undefined;
  try {
    const { error } = await client.auth.exchangeCodeForSession(
      query.code,
      flowId === undefined ? undefined : { flowId },
    );
    if (error === null) return reply.redirect(next, 302);
    request.log.info({ code: error.code, status: error.status, reason: error.message }, 'sign-in was not finished');
    return backToSignIn(
      reply,
      next,
      error.name === 'AuthPKCECodeVerifierMissingError' ? words.otherBrowser : wordsFor(error.code ?? ''),
    );
  } catch (error) {
    request.log.error({ err: error }, 'sign-in failed');
    return backToSignIn(reply, next, words.ours);
  }
}

const words = {
  cancelled: 'Sign-in was cancelled. Nothing was changed; try again whenever you like.',
  incomplete: 'The sign-in was not completed. Please sign in again.',
  otherBrowser: 'Please sign in again: the sign-in was started in another browser, or its cookies are gone.',
  tooLate: 'The sign-in took too long or was used already. Please sign in again.',
  linkUsed: 'This link has expired or was used already. Please ask for a new one.',
  noSignup: 'New accounts are not open here. Ask the people who run this site for an invitation.',
  banned: 'This account is blocked. Ask the people who run this site.',
  tooOften: 'There were too many attempts. Please wait a minute and try again.',
  provider: 'The sign-in provider did not confirm who you are. Please try again, or sign in another way.',
  ours: 'Something went wrong on our side. Please try again in a moment.',
} as const;

const wordsByCode: Readonly<Record<string, string>> = {
  access_denied: words.cancelled,
  flow_state_not_found: words.tooLate,
  flow_state_expired: words.tooLate,
  bad_code_verifier: words.otherBrowser,
  bad_oauth_state: words.tooLate,
  otp_expired: words.linkUsed,
  signup_disabled: words.noSignup,
  user_banned: words.banned,
  over_request_rate_limit: words.tooOften,
  unexpected_failure: words.ours,
  server_error: words.provider,
  temporarily_unavailable: words.provider,
};

/** The provider's own description is never shown: anyone can write into an address. */
function wordsFor(...codes: readonly string[]): string {
  for (const code of codes) {
    const found = Object.hasOwn(wordsByCode, code) ? wordsByCode[code] : undefined;
    if (found !== undefined) return found;
  }
  return words.provider;
}

function backToSignIn(reply: FastifyReply, next: string, error: string): FastifyReply {
  const query = new URLSearchParams({ error, ...(next === defaultNext ? {} : { next }) });
  return reply.redirect(`/sign-in?${query}`, 302);
}
