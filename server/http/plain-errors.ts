// The dialect of the landing and billing doors: every failure is `{ error: string }`, nothing beside it.
// They read their bodies themselves, so that checks run in the interface's order and signatures cover the very bytes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpError } from './errors.ts';
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

/** A path that takes one method: any other gets an error that names it, in this format. HEAD goes with GET, as it always does. */
export function refuseOtherMethods(door: FastifyInstance, method: 'GET' | 'POST', url: string): void {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => other !== method);
  door.route({ method: 'OPTIONS', url, handler: (_request, reply) => reply.code(204).header('allow', allow).send() });
  door.route({
    method: others,
    url,
    handler: (request) => {
      throw httpError('KB405', {
        message: `${request.method} is not for this address: use ${method}`,
        headers: { allow },
      });
    },
  });
}

/** Bodies come in as bytes whatever they claim to be; `readJsonObject` reads them when their turn has come. */
export function readBodiesAsBytes(door: FastifyInstance, bodyLimit: number): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
}

/** No body at all is an object without fields: the checks then name the first thing that is missing. */
export function readJsonObject(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const text = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  if (text.trim() === '') return {};
  // A form on another site can send any bytes, but it cannot say that they are JSON without asking us first.
  const type = request.headers['content-type'] ?? '';
  if (type !== '' && !/^application\/([\w.+-]+\+)?json *(;|$)/i.test(type))
    throw httpError('KB415', {
      message: 'The body must be sent as application/json',
      hint: 'Set the header Content-Type: application/json.',
    });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw httpError('KB400', { message: 'The body is not valid JSON', cause });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw httpError('KB400', { message: 'The body must be a JSON object' });
  return parsed as Record<string, unknown>;
}
