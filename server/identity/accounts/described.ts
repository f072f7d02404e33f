// OpenAPI descriptions of the account routes.

import { body, CALLER, fields, KEY, object, refer, response, text } from '../../http/open-api.ts';
import {
  challenge,
  email,
  IDENTITY,
  metadata,
  operation,
  password,
  phone,
  redirectTo,
  refusals,
  session,
} from '../description-terms.ts';

export const signUp = operation(IDENTITY, 'signUp', 'Create an account', {
  description:
    'Answers a session, or only the user when the address must be confirmed first. Without an address and a password: an anonymous account, where those are on.',
  security: KEY,
  parameters: [redirectTo],
  requestBody: body(object({ 'email?': email, 'password?': password, 'phone?': phone, ...metadata, ...challenge })),
  responses: { ...session, 422: response('The account cannot be made so', refer('IdentityError')), ...refusals },
});

export const getUser = operation(IDENTITY, 'getUser', 'Who the token belongs to', {
  security: CALLER,
  responses: { 200: response('The user', refer('User')), 401: response('No valid token', refer('IdentityError')) },
});

export const updateUser = operation(IDENTITY, 'updateUser', 'Change address, password or metadata', {
  security: CALLER,
  parameters: [redirectTo],
  requestBody: body(
    object({
      'email?': email,
      'password?': password,
      'phone?': phone,
      'nonce?': text('The code of a reauthentication'),
      'app_metadata?': fields('Only with the service key, below /admin'),
      ...metadata,
      ...challenge,
    }),
  ),
  responses: { 200: response('The user', refer('User')), ...refusals },
});
