// POST /token: the ways to get a session, by grant_type.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './errors.ts';
import { signInWithIdToken } from './id-token-grant.ts';
import { signInWithPassword } from './password-grant.ts';
import { exchangeCode } from './pkce-grant.ts';
import { queryValue } from './read-body.ts';
import { refreshSession } from './refresh-grant.ts';
import type { Room } from './room.ts';
import type { TokenResponse } from './session-tokens.ts';

export async function token(room: Room, request: FastifyRequest, reply: FastifyReply): Promise<TokenResponse> {
  switch (queryValue(request, 'grant_type')) {
    case 'password':
      return signInWithPassword(room, request, reply);
    case 'refresh_token':
      return refreshSession(room, request, reply);
    case 'pkce':
      return exchangeCode(room, request, reply);
    case 'id_token':
      return signInWithIdToken(room, request);
    case 'web3':
      throw refuse('web3_provider_disabled', 'Web3 provider is disabled');
    default:
      throw refuse('unsupported_grant_type', 'unsupported_grant_type');
  }
}
