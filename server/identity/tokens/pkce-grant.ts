// POST /token?grant_type=pkce: the code a browser brought back, with the verifier that only its client has.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { unseal } from '../../session/seal.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { linkTo, type OutsideIdentity } from '../outside-issuers/outside-identities.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { rememberDevice } from '../requests/guess-limits.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { isObject } from '../requests/read-body.ts';
import { getToken } from './described.ts';
import { type FinishedFlow, findFlow, takeFlow } from './flows.ts';
import { openSession, type TokenResponse, tokensOf } from './session-tokens.ts';

export async function exchangeCode(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const body = await readLimitedBody(context, request, 'verify', getToken);
  const { auth_code: code = '', code_verifier: verifier = '' } = body;
  if (code === '' || verifier === '')
    throw refuse('validation_failed', 'invalid request: both auth code and code verifier should be non-empty');
  await countRequest(context, request, 'verify');
  const flow = await findFlow(context, code, verifier);
  const clientInfo = clientInfoOf(request);
  const brought = readBrought(context, flow);
  const opened = await context.transact(async (db) => {
    await takeFlow(db, flow);
    if (flow.linking_user_id !== null) {
      if (brought.identity === undefined) throw refuse('bad_oauth_callback', 'The identity to link is missing');
      await linkTo(context, db, flow.linking_user_id, brought.identity, clientInfo);
    }
    return openSession(context, db, flow.user_id, methodOf(flow), clientInfo, { provider_type: flow.provider_type });
  });
  rememberDevice(context, request, reply, opened);
  return {
    ...(await tokensOf(context, opened, methodOf(flow))),
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

function readBrought(context: IdentityContext, flow: FinishedFlow): Brought {
  const sealed = flow.provider_state?.sealed;
  const stored = sealed === undefined ? undefined : unseal(sealed, context.keys.seal);
  return isObject(stored) ? stored : {};
}
