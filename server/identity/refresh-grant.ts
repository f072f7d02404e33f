// POST /token?grant_type=refresh_token: one round trip. The token is read without the database, the rest happens in
// `auth.refresh_session`.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { type IdentityCode, refuse } from './errors.ts';
import { countVisit, visitorOf } from './guards.ts';
import { rememberDevice } from './rations.ts';
import { readBody, textIn } from './read-body.ts';
import { readRefreshToken } from './refresh-token.ts';
import type { Room } from './room.ts';
import { type Opened, type TokenResponse, tokensOf } from './session-tokens.ts';

type Outcome = Opened & { readonly outcome: string; readonly reused: boolean };

const refusals: Readonly<Record<string, readonly [IdentityCode, string]>> = {
  not_found: ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  banned: ['user_banned', 'Invalid Refresh Token: User Banned'],
  expired: ['session_expired', 'Invalid Refresh Token: Session Expired'],
  inactive: ['session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)'],
  already_used: ['refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
};

export async function refreshSession(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<TokenResponse> {
  const presented = textIn(readBody(request), 'refresh_token');
  if (presented === '') throw refuse('validation_failed', 'refresh_token required');
  await countVisit(room, request, 'refresh');
  const token = readRefreshToken(presented, room.keys.refresh);
  if (token === null) throw notGood('not_found');
  const { settings } = room;
  const visitor = visitorOf(request);
  const [row] = await room.query<{ answer: Outcome }>(sql`
    select auth.refresh_session(${token.sessionId}, ${token.counter}, make_interval(secs => ${settings.refreshGrace}),
      make_interval(secs => ${settings.sessionLifetime}), make_interval(secs => ${settings.sessionInactivity}),
      ${visitor.agent}, ${visitor.address}) as answer`);
  const answer = row?.answer;
  if (answer?.outcome !== 'ok') throw notGood(answer?.outcome ?? 'not_found');
  reply.headers({ 'sb-auth-user-id': answer.user.id, 'sb-auth-session-id': answer.session.id });
  if (!answer.reused) room.refreshes.note(answer.user, answer.session.id, visitor);
  rememberDevice(room, request, reply, answer);
  return tokensOf(room, { session: answer.session, user: answer.user });
}

function notGood(outcome: string): Error {
  const [code, message] = refusals[outcome] ?? (['refresh_token_not_found', 'Invalid Refresh Token'] as const);
  return refuse(code, message);
}
