// OpenAPI descriptions of the routes of the OAuth server.

import {
  body,
  CALLER,
  choice,
  inPath,
  list,
  NOBODY,
  object,
  orNull,
  query,
  type RequestBody,
  refer,
  response,
  type Schema,
  text,
  whole,
} from '../../http/open-api.ts';
import { paging } from '../administration/described.ts';
import { ADMIN, checkedOperation, operation, PROGRAMS } from '../description-terms.ts';

const form = (schema: Schema): RequestBody => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});
const faults = {
  400: response('Refused, as RFC 6749 has it', refer('OAuthError')),
  401: response('Unknown client or token', refer('OAuthError')),
  429: response('Too often; `Retry-After` says when again', refer('OAuthError')),
};
const ofClient = {
  'client_id?': text('Unless it stands in Authorization: Basic'),
  'client_secret?': text('Of a client registered for client_secret_post'),
};
const tokens = response(
  'Tokens',
  object({
    access_token: text('Goes into `Authorization: Bearer …`'),
    token_type: { const: 'bearer' },
    expires_in: whole('Seconds'),
    scope: text('What was granted'),
    'refresh_token?': text('For the next tokens, once: a second use ends what the person granted'),
    'id_token?': text('Who the person is, signed with a key of jwks.json; with the scope openid'),
  }),
);

const ofMetadata = {
  'client_uri?': text('Its page'),
  'logo_uri?': text('Its picture'),
  'grant_types?': list(text()),
  'response_types?': list(text()),
  'scope?': text('All that it may ask for'),
  'token_endpoint_auth_method?': text('client_secret_basic, client_secret_post or none'),
};

export const authorizeProgram = operation(PROGRAMS, 'authorizeProgram', 'Send a browser to the consent page', {
  security: NOBODY,
  parameters: [
    query('client_id', 'The program', { required: true }),
    query('response_type', 'code', { required: true }),
    query('redirect_uri', 'One that the client is registered with', { schema: text(undefined, { format: 'uri' }) }),
    query('code_challenge', 'SHA-256 of the verifier, base64url', { required: true }),
    query('code_challenge_method', 'S256', { required: true }),
    query('scope', 'openid email profile phone, and read, comment or write'),
    query('state', 'Comes back as it was'),
    query('nonce', 'Comes back in the ID token'),
    query('resource', 'What the token is for; several may be named'),
    query('prompt', 'Anything but none asks the person in any case'),
  ],
  responses: { 302: response('On to the consent page, or back with an error'), 400: faults[400], 429: faults[429] },
});

export const programToken = operation(PROGRAMS, 'programToken', 'Exchange a code, a refresh token or a secret', {
  security: NOBODY,
  requestBody: form(
    object({
      grant_type: text('authorization_code, refresh_token, client_credentials, or that of a device'),
      ...ofClient,
      'code?': text('Of the redirect'),
      'code_verifier?': text('Whose hash was sent before'),
      'redirect_uri?': text('As it was sent before'),
      'refresh_token?': text('The last one'),
      'device_code?': text('Of a device'),
      'scope?': text('Fewer than were granted'),
      'resource?': text('Fewer than were authorized'),
      'projects?': text('With client_credentials: ids of fewer projects'),
    }),
  ),
  responses: { 200: tokens, ...faults },
});

export const revokeToken = operation(PROGRAMS, 'revokeProgramToken', 'End the session of a token', {
  security: NOBODY,
  requestBody: form(object({ token: text('An access or refresh token of the client'), ...ofClient })),
  responses: { 200: response('It is over, or was none'), ...faults },
});

const whoTheyAre = {
  security: [{ token: [] }],
  responses: {
    200: response('Claims, as far as the scopes let know', { type: 'object' }),
    401: faults[401],
    403: response('Without the scope openid', refer('OAuthError')),
  },
};
export const userinfo = operation(PROGRAMS, 'userinfo', 'Who let the program in', whoTheyAre);
export const userinfoPosted = operation(PROGRAMS, 'userinfoPosted', 'The same, by POST', whoTheyAre);

export const serverMetadata = operation(PROGRAMS, 'authorizationServer', 'What the OAuth server offers', {
  security: NOBODY,
  responses: { 200: response('RFC 8414', { type: 'object' }) },
});

const authorization = inPath('authorization_id', 'The request of a program', { format: 'uuid' });
const unknown = response('No such request of this person', refer('IdentityError'));
const redirect = object({ redirect_url: text('Where the browser goes on') });

export const readAuthorization = operation(PROGRAMS, 'readAuthorization', 'What a program asks for', {
  security: CALLER,
  parameters: [authorization],
  responses: {
    200: response('Program, person and scope; or where to go on, if it was granted before', { type: 'object' }),
    404: unknown,
  },
});

