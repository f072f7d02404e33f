// Handlers of the routes of the identity door: an operation with the context of the door.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdentityContext } from './identity-context.ts';

type Operation = (context: IdentityContext, request: FastifyRequest, reply: FastifyReply) => unknown;

export const serving =
  (context: IdentityContext) => (operation: Operation) => async (request: FastifyRequest, reply: FastifyReply) =>
    operation(context, request, reply);
