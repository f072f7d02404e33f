// The dialect of the landing and billing doors: every failure is `{ error: string }`, nothing beside it.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asCatalogError } from './render-error.ts';

export function answerPlainErrors(door: FastifyInstance): void {
  door.setErrorHandler((thrown, request, reply) => renderPlainError(thrown, request, reply));
}

export function renderPlainError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asCatalogError(thrown, request);
  // An unforeseen failure says nothing of itself but where the operator finds it.
  const text = error.code === 'KB500' && error.hint ? `${error.message}. ${error.hint}` : error.message;
  return reply
    .code(error.status)
    .headers({ ...error.headers })
    .send({ error: text });
}

/**
 * Bodies come in as bytes whatever they claim to be, so that a door can run its checks in its own order
 * (who asks, before what they say) and verify signatures over exactly what was sent.
 */
export function readBodiesAsBytes(door: FastifyInstance, bodyLimit: number): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
}
