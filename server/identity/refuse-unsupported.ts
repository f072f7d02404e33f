// Refuses requests below /auth/v1 that clients know but this server does not offer, and unknown ones.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unlisted } from '../http/describe-routes.ts';
import { refuse } from './errors.ts';
import type { IdentityContext } from './identity-context.ts';
import { requireAdmin, requireUser } from './requests/require-user.ts';

const refusal = unlisted('A refusal');

export function refuseUnsupported(door: FastifyInstance, context: IdentityContext): void {
  // Not offered; the errors are those that clients know.
  for (const path of ['/sso', '/sso/*', '/admin/sso', '/admin/sso/*'])
    door.all(path, refusal, () => {
      throw refuse('saml_provider_disabled', 'SAML 2.0 is disabled');
    });

  const refuseAll = (path: string, words: string, check: (request: FastifyRequest) => unknown = () => null): void => {
    for (const url of [path, `${path}/*`])
      door.all(url, refusal, async (request) => {
        await check(request);
        throw refuse('feature_disabled', words);
      });
  };
  const customProviders = 'Custom OAuth providers are disabled';
  refuseAll('/admin/custom-providers', customProviders, (request) => requireAdmin(context, request));
  refuseAll('/factors/recovery-codes', 'Recovery codes are disabled', (request) => requireUser(context, request));

  door.all('/*', refusal, (request) => {
    throw refuse('not_found', `No such path: ${request.method} ${request.url.split('?', 1)[0]}`);
  });
}
