// /auth/v1: the identity door, a table of contents. Each operation has a file; errors are rendered in one place.

import type { FastifyInstance } from 'fastify';
import { exposedHeaders } from '../http/cors.ts';
import { described } from '../http/describe-routes.ts';
import type { Operation as Description } from '../http/open-api.ts';
import { leaveBodies } from '../http/read-json.ts';
import type { Services } from '../services.ts';
import * as accounts from './accounts/described.ts';
import { getUser } from './accounts/get-user.ts';
import { signUp } from './accounts/sign-up.ts';
import { updateUser } from './accounts/update-user.ts';
import { providerSchemas } from './administration/described-providers.ts';
import { mountAdministration } from './administration/mount-administration.ts';
import * as general from './described.ts';
import { identitySchemas, identityTags } from './description-terms.ts';
import { renderIdentityError } from './dialect.ts';
import { mountFactors } from './factors/mount-factors.ts';
import { openIdentityContext } from './identity-context.ts';
import { confirmPage, confirmPosted } from './mail/confirm-page.ts';
import * as mail from './mail/described.ts';
import { sendCode } from './mail/otp.ts';
import { reauthenticate } from './mail/reauthenticate.ts';
import { recover } from './mail/recover.ts';
import { resend } from './mail/resend.ts';
import { verifyLink, verifyPosted } from './mail/verify.ts';
import { oauthSchemas } from './oauth/described.ts';
import { serverMetadata } from './oauth/discovery.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { mountWellKnown } from './oauth/mount-well-known.ts';
import { publicSigningKeys } from './oauth/signing-keys.ts';
import { authorize, authorizeLink } from './outside-issuers/authorize.ts';
import { callback } from './outside-issuers/callback.ts';
import * as outsideIssuers from './outside-issuers/described.ts';
import { consentPosted } from './outside-issuers/link-consent.ts';
import { unlinkIdentity } from './outside-issuers/unlink-identity.ts';
import { refuseUnsupported } from './refuse-unsupported.ts';
import { checkApiKey } from './requests/require-user.ts';
import { serving } from './serving.ts';
import { health, settings } from './settings.ts';
import { createShareLink } from './share-links/create-share-link.ts';
import * as sharing from './share-links/described.ts';
import { openShareLink } from './share-links/open-share-link.ts';
import { sweepRegularly } from './sweep.ts';
import { keySource } from './tokens/api-keys.ts';
import * as tokens from './tokens/described.ts';
import { watchEndedSessions } from './tokens/ended-sessions.ts';
import { watchGuests } from './tokens/guests.ts';
import { logout } from './tokens/logout.ts';
import { token } from './tokens/token.ts';

/** The operation runs on GET alone. */
const withoutHead = (description: Description) => ({ ...described(description), exposeHeadRoute: false });

/** Codes of refusals of whoever may be guessing, or cannot get in. */
const signInFailures = [
  'invalid_credentials',
  'mfa_verification_failed',
  'otp_expired',
  'user_banned',
  'email_not_confirmed',
  'over_request_rate_limit',
  'bad_oauth_state',
  'webauthn_verification_failed',
  'share_link_password',
];

export async function mountIdentity(app: FastifyInstance, services: Services): Promise<void> {
  const context = openIdentityContext(services);
  app.describeTerms({
    tags: identityTags,
    schemas: { ...identitySchemas, ...oauthSchemas, ...providerSchemas },
  });
  const countFailure = services.metrics.counter(
    { name: 'kanbase_sign_in_failures_total', help: 'Sign-ins that were refused, by reason.', label: 'reason' },
    signInFailures,
  );
  await sweepRegularly(context, services.jobs);
  context.sessions.readKeysFrom(keySource(context));
  const watched = await Promise.all([
    watchEndedSessions(context, services.database),
    watchGuests(context, services.database),
  ]);
  app.addHook('onClose', async () => {
    await Promise.all(watched.map((stop) => stop()));
    await context.refreshes.close();
    await context.passwords.close();
  });

  mountWellKnown(app, context);
  await app.register(
    async (door) => {
      door.setErrorHandler(renderIdentityError);
      leaveBodies(door);
      door.addHook('onResponse', async (_request, reply) => {
        const code = reply.statusCode < 400 ? undefined : reply.getHeader('x-sb-error-code');
        if (typeof code === 'string') countFailure(code);
      });
      door.addHook('onRequest', async (request, reply) => {
        reply.headers({
          'access-control-expose-headers': `${exposedHeaders}, X-Total-Count, Link`,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        await checkApiKey(context, request);
      });

      const serve = serving(context);

      door.post('/signup', described(accounts.signUp), serve(signUp));
      door.get('/user', described(accounts.getUser), serve(getUser));
      door.put('/user', described(accounts.updateUser), serve(updateUser));

      door.post('/token', described(tokens.getToken), serve(token));
      door.post('/logout', described(tokens.logout), serve(logout));

      // Programs that look ahead must not start or finish a sign-in, nor have a code sent.
      door.get('/authorize', withoutHead(outsideIssuers.authorize), serve(authorize));
      door.get('/callback', withoutHead(outsideIssuers.providerCallback), serve(callback));
      door.post('/callback', described(outsideIssuers.consentToLink), serve(consentPosted));
      door.get('/user/identities/authorize', withoutHead(outsideIssuers.linkIdentity), serve(authorizeLink));
      door.delete('/user/identities/:identity_id', described(outsideIssuers.unlinkIdentity), serve(unlinkIdentity));

      door.post('/recover', described(mail.recover), serve(recover));
      door.post('/otp', described(mail.sendCode), serve(sendCode));
      door.post('/magiclink', described(mail.sendMagicLink), serve(sendCode));
      door.post('/resend', described(mail.resend), serve(resend));
      // HEAD is what programs that check links send; it must not use one up.
      door.get('/verify', withoutHead(mail.verifyLink), serve(verifyLink));
      door.head('/verify', (_request, reply) => reply.code(204).send());
      door.post('/verify', described(mail.verifyCode), serve(verifyPosted));
      door.get('/confirm', described(mail.confirmPage), serve(confirmPage));
      door.post('/confirm', described(mail.confirm), serve(confirmPosted));
      door.get('/reauthenticate', withoutHead(mail.reauthenticate), serve(reauthenticate));

      door.get('/settings', described(general.identitySettings), serve(settings));
      door.get('/.well-known/jwks.json', described(general.publicKeys), async (_request, reply) => {
        const keys = [...services.sessions.publicKeys().keys, ...(await publicSigningKeys(context))];
        return reply.header('cache-control', 'public, max-age=600').send({ keys });
      });
      door.get('/.well-known/openid-configuration', described(general.discovery), (_request, reply) =>
        reply.header('cache-control', 'public, max-age=600').send(serverMetadata(context)),
      );
      door.get('/health', described(general.identityHealth), serve(health));

      mountFactors(door, context);
      door.post('/share_links', described(sharing.createShareLink), serve(createShareLink));
      door.post('/share_links/open', described(sharing.openShareLink), serve(openShareLink));

      mountAdministration(door, context);
      await mountOAuth(door, context);
      refuseUnsupported(door);
    },
    { prefix: '/auth/v1' },
  );
}
