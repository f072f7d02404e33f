// OpenAPI descriptions of settings, keys, discovery and health of the identity door.

import { KEY, NOBODY, object, response, text } from '../http/open-api.ts';
import { IDENTITY, operation } from './description-terms.ts';

export const identitySettings = operation(IDENTITY, 'identitySettings', 'What this service allows', {
  security: KEY,
  responses: { 200: response('Providers and switches', { type: 'object' }) },
});

export const publicKeys = operation(IDENTITY, 'publicKeys', 'The keys that verify tokens', {
  security: NOBODY,
  responses: {
    200: response('A JSON Web Key Set', object({ keys: { type: 'array', items: { type: 'object' } } })),
  },
});

export const discovery = operation(IDENTITY, 'discovery', 'Who signs the tokens', {
  security: NOBODY,
  responses: {
    200: response(
      'OpenID Connect Discovery',
      object({ issuer: text('Its address'), jwks_uri: text('Where its keys are') }),
    ),
  },
});

export const identityHealth = operation(IDENTITY, 'identityHealth', 'Whether the identity door answers', {
  security: NOBODY,
  responses: { 200: response('It does', { type: 'object' }) },
});
