// OpenAPI descriptions of the routes for providers that people may sign in with.

import {
  body,
  CALLER,
  choice,
  fields,
  flag,
  inPath,
  list,
  object,
  orNull,
  orSay,
  query,
  record,
  refer,
  response,
  text,
} from '../../http/open-api.ts';
import { ADMIN, checkedOperation, operation } from '../description-terms.ts';

const identifier = inPath('identifier', 'Such as custom:acme');
const names = (description: string) => list(text(), description, { maxItems: 100 });
const given = (name: string) => orSay(text(undefined, { minLength: 1 }), `${name} is required`);
const address = (description: string) => orNull(text(description));

const changeable = {
  'acceptable_client_ids?': names('Further clients whose ID tokens are taken'),
  'scopes?': names('Asked for at each sign-in'),
  'custom_claims_allowlist?': names('Claims that are kept in `custom_claims` of the account'),
  'pkce_enabled?': flag('On unless said'),
  'attribute_mapping?': fields('Names of ours, and the claims that they stand for'),
  'authorization_params?': record(text(), { description: 'Go with each request for a sign-in' }),
  'enabled?': flag('On unless said'),
  'email_optional?': flag('People without an address may sign in, too'),
  'issuer?': address('Of OpenID Connect'),
  'discovery_url?': address('Where its discovery document is, unless below the issuer'),
  'skip_nonce_check?': flag('For one that gives no nonce back'),
  'authorization_url?': address('Of OAuth 2'),
  'token_url?': address('Of OAuth 2'),
  'userinfo_url?': address('Of OAuth 2: who the person is, as JSON'),
  'jwks_uri?': address('Its keys'),
};

const one = response('The provider, without its secret', refer('CustomProvider'));
const missing = response('No such provider', refer('IdentityError'));

export const listProviders = checkedOperation(ADMIN, 'listCustomProviders', 'Providers that were entered', {
  security: CALLER,
  parameters: [query('type', 'oauth2 or oidc')],
  responses: { 200: response('Providers', object({ providers: list(refer('CustomProvider')) })) },
});

export const createProvider = checkedOperation(ADMIN, 'createCustomProvider', 'Enter a provider', {
  description: 'People can sign in with it at once. The discovery document of OpenID Connect is read and checked.',
  security: CALLER,
  requestBody: body(
    object({
      provider_type: orSay(choice(['oauth2', 'oidc']), "provider_type must be either 'oauth2' or 'oidc'"),
      identifier: given('identifier'),
      name: orSay(text('As people see it', { minLength: 1, maxLength: 100 }), 'name is required'),
      client_id: given('client_id'),
      client_secret: given('client_secret'),
      ...changeable,
    }),
  ),
  responses: { 201: one },
});

export const getProvider = operation(ADMIN, 'getCustomProvider', 'One provider', {
  security: CALLER,
  parameters: [identifier],
  responses: { 200: one, 404: missing },
});

export const updateProvider = checkedOperation(ADMIN, 'updateCustomProvider', 'Change a provider', {
  security: CALLER,
  parameters: [identifier],
  requestBody: body(
    object({
      'name?': text('As people see it', { maxLength: 100 }),
      'client_id?': text(),
      'client_secret?': text('A new one'),
      ...changeable,
    }),
  ),
  responses: { 200: one, 404: missing },
});

export const deleteProvider = operation(ADMIN, 'deleteCustomProvider', 'Remove a provider', {
  description: 'Accounts stay, with their other ways to sign in.',
  security: CALLER,
  parameters: [identifier],
  responses: { 204: response('It is gone'), 404: missing },
});

export const providerSchemas = {
  CustomProvider: object(
    { id: text('', { format: 'uuid' }), provider_type: text(), identifier: text(), name: text(), client_id: text() },
    { additionalProperties: true },
  ),
};
