// POST /token: the ways to get a session, by grant_type.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInWithPassword } from '../accounts/password-grant.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { signInWithIdToken } from '../outside-issuers/id-token-grant.ts';
import { readQuery } from '../requests/read-body.ts';
import { getToken } from './described.ts';
import { exchangeCode } from './pkce-grant.ts';
import { refreshSession } from './refresh-grant.ts';
import type { TokenResponse } from './session-tokens.ts';

export async function token(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TokenResponse> {
  const { grant_type: way } = readQuery(request, getToken, (_fault, sent) =>
    sent === 'web3'
      ? refuse('web3_provider_disabled', 'Web3 provider is disabled')
      : refuse('unsupported_grant_type', 'unsupported_grant_type'),
  );
  switch (way) {
    case 'password':
      return signInWithPassword(context, request, reply);
    case 'refresh_token':
      return refreshSession(context, request, reply);
    case 'pkce':
      return exchangeCode(context, request, reply);
    default:
      return signInWithIdToken(context, request);
  }
}
