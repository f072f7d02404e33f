// POST /token?grant_type=pkce: the code a browser brought back, with the verifier that only its client has.

import type { FastifyRequest } from 'fastify';
import { unseal } from '../session/seal.ts';
import { refuse } from './errors.ts';
import { type FinishedFlow, takeCodeOf } from './flows.ts';
import { countVisit, visitorOf } from './guards.ts';
import { isObject, readBody, textIn } from './read-body.ts';
import type { Room } from './room.ts';
import { openSession, type TokenResponse, tokensOf } from './session-tokens.ts';

export async function exchangeCode(room: Room, request: FastifyRequest): Promise<TokenResponse> {
  const body = readBody(request);
  const code = textIn(body, 'auth_code');
  const verifier = textIn(body, 'code_verifier');
  if (code === '' || verifier === '')
    throw refuse('validation_failed', 'invalid request: both auth code and code verifier should be non-empty');
  await countVisit(room, request, 'verify');
  const flow = await takeCodeOf(room, code, verifier);
  const opened = await openSession(room, room, flow.user_id, methodOf(flow), visitorOf(request), {
    provider_type: flow.provider_type,
  });
  return { ...(await tokensOf(room, opened, methodOf(flow))), ...providerTokens(room, flow) };
}

/** The amr entry: how the person proved themselves, not how the browser went. */
export function methodOf(flow: FinishedFlow): string {
  switch (flow.authentication_method) {
    case 'oauth':
      return 'oauth';
    case 'recovery':
      return 'recovery';
    case 'invite':
      return 'invite';
    case 'magiclink':
      return 'magiclink';
    default:
      return flow.authentication_method.startsWith('email') ? flow.authentication_method : 'otp';
  }
}

function providerTokens(room: Room, flow: FinishedFlow): Partial<TokenResponse> {
  const sealed = flow.provider_state?.sealed;
  const kept = sealed === undefined ? undefined : unseal(sealed, room.keys.seal);
  if (!isObject(kept)) return {};
  return {
    ...(typeof kept.accessToken === 'string' ? { provider_token: kept.accessToken } : {}),
    ...(typeof kept.refreshToken === 'string' ? { provider_refresh_token: kept.refreshToken } : {}),
  };
}