export const consentTo = checkedOperation(PROGRAMS, 'answerAuthorization', 'Let a program in, or not', {
  security: CALLER,
  parameters: [authorization],
  requestBody: body(
    object({
      action: choice(['approve', 'deny']),
      'scope?': text('Less than it asked for'),
      'projects?': orNull(list(text('', { format: 'uuid' }), 'Only these; null: all')),
      'expires_in?': orNull(whole('Seconds until it ends; null: when it is revoked')),
    }),
  ),
  responses: { 200: response('Where the browser goes on', redirect), 404: unknown },
});

export const registerClient = operation(PROGRAMS, 'registerProgram', 'Register a program', {
  description: 'Only where AUTH_OAUTH_CLIENTS is open (RFC 7591).',
  security: NOBODY,
  requestBody: body(object({ client_name: text('As people see it'), 'redirect_uris?': list(text()), ...ofMetadata })),
  responses: { 201: response('The client, with its secret', refer('OAuthClient')), ...faults },
});

export const startDevice = operation(PROGRAMS, 'startDevice', 'Codes for a program without a browser', {
  security: NOBODY,
  requestBody: form(object({ ...ofClient, 'scope?': text('As at /oauth/authorize'), 'resource?': text('As there') })),
  responses: { 200: response('Codes, and the page where the short one is entered', { type: 'object' }), ...faults },
});

export const findDevice = checkedOperation(PROGRAMS, 'findDevice', 'The request of a device’s short code', {
  security: CALLER,
  requestBody: body(object({ user_code: text('As the device shows it') })),
  responses: { 200: response('Its id', object({ authorization_id: text('', { format: 'uuid' }) })), 404: unknown },
});

export const listGrants = operation(PROGRAMS, 'listGrants', 'Programs that the caller let in', {
  security: CALLER,
  responses: { 200: response('Program, scopes, projects and times', { type: 'array', items: { type: 'object' } }) },
});

export const revokeGrant = operation(PROGRAMS, 'revokeGrant', 'Put a program out', {
  security: CALLER,
  parameters: [query('client_id', 'Which', { required: true })],
  responses: { 204: response('Its tokens are turned away'), 404: response('It is not in', refer('IdentityError')) },
});

const client = inPath('client_id', 'Which', { format: 'uuid' });
const oneClient = response('The client', refer('OAuthClient'));
const noClient = response('No such client', refer('IdentityError'));

export const listClients = checkedOperation(ADMIN, 'listOAuthClients', 'All programs, in pages', {
  security: CALLER,
  parameters: paging,
  responses: { 200: response('Programs', object({ clients: { type: 'array', items: refer('OAuthClient') } })) },
});

export const createClient = checkedOperation(ADMIN, 'createOAuthClient', 'Register a program', {
  security: CALLER,
  requestBody: body(object({ client_name: text('As people see it'), redirect_uris: list(text()), ...ofMetadata })),
  responses: { 201: response('The client, with its secret', refer('OAuthClient')) },
});

export const getClient = operation(ADMIN, 'getOAuthClient', 'One program', {
  security: CALLER,
  parameters: [client],
  responses: { 200: oneClient, 404: noClient },
});

export const updateClient = checkedOperation(ADMIN, 'updateOAuthClient', 'Change a program', {
  security: CALLER,
  parameters: [client],
  requestBody: body(
    object({ 'client_name?': text('As people see it'), 'redirect_uris?': list(text()), ...ofMetadata }),
  ),
  responses: { 200: oneClient, 404: noClient },
});

export const deleteClient = operation(ADMIN, 'deleteOAuthClient', 'Remove a program, with all it was granted', {
  security: CALLER,
  parameters: [client],
  responses: { 204: response('It is gone'), 404: noClient },
});

export const regenerateSecret = operation(ADMIN, 'regenerateOAuthClientSecret', 'A new secret for a program', {
  security: CALLER,
  parameters: [client],
  responses: { 200: response('The client, with its new secret', refer('OAuthClient')), 404: noClient },
});

export const oauthSchemas = {
  OAuthError: object({ error: text('Stable, for programs'), 'error_description?': text('For people') }),
  OAuthClient: object({
    client_id: text('', { format: 'uuid' }),
    client_name: text(),
    'client_secret?': text('Told once'),
    client_type: choice(['public', 'confidential']),
    redirect_uris: list(text()),
    grant_types: list(text()),
    'service_account_id?': text('Whom it gets tokens for by its secret', { format: 'uuid' }),
    'scope?': text(),
  }),
};
