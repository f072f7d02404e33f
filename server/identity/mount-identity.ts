// /auth/v1: the identity door, a table of contents. Each operation has a file; errors are rendered in one place.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { House } from '../house.ts';
import { corsHeaders } from '../http/cors.ts';
import {
  deleteFactor,
  deleteUserPasskey,
  listAudit,
  listFactors,
  listUserPasskeys,
  renameFactor,
} from './admin-extras.ts';
import { generateLink, invite } from './admin-links.ts';
import { changeUser, createUser, deleteUser, listUsers, readUserById } from './admin-users.ts';
import { authorize, authorizeLink } from './authorize.ts';
import { callback } from './callback.ts';
import { challengeFactor } from './challenge-factor.ts';
import { confirmPage, confirmPosted } from './confirm-page.ts';
import { renderRefusal } from './dialect.ts';
import { watchEndedSessions } from './ended-sessions.ts';
import { refuse } from './errors.ts';
import { enrollFactor, unenrollFactor } from './factors.ts';
import { getUser } from './get-user.ts';
import { checkApiKey, requireAdmin, requireUser } from './guards.ts';
import { consentPosted } from './link-consent.ts';
import { logout } from './logout.ts';
import { sendCode } from './otp.ts';
import {
  finishRegistration,
  finishSignIn,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startRegistration,
  startSignIn,
} from './passkeys.ts';
import { reauthenticate } from './reauthenticate.ts';
import { recover } from './recover.ts';
import { resend } from './resend.ts';
import { openRoom, type Room } from './room.ts';
import { discovery, health, settings } from './settings.ts';
import { signUp } from './sign-up.ts';
import { sweepRegularly } from './sweep.ts';
import { token } from './token.ts';
import { unlinkIdentity } from './unlink-identity.ts';
import { updateUser } from './update-user.ts';
import { verifyLink, verifyPosted } from './verify.ts';
import { verifyFactor } from './verify-factor.ts';

type Operation = (room: Room, request: FastifyRequest, reply: FastifyReply) => unknown;

export async function mountIdentity(app: FastifyInstance, house: House): Promise<void> {
  const room = openRoom(house);
  const stopSweeping = sweepRegularly(room);
  const stopWatching = await watchEndedSessions(room, house.database);
  app.addHook('onClose', async () => {
    stopSweeping();
    await stopWatching();
    await room.refreshes.close();
    await room.passwords.close();
  });

  await app.register(
    async (door) => {
      door.setErrorHandler(renderRefusal);
      // Bodies are read as text and parsed by the operation: clients send JSON types with empty bodies.
      door.removeAllContentTypeParsers();
      door.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
      door.addHook('onRequest', async (request, reply) => {
        reply.headers({
          ...corsHeaders,
          'access-control-expose-headers': `${corsHeaders['access-control-expose-headers']}, X-Total-Count, Link`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        await checkApiKey(room, request);
      });

      const serve = (operation: Operation) => async (request: FastifyRequest, reply: FastifyReply) =>
        operation(room, request, reply);

      door.get('/health', serve(health));
      door.get('/settings', serve(settings));
      door.get('/.well-known/jwks.json', (_request, reply) =>
        reply.header('cache-control', 'public, max-age=600').send(house.sessions.publicKeys()),
      );

      door.get('/.well-known/openid-configuration', (_request, reply) =>
        reply.header('cache-control', 'public, max-age=600').send(discovery(room)),
      );

      door.post('/signup', serve(signUp));
      door.post('/token', serve(token));
      door.post('/logout', serve(logout));
      door.get('/user', serve(getUser));
      door.put('/user', serve(updateUser));
      door.get('/reauthenticate', { exposeHeadRoute: false }, serve(reauthenticate));

      // Programs that look ahead must not start or finish a sign-in either.
      door.get('/authorize', { exposeHeadRoute: false }, serve(authorize));
      door.get('/callback', { exposeHeadRoute: false }, serve(callback));
      door.post('/callback', serve(consentPosted));
      door.get('/user/identities/authorize', { exposeHeadRoute: false }, serve(authorizeLink));
      door.delete('/user/identities/:identity_id', serve(unlinkIdentity));

      door.post('/factors', serve(enrollFactor));
      door.post('/factors/:factor_id/challenge', serve(challengeFactor));
      door.post('/factors/:factor_id/verify', serve(verifyFactor));
      door.delete('/factors/:factor_id', serve(unenrollFactor));

      door.get('/passkeys', serve(listPasskeys));
      door.post('/passkeys/registration/options', serve(startRegistration));
      door.post('/passkeys/registration/verify', serve(finishRegistration));
      door.post('/passkeys/authentication/options', serve(startSignIn));
      door.post('/passkeys/authentication/verify', serve(finishSignIn));
      door.patch('/passkeys/:passkey_id', serve(renamePasskey));
      door.delete('/passkeys/:passkey_id', serve(removePasskey));

      door.post('/invite', serve(invite));
      door.get('/admin/users', serve(listUsers));
      door.post('/admin/users', serve(createUser));
      door.get('/admin/users/:user_id', serve(readUserById));
      door.put('/admin/users/:user_id', serve(changeUser));
      door.delete('/admin/users/:user_id', serve(deleteUser));
      door.get('/admin/users/:user_id/factors', serve(listFactors));
      door.put('/admin/users/:user_id/factors/:factor_id', serve(renameFactor));
      door.delete('/admin/users/:user_id/factors/:factor_id', serve(deleteFactor));
      door.get('/admin/users/:user_id/passkeys', serve(listUserPasskeys));
      door.delete('/admin/users/:user_id/passkeys/:passkey_id', serve(deleteUserPasskey));
      door.post('/admin/generate_link', serve(generateLink));
      door.get('/admin/audit', serve(listAudit));

      // Not offered, and said so as clients know it.
      for (const path of ['/sso', '/sso/*', '/admin/sso', '/admin/sso/*'])
        door.all(path, () => {
          throw refuse('saml_provider_disabled', 'SAML 2.0 is disabled');
        });

      const refuseAll = (
        path: string,
        words: string,
        check: (request: FastifyRequest) => unknown = () => null,
      ): void => {
        for (const url of [path, `${path}/*`])
          door.all(url, async (request) => {
            await check(request);
            throw refuse('feature_disabled', words);
          });
      };
      refuseAll('/oauth', 'OAuth server is disabled');
      refuseAll('/.well-known/oauth-authorization-server', 'OAuth server is disabled');
      refuseAll('/user/oauth', 'OAuth server is disabled', (request) => requireUser(room, request));
      refuseAll('/admin/oauth', 'OAuth server is disabled', (request) => requireAdmin(room, request));
      const customProviders = 'Custom OAuth providers are disabled';
      refuseAll('/admin/custom-providers', customProviders, (request) => requireAdmin(room, request));
      refuseAll('/factors/recovery-codes', 'Recovery codes are disabled', (request) => requireUser(room, request));

      door.all('/*', (request) => {
        throw refuse('not_found', `No such path: ${request.method} ${request.url.split('?', 1)[0]}`);
      });

      door.post('/recover', serve(recover));
      door.post('/otp', serve(sendCode));
      door.post('/magiclink', serve(sendCode));
      door.post('/resend', serve(resend));
      // HEAD is what programs that check links send; it must not use one up.
      door.get('/verify', { exposeHeadRoute: false }, serve(verifyLink));
      door.head('/verify', (_request, reply) => reply.code(204).send());
      door.post('/verify', serve(verifyPosted));
      door.get('/confirm', serve(confirmPage));
      door.post('/confirm', serve(confirmPosted));
    },
    { prefix: '/auth/v1' },
  );
}
