// OpenAPI descriptions of the routes of sessions and tokens.

import { body, CALLER, KEY, object, query, refer, response, text } from '../../http/open-api.ts';
import { email, IDENTITY, operation, refusals, session } from '../description-terms.ts';

export const getToken = operation(IDENTITY, 'getToken', 'Sign in, or refresh a session', {
  description:
    'The body depends on `grant_type`: `password` takes an address and a password, `refresh_token` a refresh token, `pkce` the code of a redirect with its verifier.',
  security: KEY,
  parameters: [
    query('grant_type', 'How the caller proves who they are', {
      required: true,
      schema: { type: 'string', enum: ['password', 'refresh_token', 'pkce', 'id_token'] },
    }),
  ],
  requestBody: body(
    object({
      'email?': email,
      'password?': text(),
      'refresh_token?': text(),
      'auth_code?': text(),
      'code_verifier?': text(),
    }),
  ),
  responses: { ...session, ...refusals },
});

export const logout = operation(IDENTITY, 'logout', 'End the session', {
  security: CALLER,
  parameters: [
    query('scope', 'Which sessions end', {
      schema: { type: 'string', enum: ['global', 'local', 'others'], default: 'global' },
    }),
  ],
  responses: { 204: response('The session has ended'), 401: response('No valid token', refer('IdentityError')) },
});
