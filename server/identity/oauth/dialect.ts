// Errors as RFC 6749 has them: `{error, error_description}`.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionFault } from '../../session/types.ts';
import { toCatalogError } from '../dialect.ts';
import { oauthErrors } from './errors.ts';

export function renderOAuthError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (thrown instanceof SessionFault)
    return reply
      .code(401)
      .header('www-authenticate', 'Bearer error="invalid_token"')
      .send({ error: 'invalid_token', error_description: thrown.message });
  const error = toCatalogError(thrown, request);
  return reply
    .code(error.status)
    .headers(error.headers)
    .send({ error: nameOf(error.code, error.status), error_description: error.message });
}

/** Codes of the whole door that RFC 6749 and 6750 have too. */
const ofDoor: ReadonlySet<string> = new Set(['insufficient_scope', 'unsupported_grant_type']);

function nameOf(code: string, status: number): string {
  if (Object.hasOwn(oauthErrors, code) || ofDoor.has(code)) return code;
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
