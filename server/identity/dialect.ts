// Errors as the identity door sends them: `{code, message}` as GoTrue's current API version has it, with the older
// `error_code` and `msg` beside them, so that clients of any age find what they look for.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { exhausted } from '../database/errors.ts';
import { PostgresError } from '../database/types.ts';
import type { CatalogError } from '../errors.ts';
import { asCatalogError } from '../http/render-error.ts';
import { SessionFault } from '../session/types.ts';
import { refuse, WeakPassword } from './errors.ts';

const apiVersion = '2024-01-01';

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly error_code: string;
  readonly msg: string;
  readonly hint: string | null;
  readonly error_id?: string;
  readonly weak_password?: { readonly reasons: readonly string[] };
}

/** Anything thrown, as something this door may say. */
export function toCatalogError(thrown: unknown, request: FastifyRequest): CatalogError {
  if (thrown instanceof SessionFault) return ofSessionFault(thrown);
  const trouble = exhausted(thrown);
  if (thrown instanceof PostgresError && trouble === null) {
    // Class 22: a value that Postgres cannot hold, such as a NUL character in a text.
    if (thrown.sqlstate.startsWith('22'))
      return refuse('validation_failed', `A value cannot be stored: ${thrown.message}`);
    request.log.error({ err: thrown, route: request.routeOptions.url }, 'the database refused');
    return refuse('unexpected_failure', 'Database error, see the log of the server', { cause: thrown });
  }
  const error = asCatalogError(trouble ?? thrown, request);
  if (error.code === 'KB500')
    return refuse('unexpected_failure', 'Unexpected failure, please check server logs for more information');
  if (error.code === 'KB400') return refuse('bad_json', `Could not parse request body as JSON: ${error.message}`);
  return error;
}

function ofSessionFault(fault: SessionFault): CatalogError {
  if (fault.which === 'apikey')
    return fault.fault === 'missing'
      ? refuse('no_authorization', 'No API key found in request')
      : refuse('invalid_api_key', 'Invalid API key');
  if (fault.fault === 'missing' || fault.fault === 'no_bearer')
    return refuse('no_authorization', 'This endpoint requires a Bearer token');
  return refuse('bad_jwt', `invalid JWT: unable to parse or verify signature, ${fault.message}`);
}

export function errorBody(error: CatalogError, requestId: string): ErrorBody {
  return {
    code: error.code,
    message: error.message,
    error_code: error.code,
    msg: error.message,
    hint: error.hint,
    ...(error.status >= 500 ? { error_id: requestId } : {}),
    ...(error instanceof WeakPassword ? { weak_password: { reasons: error.reasons } } : {}),
  };
}

export function renderIdentityError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toCatalogError(thrown, request);
  return reply
    .code(error.status)
    .headers({ 'x-supabase-api-version': apiVersion, 'x-sb-error-code': error.code, ...error.headers })
    .send(errorBody(error, request.id));
}
