// POST /token?grant_type=refresh_token: one round trip. The token is read without the database, the rest happens in
// `auth.refresh_session`.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { type IdentityCode, refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { rememberDevice } from '../requests/guess-limits.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countProven, countRequest } from '../requests/rate-limits.ts';
import type { OpenedSession } from '../types.ts';
import { getToken } from './described.ts';
import { readRefreshToken } from './refresh-token.ts';
import { type TokenResponse, tokensOf } from './session-tokens.ts';

type Outcome = OpenedSession & { readonly outcome: string; readonly reused: boolean };

const errorsByOutcome: Readonly<Record<string, readonly [IdentityCode, string]>> = {
  not_found: ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  banned: ['user_banned', 'Invalid Refresh Token: User Banned'],
  expired: ['session_expired', 'Invalid Refresh Token: Session Expired'],
  inactive: ['session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)'],
  already_used: ['refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
};

export async function refreshSession(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const { refresh_token: presented = '' } = await readLimitedBody(context, request, 'refresh', getToken);
  if (presented === '') throw refuse('validation_failed', 'refresh_token required');
  const token = readRefreshToken(presented, context.keys.refresh);
  if (token === null) {
    await countRequest(context, request, 'refresh');
    throw notGood('not_found');
  }
  // Ours, as its seal shows: others at this address, made-up tokens too, do not end this session.
  await countProven(context, request, 'refresh', token.sessionId);
  const { settings } = context;
  const clientInfo = clientInfoOf(request);
  const [row] = await context.query<{ result: Outcome }>(sql`
    select auth.refresh_session(${token.sessionId}, ${token.counter}, make_interval(secs => ${settings.refreshGrace}),
      make_interval(secs => ${settings.sessionLifetime}), make_interval(secs => ${settings.sessionInactivity}),
      ${clientInfo.agent}, ${clientInfo.address}) as result`);
  const result = row?.result;
  if (result?.outcome !== 'ok') throw notGood(result?.outcome ?? 'not_found');
  reply.headers({ 'sb-auth-user-id': result.user.id, 'sb-auth-session-id': result.session.id });
  context.refreshes.note(result.user, result.session.id, clientInfo, result.reused);
  rememberDevice(context, request, reply, result);
  return tokensOf(context, { session: result.session, user: result.user });
}

function notGood(outcome: string): Error {
  const [code, message] = errorsByOutcome[outcome] ?? (['refresh_token_not_found', 'Invalid Refresh Token'] as const);
  return refuse(code, message);
}
