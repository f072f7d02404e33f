import type { FastifyRequest } from 'fastify';
import { refuse } from './errors.ts';
import type { Room } from './room.ts';
import type { TokenResponse } from './session-tokens.ts';

export async function signInWithIdToken(_room: Room, _request: FastifyRequest): Promise<TokenResponse> {
  throw refuse('provider_disabled', 'Provider is not enabled');
}
