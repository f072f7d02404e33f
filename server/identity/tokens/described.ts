// OpenAPI descriptions of the routes of sessions and tokens.

import { body, CALLER, choice, flag, KEY, object, query, refer, response, text } from '../../http/open-api.ts';
import { email, IDENTITY, operation, phone, refusals, session } from '../description-terms.ts';

export const getToken = operation(IDENTITY, 'getToken', 'Sign in, or refresh a session', {
  description:
    'The body depends on `grant_type`: `password` takes an address and a password, `refresh_token` a refresh token, `pkce` the code of a redirect with its verifier, `id_token` the token of a provider.',
  security: KEY,
  parameters: [
    query('grant_type', 'How the caller proves who they are', {
      required: true,
      schema: choice(['password', 'refresh_token', 'pkce', 'id_token']),
    }),
  ],
  requestBody: body(
    object({
      'email?': email,
      'password?': text(),
      'phone?': phone,
      'refresh_token?': text(),
      'auth_code?': text(),
      'code_verifier?': text(),
      'id_token?': text('Of the provider'),
      'token?': text('The same'),
      'provider?': text('Whose the token is'),
      'access_token?': text('That came with the token'),
      'nonce?': text('As it was sent to the provider, before it was hashed'),
      'link_identity?': flag('Adds the provider to the account that is signed in'),
    }),
  ),
  responses: { ...session, ...refusals },
});

export const logout = operation(IDENTITY, 'logout', 'End the session', {
  security: CALLER,
  parameters: [
    query('scope', 'Which sessions end: global unless said', { schema: choice(['global', 'local', 'others']) }),
  ],
  responses: { 204: response('The session has ended'), 401: response('No valid token', refer('IdentityError')) },
});
