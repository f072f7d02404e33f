// The OAuth server of /auth/v1, a table of contents. Programs get errors as RFC 6749 has them; people and administrators, as the rest of the door.

import type { FastifyInstance } from 'fastify';
import { described } from '../../http/describe-routes.ts';
import type { IdentityContext } from '../identity-context.ts';
import { serving } from '../serving.ts';
import { createClient, deleteClient, getClient, listClients, regenerateSecret, updateClient } from './admin-clients.ts';
import { authorize } from './authorize.ts';
import { answerAuthorization, showAuthorization } from './consent.ts';
import * as routes from './described.ts';
import { findDevice, startDevice } from './device.ts';
import { renderOAuthError } from './dialect.ts';
import { serverMetadata } from './discovery.ts';
import { listGrants, revokeGrant } from './grants.ts';
import { register } from './register.ts';
import { exchangeToken, revokeToken } from './token.ts';
import { userinfo } from './userinfo.ts';

export async function mountOAuth(door: FastifyInstance, context: IdentityContext): Promise<void> {
  const serve = serving(context);

  door.get('/oauth/authorizations/:authorization_id', described(routes.readAuthorization), serve(showAuthorization));
  door.post('/oauth/authorizations/:authorization_id/consent', described(routes.consentTo), serve(answerAuthorization));
  door.post('/oauth/device', described(routes.findDevice), serve(findDevice));
  door.get('/user/oauth/grants', described(routes.listGrants), serve(listGrants));
  door.delete('/user/oauth/grants', described(routes.revokeGrant), serve(revokeGrant));

  door.get('/admin/oauth/clients', described(routes.listClients), serve(listClients));
  door.post('/admin/oauth/clients', described(routes.createClient), serve(createClient));
  door.get('/admin/oauth/clients/:client_id', described(routes.getClient), serve(getClient));
  door.put('/admin/oauth/clients/:client_id', described(routes.updateClient), serve(updateClient));
  door.delete('/admin/oauth/clients/:client_id', described(routes.deleteClient), serve(deleteClient));
  door.post(
    '/admin/oauth/clients/:client_id/regenerate_secret',
    described(routes.regenerateSecret),
    serve(regenerateSecret),
  );

  await door.register(async (programs) => {
    programs.setErrorHandler(renderOAuthError);
    // Programs that look ahead keep no request.
    const withoutHead = { ...described(routes.authorizeProgram), exposeHeadRoute: false };
    programs.get('/oauth/authorize', withoutHead, serve(authorize));
    programs.post('/oauth/token', described(routes.programToken), serve(exchangeToken));
    if (context.settings.oauthClients === 'open')
      programs.post('/oauth/register', described(routes.registerClient), serve(register));
    programs.post('/oauth/device_authorization', described(routes.startDevice), serve(startDevice));
    programs.post('/oauth/revoke', described(routes.revokeToken), serve(revokeToken));
    programs.get('/oauth/userinfo', described(routes.userinfo), serve(userinfo));
    programs.post('/oauth/userinfo', described(routes.userinfoPosted), serve(userinfo));
    programs.get('/.well-known/oauth-authorization-server', described(routes.serverMetadata), (_request, reply) =>
      reply.header('cache-control', 'public, max-age=600').send(serverMetadata(context)),
    );
  });
}
