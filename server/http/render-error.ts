// The dialect of paths that belong to no API door: `{error, code, message, details, hint}` as JSON. Anything that is not
// from the catalog is a logged 500 which tells the caller a request id and nothing more.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError } from '../errors.ts';
import { httpError } from './errors.ts';

export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asCatalogError(thrown, request);
  const hint = error.hint ?? (error.status >= 500 ? whereToLook(request.id) : null);
  return reply
    .code(error.status)
    .headers({ ...error.headers })
    .send({ error: error.message, code: error.code, message: error.message, details: error.details, hint });
}

/** For whoever has the log; the caller learns no more of it. */
export const whereToLook = (requestId: string): string => `Look for request ${requestId} in the log.`;

export function renderNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '/';
  return renderError(
    httpError('KB404', `Nothing is served at ${request.method} ${path}`, {
      hint: 'The API lives under /auth/v1, /rest/v1, /realtime/v1 and /storage/v1.',
    }),
    request,
    reply,
  );
}

/** For every door: what was thrown as a catalog error; Fastify's own refusals get their code, the unforeseen becomes KB500. */
export function asCatalogError(thrown: unknown, request: FastifyRequest): CatalogError {
  if (thrown instanceof CatalogError) return thrown;
  const { code, message } = thrown as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return httpError('KB413', 'The request body is too large', {
        hint: `At most ${request.routeOptions.bodyLimit ?? 'HTTP_BODY_LIMIT'} bytes are read here.`,
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return httpError('KB415', `Content type ${request.headers['content-type'] ?? 'none'} is not read here`, {
        hint: 'Send application/json.',
      });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return httpError('KB400', message ?? 'The request cannot be read', { hint: 'Check the body and the address.' });
    default:
      if (thrown instanceof SyntaxError && (thrown as { statusCode?: number }).statusCode === 400)
        return httpError('KB400', 'The body is not valid JSON', { hint: thrown.message });
      request.log.error({ err: thrown, method: request.method, route: request.routeOptions.url }, 'request failed');
      return httpError('KB500', 'Something went wrong on our side', { hint: whereToLook(request.id), cause: thrown });
  }
}
