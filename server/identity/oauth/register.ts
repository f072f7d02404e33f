// POST /oauth/register: a program registers itself (RFC 7591). Only where AUTH_OAUTH_CLIENTS is open; people are told that nobody has checked it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityContext } from '../identity-context.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { fitting, takeFields } from '../requests/read-body.ts';
import { addClient } from './admin-clients.ts';
import { readClientMetadata } from './client-metadata.ts';
import { registerClient } from './described.ts';

export async function register(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await countRequest(context, request, 'signUp');
  const metadata = readClientMetadata(fitting(registerClient, await takeFields(request)), 'client_secret_basic');
  const made = await addClient(context, metadata, 'dynamic');
  const issued = Math.floor(Date.parse(String(made.created_at)) / 1000);
  const secret = made.client_secret === undefined ? {} : { client_secret_expires_at: 0 };
  return reply.code(201).send({ ...made, ...secret, client_id_issued_at: issued });
}
