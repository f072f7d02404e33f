// OpenAPI descriptions of the account routes.

import { body, CALLER, KEY, object, refer, response, text } from '../../http/open-api.ts';
import { email, IDENTITY, operation, password, refusals, session } from '../description-terms.ts';

export const signUp = operation(IDENTITY, 'signUp', 'Create an account', {
  description: 'Answers a session, or only the user when the address must be confirmed first.',
  security: KEY,
  requestBody: body(
    object({
      email,
      password,
      'data?': object({ 'name?': text('Display name') }, { description: 'Kept as `user_metadata`' }),
    }),
  ),
  responses: { ...session, 422: response('The account cannot be made so', refer('IdentityError')), ...refusals },
});

export const getUser = operation(IDENTITY, 'getUser', 'Who the token belongs to', {
  security: CALLER,
  responses: { 200: response('The user', refer('User')), 401: response('No valid token', refer('IdentityError')) },
});

export const updateUser = operation(IDENTITY, 'updateUser', 'Change address, password or metadata', {
  security: CALLER,
  requestBody: body(object({ 'email?': email, 'password?': password, 'data?': { type: 'object' }, 'nonce?': text() })),
  responses: { 200: response('The user', refer('User')), ...refusals },
});
