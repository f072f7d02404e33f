// Refuses requests below /auth/v1 that clients know but this server does not offer, and unknown ones.

import type { FastifyInstance } from 'fastify';
import { unlisted } from '../http/describe-routes.ts';
import { refuse } from './errors.ts';

const refusal = unlisted('A refusal');

export function refuseUnsupported(door: FastifyInstance): void {
  // Not offered; the errors are those that clients know.
  for (const path of ['/sso', '/sso/*', '/admin/sso', '/admin/sso/*'])
    door.all(path, refusal, () => {
      throw refuse('saml_provider_disabled', 'SAML 2.0 is disabled');
    });

  door.all('/*', refusal, (request) => {
    throw refuse('not_found', `No such path: ${request.method} ${request.url.split('?', 1)[0]}`);
  });
}
