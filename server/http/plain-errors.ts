// The dialect of the landing and billing doors: every failure is `{ error: string }`, nothing beside it.
// They read their bodies themselves, so that checks run in the interface's order and signatures cover the very bytes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkBody, type Fault, type WithBody } from './check-body.ts';
import { unlisted } from './describe-routes.ts';
import { httpError } from './errors.ts';
import { type BodyBounds, takeBytes, takeJson } from './read-json.ts';
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
    ...unlisted('A refusal'),
    handler: (request) => {
      throw httpError('KB405', `${request.method} is not for this address: use ${method}`, { headers: { allow } });
    },
  });
}

/** What these doors read: forms of a page. */
export const pageBody: BodyBounds = { bytes: 16 * 1024, depth: 20, values: 2000 };

/** No body at all is an object without fields: the checks then name the first thing that is missing. */
export async function takeObject(
  request: FastifyRequest,
  bounds: BodyBounds = pageBody,
): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers['content-type'] ?? '';
  const isJson = type === '' || /^application\/([\w.+-]+\+)?json *(;|$)/i.test(type);
  // A form on another site can send any bytes, but it cannot say that they are JSON without asking us first.
  if (!isJson && (await takeBytes(request, bounds.bytes)).length > 0)
    throw httpError('KB415', 'The body must be sent as application/json', {
      hint: 'Set the header Content-Type: application/json.',
    });
  const value = await takeJson(request, bounds);
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw httpError('KB400', 'The body must be a JSON object');
  return value as Record<string, unknown>;
}

/** The body of a request as the description of its route has it. */
export async function takeBody<T>(
  request: FastifyRequest,
  route: WithBody<T>,
  refuse: (fault: Fault) => Error,
  bounds: BodyBounds = pageBody,
): Promise<T> {
  return checkBody(route, await takeObject(request, bounds), refuse);
}
