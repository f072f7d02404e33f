// Requests to the identity door for an operator, with the service key, which stays in this process: who asks was decided before, and is written
// into the log before.

import type { FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';

export function note(
  services: Services,
  request: FastifyRequest,
  action: string,
  subject: string,
  details: object = {},
): Promise<unknown> {
  return callAdmin(
    services,
    request,
    sql`select private.log_admin_action(${action}, ${subject}, ${details}::jsonb)::text as value`,
  );
}

export function askIdentity(
  { fetch, siteUrl, sessions }: Services,
  path: string,
  body?: object,
  method = 'POST',
): Promise<Response> {
  return fetch(`${siteUrl}${path}`, {
    method,
    headers: {
      apikey: sessions.serviceRoleKey,
      authorization: `Bearer ${sessions.serviceRoleKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
