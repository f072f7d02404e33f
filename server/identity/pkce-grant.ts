// POST /token?grant_type=pkce: the code a browser brought back, with the verifier that only its client has.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { unseal } from '../session/seal.ts';
import { refuse } from './errors.ts';
import { type FinishedFlow, takeCodeOf } from './flows.ts';
import { countVisit, visitorOf } from './guards.ts';
import { linkTo, type OutsideIdentity } from './outside-identities.ts';
import { rememberDevice } from './rations.ts';
import { isObject, readBody, textIn } from './read-body.ts';
import type { Room } from './room.ts';
import { openSession, type TokenResponse, tokensOf } from './session-tokens.ts';

export async function exchangeCode(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<TokenResponse> {
  const body = readBody(request);
  const code = textIn(body, 'auth_code');
  const verifier = textIn(body, 'code_verifier');
  if (code === '' || verifier === '')
    throw refuse('validation_failed', 'invalid request: both auth code and code verifier should be non-empty');
  await countVisit(room, request, 'verify');
  const flow = await takeCodeOf(room, code, verifier);
  const visitor = visitorOf(request);
  const brought = readBrought(room, flow);
  const opened = await room.transact(async (desk) => {
    if (flow.linking_user_id !== null) {
      if (brought.identity === undefined) throw refuse('bad_oauth_callback', 'The identity to link is missing');
      await linkTo(room, desk, flow.linking_user_id, brought.identity, visitor);
    }
    return openSession(room, desk, flow.user_id, methodOf(flow), visitor, { provider_type: flow.provider_type });
  });
  rememberDevice(room, request, reply, opened);
  return {
    ...(await tokensOf(room, opened, methodOf(flow))),
    ...(typeof brought.accessToken === 'string' ? { provider_token: brought.accessToken } : {}),
    ...(typeof brought.refreshToken === 'string' ? { provider_refresh_token: brought.refreshToken } : {}),
  };
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

/** What the callback kept of the issuer's answer. */
interface Brought {
  readonly accessToken?: string;
  readonly refreshToken?: string | null;
  /** To be linked by whoever has the verifier. */
  readonly identity?: OutsideIdentity;
}

function readBrought(room: Room, flow: FinishedFlow): Brought {
  const sealed = flow.provider_state?.sealed;
  const kept = sealed === undefined ? undefined : unseal(sealed, room.keys.seal);
  return isObject(kept) ? kept : {};
}
